import { type Json, mapIn, shown } from '../contract/json';
import { type BalancerOfObject, isConcerned } from '../contract/object-edits';
import { balancerOfService, type KafkaEdit, kafkaEdits } from '../kafka/edits/kafka-edits';
import { LISTENERS_PATH } from '../kafka/edits/kafka-edits.facts';
import { isText } from '../kafka/listener/listener-merge';
import { alike } from '../kafka/listener/unplanned-balancers';
import { listenersOf, textAt } from '../kafka/operator/kafka-document';
import { poolName } from '../kafka/operator/node-pools';
import { servicesOf } from '../kafka/operator/operator-services';
import {
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  LISTENER_TYPES,
  NAMELESS_LISTENER,
  PAUSE_ANNOTATION,
  SELECTOR_LABELS,
} from '../kafka/strimzi/strimzi.facts';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import {
  clusterIn,
  hugePoolsIn,
  isOfBrokers,
  isOfStrimzi,
  isWithoutBrokers,
  LivingNodes,
  type NodePools,
  nodePoolsIn,
  uncountedCluster,
} from './kafka-clusters';
import { ENDS, keyOf, type Later, type MakerEdit, type MakerSide, makerEdit, titleOf } from './predicted';

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
): Later {
  const living = new LivingNodes(older);
  const all = nodePoolsIn(manifests);
  const pools = {
    of: (kafka: Json) =>
      living.besides(
        kafka,
        all.of(kafka).map(({ object }) => object),
      ),
  };
  const found: Later = { services: [], notes: [], unlisted: [], others: 0 };
  for (const kafka of manifests.filter(({ object }) => isOfStrimzi(object, KAFKA_KIND))) {
    const balanced = listenersIn(kafka.object).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
    if (balanced.length > 0) {
      addServices(found, kafka, balanced, pools, isEach);
    }
  }
  return found;
}

function listenersIn(kafka: Json): Json[] {
  const external = { type: textAt(kafka, 'spec.kafka.listeners.external.type'), ...NAMELESS_LISTENER };
  return [...listenersOf(kafka), external];
}

interface PoolsOfKafkas {
  of(kafka: Json): readonly Json[];
}

function addServices(
  found: Later,
  kafka: Manifest,
  balanced: readonly Json[],
  pools: PoolsOfKafkas,
  isEach: boolean,
): void {
  const { object, ...place } = kafka;
  const own = pools.of(object);
  const listeners = balanced.map(({ name }) => shown(name)).join(', ');
  const title = `Kafka ${titleOf(object)}`;
  const add = (listener: Json, services: readonly (readonly Json[])[]) => {
    for (const [first, ...others] of services) {
      const names = others.map(({ metadata }) => String(metadata.name));
      const madeBy = `${title}, listener '${listener.name}'`;
      const madeOf = { object, path: ['spec', 'kafka', 'listeners', placeIn(object, listener)] };
      found.services.push({ ...place, object: first, alike: names, madeBy, madeOf });
    }
  };
  try {
    if ([object.metadata, ...balanced, ...own.map(({ metadata }) => metadata)].some((one) => !isText(one?.name))) {
      throw new Error('a name is not a string');
    }
    const cluster = clusterIn(object, own);
    for (const listener of balanced) {
      const { services } = servicesOf(cluster, object, listener);
      add(listener, isEach ? services.map((service) => [service]) : alike(services));
      const huge = hugePoolsIn(own);
      if (huge.length > 0) {
        const more = huge.reduce((sum, { unlisted }) => sum + unlisted, 0);
        const why = huge
          .map(({ name, replicas }) => `KafkaNodePool ${name} has replicas ${digits(replicas)}`)
          .join(', ');
        found.others += more;
        found.unlisted?.push(kafka);
        found.notes.push(
          `${place.file}:${place.line}: ${title}: ${digits(services.length)} of ${digits(services.length + more)} load balancers of listener ${shown(listener.name)} are listed: ${why}`,
        );
      }
    }
  } catch {
    if (isWithoutBrokers(own)) {
      found.notes.push(
        `${place.file}:${place.line}: ${title}: the operator makes no load balancer for listener ${listeners}: without a broker it does not reconcile the cluster, and the KafkaNodePools of these files have replicas 0`,
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
    found.notes.push(`${place.file}:${place.line}: ${title}: ${what}`);
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

/** The pod that a Service of the operator is for; nothing where it is for all of them. */
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
  return editsOf(old, now, owner)
    .filter(({ concerns }) => isConcerned(concerns, balancerIn(service)))
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
 * Whether the Services of a listener stay under their names, with another type. strimzi/strimzi-kafka-operator 1.2.0,
 * cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java, generatePerPodServices
 */
function keepsServices({ field: { row, after } }: KafkaEdit): boolean {
  return row === `${LISTENERS_PATH}.type` && after !== LISTENER_TYPES.internal && after !== undefined;
}

const BALANCERS = new WeakMap<Json, BalancerOfObject>();

function balancerIn(service: Json): BalancerOfObject {
  const known = BALANCERS.get(service) ?? balancerOfService(service);
  BALANCERS.set(service, known);
  return known;
}

interface Cluster {
  readonly kafka?: Manifest;
  readonly pools: readonly Manifest[];
}

interface Found {
  readonly kafkas: ReadonlyMap<string, Manifest>;
  readonly pools: NodePools<Manifest>;
  readonly clusters: Map<string, Cluster>;
}

const FOUND = new WeakMap<readonly Manifest[], Found>();

function foundIn({ manifests }: MakerSide): Found {
  const known = FOUND.get(manifests);
  if (known) {
    return known;
  }
  const kafkas = manifests.filter(({ object }) => isKafka(object));
  const found: Found = {
    kafkas: new Map(kafkas.map((manifest) => [keyOf(manifest.object), manifest])),
    pools: nodePoolsIn(manifests),
    clusters: new Map(),
  };
  FOUND.set(manifests, found);
  return found;
}

function clusterOf(maker: Json, side: MakerSide): Cluster {
  const key = keyOf(maker);
  const found = foundIn(side);
  const cluster = found.clusters.get(key) ?? {
    kafka: found.kafkas.get(key),
    pools: found.pools.of(maker),
  };
  found.clusters.set(key, cluster);
  return cluster;
}

export function poolsBehind(service: Json, side: MakerSide): { readonly pool: Manifest; readonly kafka?: Json }[] {
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

type Known = Map<ControllerDefinition | undefined, readonly KafkaEdit[]>;

const EDITS = new WeakMap<Cluster, WeakMap<Cluster, Known>>();

function editsOf(old: Cluster, now: Cluster, owner?: ControllerDefinition): readonly KafkaEdit[] {
  const ofOld = EDITS.get(old) ?? new WeakMap<Cluster, Known>();
  EDITS.set(old, ofOld);
  const known = ofOld.get(now) ?? (new Map() as Known);
  ofOld.set(now, known);
  const edits = known.get(owner) ?? kafkaEdits(sideOf(old), sideOf(now), owner);
  known.set(owner, edits);
  return edits;
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
