import type { Finding } from '../../contract/finding';
import { shown } from '../../contract/printable';
import { WITHOUT_SNI_ROUTING } from '../../gateway/gateway.facts';
import { GatewayTlsMode } from '../../gateway/gateway-tls-mode';
import type { Rule } from '../../rules/rule';
import { pointerTo, titleOf } from '../document/kafka-json';
import { advertising } from '../listener/listener-advertising';
import type { ListenerRuleContext } from '../listener/listener-rule';
import { areApart, type GatewayFit } from './gateway-fit';
import { routePortOf, setsPort } from './route-port';

/** What is known of a listener of type tlsroute. */
export interface RouteContext extends ListenerRuleContext {
  /** The Gateways of its routes. */
  readonly gateways?: readonly GatewayFit[];
}

type Look = (fit: GatewayFit, gateways: readonly GatewayFit[]) => Finding | readonly Finding[] | undefined;

/** Whatever does not fit first is the cause of the rest. */
const IN_ORDER = [
  'gateway-without-sni',
  'route-section',
  'route-not-taken',
  'route-tls-mode',
  'route-host-not-served',
  'route-advertised-port',
  'route-port-not-advertised',
];
const LAST_CAUSE = IN_ORDER.indexOf('route-tls-mode');

/** A rule about a listener and each of its Gateways. */
function ofEach(
  id: string,
  says: string,
  look: Look,
  severity: Rule<RouteContext>['severity'] = 'error',
): Rule<RouteContext> {
  const place = IN_ORDER.indexOf(id);
  return {
    id,
    severity,
    who: 'gateway-api',
    says,
    source: 'ours',
    needs: ['gateways'],
    supersedes: place <= LAST_CAUSE ? IN_ORDER.slice(place + 1) : undefined,
    judge: (listener, { kafka, gateways = [] }) =>
      gateways.flatMap((fit) =>
        [look(fit, gateways) ?? []].flat().map((found) => ({ ...found, at: `${pointerTo(kafka, listener)}${fit.at}` })),
      ),
  };
}

/** Rules about listeners of type tlsroute and the Gateways that their routes attach to. */
export const GATEWAY_FIT_RULES: readonly Rule<RouteContext>[] = [
  ofEach(
    'gateway-without-sni',
    'the Gateway of a listener is of an implementation that routes TLS by its server name',
    ({ gateway: { controllerName = '' }, title }) =>
      Object.hasOwn(WITHOUT_SNI_ROUTING, controllerName)
        ? {
            what: `${title} is served by ${controllerName}, ${WITHOUT_SNI_ROUTING[controllerName]}`,
            remedy:
              'use a Gateway of an implementation that routes TLS by SNI; or KafkaLoadBalancedListener, with a balancer for each broker',
            value: controllerName,
          }
        : undefined,
  ),
  ofEach(
    'route-section',
    'the section of a route is a listener of its Gateway',
    ({ gateway, known, section, title }) => {
      const present = gateway.listeners?.map(({ name }) => name).join(', ');
      return known?.length === 0 && section !== undefined
        ? {
            what: `${title} has no listener ${shown(section)}, but ${present || 'none at all'}`,
            remedy: 'write the name of one of its listeners as sectionName',
            value: section,
          }
        : undefined;
    },
  ),
  ofEach('route-not-taken', 'a Gateway has a listener that takes the TLSRoutes of a Kafka listener', (fit) => {
    const { known, listener, namespace, taking, title } = fit;
    const from = namespace === undefined ? '' : ` from namespace '${namespace}'`;
    const why = known?.map((one) => `'${one.name}' ${fit.faultOf(one)}`).join(', ') || 'it has none';
    return known && taking.length === 0
      ? {
          what: `no listener of ${title} takes the TLSRoutes of ${titleOf(listener)}: ${why}`,
          remedy: `give the Gateway a listener of protocol TLS, with tlsMode PASSTHROUGH and allowedRoutes that admit TLSRoutes${from}`,
        }
      : undefined;
  }),
  ofEach(
    'route-tls-mode',
    'a Gateway passes TLS through to brokers that speak it, and ends it before those that do not',
    ({ known, fitting, listener, taking, title }) => {
      if (!known || fitting.length > 0) {
        return undefined;
      }
      const names = taking.map(({ name }) => `'${name}'`).join(', ');
      return listener.tls === false
        ? {
            what: `listener ${names} of ${title} passes TLS through to brokers that do not speak it, since tls is false`,
            remedy: 'set tls: true, or have the Gateway terminate TLS with a certificate for all hosts',
            value: GatewayTlsMode.PASSTHROUGH,
          }
        : {
            what: `listener ${names} of ${title} terminates TLS, and sends plain text to brokers that speak TLS`,
            remedy:
              'use tlsMode PASSTHROUGH; or set tls: false; or refer to the Gateway by Gateway.fromName without its listeners, where a BackendTLSPolicy encrypts the way on',
            value: GatewayTlsMode.TERMINATE,
          };
    },
  ),
  ofEach('route-host-not-served', 'a Gateway serves the hosts of bootstrap and brokers', (fit) => {
    const lost = fit.known ? fit.hosts.filter((host) => fit.serving(host).length === 0) : [];
    const served = fit.fitting.map(({ name, hostname }) => `'${name}' serves ${hostname}`).join(', ');
    return lost.length === 0
      ? undefined
      : {
          what: `${fit.title} takes no route for ${lost.join(', ')}: listener ${served}`,
          remedy: 'choose hosts below the hostname of the Gateway listener, or widen that',
          value: lost.join(', '),
        };
  }),
  ofEach(
    'route-advertised-port',
    'a port that brokers advertise is one on which the Gateway listens',
    (fit, gateways) =>
      portsBeside(fit, true).map(({ who, listens, value }) =>
        areApart(gateways)
          ? {
              what: `${who}, and ${listens}: ${noClients(fit)}`,
              remedy: `${ONE_PORT}, unless something in front of ${fit.title} listens there`,
              value,
            }
          : {
              what: `${who}, and ${listens}: an advertised port changes no Gateway`,
              remedy: 'leave it out, unless something in front of the Gateway listens there',
              value,
            },
      ),
    'warning',
  ),
  ofEach('route-port-not-advertised', 'brokers advertise the port on which the Gateway listens', (fit, gateways) =>
    portsBeside(fit, false).map(({ who, listens, value }) =>
      areApart(gateways)
        ? { what: `${who} by default, and ${listens}: ${noClients(fit)}`, remedy: ONE_PORT, value }
        : {
            what: `${who} by default, and ${listens}`,
            remedy: 'set advertisedPort, or sectionName for one of the listeners',
            value,
          },
    ),
  ),
];

const ONE_PORT = 'give the Gateways the same port, or make a listener for each';

function noClients({ title }: GatewayFit): string {
  return `all clients get one port, so those of ${title} cannot come`;
}

/** Brokers that advertise another port than those on which the Gateway serves them, by these ports. */
function portsBeside(fit: GatewayFit, isSet: boolean) {
  const { brokerIds, listener, title } = fit;
  const beside = brokerIds
    .filter((id) => setsPort(listener, id) === isSet)
    .map((id) => ({ id, port: routePortOf(listener, id), ports: fit.portsOf(id) }))
    .filter(({ port, ports }) => port !== undefined && ports.length > 0 && !ports.includes(port))
    .map(({ id, port, ports }) => ({ id, port: Number(port), listens: ports.join(', ') }));
  return [...new Set(beside.map(({ listens }) => listens))].map((listens) => {
    const alike = beside.filter((one) => one.listens === listens);
    return {
      who: advertising(alike.map(({ id, port }) => [id, port])),
      listens: `${title} listens on ${listens}`,
      value: [...new Set(alike.map(({ port }) => port))].join(', '),
    };
  });
}
