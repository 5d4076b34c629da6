import { ApiObject, App, Chart } from 'cdk8s';
import { cachedIn, grouped, type Json, mapIn, oncePer, sameValue, shown } from '../contract/json';
import { type BalancerOfObject, isConcerned } from '../contract/object-edits';
import { clusterOfManifest } from '../kafka/cluster/manifest-cluster';
import { balancerOfService, type KafkaEdit, kafkaEdits } from '../kafka/edits/kafka-edits';
import { LISTENERS_PATH } from '../kafka/edits/kafka-edits.facts';
import { isText } from '../kafka/listener/listener-merge';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import { integerAt, listAt, listenersOf, mapAt, textAt } from '../kafka/operator/kafka-document';
import { assignedNodeIds, idsBefore, MOST_IDS, poolName, presentIdsOf } from '../kafka/operator/node-pools';
import { identicalServices, servicesOf } from '../kafka/operator/operator-services';
import type { KafkaBrokerPool } from '../kafka/options';
import {
  CLUSTER_LABEL,
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  LISTENER_TYPES,
  NAMELESS_LISTENER,
  PAUSE_ANNOTATION,
  SELECTOR_LABELS,
  STRIMZI_GROUP,
} from '../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { withTypedMetadata } from '../rules/service-fields';
import {
  ENDS,
  keyOf,
  type MakerEdit,
  type MakerSide,
  makerEdit,
  type PredictedObjects,
  titleOf,
  titleWithPlace,
} from './predicted';

/** True if a node pool is one of a Kafka; what says no namespace may be in any. */
export function isPoolOf(pool: Json, kafka: Json): boolean {
  const [place, other] = [pool, kafka].map((object) => textAt(object, 'metadata.namespace'));
  const isNear = place === other || place === undefined || other === undefined;
  return isNear && clusterNameOf(pool) === textAt(kafka, 'metadata.name');
}

function clusterNameOf(pool: Json): unknown {
  return mapAt(pool, 'metadata.labels')[CLUSTER_LABEL];
}

export class NodePools<T> {
  private readonly byCluster: ReadonlyMap<unknown, readonly T[]>;

  public constructor(
    pools: readonly T[],
    private readonly jsonOf: (pool: T) => Json,
  ) {
    this.byCluster = grouped(pools, (pool) => clusterNameOf(jsonOf(pool)));
  }

  public of(kafka: Json): readonly T[] {
    const namesakes = this.byCluster.get(textAt(kafka, 'metadata.name')) ?? [];
    return namesakes.filter((pool) => isPoolOf(this.jsonOf(pool), kafka));
  }
}

export function nodePoolsIn(manifests: readonly Manifest[]): NodePools<Manifest> {
  const pools = manifests.filter(({ object }) => isOfStrimzi(object, KAFKA_NODE_POOL_KIND));
  return new NodePools(pools, ({ object }) => object);
}

export function isOfStrimzi({ kind, apiVersion }: Json, wanted: string): boolean {
  return kind === wanted && String(apiVersion).startsWith(`${STRIMZI_GROUP}/`);
}

/**
 * Context of a cluster that manifests show.
 *
 * @throws when it cannot be known how many brokers there are
 */
export function clusterIn(kafka: Json, pools: readonly Json[], strimzi = versionFor(kafka, pools)): IKafkaCluster {
  const chart = new Chart(new App(), 'list');
  const [document] = [kafka, ...pools].map(
    (object, i) => new ApiObject(chart, `${i}`, withTypedMetadata(object) as never),
  );
  const name = document.name;
  try {
    return clusterOfManifest(chart, { strimzi, name });
  } catch (error) {
    const nodePools = counted(pools);
    if (nodePools.length === 0) {
      throw error;
    }
    return clusterOfManifest(chart, { strimzi, name, nodePools });
  }
}

/** A cluster of a Kafka whose brokers are not known, with the brokers that a listener names, or else one for all of them. */
export function uncountedCluster(
  kafka: Json,
  strimzi = versionFor(kafka, []),
  brokerIds: readonly number[] = [],
): IKafkaCluster {
  const chart = new Chart(new App(), 'list');
  const { name } = new ApiObject(chart, 'kafka', withTypedMetadata(kafka) as never);
  const ids = brokerIds.filter((id) => id >= 0 && id <= MOST_IDS);
  return clusterOfManifest(chart, {
    strimzi,
    name,
    nodePools: [{ name: 'broker', brokerIds: ids.length > 0 ? ids : [0] }],
  });
}

/** The newest one that reads the manifest: of these Services it decides little. */
function versionFor(kafka: Json, pools: readonly Json[]): StrimziVersion {
  if (StrimziVersion.V1_2.servesApiVersion(String(kafka.apiVersion))) {
    return StrimziVersion.V1_2;
  }
  const isWithoutPools = pools.length === 0 && integerAt(kafka, 'spec.kafka.replicas') !== undefined;
  return isWithoutPools ? StrimziVersion.V0_45 : StrimziVersion.V0_51;
}

const FEW = 3;

export function hugePoolsIn(pools: readonly Json[]) {
  return pools.filter(isOfBrokers).flatMap((pool) => {
    const replicas = integerAt(pool, 'spec.replicas') ?? 0;
    return replicas > MOST_IDS
      ? [{ name: textAt(pool, 'metadata.name') ?? '', replicas, unlisted: replicas - FEW }]
      : [];
  });
}

export function isOfBrokers(pool: Json): boolean {
  return listAt(pool, 'spec.roles').includes('broker');
}

export function isWithoutBrokers(pools: readonly Json[]): boolean {
  const brokers = pools.filter(isOfBrokers);
  return brokers.length > 0 && brokers.every((pool) => integerAt(pool, 'spec.replicas') === 0);
}

function counted(pools: readonly Json[]): KafkaBrokerPool[] {
  let next = 0;
  return pools
    .filter(isOfBrokers)
    .map((pool) => {
      const replicas = integerAt(pool, 'spec.replicas') ?? 0;
      const length = replicas > MOST_IDS ? FEW : replicas;
      return { name: textAt(pool, 'metadata.name') ?? '', brokerIds: Array.from({ length }, () => next++) };
    })
    .filter(({ brokerIds }) => brokerIds.length > 0);
}

/**
 * The pools of Kafkas as they will be written, with the ids of the nodes that live while their manifests are written anew: an annotation of
 * a pool gives ids to new ones alone. Pools that say it themselves are as they are.
 *
 * @param older what is applied, or what a cluster has
 */
function poolsWithLivingNodes(manifests: readonly Manifest[], older: readonly Manifest[]) {
  const kafkas = new Map(older.filter(({ object }) => isKafka(object)).map(({ object }) => [keyOf(object), object]));
  const [all, oldPools] = [manifests, older].map(nodePoolsIn);
  return (kafka: Json): readonly Json[] => {
    const pools = all.of(kafka).map(({ object }) => object);
    const old = kafkas.get(keyOf(kafka));
    const before = old ? oldPools.of(old).map(({ object }) => object) : [];
    if (!old || before.length === 0 || sameValue(before, pools) || pools.some(isLive)) {
      return pools;
    }
    const living = livingIn(old, before);
    if (!living) {
      return pools;
    }
    const counted = pools.filter((pool) => living.has(nameOf(pool)) || isOfBrokers(pool));
    const ids = assignedNodeIds(counted.map((pool) => ({ pool, living: living.get(nameOf(pool)) ?? [] })));
    return pools.map((pool) => {
      const nodeIds = ids[counted.indexOf(pool)];
      return nodeIds ? { ...pool, status: { ...mapIn(pool, 'status'), nodeIds } } : pool;
    });
  };
}

/** The ids of nodes by the names of their pools, as the older manifests show them; nothing where they do not. */
function livingIn(kafka: Json, pools: readonly Json[]): ReadonlyMap<unknown, readonly number[]> | undefined {
  try {
    const cluster = clusterIn(kafka, pools);
    return new Map(
      pools.flatMap((pool): [unknown, readonly number[]][] => {
        const ofBrokers = cluster.brokerIds.filter((id) => cluster.nodePoolOf(id) === nameOf(pool));
        const ids = isLive(pool) || !isOfBrokers(pool) ? idsBefore(pool) : ofBrokers;
        return ids ? [[nameOf(pool), ids]] : [];
      }),
    );
  } catch {
    return undefined;
  }
}

function isLive(pool: Json): boolean {
  return presentIdsOf(pool).length > 0;
}

function nameOf({ metadata }: Json): unknown {
  return metadata?.name;
}

/**
 * The load balanced Services that the operator will make of the Kafkas among some manifests.
 *
 * @param isEach whether those that are alike are all there
 * @param older what is applied before them: its nodes keep their ids
 */
export function servicesOfKafkas(
  manifests: readonly Manifest[],
  isEach = false,
  older: readonly Manifest[] = [],
): PredictedObjects {
  const poolsOf = poolsWithLivingNodes(manifests, older);
  const found: PredictedObjects = { services: [], notes: [], unlisted: [], others: 0 };
  for (const kafka of manifests.filter(({ object }) => isKafka(object))) {
    const balanced = listenersIn(kafka.object).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
    if (balanced.length > 0) {
      addServices(found, kafka, balanced, poolsOf(kafka.object), isEach);
    }
  }
  return found;
}

function listenersIn(kafka: Json): Json[] {
  const external = { type: textAt(kafka, 'spec.kafka.listeners.external.type'), ...NAMELESS_LISTENER };
  return [...listenersOf(kafka), external];
}

function addServices(
  found: PredictedObjects,
  kafka: Manifest,
  balanced: readonly Json[],
  own: readonly Json[],
  isEach: boolean,
): void {
  const { object, ...place } = kafka;
  const listeners = balanced.map(({ name }) => shown(name)).join(', ');
  const title = `Kafka ${titleOf(object)}`;
  const note = (what: string) => found.notes.push(`${titleWithPlace(kafka)}: ${what}`);
  const add = (listener: Json, services: readonly (readonly Json[])[]) => {
    for (const [first, ...others] of services) {
      const names = others.map(({ metadata }) => String(metadata.name));
      const madeBy = `${title}, listener '${listener.name}'`;
      const madeOf = { object, path: ['spec', 'kafka', 'listeners', placeIn(object, listener)] };
      found.services.push({ ...place, object: first, alike: names, madeBy, madeOf, listener: String(listener.name) });
    }
  };
  try {
    if ([object.metadata, ...balanced, ...own.map(({ metadata }) => metadata)].some((one) => !isText(one?.name))) {
      throw new Error('a name is not a string');
    }
    const cluster = clusterIn(object, own);
    for (const listener of balanced) {
      const { services } = servicesOf(cluster, object, listener);
      add(listener, isEach ? services.map((service) => [service]) : identicalServices(services));
      const huge = hugePoolsIn(own);
      if (huge.length > 0) {
        const more = huge.reduce((sum, { unlisted }) => sum + unlisted, 0);
        const why = huge
          .map(({ name, replicas }) => `KafkaNodePool ${name} has replicas ${digits(replicas)}`)
          .join(', ');
        found.others += more;
        found.unlisted?.push(kafka);
        note(
          `${digits(services.length)} of ${digits(services.length + more)} load balancers of listener ${shown(listener.name)} are listed: ${why}`,
        );
      }
    }
  } catch {
    if (isWithoutBrokers(own)) {
      note(
        `the operator makes no load balancer for listener ${listeners}: without a broker it does not reconcile the cluster, and the KafkaNodePools of these files have replicas 0`,
      );
      return;
    }
    const why = own[0] ? 'its KafkaNodePools do not show it' : 'none of these files holds a KafkaNodePool of it';
    let what = `the operator makes a load balancer for each broker and one for all of listener ${listeners}; how many brokers there are is not known: ${why}`;
    for (const listener of balanced) {
      const services = bootstrapOfUncounted(object, listener);
      add(listener, services?.map((service) => [service]) ?? []);
      if (!services) {
        what = `no version of Strimzi that is known here serves ${shown(object.apiVersion)}, so its load balancers are not known`;
      }
    }
    found.unlisted?.push(kafka);
    note(what);
  }
}

/** The Service of a listener that exists whatever the number of brokers is; undefined if no known operator serves the Kafka. */
function bootstrapOfUncounted(kafka: Json, listener: Json): Json[] | undefined {
  if (![kafka.metadata?.name, listener.name].every(isText)) {
    return [];
  }
  try {
    const cluster = uncountedCluster(kafka);
    const { services } = servicesOf(cluster, kafka, listener);
    return cluster.strimzi.servesApiVersion(String(kafka.apiVersion))
      ? services.filter((service) => podNameOf(service) === undefined)
      : undefined;
  } catch {
    return [];
  }
}

function digits(number: number): string {
  return number.toLocaleString('en-US');
}

function placeIn(kafka: Json, listener: Json): string | number {
  const index = listenersOf(kafka).indexOf(listener);
  return index < 0 ? 'external' : index;
}

export function podNameOf(service: Json): string | undefined {
  const pod: unknown = mapIn(mapIn(service, 'spec'), 'selector')[SELECTOR_LABELS.pod];
  return typeof pod === 'string' ? pod : undefined;
}

export function kafkaMakerEdits(
  maker: Json,
  service: Json,
  before: MakerSide,
  after: MakerSide,
  owner?: ControllerDefinition,
): MakerEdit[] {
  const [old, now] = [clusterOf(maker, before), clusterOf(maker, after)];
  const balancer = cachedIn(BALANCERS, service, () => balancerOfService(service));
  return editsOf(old, now, owner)
    .filter(({ concerns }) => isConcerned(concerns, balancer))
    .map((edit) => ({
      ...placed(edit, old, now),
      ...(keepsServices(edit) && { becomes: 'spec.type' }),
      isShown: ENDS.has(edit.edit.outcome) && edit.concerns.nodes === undefined,
    }));
}

function placed(edit: KafkaEdit, old: Cluster, now: Cluster): MakerEdit {
  const { kind, name } = edit.object;
  const isOfPool = kind === KAFKA_NODE_POOL_KIND;
  const manifestIn = ({ kafka, pools }: Cluster) =>
    isOfPool ? pools.find(({ object }) => String(object.metadata?.name) === name) : kafka;
  return makerEdit(edit, {
    before: manifestIn(old),
    after: manifestIn(now),
    title: isOfPool ? `${kind} ${name}` : undefined,
  });
}

/**
 * True if the Services of a listener stay under their names, with another type. strimzi/strimzi-kafka-operator 1.2.0,
 * cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java, generatePerPodServices
 */
function keepsServices({ field: { row, after } }: KafkaEdit): boolean {
  return row === `${LISTENERS_PATH}.type` && after !== LISTENER_TYPES.internal && after !== undefined;
}

const BALANCERS = new WeakMap<Json, BalancerOfObject>();

interface Cluster {
  readonly kafka?: Manifest;
  readonly pools: readonly Manifest[];
}

const strimziAmong = oncePer((manifests: readonly Manifest[]) => ({
  kafkas: new Map(manifests.filter(({ object }) => isKafka(object)).map((one) => [keyOf(one.object), one])),
  pools: nodePoolsIn(manifests),
  clusters: new Map<string, Cluster>(),
}));

function clusterOf(maker: Json, { manifests }: MakerSide): Cluster {
  const { kafkas, pools, clusters } = strimziAmong(manifests);
  const key = keyOf(maker);
  return cachedIn(clusters, key, () => ({ kafka: kafkas.get(key), pools: pools.of(maker) }));
}

export function nodePoolsOf(service: Json, side: MakerSide): { readonly pool: Manifest; readonly kafka?: Json }[] {
  const { [SELECTOR_LABELS.cluster]: name, [SELECTOR_LABELS.pool]: only } = mapIn(mapIn(service, 'spec'), 'selector');
  if (typeof name !== 'string') {
    return [];
  }
  const { kafka, pools } = clusterOf({ metadata: { namespace: mapIn(service, 'metadata').namespace, name } }, side);
  return pools
    .filter(({ object }) => isOfBrokers(object) && (only === undefined || only === poolName(object)))
    .map((pool) => ({ pool, ...(kafka && { kafka: kafka.object }) }));
}

/** The edit of a node pool that leaves a Kafka without brokers: its operator does not reconcile it then. */
export function emptyingEdit(maker: Json, before: MakerSide, after: MakerSide): MakerEdit | undefined {
  const [old, now] = [clusterOf(maker, before), clusterOf(maker, after)];
  const isOfPool = ({ object, edit }: KafkaEdit) => object.kind === KAFKA_NODE_POOL_KIND && ENDS.has(edit.outcome);
  const edit =
    now.kafka && isWithoutBrokers(now.pools.map(({ object }) => object)) ? editsOf(old, now).find(isOfPool) : undefined;
  return edit && placed(edit, old, now);
}

const knownEdits = oncePer((_old: Cluster) =>
  oncePer((_now: Cluster) => new Map<ControllerDefinition | undefined, readonly KafkaEdit[]>()),
);

function editsOf(old: Cluster, now: Cluster, owner?: ControllerDefinition): readonly KafkaEdit[] {
  return cachedIn(knownEdits(old)(now), owner, () => kafkaEdits(sideOf(old), sideOf(now), owner));
}

function sideOf({ kafka, pools }: Cluster) {
  return { kafka: kafka?.object, pools: pools.map(({ object }) => object) };
}

export function isKafka(object: Json): boolean {
  return isOfStrimzi(object, KAFKA_KIND);
}

export function isPaused(kafka: Json): boolean {
  return isKafka(kafka) && mapIn(mapIn(kafka, 'metadata'), 'annotations')[PAUSE_ANNOTATION] === 'true';
}
