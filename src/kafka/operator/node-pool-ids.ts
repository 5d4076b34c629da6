import type { ApiObject } from 'cdk8s';
import type { Json } from '../../contract/late-rendering';
import { annotationsOf, isMap, list } from '../../rules/service-json';
import { STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import { CLUSTER_LABEL, KAFKA_NODE_POOL_KIND, NEXT_NODE_IDS_ANNOTATION } from './operator-services.facts';

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
}

/** The node pools of one cluster among some objects. */
export function nodePoolsAmong(
  objects: readonly ApiObject[],
  cluster: string,
  namespace: string | undefined,
): NodePoolDocument[] {
  return objects
    .filter(({ kind, apiGroup }) => kind === KAFKA_NODE_POOL_KIND && apiGroup === STRIMZI_GROUP)
    .filter(({ metadata }) => metadata.getLabel(CLUSTER_LABEL) === cluster && metadata.namespace === namespace)
    .map((object) => nodePoolIn(object, object.toJson() as Json));
}

function nodePoolIn(object: ApiObject, json: Json): NodePoolDocument {
  const spec = isMap(json.spec) ? json.spec : {};
  const range = nodeIdsIn(annotationsOf(json)[NEXT_NODE_IDS_ANNOTATION]) ?? [];
  const present = list<unknown>(json.status?.nodeIds).filter((id) => isNodeId(id));
  const coming = range.filter((id) => !present.includes(id));
  const ids = [...present, ...coming].slice(0, Math.max(0, spec.replicas));
  const known = Number.isInteger(spec.replicas) && ids.length === spec.replicas && present.length <= ids.length;
  return {
    name: object.name,
    object,
    isBroker: list(spec.roles).includes('broker'),
    range: [...present, ...coming],
    ids: known ? ids : undefined,
  };
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
    // a range is as wide as somebody likes, a cluster is not
    const step = to < from ? -1 : 1;
    for (let id = from; id !== to + step && ids.length < MOST_IDS; id += step) {
      ids.push(id);
    }
  }
  return ids;
}

const MOST_IDS = 10_000;

/** Whether a value can be the id of a Kafka node. */
export function isNodeId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

const POOLS = new WeakMap<object, readonly NodePoolDocument[]>();

/** Keeps the manifests of the node pools for a cluster; its interface has no place for them. */
export function rememberNodePools(cluster: object, pools: readonly NodePoolDocument[]): void {
  POOLS.set(cluster, pools);
}

/** The node pools of a cluster that are known as manifests. */
export function nodePoolsOf(cluster: object): readonly NodePoolDocument[] {
  return POOLS.get(cluster) ?? [];
}
