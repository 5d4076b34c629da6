import type { ApiObject } from 'cdk8s';
import { isMap, isSet, type Json, list } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import { lookAt } from '../../rules/judge-object';
import { annotationsOf } from '../../rules/service-json';
import { type CountedPool, countedIn } from '../document/counted-pool';
import { shown } from '../document/kafka-json';
import { HIGHEST_NODE_ID, REMOVE_NODE_IDS_ANNOTATION } from '../strimzi/node-pool.facts';
import { CLUSTER_LABEL, KAFKA_KIND, NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import type { ManifestObjects } from './manifest-objects';

// Which ids the nodes of a pool have or will get. The operator hands out the lowest free ones of the whole cluster unless
// an annotation says which; so only pools that say it, or that live already, have ids that can be known.

/** A node pool that exists as a manifest. */
export interface NodePoolDocument {
  readonly name: string;
  readonly object: ApiObject;
  readonly isBroker: boolean;
  /** Every id that its nodes may get by the annotation; for telling the pool of an id. */
  readonly range: readonly number[];
  /** The ids of its nodes, where they are known. */
  readonly ids?: readonly number[];
  /** Why they are not known. */
  readonly unknown?: string;
  /** How many nodes it has, where that is known and none of them has to go. */
  readonly size?: number;
  /** What it had when a manifest was read, where brokers are counted by that. */
  readonly counted?: CountedPool;
  /** The nodes of Kubernetes to which its pods are pinned, where it was made here. */
  readonly pinnedTo?: NodePool;
}

export interface LeftOutPool {
  readonly name: string;
  readonly why: string;
}

/** The node pools of one cluster, and those beside them. */
export interface NodePoolsFound {
  readonly pools: readonly NodePoolDocument[];
  /** Those that may be its own all the same: either they or the cluster name no namespace. */
  readonly doubtful: readonly LeftOutPool[];
  /** All that are not counted; there may be many, and few ask. */
  readonly leftOut: () => readonly LeftOutPool[];
}

/** The node pools of one cluster among some objects. */
export function nodePoolsAmong(
  objects: ManifestObjects,
  cluster: string,
  namespace: string | undefined,
): NodePoolsFound {
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
  const own = objects.poolsIn(namespace).filter(isLabelled);
  const rendered = own.map((object) => ({ object, json: lookAt(object) }));
  const isTaken = takenBeside(rendered.map(({ json }) => json));
  const half =
    namespace === undefined
      ? objects.pools.filter(({ metadata }) => metadata.namespace !== undefined)
      : objects.poolsIn(undefined);
  return {
    pools: withoutContested(rendered.map(({ object, json }) => nodePoolIn(object, json, (id) => isTaken(id, json)))),
    doubtful: half.filter((pool) => isLabelled(pool) && !isOfAnother(pool)).map(whyNot),
    leftOut: () => objects.pools.filter((pool) => !own.includes(pool)).map(whyNot),
  };
}

function named(namespace: string | undefined): string {
  return namespace === undefined ? 'no namespace' : `namespace '${namespace}'`;
}

/** Whether a node of another pool lives under an id. */
function takenBeside(pools: readonly Json[]): (id: unknown, pool: Json) => boolean {
  const living = new Map(pools.map((pool) => [pool, new Set<unknown>(list(pool.status?.nodeIds))]));
  const counts = new Map<unknown, number>();
  for (const id of [...living.values()].flatMap((ids) => [...ids])) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return (id, pool) => (counts.get(id) ?? 0) > (living.get(pool)?.has(id) ? 1 : 0);
}

function nodePoolIn(object: ApiObject, json: Json, isTaken: (id: number) => boolean): NodePoolDocument {
  const { replicas, roles }: Json = isMap(json.spec) ? json.spec : {};
  const annotation: unknown = annotationsOf(json)[NEXT_NODE_IDS_ANNOTATION];
  const range = nodeIdsIn(annotation);
  const present = list<unknown>(json.status?.nodeIds).filter((id) => isNodeId(id));
  const living = new Set(present);
  const all = [...present, ...(range ?? []).filter((id) => !living.has(id) && !isTaken(id))];
  const ids = isNodeId(replicas)
    ? idsAfter(present, all, replicas, annotationsOf(json)[REMOVE_NODE_IDS_ANNOTATION])
    : [];
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
    isBroker: list(roles).includes('broker'),
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
export function idsAfter(
  present: readonly number[],
  all: readonly number[],
  replicas: number,
  removed: unknown,
): number[] {
  if (present.length <= replicas) {
    return all.slice(0, replicas);
  }
  const first = (nodeIdsIn(removed) ?? []).filter((id) => present.includes(id));
  const others = present.filter((id) => !first.includes(id)).sort((one, other) => other - one);
  const gone = new Set([...new Set([...first, ...others])].slice(0, present.length - replicas));
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
  const { replicas }: Json = isMap(after.spec) ? after.spec : {};
  if (!present || !isNodeId(replicas)) {
    return undefined;
  }
  const left = new Set(idsAfter(present, present, replicas, annotationsOf(after)[REMOVE_NODE_IDS_ANNOTATION]));
  return present.filter((id) => !left.has(id));
}

/** The ids of the nodes of a pool as it is: those that live, or that its annotation hands out; nothing where neither says it. */
export function idsBefore(pool: Json): number[] | undefined {
  const living = list<unknown>(pool.status?.nodeIds).filter((id) => isNodeId(id));
  if (living.length > 0) {
    return living;
  }
  const { replicas }: Json = isMap(pool.spec) ? pool.spec : {};
  const range = nodeIdsIn(annotationsOf(pool)[NEXT_NODE_IDS_ANNOTATION]) ?? [];
  return isNodeId(replicas) && range.length >= replicas ? range.slice(0, replicas) : undefined;
}

/**
 * Pools of which two may get the same id: who gets it depends on the order in which the operator reads them. Ids of nodes
 * that live are given to no other.
 */
function withoutContested(pools: readonly NodePoolDocument[]): NodePoolDocument[] {
  const byId = new Map<number, number[]>();
  for (const [place, { ids = [] }] of pools.entries()) {
    for (const id of ids) {
      const places = byId.get(id);
      if (places) {
        places.push(place);
      } else {
        byId.set(id, [place]);
      }
    }
  }
  return pools.map((pool) => {
    const isOther = (place: number) => pools[place].name !== pool.name;
    const others = (pool.ids ?? []).flatMap((id) => byId.get(id)?.find(isOther) ?? []);
    const other = others.length > 0 ? pools[Math.min(...others)] : undefined;
    return pool.ids === undefined || other === undefined
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

/** More ids than a cluster has nodes. */
export const MOST_IDS = 10_000;

/** Whether a value can be the id of a Kafka node. */
export function isNodeId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HIGHEST_NODE_ID;
}

const POOLS = new WeakMap<object, () => readonly NodePoolDocument[]>();

/** Keeps who knows the manifests of the node pools of a cluster; its interface has no place for them. */
export function rememberNodePools(cluster: object, pools: () => readonly NodePoolDocument[]): void {
  POOLS.set(cluster, pools);
}

/** The node pools of a cluster that are known as manifests. */
export function nodePoolsOf(cluster: object): readonly NodePoolDocument[] {
  return POOLS.get(cluster)?.() ?? [];
}
