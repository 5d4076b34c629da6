import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { NodePool } from '../../contract/node-pool';
import type { PodSpread } from '../../contract/pod-spread';
import { judgeObject } from '../../rules/judge-object';
import { judgeProps } from '../../rules/judge-props';
import type { NodePoolDocument } from '../operator/node-pool-ids';
import { judgeNodePool } from '../rules/node-pool-rules';
import { KafkaNodeRole } from '../strimzi/kafka-node-role';
import { CLUSTER_LABEL, KAFKA_NODE_POOL_KIND, NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import { idsFor } from './default-node-ids';
import type { KafkaCluster } from './kafka-cluster';
import type { KafkaNodeIds } from './kafka-node-ids';
import { settleVersion } from './manifest-readers';
import { nodePoolSpec } from './node-pool-spec';

/**
 * Nodes of a Kafka cluster that are alike.
 */
export interface KafkaNodePoolProps {
  /** The cluster. */
  readonly kafka: KafkaCluster;

  /**
   * The name of the KafkaNodePool. It is in the names of pods, volumes and the brokers' Services: a pool that is renamed
   * is another pool, without data and with new balancers.
   */
  readonly name: string;

  /**
   * How many nodes. Each node that is a broker gets a balancer for each listener with balancers. The operator removes the
   * node with the highest id first, and none that still has replicas of partitions.
   */
  readonly replicas: number;

  /** What the nodes do. */
  readonly roles: KafkaNodeRole[];

  /**
   * The volumes of each node, in the fields of Strimzi: `{ type: 'persistent-claim', size: '100Gi' }`. The operator ignores a
   * change of the type: a pool that may need a second volume begins with `jbod` of one.
   *
   * @default - `storage` of `spec`; one of the two must be there
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaNodePoolSpec-reference
   */
  // biome-ignore lint/suspicious/noExplicitAny: the fields of Strimzi, of any version
  readonly storage?: { [field: string]: any };

  /**
   * The ids that nodes of this pool get, the first ones first: at least as many as replicas, and none that another pool of
   * the cluster has. Without such a range the operator hands out whichever id is free, so that it is unknown which broker
   * gets which balancer and host. For a pool that lives already, pass the ids that it has.
   *
   * @default - 0 to 99 for a pool of brokers, 900 to 999 for one of controllers only; a second pool of the same sort needs
   * its own
   */
  readonly nodeIds?: KafkaNodeIds;

  /**
   * The nodes of Kubernetes to which the pods are pinned: required node affinity and tolerations for the taints of the pool.
   * For the balancers' backend pass the same object as `backendNodes` to the listener.
   *
   * @default - wherever there is room
   */
  readonly nodePool?: NodePool;

  /**
   * How the pods are spread over nodes; Strimzi by itself spreads nothing. With `REQUIRED` each pod waits for a node of its
   * own: with fewer nodes than replicas the last ones stay in Pending. Pods of other pools do not count, and a constraint of
   * the pod template over nodes replaces this one.
   *
   * @default - PodSpread.REQUIRED where the pods are pinned, PodSpread.PREFERRED else
   */
  readonly spread?: PodSpread;

  /**
   * How the pods are spread over zones. A volume stays in the zone in which its pod ran first, so brokers that started in one
   * zone remain there, whatever `rack` says.
   *
   * @default - PodSpread.REQUIRED where `nodePool` names two zones or more, PodSpread.NONE where it names one, otherwise
   * PodSpread.PREFERRED; PodSpread.NONE where `spread` is
   */
  readonly zoneSpread?: PodSpread;

  /**
   * The rest of the `spec` of the KafkaNodePool, as Strimzi has it: `{ resources, jvmOptions, template }`. It is merged with
   * what the other props decide, and must not contradict them. A pool's pod template replaces that of the cluster in
   * Strimzi; here it is written in full: what the cluster has, then the pool's own field by field.
   *
   * @default - nothing
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaNodePoolSpec-reference
   */
  // biome-ignore lint/suspicious/noExplicitAny: what the operator takes, of any version
  readonly spec?: { [field: string]: any };

  /**
   * Labels of the KafkaNodePool, without `strimzi.io/cluster`, which `kafka` decides. They flow to pods and Services.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the KafkaNodePool, without `strimzi.io/next-node-ids`, which `nodeIds` decides.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/**
 * Nodes of a Kafka cluster that are alike: roles, storage, size, and where they run.
 *
 * Each pool has a range of ids of its own, so that the ids of its brokers, and with them the names of pods, Services and
 * hosts, are known when manifests are written. The template of a pool replaces that of the cluster as a whole, so it is
 * written in full here.
 *
 * The balancers of brokers belong to the pool: they live until the KafkaNodePool is deleted, whatever happens to the Kafka
 * resource.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#config-node-pools-str
 * @example
 * const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
 * new KafkaNodePool(chart, 'Brokers', {
 *   kafka,
 *   name: 'brokers',
 *   replicas: 3,
 *   roles: [KafkaNodeRole.BROKER],
 *   storage: { type: 'persistent-claim', size: '100Gi' },
 *   nodePool: NodePools.karpenter('kafka'),
 * });
 */
export class KafkaNodePool extends Construct {
  /**
   * The KafkaNodePool resource, for patches and dependencies. Name, cluster, ids, replicas and roles are not for patches:
   * balancers are counted by the props.
   */
  public readonly pool: ApiObject;

  /** The name of the KafkaNodePool. */
  public readonly poolName: string;

  /** The ids of its nodes: as many as replicas, the first ones of its range. */
  public readonly nodeIdsInUse: number[];

  /** Whether its nodes have the role of a broker. */
  public readonly isBroker: boolean;

  /** The ids of its nodes that are brokers: all or none of them. */
  public readonly brokerIds: number[];

  private readonly range: readonly number[];
  private readonly pinnedTo?: NodePool;

  /**
   * Nodes of a Kafka cluster.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   * @throws when the range of ids is narrower than replicas, when two pools of one sort leave their ids out,
   * when labels or annotations contain what a prop decides, or when `spec` contradicts the other props
   */
  public constructor(scope: Construct, id: string, props: KafkaNodePoolProps) {
    judgeProps(scope, id, 'KafkaNodePoolProps', props);
    super(scope, id);
    const { kafka, name, replicas, roles } = props;
    refuseReserved(this, props);
    const nodeIds = idsFor(this, props);
    this.poolName = name;
    this.pinnedTo = props.nodePool;
    this.range = nodeIds.ids;
    this.nodeIdsInUse = this.range.slice(0, replicas);
    this.isBroker = roles.includes(KafkaNodeRole.BROKER);
    this.brokerIds = this.isBroker ? this.nodeIdsInUse : [];
    this.pool = new ApiObject(this, 'Default', {
      apiVersion: kafka.strimzi.apiVersion,
      kind: KAFKA_NODE_POOL_KIND,
      metadata: {
        name,
        namespace: kafka.namespace,
        labels: { ...props.labels, [CLUSTER_LABEL]: kafka.clusterName },
        annotations: { ...props.annotations, [NEXT_NODE_IDS_ANNOTATION]: nodeIds._annotation() },
      },
      spec: nodePoolSpec(this.node.path, props, kafka._podTemplate),
    });
    settleVersion(this.pool, kafka.strimzi);
    const decided = {
      name,
      cluster: kafka.clusterName,
      ids: nodeIds._annotation(),
      replicas,
      roles: [...roles].sort(),
    };
    const context = { strimzi: kafka.strimzi, props: decided, pinnedTo: props.nodePool };
    judgeObject(this, this.pool, { judge: (pool) => judgeNodePool(pool, context) });
    kafka._add(this);
  }

  /**
   * The pool as it is known beside its cluster.
   *
   * @internal
   */
  public _document(): NodePoolDocument {
    return {
      name: this.poolName,
      object: this.pool,
      isBroker: this.isBroker,
      range: this.range,
      ids: this.nodeIdsInUse,
      pinnedTo: this.pinnedTo,
    };
  }
}

/** Refuses labels and annotations that props decide: they would be replaced without notice. */
function refuseReserved(pool: KafkaNodePool, { name, labels, annotations }: KafkaNodePoolProps): void {
  const refuse = (what: string, map: object | undefined, key: string, prop: string) => {
    if (map && Object.hasOwn(map, key)) {
      throw new Error(`${pool.node.path}: node pool '${name}': ${what} cannot have ${key}; use the prop ${prop}`);
    }
  };
  refuse('labels', labels, CLUSTER_LABEL, 'kafka');
  refuse('annotations', annotations, NEXT_NODE_IDS_ANNOTATION, 'nodeIds');
}
