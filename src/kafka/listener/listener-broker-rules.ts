import { isMap, type Json } from '../../contract/json';
import { ipFault, portFault } from '../../contract/kubernetes-syntax';
import { repeated } from '../../gateway/object-rules';
import type { Rule } from '../../rules/rule';
import { at, bootstrapOf, brokerField, brokersOf, configurationOf, listAt, namedIds } from '../document/kafka-json';
import { advertising } from './listener-advertising';
import { brokenSilently, type ListenerRuleContext, surprising } from './listener-rule';
import { advertisedHostOf, advertisedPortOf, hostOf } from './listener-templates';

const HOST_NAME = /^[A-Za-z0-9_]([-A-Za-z0-9_.]*[A-Za-z0-9_])?\.?$/;

/** The ids of the brokers, where they are known, or those that the listener names. */
function idsOf(listener: Json, { brokerIds }: ListenerRuleContext): readonly number[] {
  return brokerIds ?? namedIds(listener);
}

/** What several brokers share of what distinguishes them: the value, and the brokers. */
function shared(ids: readonly number[], tellingApart: (id: number) => string | undefined): [string, number[]][] {
  const brokers = new Map<string, number[]>();
  for (const id of ids) {
    const value = tellingApart(id);
    if (value !== undefined) {
      brokers.set(value, [...(brokers.get(value) ?? []), id]);
    }
  }
  return [...brokers].filter(([, sharing]) => sharing.length > 1);
}

function addressOf(listener: Json, id: number): string | undefined {
  const host = advertisedHostOf(listener, id);
  const port = advertisedPortOf(listener, id);
  return host === undefined || port === undefined ? undefined : `${host.toLowerCase()}:${port}`;
}

function isHost(text: string): boolean {
  return HOST_NAME.test(text) || ipFault(text) === undefined;
}

/** Which of the brokers get no annotations or labels, while the others have some. */
function leftOut(listener: Json, field: string, template: string, { brokerIds = [] }: ListenerRuleContext): number[] {
  const has = (id: number) => isMap(brokerField(listener, id, field));
  const hasTemplate = Object.keys(Object(at(configurationOf(listener), template))).length > 0;
  return hasTemplate || !namedIds(listener).some(has) ? [] : brokerIds.filter((id) => !has(id));
}

/** The brokers that advertise another port than the listener has, each with that port. */
function portsBeside(listener: Json, context: ListenerRuleContext): (readonly [id: number, port: number])[] {
  return idsOf(listener, context)
    .map((id) => [id, advertisedPortOf(listener, id)] as const)
    .filter((entry): entry is readonly [number, number] => entry[1] !== undefined)
    .filter(([, port]) => portFault(port) === undefined && port !== listener.port);
}

/** Brokers, and the addresses at which clients reach them. */
export const LISTENER_BROKER_RULES: readonly Rule<ListenerRuleContext>[] = [
  surprising('listener-broker-twice', 'a broker has one entry', (listener) =>
    repeated(brokersOf(listener).map(({ broker }) => broker))
      .filter((id) => Number.isInteger(id))
      .map((id) => ({
        what: `brokers has several entries for broker ${id}, of which the first one with a field wins, field by field`,
        remedy: 'make one entry of them',
        value: String(id),
      })),
  ),
  surprising(
    'listener-broker-unknown',
    'the entries of brokers are for brokers that exist',
    (listener, { brokerIds }) =>
      namedIds(listener)
        .filter((id) => id < 0 || brokerIds?.includes(id) === false)
        .map((id) => ({
          what: `brokers has an entry for broker ${id}, and ${brokerIds ? `the brokers are ${brokerIds.join(', ')}` : 'there is no such id'}, so it has no effect but a line in the log of the operator`,
          remedy: 'write the node id of a broker (not its ordinal in the pool), or remove the entry',
          value: String(id),
        })),
  ),
  surprising(
    'listener-broker-left-out',
    'where some brokers of a load balanced listener have annotations, all of them have',
    (listener, context) =>
      listener.type !== 'loadbalancer'
        ? undefined
        : leftOut(listener, 'annotations', 'perBrokerAnnotationsTemplate', context).map((id) => ({
            what: `brokers has annotations for other brokers and none for broker ${id}, whose balancer gets the defaults of its controller: often a public address`,
            remedy: 'write an entry for every broker, or perBrokerAnnotationsTemplate from Strimzi 1.1 on',
            value: String(id),
          })),
  ),
  brokenSilently('listener-advertised-host', 'an advertised host is a bare host name or address', (listener, context) =>
    idsOf(listener, context)
      .map((id) => [id, advertisedHostOf(listener, id)] as const)
      .filter(([, host]) => host !== undefined && !isHost(host))
      .map(([id, host]) => ({
        what: `broker ${id} advertises '${host}', which is not a valid host name`,
        remedy: 'write the bare name, without scheme, port or spaces; the port goes into advertisedPort',
        value: host,
      })),
  ),
  brokenSilently('listener-advertised-port', 'an advertised port is a port', (listener) =>
    brokersOf(listener)
      .filter(({ advertisedPort }) => Number.isInteger(advertisedPort) && portFault(advertisedPort) !== undefined)
      .map(({ broker, advertisedPort }) => ({
        what: `broker ${broker} advertises port ${advertisedPort}, with which it does not start`,
        remedy: 'use a port from 1 to 65535',
        value: String(advertisedPort),
      })),
  ),
  surprising(
    'listener-advertised-port-differs',
    'a load balanced listener advertises the port on which its balancers listen',
    (listener, context) => {
      const others = listener.type === 'loadbalancer' ? portsBeside(listener, context) : [];
      return others.length === 0
        ? undefined
        : {
            what: `${advertising(others)}, and ${others.length > 1 ? 'their balancers listen' : 'its balancer listens'} on port ${listener.port}: an advertised port changes neither Service nor balancer`,
            remedy: 'leave it out, unless something in front of the balancer listens there',
            value: [...new Set(others.map(([, port]) => port))].join(', '),
          };
    },
  ),
  surprising(
    'listener-advertised-some',
    'where some brokers of a load balanced listener advertise a host, all of them do',
    (listener, { brokerIds = [] }) => {
      const named = brokerIds.filter((id) => advertisedHostOf(listener, id) !== undefined);
      const nameless = brokerIds.filter((id) => !named.includes(id));
      return listener.type !== 'loadbalancer' || named.length === 0 || nameless.length === 0
        ? undefined
        : {
            what: `${named.length > 1 ? `brokers ${named.join(', ')} advertise hosts` : `broker ${named[0]} advertises a host`}, and ${nameless.length > 1 ? `brokers ${nameless.join(', ')} do not: they advertise the addresses of their balancers` : `broker ${nameless[0]} does not: it advertises the address of its balancer`}, which your DNS and certificates do not cover`,
            remedy: 'write advertisedHost for every broker, or advertisedHostTemplate',
            value: nameless.join(', '),
          };
    },
  ),
  brokenSilently('listener-advertised-twice', 'each broker has an address of its own', (listener, context) =>
    (context.hasInterimAddresses ? [] : shared(idsOf(listener, context), (id) => addressOf(listener, id))).map(
      ([address, ids]) => ({
        what: `brokers ${ids.join(', ')} all advertise ${address}, so clients cannot tell them apart`,
        remedy: 'put {nodeId} into the host or the port',
        value: address,
      }),
    ),
  ),
  brokenSilently('listener-host-twice', 'each broker has a host of its own', (listener, context) =>
    shared(idsOf(listener, context), (id) => hostOf(listener, id)).map(([host, ids]) => ({
      what: `the routes of brokers ${ids.join(', ')} all have host ${host}`,
      remedy: 'put {nodeId} into hostTemplate, or write a host of its own for each broker',
      value: host,
    })),
  ),
  surprising('listener-alternative-name', 'alternative names are bare host names or addresses', (listener) =>
    listAt(bootstrapOf(listener), 'alternativeNames')
      .filter((name): name is string => typeof name === 'string' && !isHost(name.replace(/^\*\./, '')))
      .map((name) => ({
        what: `bootstrap.alternativeNames has '${name}', which is not a valid host name, so no certificate fits it`,
        remedy: 'write the bare name, without scheme, port or spaces',
        value: name,
      })),
  ),
];
