import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { defined, definedOrNothing, isSet, type Json, shown } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import { PodSpread } from '../../contract/options';
import { keepOnPool, spreadPods } from '../../contract/pod-placement';
import { refuse } from '../../contract/rule';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { mapAt, mergedSpec } from '../operator/kafka-document';
import { isNodeId, MOST_IDS, type NodePoolDocument } from '../operator/node-pools';
import { KafkaNodeRole } from '../options';
import { checkNodePool } from '../rules/node-pool-rules';
import { REFUSALS } from '../rules.facts';
import {
  CLUSTER_LABEL,
  HIGHEST_NODE_ID,
  KAFKA_NODE_POOL_KIND,
  NEXT_NODE_IDS_ANNOTATION,
  SELECTOR_LABELS,
} from '../strimzi/strimzi.facts';
import { registerVersion } from './manifest-cluster';
import type { KafkaNodePoolProps } from './options';

/**
 * Ids of the nodes of a pool. All pools of a cluster draw from one set of ids: without ids of its own, a pool gets
 * the lowest ones that happen to be free, and names of pods, Services and DNS records change with the order of creation.
 *
 * Give each pool a range of its own, and wide enough to grow. It decides about new nodes only: nodes that live keep the
 * ids that they have.
 */
export class KafkaNodeIds {
  /**
   * All ids from one to another. New nodes take the lowest free one.
   *
   * @param first the lowest id
   * @param last the highest id, itself one of them
   * @throws when one of them is no id, or the last one is lower than the first
   */
  public static between(first: number, last: number): KafkaNodeIds {
    if (last < first) {
      throw new Error(`strimzi: node ids cannot go from ${first} to ${last}; write the lower one first`);
    }
    return new KafkaNodeIds([[first, last]]);
  }

  /**
   * Some ids. New nodes take the first free one in this order.
   *
   * @param ids at least one, none of them twice
   * @throws when there is none, one is no id, or one is listed twice
   */
  public static of(ids: number[]): KafkaNodeIds {
    if (ids.length === 0) {
      throw new Error('strimzi: node ids cannot be an empty list; name at least one, or leave them out');
    }
    return new KafkaNodeIds(ids.map((id): [number, number] => [id, id]));
  }

  /** The ids, in the order in which new nodes take them. */
  public readonly ids: number[];

  private constructor(private readonly parts: readonly (readonly [first: number, last: number])[]) {
    const ids = new Set<number>();
    for (const [first, last] of parts) {
      for (const end of [first, last]) {
        if (!isNodeId(end) || end > HIGHEST_NODE_ID) {
          throw new Error(`strimzi: ${end} cannot be a node id; write a whole number from 0 to ${HIGHEST_NODE_ID}`);
        }
      }
      if (last - first >= MOST_IDS) {
        refuse(REFUSALS.wideRange, { first, last, width: last - first + 1, most: MOST_IDS });
      }
      for (let id = first; id <= last; id++) {
        if (ids.has(id)) {
          throw new Error(`strimzi: node id ${id} is listed twice; remove one`);
        }
        ids.add(id);
      }
    }
    this.ids = [...ids];
  }

  /**
   * These ids, and when they are taken, others.
   *
   * @param others none of which is one of these
   * @throws when they share an id
   */
  public plus(others: KafkaNodeIds): KafkaNodeIds {
    return new KafkaNodeIds([...this.parts, ...others.parts]);
  }

  /** The text of the annotation: `[0-99]`, `[0, 1, 5]`. @internal */
  public _annotation(): string {
    return `[${this.parts.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ')}]`;
  }
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

  /** True if its nodes have the role of a broker. */
  public readonly isBroker: boolean;

  /** The ids of its nodes that are brokers: all or none of them. */
  public readonly brokerIds: number[];

  private readonly range: readonly number[];
  private readonly pinnedTo?: NodePool;

  /**
   * Nodes of a Kafka cluster.
   *
   * @param props what is wished for
   * @throws when the range of ids is narrower than replicas, when two pools of one sort leave their ids out,
   * or when `spec` contradicts the other props
   */
  public constructor(scope: Construct, id: string, props: KafkaNodePoolProps) {
    validateProps(scope, id, 'KafkaNodePoolProps', props);
    super(scope, id);
    const { kafka, name, replicas, roles, nodePool } = props;
    const nodeIds = idsFor(this, props);
    this.poolName = name;
    this.pinnedTo = nodePool;
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
        labels: { [CLUSTER_LABEL]: kafka.clusterName, ...props.labels },
        annotations: { [NEXT_NODE_IDS_ANNOTATION]: nodeIds._annotation(), ...props.annotations },
      },
      spec: nodePoolSpec(this.node.path, props, kafka._podTemplate),
    });
    registerVersion(this.pool, kafka.strimzi);
    const decided = {
      name,
      cluster: kafka.clusterName,
      ids: nodeIds._annotation(),
      replicas,
      roles: [...roles].sort(),
    };
    const context = { strimzi: kafka.strimzi, props: decided, pinnedTo: nodePool, nodePools: nodePool && [nodePool] };
    validateObject(this, this.pool, { check: (pool) => checkNodePool(pool, context) });
    kafka._add(this);
  }

  /** @internal */
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

const PROPS = { 'spec.replicas': 'replicas', 'spec.roles': 'roles', 'spec.storage': 'storage' };

/**
 * The spec of a KafkaNodePool.
 *
 * @param path the path of the construct
 * @param ofCluster the pod template of the cluster
 * @throws where the plain data contradicts the props
 */
function nodePoolSpec(path: string, props: KafkaNodePoolProps, ofCluster: Json): Json {
  const { replicas, roles, storage, spec = {} } = props;
  const decided = defined({ replicas, roles: [...roles], storage });
  const merged = mergedSpec(path, decided, spec, PROPS);
  const pod = podOf(path, props, ofCluster);
  const template = definedOrNothing({ ...mapAt(spec, 'template'), pod: Object.keys(pod).length > 0 ? pod : undefined });
  return { ...merged, template };
}

function podOf(path: string, props: KafkaNodePoolProps, all: Json): Json {
  const { kafka, name, replicas, nodePool, spread, zoneSpread, spec } = props;
  const overNodes = spread ?? (nodePool ? PodSpread.REQUIRED : PodSpread.PREFERRED);
  const own = mapAt(spec, 'template.pod');
  const metadataOf = (field: string) =>
    definedOrNothing({ ...mapAt(all, `metadata.${field}`), ...mapAt(own, `metadata.${field}`) });
  const metadata = { labels: metadataOf('labels'), annotations: metadataOf('annotations') };
  const pod: Json = { ...all, ...own, metadata: definedOrNothing(metadata) };
  for (const field of ['tolerations', 'topologySpreadConstraints']) {
    if (isSet(pod[field]) && !Array.isArray(pod[field])) {
      throw new Error(`${path}: spec.template.pod.${field} is ${shown(pod[field])}, and not a list; write a list`);
    }
    // lists that are added to are not those of the user
    pod[field] = pod[field] && [...pod[field]];
  }
  keepOnPool(pod, nodePool);
  spreadPods(pod, {
    spread: overNodes,
    zoneSpread: zoneSpread ?? (overNodes === PodSpread.NONE ? PodSpread.NONE : overZones(nodePool)),
    matchLabels: { [CLUSTER_LABEL]: kafka.clusterName, [SELECTOR_LABELS.pool]: name },
    domains: { nodes: replicas, zones: nodePool && Math.min(nodePool.zones.length, replicas) },
  });
  return defined(pod);
}

function overZones(nodePool: NodePool | undefined): PodSpread {
  const zones = nodePool?.zones.length ?? 0;
  if (zones === 1) {
    return PodSpread.NONE;
  }
  return zones > 1 ? PodSpread.REQUIRED : PodSpread.PREFERRED;
}

// Ids never depend on the order in which pools are made: a pool that is put before another must not move its brokers.

const BROKERS = KafkaNodeIds.between(0, 99);
const CONTROLLERS = KafkaNodeIds.between(900, 999);

const UNSAID = new WeakSet<KafkaNodePool>();

/** The ids for the nodes of a pool: as they are set, or those that only one pool of its sort can have. */
function idsFor(pool: KafkaNodePool, props: KafkaNodePoolProps): KafkaNodeIds {
  const { kafka, name, replicas, nodeIds, roles } = props;
  const isBroker = roles.includes(KafkaNodeRole.BROKER);
  const nodes = nodeIds ?? (isBroker ? BROKERS : CONTROLLERS);
  const found = { path: pool.node.path, name, ids: nodes._annotation() };
  if (!nodeIds) {
    const other = kafka.nodePools.find((present) => UNSAID.has(present) && present.isBroker === isBroker);
    if (other) {
      const sort = isBroker ? 'brokers' : 'controllers';
      refuse(REFUSALS.poolsAlike, { ...found, other: other.poolName, sort });
    }
    UNSAID.add(pool);
  }
  return nodes.ids.length < replicas ? refuse(REFUSALS.fewIds, { ...found, replicas, count: nodes.ids.length }) : nodes;
}
