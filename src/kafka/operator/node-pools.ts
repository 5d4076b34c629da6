import { ApiObject, Include } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import { groupedByAll, isSet, type Json, shown } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { NodePool } from '../../contract/node-pool';
import { currentJson } from '../../rules/app-objects';
import { annotationsOf } from '../../rules/service-json';
import {
  CLUSTER_LABEL,
  HIGHEST_NODE_ID,
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  KRAFT_ANNOTATIONS,
  NEXT_NODE_IDS_ANNOTATION,
  POOLS_ONLY_SINCE,
  REMOVE_NODE_IDS_ANNOTATION,
  STRIMZI_GROUP,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { at, integerAt, listAt, mapAt, textAt } from './kafka-document';

// Current or future ids of the nodes of a pool. The operator hands out the lowest free ones of the whole cluster unless
// an annotation says which; so only pools that say it, or that live already, have ids that can be known.

export interface NodePoolDocument {
  readonly name: string;
  readonly object: ApiObject;
  readonly isBroker: boolean;
  readonly range: readonly number[];
  readonly ids?: readonly number[];
  readonly unknown?: string;
  readonly size?: number;
  readonly counted?: CountedPool;
  readonly pinnedTo?: NodePool;
}

export interface LeftOutPool {
  readonly name: string;
  readonly why: string;
}

export interface NodePoolMatch {
  readonly pools: readonly NodePoolDocument[];
  /** Those that may be its own all the same: either they or the cluster name no namespace. */
  readonly doubtful: readonly LeftOutPool[];
  readonly leftOut: () => readonly LeftOutPool[];
}

export function nodePoolsAmong(
  objects: ManifestObjects,
  cluster: string,
  namespace: string | undefined,
): NodePoolMatch {
  const isLabelled = ({ metadata }: ApiObject) => metadata.getLabel(CLUSTER_LABEL) === cluster;
  const isOfAnother = (pool: ApiObject) =>
    objects.all.some(
      ({ kind, name, metadata }) =>
        kind === KAFKA_KIND && name === cluster && metadata.namespace === pool.metadata.namespace,
    );
  const whyNot = ({ name, metadata }: ApiObject): LeftOutPool => {
    const label = metadata.getLabel(CLUSTER_LABEL) as unknown;
    const of = isSet(label) ? `whose label ${CLUSTER_LABEL} is ${shown(label)}` : `without label ${CLUSTER_LABEL}`;
    const place = `which has ${named(metadata.namespace)}, where Kafka has ${named(namespace)}`;
    return { name, why: label === cluster ? place : of };
  };
  const own = objects.pools.filter((pool) => pool.metadata.namespace === namespace && isLabelled(pool));
  const rendered = own.map((object) => ({ object, json: currentJson(object) }));
  const isTaken = takenBeside(rendered.map(({ json }) => json));
  const half = objects.pools.filter(({ metadata }) => (metadata.namespace === undefined) !== (namespace === undefined));
  return {
    pools: withoutContested(rendered.map(({ object, json }) => nodePoolIn(object, json, (id) => isTaken(id, json)))),
    doubtful: half.filter((pool) => isLabelled(pool) && !isOfAnother(pool)).map(whyNot),
    leftOut: () => objects.pools.filter((pool) => !own.includes(pool)).map(whyNot),
  };
}

function named(namespace: string | undefined): string {
  return namespace === undefined ? 'no namespace' : `namespace '${namespace}'`;
}

function takenBeside(pools: readonly Json[]): (id: number, pool: Json) => boolean {
  const living = groupedByAll(pools, presentIdsOf);
  return (id, pool) => (living.get(id) ?? []).some((other) => other !== pool);
}

function nodePoolIn(object: ApiObject, json: Json, isTaken: (id: number) => boolean): NodePoolDocument {
  const replicas: unknown = at(json, 'spec.replicas');
  const annotation: unknown = annotationsOf(json)[NEXT_NODE_IDS_ANNOTATION];
  const range = nodeIdsIn(annotation);
  const present = presentIdsOf(json);
  const all = [...present, ...(range ?? []).filter((id) => !present.includes(id) && !isTaken(id))];
  const ids = isNodeId(replicas) ? idsAfter(json, present, all, replicas) : [];
  const unknown = !isNodeId(replicas)
    ? `spec.replicas is ${shown(replicas)}, no number of nodes`
    : isSet(annotation) && range === undefined
      ? `annotation ${NEXT_NODE_IDS_ANNOTATION} is ${shown(annotation)}, which the operator cannot read`
      : ids.length < replicas
        ? 'the operator hands out whichever is free'
        : undefined;
  return {
    name: object.name,
    object,
    isBroker: listAt(json, 'spec.roles').includes('broker'),
    range: all,
    ids: unknown === undefined ? ids : undefined,
    unknown,
    size: isNodeId(replicas) && present.length <= replicas ? replicas : undefined,
    counted: countedIn(json),
  };
}

/**
 * The ids of the nodes of a pool when its replicas are as many as they should be: the operator removes those that an
 * annotation names, in its order, and then the highest.
 * strimzi/strimzi-kafka-operator 1.2.0: cluster-operator/…/model/nodepools/NodeIdAssignor.java
 */
export function idsAfter(pool: Json, present: readonly number[], all: readonly number[], replicas: number): number[] {
  if (present.length <= replicas) {
    return all.slice(0, replicas);
  }
  const removed = nodeIdsIn(annotationsOf(pool)[REMOVE_NODE_IDS_ANNOTATION]) ?? [];
  const others = [...present].sort((one, other) => other - one);
  const going = new Set([...removed.filter((id) => present.includes(id)), ...others]);
  const gone = new Set([...going].slice(0, present.length - replicas));
  return present.filter((id) => !gone.has(id));
}

/**
 * The ids of the nodes that go when a pool is changed, where they are known: those that live, or that an annotation hands out.
 *
 * @param before the pool as it is
 * @param after the pool as it will be
 */
export function idsThatGo(before: Json, after: Json): number[] | undefined {
  const present = idsBefore(before);
  const replicas: unknown = at(after, 'spec.replicas');
  if (!present || !isNodeId(replicas)) {
    return undefined;
  }
  const left = new Set(idsAfter(after, present, present, replicas));
  return present.filter((id) => !left.has(id));
}

/** The ids of the nodes of a pool as it is: those that live, or that its annotation hands out; nothing where neither says it. */
export function idsBefore(pool: Json): number[] | undefined {
  const living = presentIdsOf(pool);
  const replicas: unknown = at(pool, 'spec.replicas');
  const range = nextIdsOf(pool) ?? [];
  return living.length > 0
    ? living
    : isNodeId(replicas) && range.length >= replicas
      ? range.slice(0, replicas)
      : undefined;
}

/**
 * Pools of which two may get the same id: who gets it depends on the order in which the operator reads them. Ids of nodes
 * that live are given to no other.
 */
function withoutContested(pools: readonly NodePoolDocument[]): NodePoolDocument[] {
  const byId = groupedByAll(pools, ({ ids = [] }) => ids);
  return pools.map((pool) => {
    const rivals = new Set((pool.ids ?? []).flatMap((id) => byId.get(id) ?? []));
    const other = pools.find((one) => rivals.has(one) && one.name !== pool.name);
    return other === undefined
      ? pool
      : {
          ...pool,
          ids: undefined,
          unknown: `node pool '${other.name}' may get the same ids, and which of the two does depends on the order in which the operator reads them`,
        };
  });
}

/** The ids of a text like `[0, 1, 10-19]`, in its order; nothing where the operator would not understand it. */
export function nodeIdsIn(text: unknown): number[] | undefined {
  const match = typeof text === 'string' ? /^\s*\[(.*)\]\s*$/.exec(text) : undefined;
  if (!match) {
    return undefined;
  }
  const ids: number[] = [];
  for (const part of match[1].trim() === '' ? [] : match[1].split(',')) {
    const range = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);
    if (!range) {
      return undefined;
    }
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (!isNodeId(from)) {
      return undefined;
    }
    // a range is as wide as its author likes, a cluster is not
    const step = to < from ? -1 : 1;
    for (let id = from; id !== to + step && ids.length < MOST_IDS; id += step) {
      ids.push(id);
    }
  }
  return ids;
}

export const MOST_IDS = 10_000;

export function isNodeId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HIGHEST_NODE_ID;
}

const POOLS = new WeakMap<object, () => readonly NodePoolDocument[]>();

/** Keeps who knows the manifests of the node pools of a cluster; its interface has no place for them. */
export function registerNodePools(cluster: object, pools: () => readonly NodePoolDocument[]): void {
  POOLS.set(cluster, pools);
}

export function nodePoolsOf(cluster: object): readonly NodePoolDocument[] {
  return POOLS.get(cluster)?.() ?? [];
}

export interface AssignedPool {
  readonly pool: Json;
  readonly living: readonly number[];
}

/**
 * The ids of the nodes of all pools of a cluster once they are written: nodes that live keep theirs, of which those go that are too
 * many; new nodes get the ids of the annotation that no other node has, and then the lowest that are free.
 * strimzi/strimzi-kafka-operator 1.2.0: cluster-operator/…/model/nodepools/NodeIdAssignor.java
 *
 * @returns the ids of each pool; nothing of one whose number of nodes cannot be known
 */
export function assignedNodeIds(pools: readonly AssignedPool[]): (readonly number[] | undefined)[] {
  const used = new Set(pools.flatMap(({ living }) => living));
  return pools.map(({ pool, living }) => {
    const replicas: unknown = at(pool, 'spec.replicas');
    if (!isNodeId(replicas) || replicas > MOST_IDS) {
      return undefined;
    }
    const next = nextIdsOf(pool) ?? [];
    const ids = idsAfter(pool, living, living, replicas);
    let lowest = 0;
    while (ids.length < replicas) {
      while (used.has(lowest)) {
        lowest += 1;
      }
      const id = next.find((one) => !used.has(one)) ?? lowest;
      used.add(id);
      ids.push(id);
    }
    return ids;
  });
}

export interface CountedPool {
  readonly name: unknown;
  readonly cluster: unknown;
  readonly ids: unknown;
  readonly replicas: unknown;
  readonly roles: readonly unknown[];
}

const PLACES: Readonly<Record<keyof CountedPool, readonly [where: string, prop: string]>> = {
  name: ['metadata.name', 'name'],
  cluster: [`label ${CLUSTER_LABEL}`, 'kafka'],
  ids: [`annotation ${NEXT_NODE_IDS_ANNOTATION}`, 'nodeIds'],
  replicas: ['spec.replicas', 'replicas'],
  roles: ['spec.roles', 'roles'],
};

export function countedIn(pool: Json): CountedPool {
  return {
    name: at(pool, 'metadata.name'),
    cluster: mapAt(pool, 'metadata.labels')[CLUSTER_LABEL],
    ids: mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION],
    replicas: at(pool, 'spec.replicas'),
    roles: [...listAt(pool, 'spec.roles')].sort(),
  };
}

export function differences(before: CountedPool, now: CountedPool) {
  return (Object.keys(PLACES) as (keyof CountedPool)[])
    .filter((key) => shown(before[key]) !== shown(now[key]))
    .map((key) => ({
      where: PLACES[key][0],
      prop: PLACES[key][1],
      before: shown(before[key]),
      value: shown(now[key]),
    }));
}

// View of rules on a finished KafkaNodePool document. Third-party manifests may hold anything: these never throw.

export function poolName(pool: Json): string | undefined {
  return textAt(pool, 'metadata.name');
}

export function replicasOf(pool: Json): number {
  return Math.max(0, integerAt(pool, 'spec.replicas') ?? 0);
}

export function nextIdsOf(pool: Json): number[] | undefined {
  return nodeIdsIn(mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION]);
}

export function presentIdsOf(pool: Json): number[] {
  return listAt(pool, 'status.nodeIds').filter(isNodeId);
}

export function poolTitle(pool: Json): string {
  const name = poolName(pool);
  return name === undefined ? 'a node pool without a name' : `node pool '${name}'`;
}

/** Template of its pods: older operators take nothing from their Kafka where the pool has a template. */
export function podSpecOf(pool: Json, kafka: Json | undefined): Json {
  return mapAt(at(pool, 'spec.template') ?? at(kafka, 'spec.kafka.template'), 'pod');
}

export interface NodePoolContext {
  readonly strimzi: StrimziVersion;
  readonly kafka?: Json;
  readonly nodePools?: readonly NodePool[];
  readonly kubernetes?: KubernetesVersion;
  readonly props?: CountedPool;
  readonly pinnedTo?: NodePool;
}

export interface ClusterContext {
  readonly strimzi: StrimziVersion;
  readonly pools: readonly Json[];
  readonly counted?: readonly (CountedPool | undefined)[];
}

export const [, NODE_POOLS_ANNOTATION] = KRAFT_ANNOTATIONS;

export function annotationOf(kafka: Json, annotation: string): string {
  return String(mapAt(kafka, 'metadata.annotations')[annotation]).toLowerCase();
}

export function readsPools(kafka: Json, strimzi: StrimziVersion): boolean {
  return reaches(strimzi, POOLS_ONLY_SINCE) || annotationOf(kafka, NODE_POOLS_ANNOTATION) === 'enabled';
}

export interface ManifestObjects {
  readonly all: readonly ApiObject[];
  readonly kafkas: readonly ApiObject[];
  readonly pools: readonly ApiObject[];
}

const INCLUDED = new WeakMap<IConstruct, ManifestObjects & { readonly children: number }>();

/**
 * The objects of a construct, as clusters are looked for among them: by what of an object never changes. Labels do.
 * An `Include` of many clusters is looked through once, and again after something was added to it.
 */
export function manifestObjectsIn(construct: IConstruct): ManifestObjects {
  const children = construct.node.children.length;
  const known = INCLUDED.get(construct);
  if (known?.children === children) {
    return known;
  }
  const all = construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
  const ofKind = (wanted: string) => all.filter(({ kind, apiGroup }) => kind === wanted && apiGroup === STRIMZI_GROUP);
  const objects = { children, all, kafkas: ofKind(KAFKA_KIND), pools: ofKind(KAFKA_NODE_POOL_KIND) };
  if (construct instanceof Include) {
    INCLUDED.set(construct, objects);
  }
  return objects;
}
