import { type Finding, findingsIn } from '../../contract/finding';
import { isSet, type Json } from '../../contract/json';
import type { Fault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { brokerField, configurationOf, textAt, titleOf } from '../operator/kafka-json';
import { LISTENER_FIELDS } from '../strimzi/strimzi.facts';
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
  return { what: `${titleOf(listener)}: ${what}`, ...rest };
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
function renderedFor(template: string, id: number): string {
  return template.replaceAll(NODE_ID, String(id)).replaceAll(NODE_POD_NAME, `pod-${id}`);
}

export function advertisedHostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'advertisedHost');
}

export function hostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'host');
}

function hostFor(listener: Json, id: number, field: string): string | undefined {
  const explicit = brokerField(listener, id, field);
  const template = textAt(configurationOf(listener), `${field}Template`);
  if (explicit !== undefined) {
    return typeof explicit === 'string' ? explicit : undefined;
  }
  return template === undefined ? undefined : renderedFor(template, id);
}

/** The port of the template for one broker; nothing where it is no expression. */
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
      return 443;
    default:
      return listener.port;
  }
}

/**
 * What the operator's evaluator makes of a port template whose placeholders are replaced: numbers with `+`, `-`, `*` and
 * parentheses, no signs; the fraction is cut off.
 *
 * @returns nothing where it is no such expression
 */
export function evaluatePort(expression: string): number | undefined {
  const tokens = expression.match(/\d+(\.\d+)?|[-+*()]|\S/g) ?? [];
  const reader = new Reader(tokens);
  const value = reader.sum();
  return value === undefined || !reader.isAtEnd ? undefined : Math.trunc(value);
}

class Reader {
  private next = 0;

  public constructor(private readonly tokens: readonly string[]) {}

  public get isAtEnd(): boolean {
    return this.next === this.tokens.length;
  }

  public sum(): number | undefined {
    let value = this.product();
    while (value !== undefined && (this.sees('+') || this.sees('-'))) {
      const sign = this.take() === '+' ? 1 : -1;
      const term = this.product();
      value = term === undefined ? undefined : value + sign * term;
    }
    return value;
  }

  private product(): number | undefined {
    let value = this.operand();
    while (value !== undefined && this.sees('*')) {
      this.take();
      const factor = this.operand();
      value = factor === undefined ? undefined : value * factor;
    }
    return value;
  }

  private operand(): number | undefined {
    const token = this.take();
    if (token === '(') {
      const value = this.sum();
      return this.take() === ')' ? value : undefined;
    }
    return token !== undefined && /^\d/.test(token) ? Number(token) : undefined;
  }

  private sees(token: string): boolean {
    return this.tokens[this.next] === token;
  }

  private take(): string | undefined {
    return this.tokens[this.next++];
  }
}
