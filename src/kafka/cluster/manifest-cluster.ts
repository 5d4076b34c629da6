import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, isSet } from '../../contract/json';
import { refuse } from '../../contract/rule';
import { constructOf } from '../../rules/app-objects';
import type { IndexedObject } from '../../rules/objects';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { at, KafkaDocument, loadBalancersOf } from '../operator/kafka-document';
import {
  isNodeId,
  type LeftOutPool,
  type ManifestObjects,
  MOST_IDS,
  manifestObjectsIn,
  NODE_POOLS_ANNOTATION,
  type NodePoolDocument,
  type NodePoolMatch,
  nodePoolsAmong,
  readsPools,
  registerNodePools,
} from '../operator/node-pools';
import type { KafkaBrokerPool, KafkaLoadBalancers, KafkaManifestProps } from '../options';
import { REFUSALS } from '../rules.facts';
import { KAFKA_KIND, NEXT_NODE_IDS_ANNOTATION, NODES_WITHOUT_POOL, STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';

export function clusterOfManifest(construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
  const objects = manifestObjectsIn(construct);
  const kafka = kafkaAmong(objects, construct, props);
  const found = nodePoolsAmong(objects, kafka.name, kafka.metadata.namespace);
  const brokers = poolsOfBrokers(kafka, found, props);
  readAs(kafka, { ...props, brokers });
  const cluster = new ManifestCluster(kafka, props.strimzi, brokers);
  // brokers that props name are not counted by the pools
  const pools = props.nodePools ? found.pools.map((pool) => ({ ...pool, counted: undefined })) : found.pools;
  registerNodePools(cluster, () => pools);
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
  { all, kafkas }: ManifestObjects,
  { node: { path } }: IConstruct,
  { name, namespace }: KafkaManifestProps,
): ApiObject {
  const found = kafkas.filter(
    (kafka) =>
      (name === undefined || kafka.name === name) &&
      (namespace === undefined || kafka.metadata.namespace === namespace),
  );
  if (found.length === 1) {
    return withSpec(found[0]);
  }
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const foreign = all.find(({ kind }) => kind === KAFKA_KIND);
  if (kafkas.length === 0 && foreign) {
    const { name: kafka, apiVersion } = foreign;
    return refuse(REFUSALS.foreignKafka, { path, kafka, apiVersion, group: STRIMZI_GROUP });
  }
  if (kafkas.length === 0) {
    const present = all.length === 0 ? 'no object at all' : `only ${kinds.join(', ')}`;
    const ofLists = kinds.includes('List') ? ', and write the items of a List as documents of their own' : '';
    return refuse(REFUSALS.noKafka, { path, present, ofLists });
  }
  const present = kafkas.map((kafka) => [kafka.metadata.namespace, kafka.name].filter(Boolean).join('/')).join(', ');
  const wanted = [namespace, name].filter(Boolean).join('/');
  return refuse(found.length === 0 ? REFUSALS.otherKafkas : REFUSALS.severalKafkas, { path, present, wanted });
}

function withSpec(kafka: ApiObject): ApiObject {
  const { spec } = KafkaDocument.of(kafka).raw();
  return !isSet(spec) || (isMap(spec) && !isSet(spec.kafka))
    ? refuse(REFUSALS.noSpec, { path: kafka.node.path, kafka: kafka.name })
    : kafka;
}

interface KafkaReading extends KafkaManifestProps {
  readonly brokers: ReadonlyMap<number, string>;
}

const READINGS = new WeakMap<ApiObject, KafkaReading>();

/**
 * One operator reads a resource, and it has the same brokers for all listeners: two versions of it, or brokers that are set
 * and others, would decide differently about one listener after the other.
 */
function readAs(kafka: ApiObject, now: KafkaReading): void {
  const before = READINGS.get(kafka) ?? now;
  const [old, fresh] = [before.strimzi, now.strimzi];
  const fail = failing(kafka);
  if (old.version !== fresh.version || old.keepsForeignFinalizers !== fresh.keepsForeignFinalizers) {
    const [one, other] = [old, fresh].map(shownVersion);
    fail('readTwice', { before: `by Strimzi ${one}`, now: `by ${other}`, remedy: 'pass one version' });
  }
  // pools may come to a construct between two readings, which the second one sees
  if ((namesBrokers(before) || namesBrokers(now)) && shownBrokers(before) !== shownBrokers(now)) {
    const [one, other] = [before, now].map(shownBrokers);
    fail('readTwice', {
      before: `with the brokers ${one}`,
      now: `with ${other}`,
      remedy: 'pass the same ids and pools',
    });
  }
  READINGS.set(kafka, now);
}

const MADE_FOR = new WeakMap<ApiObject, StrimziVersion>();

export function registerVersion(resource: ApiObject, strimzi: StrimziVersion): void {
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

function poolsOfBrokers(
  kafka: ApiObject,
  documents: NodePoolMatch,
  { strimzi, brokerIds, nodePools }: KafkaManifestProps,
): Map<number, string> {
  const fail = failing(kafka);
  if (nodePools) {
    return brokerIds ? fail('brokersTwice') : checked(nodePools, fail);
  }
  const raw = KafkaDocument.of(kafka).raw();
  const read = readsPools(raw, strimzi);
  if (read && documents.doubtful.length > 0) {
    return fail('doubtfulPools', { pools: leftOutText(documents.doubtful) });
  }
  const pools = read ? documents.pools.filter(({ isBroker }) => isBroker) : [];
  if (brokerIds) {
    const found = checked(poolsOf(brokerIds, read ? poolFinder(pools, fail) : () => NODES_WITHOUT_POOL), fail);
    compare(found, pools, fail);
    return found;
  }
  if (read && documents.pools.length > 0) {
    const annotation = NEXT_NODE_IDS_ANNOTATION;
    const known = pools.map(({ name, ids, unknown }) => ({
      name,
      brokerIds: ids ? [...ids] : fail('unknownIds', { name, unknown, annotation }),
    }));
    return checked(known, fail);
  }
  if (read) {
    const others = documents.leftOut();
    return fail('noPools', { others: others.length === 0 ? '' : `, but there is ${leftOutText(others)}` });
  }
  const replicas = at(raw, 'spec.kafka.replicas');
  if (!isNodeId(replicas)) {
    return fail('noReplicas', { annotation: NODE_POOLS_ANNOTATION, version: strimzi.version });
  }
  return replicas > MOST_IDS
    ? fail('manyReplicas', { replicas, most: MOST_IDS })
    : checked([{ name: NODES_WITHOUT_POOL, brokerIds: Array.from({ length: replicas }, (_, id) => id) }], fail);
}

function leftOutText(leftOut: readonly LeftOutPool[]): string {
  const all = leftOut.slice(0, MOST_TOLD).map(({ name, why }) => `'${name}', ${why}`);
  return [...all, ...(leftOut.length > MOST_TOLD ? [`and ${leftOut.length - MOST_TOLD} more`] : [])].join('; ');
}

const MOST_TOLD = 5;

type Fail = (refusal: keyof typeof REFUSALS, params?: object) => never;

function failing(kafka: ApiObject): Fail {
  return (refusal, params) => refuse(REFUSALS[refusal], { path: kafka.node.path, kafka: kafka.name, ...params });
}

function checked(pools: readonly KafkaBrokerPool[], fail: Fail): Map<number, string> {
  const found = new Map<number, string>();
  for (const { name, brokerIds } of pools) {
    for (const id of brokerIds) {
      const other = found.get(id);
      if (!isNodeId(id)) {
        return fail('noId', { id });
      }
      if (other !== undefined) {
        return fail(other === name ? 'idTwice' : 'idInTwoPools', { id, other, name });
      }
      found.set(id, name);
    }
  }
  return found.size > 0 ? found : fail('noBrokers');
}

function poolFinder(pools: readonly NodePoolDocument[], fail: Fail): (id: number) => string {
  return (id) => {
    const pool = pools.length > 1 ? pools.find(({ range }) => range.includes(id)) : pools[0];
    return pool?.name ?? fail('unknownPool', { id });
  };
}

function compare(found: ReadonlyMap<number, string>, pools: readonly NodePoolDocument[], fail: Fail): void {
  for (const { name, ids, size } of pools) {
    const own = [...found].filter(([, pool]) => pool === name).map(([id]) => id);
    // a pool that loses nodes may be meant as it lives, or as it will be
    if (ids && size !== undefined && sorted(own) !== sorted(ids)) {
      fail('otherIds', { given: sorted([...found.keys()]), name, ids: sorted(ids) });
    }
    if (size !== undefined && own.length !== size) {
      fail('otherCount', { given: own.length === 0 ? 'no broker' : `the brokers ${sorted(own)}`, name, size });
    }
  }
}

function sorted(ids: readonly number[]): string {
  return [...ids].sort((one, other) => one - other).join(', ');
}

function poolsOf(ids: readonly number[], poolOf: (id: number) => string): KafkaBrokerPool[] {
  return ids.map((id) => ({ name: isNodeId(id) ? poolOf(id) : '', brokerIds: [id] }));
}
