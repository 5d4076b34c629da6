import { isMap, type Json, list, mapIn, mapsIn } from '../contract/json';
import { isExcludedFromBalancers, ZONE_LABEL } from '../contract/kubernetes.facts';
import type { Unknown } from './fraction';

export interface TrafficTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** A node, as far as packets depend on it. */
export interface TrafficNode {
  readonly name: string;
  /** Unset where the nodes of the cluster are in no zone. */
  readonly zone?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly TrafficTaint[];
  readonly ready: boolean;
  /** Whether its label keeps it out of balancers. */
  readonly excluded: boolean;
}

/** The nodes among objects as `kubectl get nodes -o yaml` prints them: one by one, or in a list. */
export function readNodes(objects: readonly unknown[]): TrafficNode[] | Unknown {
  const nodes = objectsOf(objects, 'Node');
  return nodes.every((node) => nameOf(node) !== '')
    ? nodes.map(nodeOf)
    : { unknown: 'needs the name of each node; one has no metadata.name' };
}

export function faultOfNodes(nodes: readonly TrafficNode[]): string | undefined {
  if (nodes.length === 0) {
    return 'needs the nodes of the cluster; the list is empty';
  }
  const twice = duplicateIn(nodes.map(({ name }) => name));
  if (twice !== undefined) {
    return `needs one entry for node ${twice}; the list has two`;
  }
  const without = nodes.find(({ zone }) => zone === undefined);
  return without && nodes.some(({ zone }) => zone !== undefined)
    ? `needs the zone of node ${without.name}; other nodes have one`
    : undefined;
}

/** The objects of a kind, lists opened. */
export function objectsOf(objects: readonly unknown[], kind: string): Json[] {
  return objects
    .filter(isMap)
    .flatMap((object) => (Array.isArray(object.items) ? objectsOf(object.items, kind) : object))
    .filter((object) => object.kind === kind);
}

/** The name in the metadata of an object, empty where there is none. */
export function nameOf(object: Json): string {
  const { name } = mapIn(object, 'metadata');
  return typeof name === 'string' ? name : '';
}

export function duplicateIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

/** Whether a condition of an object is true. */
export function isTrue(object: Json, condition: string): boolean {
  return mapsIn(mapIn(object, 'status'), 'conditions').some(
    ({ type, status }) => type === condition && status === 'True',
  );
}

/** The labels of an object that are texts. */
export function labelsOf(object: Json): Record<string, string> {
  const labels = Object.entries(mapIn(mapIn(object, 'metadata'), 'labels'));
  return Object.fromEntries(labels.filter(([, value]) => typeof value === 'string'));
}

function nodeOf(object: Json): TrafficNode {
  const labels = labelsOf(object);
  const zone = labels[ZONE_LABEL];
  return {
    name: nameOf(object),
    ...(zone ? { zone } : {}),
    labels,
    taints: list<unknown>(mapIn(object, 'spec').taints).filter(isMap).map(taintOf),
    ready: isTrue(object, 'Ready'),
    excluded: isExcludedFromBalancers(labels),
  };
}

function taintOf({ key, value, effect }: Json): TrafficTaint {
  return { key: String(key), ...(typeof value === 'string' ? { value } : {}), effect: String(effect) };
}

/** Which nodes the spec of a pod lets it run on, as the scheduler decides: selector, required affinity, tolerations. */
export function mayRunOn(pod: Json, node: TrafficNode): boolean {
  const selected = Object.entries(mapIn(pod, 'nodeSelector')).every(([key, value]) => node.labels[key] === value);
  return (
    selected && isDemanded(pod, node) && node.taints.every((taint) => isHarmless(taint) || isTolerated(pod, taint))
  );
}

function isDemanded(pod: Json, node: TrafficNode): boolean {
  const affinity = mapIn(mapIn(pod, 'affinity'), 'nodeAffinity');
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  return !isMap(required) || list<unknown>(required.nodeSelectorTerms).some((term) => isMap(term) && holds(term, node));
}

/** A term without expressions matches no node. */
function holds(term: Json, node: TrafficNode): boolean {
  const labels = list<unknown>(term.matchExpressions).filter(isMap);
  const fields = list<unknown>(term.matchFields).filter(isMap);
  return (
    labels.length + fields.length > 0 &&
    labels.every((expression) => isMet(expression, node.labels[expression.key])) &&
    fields.every((expression) => isMet(expression, expression.key === 'metadata.name' ? node.name : undefined))
  );
}

function isMet({ operator, values }: Json, value: string | undefined): boolean {
  const wanted = list<unknown>(values).map(String);
  switch (operator) {
    case 'In':
      return value !== undefined && wanted.includes(value);
    case 'NotIn':
      return value === undefined || !wanted.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(wanted[0]);
    default:
      return operator === 'Lt' && Number(value) < Number(wanted[0]);
  }
}

function isHarmless({ effect }: TrafficTaint): boolean {
  return effect === 'PreferNoSchedule';
}

function isTolerated(pod: Json, { key, value = '', effect }: TrafficTaint): boolean {
  return list<unknown>(pod.tolerations)
    .filter(isMap)
    .some(
      (toleration) =>
        (!toleration.effect || toleration.effect === effect) &&
        (toleration.operator === 'Exists'
          ? !toleration.key || toleration.key === key
          : toleration.key === key && (toleration.value ?? '') === value),
    );
}
