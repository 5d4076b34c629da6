import { type Finding, findingsIn } from '../../contract/finding';
import { isSet, type Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { Fault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { titleOf } from '../document/kafka-json';
import type { KafkaContext } from '../rules/kafka-context';
import { LISTENER_FIELDS } from '../strimzi/listener-schema.facts';

/** What is known beside a listener. */
export interface ListenerRuleContext extends KafkaContext {
  readonly kafka: Json;
}

const MODEL = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model';

/** Where the rules of the operator for listeners were read. */
const VALIDATOR: Citation = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: `${MODEL}/ListenersValidator.java`,
};

/** Where it was read what the operator makes of a listener without validating it. */
const LISTENERS_UTILS: Citation = { ...VALIDATOR, file: `${MODEL}/ListenersUtils.java` };

/** Where the rules of the API server for what the operator makes of a listener were read. */
const API_SERVER: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

type Judge = Rule<ListenerRuleContext>['judge'];
type More = Pick<Rule<ListenerRuleContext>, 'supersedes'>;

/** The operator refuses it: it stops reconciling the whole cluster, and only the status of the resource shows why. */
export function refusedByOperator(id: string, says: string, judge: Judge, more?: More): Rule<ListenerRuleContext> {
  return { id, severity: 'error', says, source: VALIDATOR, judge: titled(judge), ...more };
}

/** The API server refuses what the operator makes of it, in the middle of a reconciliation. */
export function refusedInMidReconcile(id: string, says: string, judge: Judge, more?: More): Rule<ListenerRuleContext> {
  return { id, who: 'kubernetes', severity: 'error', says, source: API_SERVER, judge: titled(judge), ...more };
}

/** It is applied, and does not work. */
export function brokenSilently(id: string, says: string, judge: Judge): Rule<ListenerRuleContext> {
  return { id, severity: 'error', says, source: LISTENERS_UTILS, judge: titled(judge) };
}

/** It works, and surprises. */
export function surprising(
  id: string,
  says: string,
  judge: Judge,
  source = LISTENERS_UTILS,
): Rule<ListenerRuleContext> {
  return { id, severity: 'warning', says, source, judge: titled(judge) };
}

/** Names the listener in the findings of a rule. */
function titled(judge: Judge): Judge {
  return (listener, context) => {
    const found = judge(listener, context);
    return found === undefined ? found : findingsIn(found).map((finding) => named(listener, finding));
  };
}

function named(listener: Json, { what, ...rest }: Finding): Finding {
  return { what: `${titleOf(listener)}: ${what}`, ...rest };
}

/** Whether listeners of a type take a field. */
export function takes(type: unknown, path: string): boolean {
  const types = LISTENER_FIELDS[path]?.types;
  return types === undefined || types.includes(type as string);
}

/** Whether a field is set, and to more than an empty list or map where the operator ignores that. */
export function isGiven(value: unknown, path: string): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isSet(value) && !(isEmpty && LISTENER_FIELDS[path]?.emptyIsFine);
}

/** Faults of syntax as findings, each with its field. */
export function faults(items: readonly (readonly [where: string, fault: Fault])[], remedy: string): Finding[] {
  return items
    .filter((item): item is readonly [string, string] => item[1] !== undefined)
    .map(([where, fault]) => ({ what: `${where}: ${fault}`, remedy, value: fault }));
}
