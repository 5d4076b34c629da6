import { isSet, type Json } from '../../contract/json';
import type { Fault } from '../../contract/kubernetes-syntax';
import { type Finding, findingsIn } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { brokerField, configurationOf, listenerTitleOf, namedIds, textAt } from '../operator/kafka-json';
import { LISTENER_FIELDS, TLS_ROUTE_PORT } from '../strimzi/strimzi.facts';
import type { KafkaContext } from './document-rules';
import { type Judges, rulesOf } from './rule-table';

export interface ListenerRuleContext extends KafkaContext {
  readonly kafka: Json;
}

type Judge = Rule<ListenerRuleContext>['judge'];

export function listenerRules(judges: Judges<ListenerRuleContext>): Rule<ListenerRuleContext>[] {
  return rulesOf(judges).map((rule) => ({ ...rule, judge: titled(rule.judge) }));
}

function titled(judge: Judge): Judge {
  return (listener, context) => {
    const found = judge(listener, context);
    return found === undefined ? found : findingsIn(found).map((finding) => named(listener, finding));
  };
}

function named(listener: Json, { what, ...rest }: Finding): Finding {
  return { what: `${listenerTitleOf(listener)}: ${what}`, ...rest };
}

export function takes(type: unknown, path: string): boolean {
  const types = LISTENER_FIELDS[path]?.types;
  return types === undefined || types.includes(type as string);
}

export function isGiven(value: unknown, path: string): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isSet(value) && !(isEmpty && LISTENER_FIELDS[path]?.emptyIsFine);
}

export function faults(items: readonly (readonly [where: string, fault: Fault])[], remedy: string): Finding[] {
  return items
    .filter((item): item is readonly [string, string] => item[1] !== undefined)
    .map(([where, fault]) => ({ what: `${where}: ${fault}`, remedy, value: fault }));
}

// What the operator makes of the templates of a listener for one broker.

export const NODE_ID = '{nodeId}';

export const NODE_POD_NAME = '{nodePodName}';

const PLACEHOLDER = /\{[A-Za-z][\w.-]*\}/g;

export function placeholdersIn(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** A template for one broker; which pool its pod is of is not known here, so the pod's name is a stand-in. */
const rendered = (template: string, id: number) =>
  template.replaceAll(NODE_ID, String(id)).replaceAll(NODE_POD_NAME, `pod-${id}`);

export function idsOf(listener: Json, { brokerIds }: KafkaContext): readonly number[] {
  return brokerIds ?? namedIds(listener);
}

export function advertisedHostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'advertisedHost');
}

export function hostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'host');
}

export function hostFor(
  listener: Json,
  id: number,
  field: 'host' | 'advertisedHost',
  render: (template: string, id: number) => string = rendered,
): string | undefined {
  const explicit = brokerField(listener, id, field);
  const template = textAt(configurationOf(listener), `${field}Template`);
  if (explicit !== undefined) {
    return typeof explicit === 'string' ? explicit : undefined;
  }
  return template === undefined ? undefined : render(template, id);
}

export function templatePort(template: string, id: number): number | undefined {
  return evaluatePort(template.replaceAll(NODE_ID, String(id)));
}

export function advertisedPortOf(listener: Json, id: number): number | undefined {
  const explicit = brokerField(listener, id, 'advertisedPort');
  const template = textAt(configurationOf(listener), 'advertisedPortTemplate');
  if (explicit !== undefined) {
    return Number.isInteger(explicit) ? (explicit as number) : undefined;
  }
  return template === undefined ? ownPortOf(listener, id) : templatePort(template, id);
}

/** The port at which the operator makes a broker reachable. strimzi/strimzi-kafka-operator 1.2.0, KafkaListenersReconciler.java */
function ownPortOf(listener: Json, id: number): number | undefined {
  switch (listener.type) {
    case 'nodeport':
      return brokerField(listener, id, 'nodePort') as number | undefined;
    case 'route':
    case 'ingress':
    case 'tlsroute':
      return TLS_ROUTE_PORT;
    default:
      return listener.port;
  }
}

/**
 * The value of a port template whose placeholders are replaced: numbers with `+`, `-`, `*` and parentheses, no signs; the
 * fraction is cut off. Undefined if it is no such expression.
 */
export function evaluatePort(expression: string): number | undefined {
  const tokens = expression.match(/\d+(\.\d+)?|\S/g) ?? [];
  let next = 0;
  const operand = (): number => {
    const token = tokens[next++];
    if (token !== '(') {
      return /^\d/.test(token ?? '') ? Number(token) : Number.NaN;
    }
    const value = sum();
    return tokens[next++] === ')' ? value : Number.NaN;
  };
  const product = (): number => {
    let value = operand();
    while (tokens[next] === '*') {
      next += 1;
      value *= operand();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[next] === '+' || tokens[next] === '-') {
      value += (tokens[next++] === '+' ? 1 : -1) * product();
    }
    return value;
  };
  const value = sum();
  return Number.isNaN(value) || next < tokens.length ? undefined : Math.trunc(value);
}
