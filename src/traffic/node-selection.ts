import { isMap, type Json, list, mapIn } from '../contract/json';
import type { TrafficNode, TrafficTaint } from './nodes';

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
