import type { Finding } from '../../contract/finding';
import { isSet, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { at, bootstrapOf, brokerField, brokersOf, configurationOf, listAt, shown } from '../document/kafka-json';
import { LISTENER_FIELDS } from '../strimzi/listener-schema.facts';
import { isGiven, type ListenerRuleContext, refusedByOperator, surprising, takes } from './listener-rule';

/** What of a listener belongs to other types of listener. */
function misplaced(listener: Json): Finding[] {
  const inMap = (map: Json, path: string, where: string) =>
    Object.entries(map)
      .filter(([name, value]) => isGiven(value, `${path}.${name}`) && !takes(listener.type, `${path}.${name}`))
      .map(([name, value]) => ({
        what: `${where}.${name} is set on a listener of type ${shown(listener.type)}`,
        remedy: `remove it: it belongs to ${LISTENER_FIELDS[`${path}.${name}`].types?.join(', ')}`,
        value: shown(value),
      }));
  return [
    ...inMap(configurationOf(listener), 'configuration', 'configuration'),
    ...inMap(bootstrapOf(listener), 'configuration.bootstrap', 'configuration.bootstrap'),
    ...brokersOf(listener).flatMap((entry) =>
      inMap(entry, 'configuration.brokers', `configuration.brokers for broker ${shown(entry.broker)}`),
    ),
  ];
}

/** Which broker has no host, where each needs one. */
function withoutHost(listener: Json, { brokerIds }: ListenerRuleContext): string | undefined {
  if (isSet(configurationOf(listener).hostTemplate)) {
    return undefined;
  }
  if (brokersOf(listener).length === 0) {
    return 'no broker has a host';
  }
  const without = (brokerIds ?? []).filter((id) => !isSet(brokerField(listener, id, 'host')));
  return without.length > 0 ? `there is no host for broker ${without.join(', ')}` : undefined;
}

/** Which fields belong to which type of listener, and what a type needs. */
export const LISTENER_TYPE_RULES: readonly Rule<ListenerRuleContext>[] = [
  refusedByOperator('listener-field-type', 'a field is on a listener of a type that takes it', (listener) =>
    LISTENER_FIELDS.type.values?.includes(listener.type) ? misplaced(listener) : undefined,
  ),
  surprising('listener-bootstrap-unused', 'a bootstrap Service that is not made is not configured', (listener) =>
    listener.type === 'loadbalancer' && configurationOf(listener).createBootstrapService === false
      ? Object.entries(bootstrapOf(listener))
          .filter(([name, value]) => name !== 'alternativeNames' && isGiven(value, `configuration.bootstrap.${name}`))
          .map(([name, value]) => ({
            what: `bootstrap.${name} is set, and createBootstrapService is false, so it has no effect`,
            remedy: 'remove one of the two',
            value: shown(value),
          }))
      : undefined,
  ),
  refusedByOperator(
    'listener-hosts',
    'a listener of type tlsroute lacks the host of bootstrap or of a broker',
    (listener, context) => {
      if (listener.type !== 'tlsroute') {
        return undefined;
      }
      const bootstrap = isSet(bootstrapOf(listener).host)
        ? []
        : [
            {
              what: `bootstrap.host is missing on type ${listener.type}`,
              remedy: 'write the host of the first contact',
            },
          ];
      const broker = withoutHost(listener, context);
      return broker === undefined
        ? bootstrap
        : [
            ...bootstrap,
            { what: `${broker}, on type ${listener.type}`, remedy: 'write hostTemplate, or a host for each broker' },
          ];
    },
  ),
  refusedByOperator('listener-parents', 'a listener of type tlsroute names the Gateways of its routes', (listener) => {
    if (listener.type !== 'tlsroute') {
      return undefined;
    }
    const parents = listAt<Json>(listener, 'configuration.parentRefs');
    return parents.length > 0 && parents.every((parent) => isSet(at(parent, 'name')))
      ? undefined
      : {
          what: parents.length === 0 ? 'parentRefs is missing on type tlsroute' : 'an entry of parentRefs has no name',
          remedy: 'name the Gateway that the routes attach to',
        };
  }),
];
