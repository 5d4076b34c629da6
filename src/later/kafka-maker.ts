import { type Json, mapIn } from '../contract/json';
import { type BalancerOfObject, isConcerned } from '../contract/object-edits';
import { balancerOfService, type KafkaEdit, kafkaEdits } from '../kafka/edits/kafka-edits';
import { LISTENERS_PATH } from '../kafka/edits/listener-edits.facts';
import { poolName } from '../kafka/rules/pool-json';
import {
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  LISTENER_TYPES,
  PAUSE_ANNOTATION,
  SELECTOR_LABELS,
} from '../kafka/strimzi/operator-services.facts';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { isOfBrokers, isOfStrimzi, isWithoutBrokers, type NodePools, nodePoolsIn } from './kafka-clusters';
import { ENDS, keyOf, type MakerEdit, type MakerSide, makerEdit } from './maker-edit';

/** What edits of a cluster do to the balancer of one of its Services. */
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

/** An edit with the objects in which it is. */
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

/** Each Service is asked for many edits. */
const BALANCERS = new WeakMap<Json, BalancerOfObject>();

function balancerIn(service: Json): BalancerOfObject {
  const known = BALANCERS.get(service) ?? balancerOfService(service);
  BALANCERS.set(service, known);
  return known;
}

/** The objects of one cluster. */
interface Cluster {
  readonly kafka?: Manifest;
  readonly pools: readonly Manifest[];
}

/** The Kafkas of a side by their names, and the pools. */
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

/** The node pools whose brokers are behind a Service, each with the Kafka that it belongs to. */
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

/** All Services of a cluster ask the same. */
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

/** Whether Services are made of it by its operator. */
export function isKafka(object: Json): boolean {
  return isOfStrimzi(object, KAFKA_KIND);
}

/** Whether its operator carries out no edit of it. */
export function isPaused(kafka: Json): boolean {
  return isKafka(kafka) && mapIn(mapIn(kafka, 'metadata'), 'annotations')[PAUSE_ANNOTATION] === 'true';
}
