import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, isSet } from '../../contract/json';
import { constructOf } from '../../rules/app-objects';
import type { IndexedObject } from '../../rules/objects';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { at, KafkaDocument, loadBalancersOf } from '../operator/kafka-document';
import {
  isNodeId,
  type LeftOutPool,
  ManifestObjects,
  MOST_IDS,
  NODE_POOLS_ANNOTATION,
  type NodePoolDocument,
  type NodePoolsFound,
  nodePoolsAmong,
  readsPools,
  rememberNodePools,
} from '../operator/node-pools';
import type { KafkaBrokerPool, KafkaLoadBalancers, KafkaManifestProps } from '../options';
import { KAFKA_KIND, NEXT_NODE_IDS_ANNOTATION, NODES_WITHOUT_POOL, STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';

export function clusterOfManifest(construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
  const objects = ManifestObjects.in(construct);
  const kafka = kafkaAmong(objects, construct, props);
  const found = nodePoolsAmong(objects, kafka.name, kafka.metadata.namespace);
  const brokers = poolsOfBrokers(kafka, found, props);
  readAs(kafka, { ...props, brokers });
  const cluster = new ManifestCluster(kafka, props.strimzi, brokers);
  // brokers that props name are not counted by the pools
  const pools = props.nodePools ? found.pools.map((pool) => ({ ...pool, counted: undefined })) : found.pools;
  rememberNodePools(cluster, () => pools);
  return cluster;
}

class ManifestCluster implements IKafkaCluster {
  public readonly clusterName: string;
  public readonly namespace?: string;
  public readonly brokerIds: number[];

  public constructor(
    public readonly kafka: ApiObject,
    public readonly strimzi: StrimziVersion,
    private readonly pools: ReadonlyMap<number, string>,
  ) {
    this.clusterName = kafka.name;
    this.namespace = kafka.metadata.namespace;
    this.brokerIds = [...pools.keys()].sort((one, other) => one - other);
  }

  public get loadBalancers(): KafkaLoadBalancers {
    return loadBalancersOf(this, KafkaDocument.of(this.kafka).now());
  }

  public nodePoolOf(brokerId: number): string {
    const pool = this.pools.get(brokerId);
    if (pool === undefined) {
      const known = this.brokerIds.join(', ');
      throw new Error(`${this.kafka.node.path}: there is no broker ${brokerId}; the brokers are ${known}`);
    }
    return pool;
  }
}

function kafkaAmong(
  objects: ManifestObjects,
  construct: IConstruct,
  { name, namespace }: KafkaManifestProps,
): ApiObject {
  const { all, kafkas } = objects;
  const found = (name === undefined ? kafkas : objects.kafkasNamed(name)).filter(
    ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
  );
  if (found.length === 1) {
    return withSpec(found[0]);
  }
  const { path } = construct.node;
  const foreign = all.find(({ kind }) => kind === KAFKA_KIND);
  if (kafkas.length === 0 && foreign) {
    throw new Error(
      `${path}: the API version of Kafka ${foreign.name} is '${foreign.apiVersion}', which is not an API version of Strimzi; pass a Kafka of ${STRIMZI_GROUP}`,
    );
  }
  if (kafkas.length === 0) {
    const seen = all.length === 0 ? 'no object at all' : `only ${kindsOf(all)}`;
    throw new Error(
      `${path}: there is no Kafka, but ${seen}; pass the construct that holds the Kafka resource${all.some(({ kind }) => kind === 'List') ? ', and write the items of a List as documents of their own' : ''}`,
    );
  }
  const present = kafkas.map((kafka) => [kafka.metadata.namespace, kafka.name].filter(Boolean).join('/')).join(', ');
  if (found.length === 0) {
    const wanted = [namespace, name].filter(Boolean).join('/');
    throw new Error(`${path}: there is no Kafka '${wanted}', but ${present}; pass the name that is in the manifest`);
  }
  throw new Error(`${path}: there are several Kafka resources: ${present}; set name, and namespace if need be`);
}

function withSpec(kafka: ApiObject): ApiObject {
  const { spec } = KafkaDocument.of(kafka).raw();
  if (!isSet(spec) || (isMap(spec) && !isSet(spec.kafka))) {
    throw new Error(
      `${kafka.node.path}: Kafka ${kafka.name} has no spec.kafka, so it is no cluster; pass the manifest with its spec`,
    );
  }
  return kafka;
}

function kindsOf(objects: readonly ApiObject[]): string {
  return [...new Set(objects.map(({ kind }) => kind))].join(', ');
}

export interface KafkaReading extends KafkaManifestProps {
  readonly brokers: ReadonlyMap<number, string>;
}

const READINGS = new WeakMap<ApiObject, KafkaReading>();

/**
 * One operator reads a resource, and it has the same brokers for all listeners: two versions of it, or brokers that are set
 * and others, would decide differently about one listener after the other.
 */
export function readAs(kafka: ApiObject, now: KafkaReading): void {
  const before = READINGS.get(kafka) ?? now;
  const [old, fresh] = [before.strimzi, now.strimzi];
  const refuse = (how: string, and: string, remedy: string) => {
    throw new Error(
      `${kafka.node.path}: Kafka ${kafka.name} is read ${how} already, and now ${and}; ${remedy}, best the cluster that fromManifest gave at first`,
    );
  };
  if (old.version !== fresh.version || old.keepsForeignFinalizers !== fresh.keepsForeignFinalizers) {
    refuse(`by Strimzi ${shownVersion(old)}`, `by ${shownVersion(fresh)}`, 'pass one version');
  }
  // pools may come to a construct between two readings, which the second one sees
  if ((namesBrokers(before) || namesBrokers(now)) && shownBrokers(before) !== shownBrokers(now)) {
    refuse(`with the brokers ${shownBrokers(before)}`, `with ${shownBrokers(now)}`, 'pass the same ids and pools');
  }
  READINGS.set(kafka, now);
}

const MADE_FOR = new WeakMap<ApiObject, StrimziVersion>();

export function settleVersion(resource: ApiObject, strimzi: StrimziVersion): void {
  MADE_FOR.set(resource, strimzi);
}

export function versionOf(resource: IndexedObject): StrimziVersion | undefined {
  const construct = constructOf(resource);
  return construct && (MADE_FOR.get(construct) ?? READINGS.get(construct)?.strimzi);
}

function namesBrokers({ brokerIds, nodePools }: KafkaReading): boolean {
  return brokerIds !== undefined || nodePools !== undefined;
}

export function shownVersion({ version, keepsForeignFinalizers }: StrimziVersion): string {
  return `${version} with${keepsForeignFinalizers ? '' : 'out'} server-side apply`;
}

function shownBrokers({ brokers }: KafkaReading): string {
  const ids = [...brokers.keys()].sort((one, other) => one - other);
  return ids.map((id) => `${id} (${brokers.get(id)})`).join(', ');
}

export function poolsOfBrokers(
  kafka: ApiObject,
  documents: NodePoolsFound,
  { strimzi, brokerIds, nodePools }: KafkaManifestProps,
): Map<number, string> {
  const fail = failing(kafka);
  if (brokerIds && nodePools) {
    return fail('brokerIds and nodePools are both given', 'keep one');
  }
  if (nodePools) {
    return checked(nodePools, fail);
  }
  const read = readsPools(KafkaDocument.of(kafka).raw(), strimzi);
  const { doubtful, leftOut } = documents;
  if (read && doubtful.length > 0) {
    return fail(
      `it is not known whether these node pools are its own: ${leftOutText(doubtful)}`,
      'write the same namespace in all of them or in none, or set nodePools',
    );
  }
  const pools = read ? documents.pools.filter(({ isBroker }) => isBroker) : [];
  if (brokerIds) {
    const found = checked(poolsOf(brokerIds, read ? poolFinder(pools, fail) : () => NODES_WITHOUT_POOL), fail);
    compare(found, pools, fail);
    return found;
  }
  if (read && documents.pools.length > 0) {
    return checked(
      pools.map((pool) => ({ name: pool.name, brokerIds: idsOf(pool, fail) })),
      fail,
    );
  }
  if (read) {
    const others = leftOut().length === 0 ? '' : `, but there is ${leftOutText(leftOut())}`;
    return fail(
      `the ids of its brokers are unknown: there is no KafkaNodePool of it in the same construct${others}`,
      'pass the construct that holds them as well, or set nodePools',
    );
  }
  const replicas = at(KafkaDocument.of(kafka).raw(), 'spec.kafka.replicas');
  if (!isNodeId(replicas)) {
    return fail(
      `annotation ${NODE_POOLS_ANNOTATION} is not 'enabled', without which Strimzi ${strimzi.version} ignores node pools, and spec.kafka.replicas is no number`,
      `write ${NODE_POOLS_ANNOTATION}: enabled, or replicas`,
    );
  }
  if (replicas > MOST_IDS) {
    return fail(`spec.kafka.replicas is ${replicas}, more than any cluster has`, `write at most ${MOST_IDS}`);
  }
  return checked([{ name: NODES_WITHOUT_POOL, brokerIds: Array.from({ length: replicas }, (_, id) => id) }], fail);
}

function leftOutText(leftOut: readonly LeftOutPool[]): string {
  const all = leftOut.slice(0, MOST_TOLD).map(({ name, why }) => `'${name}', ${why}`);
  return [...all, ...(leftOut.length > MOST_TOLD ? [`and ${leftOut.length - MOST_TOLD} more`] : [])].join('; ');
}

const MOST_TOLD = 5;

type Fail = (what: string, remedy: string) => never;

function failing(kafka: ApiObject): Fail {
  return (what, remedy) => {
    throw new Error(`${kafka.node.path}: Kafka ${kafka.name}: ${what}; ${remedy}`);
  };
}

function checked(pools: readonly KafkaBrokerPool[], fail: Fail): Map<number, string> {
  const found = new Map<number, string>();
  for (const { name, brokerIds } of pools) {
    for (const id of brokerIds) {
      if (!isNodeId(id)) {
        return fail(`'${id}' is not a broker id`, 'write whole numbers from 0');
      }
      const other = found.get(id);
      if (other !== undefined) {
        return fail(
          other === name ? `broker ${id} is listed twice` : `broker ${id} is in node pool '${other}' and in '${name}'`,
          'give every broker an id of its own',
        );
      }
      found.set(id, name);
    }
  }
  return found.size > 0 ? found : fail('it has no brokers', 'set brokerIds or nodePools');
}

function idsOf(pool: NodePoolDocument, fail: Fail): number[] {
  return pool.ids
    ? [...pool.ids]
    : fail(
        `the ids of node pool '${pool.name}' are unknown: ${pool.unknown}`,
        `give it the annotation ${NEXT_NODE_IDS_ANNOTATION}: '[0-99]', with an id for every replica that no other pool gets, or set brokerIds: [0, 1, 2]; the ids of a live pool are in its status.nodeIds`,
      );
}

function poolFinder(pools: readonly NodePoolDocument[], fail: Fail): (id: number) => string {
  return (id) => {
    const name = (pools.length > 1 ? pools.find(({ range }) => range.includes(id)) : pools[0])?.name;
    return (
      name ??
      fail(
        `the node pool of broker ${id} is not known, and the names of Services begin with it`,
        'set nodePools, each with its name and the ids of its brokers',
      )
    );
  };
}

function compare(found: ReadonlyMap<number, string>, pools: readonly NodePoolDocument[], fail: Fail): void {
  for (const { name, ids, size } of pools) {
    const given = [...found].filter(([, pool]) => pool === name).map(([id]) => id);
    // a pool that loses nodes may be meant as it lives, or as it will be
    if (ids && size !== undefined && sorted(given) !== sorted(ids)) {
      fail(
        `brokerIds has ${sorted([...found.keys()])}, and node pool '${name}' has the brokers ${sorted(ids)}`,
        'correct the one that is wrong, or set nodePools where its brokers live already and have other ids',
      );
    }
    if (size !== undefined && given.length !== size) {
      fail(
        `brokerIds has ${given.length === 0 ? 'no broker' : `the brokers ${sorted(given)}`} of node pool '${name}', and its spec.replicas is ${size}`,
        `list the ids of all ${size}, or correct replicas`,
      );
    }
  }
}

function sorted(ids: readonly number[]): string {
  return [...ids].sort((one, other) => one - other).join(', ');
}

function poolsOf(ids: readonly number[], poolOf: (id: number) => string): KafkaBrokerPool[] {
  return ids.map((id) => ({ name: isNodeId(id) ? poolOf(id) : '', brokerIds: [id] }));
}
