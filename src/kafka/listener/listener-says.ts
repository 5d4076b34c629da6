import type { Said } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Fault } from '../../contract/kubernetes-syntax';
import type { Finding } from '../../rules/rule';
import { isSaid, titleOf } from '../document/kafka-json';
import type { ListenerContext, ListenerRule } from '../document/kafka-rule';
import { LISTENER_FIELDS } from './listener-schema.facts';

/** Where the rules of the operator for listeners were read. */
export const VALIDATOR = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/ListenersValidator.java',
};

/** Where it was read what the operator makes of a listener without looking whether that is right. */
export const LISTENERS_UTILS = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/ListenersUtils.java',
};

/** Where the rules of the API server for what the operator makes of a listener were read. */
export const API_SERVER = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

type Look = (listener: Json, context: ListenerContext, kafka: Json) => Said;

/** What the operator refuses: it stops reconciling the whole cluster, and only the status of the resource says why. */
export function refusedByOperator(id: string, says: string, look: Look): ListenerRule {
  return rule({ id, severity: 'error', says, source: VALIDATOR }, look);
}

/** What nobody refuses, and is wrong all the same. */
export function refusedByNobody(id: string, says: string, look: Look): ListenerRule {
  return rule({ id, severity: 'error', says, source: LISTENERS_UTILS }, look);
}

/** What works and surprises. */
export function surprise(id: string, says: string, look: Look): ListenerRule {
  return rule({ id, severity: 'warning', says, source: LISTENERS_UTILS }, look);
}

/** What the API server refuses of the objects that the operator makes: in the middle of a reconciliation. */
export function refusedInMidReconcile(id: string, says: string, look: Look): ListenerRule {
  return rule({ id, who: 'kubernetes', severity: 'error', says, source: API_SERVER }, look);
}

/** A rule whose verdicts name the listener. */
function rule(parts: Omit<ListenerRule, 'judge'>, look: Look): ListenerRule {
  return {
    ...parts,
    judge(kafka, listener, context) {
      const said = look(listener, context, kafka);
      const isNothing = said === undefined || (Array.isArray(said) && said.length === 0);
      return isNothing ? undefined : [said].flat().map((verdict) => named(listener, verdict as Finding));
    },
  };
}

function named(listener: Json, { what, ...rest }: Finding): Finding {
  return { what: `${titleOf(listener)}: ${what}`, ...rest };
}

/** Whether a listener of this type takes a field; none is known to take nothing. */
export function takes(type: unknown, path: string): boolean {
  const types = LISTENER_FIELDS[path]?.types;
  return types === undefined || types.includes(type as string);
}

/** Whether something stands in a field, and is more than an empty list or map where the operator takes that for none. */
export function isGiven(value: unknown, path: string): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isSaid(value) && !(isEmpty && LISTENER_FIELDS[path]?.emptyIsFine);
}

/** Faults of syntax as verdicts, each with where it stands. */
export function faults(items: readonly (readonly [where: string, fault: Fault])[], remedy: string): Finding[] {
  return items
    .filter((item): item is readonly [string, string] => item[1] !== undefined)
    .map(([where, fault]) => ({ what: `${where}: ${fault}`, remedy, value: fault }));
}
