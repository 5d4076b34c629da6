import { ApiObject, Chart, Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import { refuseWrongProps } from '../../contract/declared-types';
import { isSet, type Json } from '../../contract/json';
import { isChecked } from '../../rules/app-objects';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { checkedDocument } from '../listener/kafka-check';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { KafkaDocument, loadBalancersOf, mapAt, mergedSpec } from '../operator/kafka-document';
import { nodePoolsOf, registerNodePools } from '../operator/node-pools';
import type { KafkaClusterProps, KafkaLoadBalancers, KafkaManifestProps } from '../options';
import { checkNodePool } from '../rules/node-pool-rules';
import {
  KAFKA_KIND,
  KRAFT_ANNOTATIONS,
  KRAFT_ANNOTATIONS_UNTIL,
  OFFSETS_REPLICAS,
  PAUSE_ANNOTATION,
  REPLICATED,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import type { KafkaNodePool } from './kafka-node-pool';
import { clusterOfManifest, registerVersion } from './manifest-cluster';

/**
 * A Kafka cluster that the Strimzi operator runs: the Kafka resource, to which `KafkaNodePool`s and listeners are added.
 *
 * Its nodes live in `KafkaNodePool`s, and at least one of them must have the role of a broker and one that of a
 * controller. Deleting the Kafka resource alone leaves the pools, their pods and the balancers of their brokers in place:
 * keep both in one chart, and delete both.
 *
 * Fields without a prop are plain data in `spec`, in Strimzi's own fields; topics and users are ApiObjects.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring
 * @example
 * const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
 * new KafkaNodePool(chart, 'Brokers', {
 *   kafka,
 *   name: 'brokers',
 *   replicas: 3,
 *   roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
 *   storage: { type: 'persistent-claim', size: '100Gi' },
 * });
 */
export class KafkaCluster extends Construct implements IKafkaCluster {
  /**
   * A cluster whose Kafka resource exists as YAML. It and its pools are validated as those are that are made here.
   *
   * @param construct `Include`, `Helm`, an ApiObject or any construct that holds the Kafka resource, and best also its
   * KafkaNodePools
   * @param props what the manifest does not hold
   * @throws when the construct holds no Kafka of Strimzi, or several and no name, when the ids of the brokers or
   * their pools are unknown, when `brokerIds` contradicts the pools, or when the resource is read by another version already
   */
  public static fromManifest(construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
    refuseWrongProps('KafkaCluster.fromManifest', 'KafkaManifestProps', props);
    const cluster = clusterOfManifest(construct, props);
    checkedDocument(cluster);
    for (const { object } of nodePoolsOf(cluster).filter((pool) => !isChecked(pool.object))) {
      validateObject(object, object, { check: (pool) => checkNodePool(pool, { strimzi: props.strimzi }) });
    }
    return cluster;
  }

  /** The name of the Kafka resource. */
  public readonly clusterName: string;

  /** The namespace of the Kafka resource; unset where the manifest is applied without one. */
  public readonly namespace?: string;

  /** The version of the operator that will read the manifests. */
  public readonly strimzi: StrimziVersion;

  /** The Kafka resource, for patches and dependencies. */
  public readonly kafka: ApiObject;

  /** @internal */
  public readonly _podTemplate: Json;

  private readonly pools: KafkaNodePool[] = [];

  /**
   * A Kafka cluster.
   *
   * @param props what is wished for
   * @throws when `spec` contradicts the other props
   */
  public constructor(scope: Construct, id: string, props: KafkaClusterProps) {
    validateProps(scope, id, 'KafkaClusterProps', props);
    super(scope, id);
    this.clusterName = props.name;
    this.strimzi = props.strimzi;
    this._podTemplate = mapAt(props.spec, 'kafka.template.pod');
    const spec = () => clusterSpec(this.node.path, props, this.brokerIds.length);
    spec(); // what contradicts the props is reported where they are
    this.kafka = new ApiObject(this, 'Default', {
      apiVersion: props.strimzi.apiVersion,
      kind: KAFKA_KIND,
      metadata: {
        name: props.name,
        namespace: props.namespace ?? Chart.of(this).namespace,
        labels: props.labels,
        annotations: { ...clusterAnnotations(props), ...props.annotations },
      },
      spec: Lazy.any({ produce: spec }),
    });
    this.namespace = this.kafka.metadata.namespace;
    registerNodePools(this, () => this.pools.map((pool) => pool._document()));
    registerVersion(this.kafka, props.strimzi);
    checkedDocument(this, this);
  }

  /** The pools of nodes, in the order in which they were made. */
  public get nodePools(): KafkaNodePool[] {
    return [...this.pools];
  }

  /** The ids of the nodes that have the role of a broker, of all pools that were made by now. */
  public get brokerIds(): number[] {
    return this.pools.flatMap(({ brokerIds }) => brokerIds).sort((one, other) => one - other);
  }

  /** The load balancers that the listeners make as they are now, and the Services that the operator makes for them. */
  public get loadBalancers(): KafkaLoadBalancers {
    return loadBalancersOf(this, KafkaDocument.of(this.kafka).now());
  }

  /**
   * The name of the node pool that a broker belongs to, as it is in the names of its pod and Services.
   *
   * @param brokerId one of `brokerIds`
   * @throws when there is no such broker
   */
  public nodePoolOf(brokerId: number): string {
    const pool = this.pools.find(({ brokerIds }) => brokerIds.includes(brokerId));
    if (!pool) {
      const known = this.brokerIds.join(', ') || 'none';
      throw new Error(`${this.node.path}: there is no broker ${brokerId}; the brokers are ${known}`);
    }
    return pool.poolName;
  }

  /** @internal */
  public _add(pool: KafkaNodePool): void {
    this.pools.push(pool);
  }
}

const PROPS = { 'spec.kafka.listeners': 'listeners' };

/** The most replicas that a topic gets by itself: more cost space and time, and save little. */
const MOST_REPLICAS = 3;

/**
 * The spec of a Kafka resource, without the listeners that are written into it later.
 *
 * @param path the path of the construct
 * @param brokers how many there are
 * @throws where the plain data contradicts the props
 */
function clusterSpec(path: string, { listeners = [], spec = {} }: KafkaClusterProps, brokers: number): Json {
  const kafka = { listeners: [...listeners] };
  const merged = mergedSpec(path, { kafka }, spec, PROPS);
  const config = { ...replication(mapAt(spec, 'kafka.config'), brokers), ...mapAt(spec, 'kafka.config') };
  return {
    entityOperator: Object.hasOwn(spec, 'entityOperator') ? undefined : { topicOperator: {}, userOperator: {} },
    ...merged,
    kafka: { ...merged.kafka, config: Object.keys(config).length > 0 ? config : undefined },
  };
}

function clusterAnnotations({ strimzi, pauseReconciliation }: KafkaClusterProps): Record<string, string> {
  const kraft = reaches(strimzi, KRAFT_ANNOTATIONS_UNTIL) ? [] : KRAFT_ANNOTATIONS.map((key) => [key, 'enabled']);
  const paused = pauseReconciliation === undefined ? [] : [[PAUSE_ANNOTATION, String(pauseReconciliation)]];
  return Object.fromEntries([...kraft, ...paused]);
}

/**
 * Kafka's own defaults are one replica of a topic, so that the loss of a broker is the loss of data, and three of offsets and
 * transactions, which fewer brokers cannot hold. Of numbers that belong together, all are left to the user or none.
 */
function replication(config: Json, brokers: number): Json {
  const replicas = Math.min(MOST_REPLICAS, brokers);
  const inSync = Math.max(1, replicas - 1);
  const groups: Json[] = [
    ...REPLICATED.map((keys) => ({ [keys.replicas]: replicas, [keys.inSync]: inSync })),
    { [OFFSETS_REPLICAS]: replicas },
  ];
  const unset = groups.filter((group) => brokers > 0 && !Object.keys(group).some((key) => isSet(config[key])));
  return Object.assign({}, ...unset);
}
