import type { Json } from '../../contract/json';
import { brokerField, configurationOf, textAt } from '../document/kafka-json';
import { evaluatePort } from './port-expression';

// What the operator makes of the templates of a listener for one broker.

/** Replaced by the id of the broker. */
export const NODE_ID = '{nodeId}';

/** Replaced by the name of the broker's pod. */
export const NODE_POD_NAME = '{nodePodName}';

/** Something in a text that is meant to be replaced, as far as one can tell. */
const PLACEHOLDER = /\{[A-Za-z][\w.-]*\}/g;

/** The placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** A template for one broker; which pool its pod is of is not known here, so the pod's name is a stand-in. */
function renderedFor(template: string, id: number): string {
  return template.replaceAll(NODE_ID, String(id)).replaceAll(NODE_POD_NAME, `pod-${id}`);
}

/** What the broker advertises, where the listener says so. */
export function advertisedHostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'advertisedHost');
}

/** The host of the broker's route, where the listener says so. */
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

/** The port that the broker advertises, where it is known. */
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
