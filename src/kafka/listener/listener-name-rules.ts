import type { Json } from '../../contract/json';
import { portFault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { listenersOf, pointerTo } from '../document/kafka-json';
import { LISTENER_NAME, LOWEST_PORT, RESERVED_PORTS } from '../strimzi/listener-schema.facts';
import { type ListenerRuleContext, refusedByOperator, refusedInMidReconcile } from './listener-rule';

/** Whether a listener of the document before this one has the same in a field; the first one is right. */
function isRepeated(kafka: Json, listener: Json, field: string): boolean {
  return listenersOf(kafka).find((other) => other[field] === listener[field]) !== listener;
}

/** Names and ports of listeners. */
export const LISTENER_NAME_RULES: readonly Rule<ListenerRuleContext>[] = [
  refusedByOperator(
    'listener-name',
    'the name of a listener has 1 to 11 lower-case letters and digits',
    ({ name }) =>
      typeof name !== 'string' || LISTENER_NAME.test(name)
        ? undefined
        : {
            what: `the name '${name}' has ${name.length} characters, and 1 to 11 lower-case letters and digits are allowed`,
            remedy: 'choose a shorter or simpler name: Services and their balancers are named by it',
            value: name,
          },
    { supersedes: ['target-port', 'port-name'] },
  ),
  refusedByOperator('listener-name-twice', 'the name of a listener is unique', (listener, { kafka }) =>
    typeof listener.name === 'string' && isRepeated(kafka, listener, 'name')
      ? {
          what: `a listener before it has the name '${listener.name}' as well`,
          remedy: 'give one of the two another name',
          value: listener.name,
          at: `${pointerTo(kafka, listener)}/name`,
        }
      : undefined,
  ),
  refusedByOperator(
    'listener-port',
    'the port of a listener is 9092 or above, and no port of the operator',
    ({ port }) => {
      if (!Number.isInteger(port)) {
        return undefined;
      }
      const use = RESERVED_PORTS[port];
      const why = use ? `is taken for ${use}` : port < LOWEST_PORT ? `is below ${LOWEST_PORT}` : undefined;
      return why === undefined
        ? undefined
        : { what: `port ${port} ${why}`, remedy: `use a free port from ${LOWEST_PORT} on`, value: String(port) };
    },
  ),
  refusedInMidReconcile(
    'listener-port-range',
    'the port of a listener is a port',
    ({ port }) =>
      Number.isInteger(port) && port >= LOWEST_PORT && portFault(port) !== undefined
        ? {
            what: `port ${port} is not a valid port, which shows only when the operator's NetworkPolicy is refused`,
            remedy: `use a port from ${LOWEST_PORT} to 65535`,
            value: String(port),
          }
        : undefined,
    { supersedes: ['service-ports'] },
  ),
  refusedByOperator('listener-port-twice', 'the port of a listener is unique', (listener, { kafka }) =>
    Number.isInteger(listener.port) && isRepeated(kafka, listener, 'port')
      ? {
          what: `a listener before it has port ${listener.port} as well`,
          remedy: 'give one of the two another port',
          value: String(listener.port),
          at: `${pointerTo(kafka, listener)}/port`,
        }
      : undefined,
  ),
];
