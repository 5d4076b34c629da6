import type { Finding } from '../contract/finding';
import { isMap, type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { dnsNameFault, portFault } from '../contract/kubernetes-syntax';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import {
  AT_MOST,
  CORE_PROTOCOLS,
  CUSTOM_PROTOCOL,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  HOSTLESS_PROTOCOLS,
  TLS_PROTOCOLS,
} from './gateway.facts';
import { GATEWAY_API, gatewayApi } from './gateway-rule';
import { GatewayTlsMode } from './gateway-tls-mode';
import { repeated, tooMany } from './object-rules';
import { fittingKinds, isCoreRoute } from './route-admission';

const SOURCE = gatewayApi('gateway_types.go');

type Look = (listener: Json, title: string) => readonly Finding[];

/** A rule about the listeners, each by itself. */
function ofEach(id: string, says: string, look: Look): Rule<ObjectContext> {
  return {
    id,
    severity: 'error',
    says,
    source: SOURCE,
    judge: (gateway) =>
      mapsIn(gateway.spec, 'listeners').flatMap((listener) => look(listener, `listener '${listener.name}'`)),
  };
}

function ofAll(id: string, says: string, judge: (gateway: Json) => readonly Finding[]): Rule<ObjectContext> {
  return { id, severity: 'error', says, source: SOURCE, judge };
}

function isProtocol(value: unknown): boolean {
  return typeof value === 'string' && (CORE_PROTOCOLS.includes(value) || CUSTOM_PROTOCOL.test(value));
}

/** What distinguishes listeners to the API server. */
function placeOf({ port, protocol, hostname }: Json): string {
  return `port ${port}, protocol ${protocol}, ${hostname ? `hostname ${hostname}` : 'no hostname'}`;
}

function tlsFaults({ protocol, tls }: Json, title: string): Finding[] {
  if (!isMap(tls)) {
    return protocol === 'TLS'
      ? [{ what: `${title} has protocol TLS, and no mode of TLS`, remedy: 'set tlsMode to PASSTHROUGH or TERMINATE' }]
      : [];
  }
  if (!TLS_PROTOCOLS.includes(protocol)) {
    const remedy = 'remove the settings of TLS, or use protocol HTTPS or TLS';
    return CORE_PROTOCOLS.includes(protocol)
      ? [{ what: `${title} has settings of TLS, and protocol ${protocol}`, remedy }]
      : [];
  }
  const { mode } = tls;
  if (protocol === 'HTTPS' && mode === GatewayTlsMode.PASSTHROUGH) {
    const what = `${title} has protocol HTTPS, and passes TLS through`;
    return [{ what, remedy: 'use protocol TLS, or terminate TLS' }];
  }
  return protocol === 'TLS' && !mode
    ? [{ what: `${title} has protocol TLS, and no mode of TLS`, remedy: 'set tlsMode to PASSTHROUGH or TERMINATE' }]
    : [];
}

function certificateFaults({ tls }: Json, title: string): Finding[] {
  const terminates = isMap(tls) && (tls.mode ?? GatewayTlsMode.TERMINATE) === GatewayTlsMode.TERMINATE;
  const hasSettings = listIn(tls, 'certificateRefs').length > 0 || Object.keys(mapIn(tls, 'options')).length > 0;
  return terminates && !hasSettings
    ? [{ what: `${title} terminates TLS without a certificate`, remedy: 'set certificateRefs, or pass TLS through' }]
    : [];
}

function kindFaults(listener: Json, title: string): Finding[] {
  const { protocol, tls, allowedRoutes } = listener;
  const fitting = fittingKinds(String(protocol), isMap(tls) ? tls.mode : undefined);
  return mapsIn(allowedRoutes, 'kinds')
    .filter(
      ({ group = GATEWAY_GROUP, kind }) => group === GATEWAY_GROUP && isCoreRoute(kind) && !fitting.includes(kind),
    )
    .map(({ kind }) => ({
      what: `${title} admits ${kind}s, and protocol ${protocol} takes none`,
      remedy: fitting.length > 0 ? `admit ${fitting.join(' or ')}` : 'leave kinds out',
    }));
}

/** What the API server refuses of the listeners of a Gateway, or of a ListenerSet. */
export const GATEWAY_LISTENER_RULES: readonly Rule<ObjectContext>[] = [
  ofAll('gateway-listeners', `a Gateway or ListenerSet has 1 to ${AT_MOST.listeners} listeners`, ({ kind, spec }) => {
    const listeners = listIn(spec, 'listeners');
    return listeners.length === 0
      ? [{ what: `the ${kind ?? GATEWAY_KIND} has no listener`, remedy: 'write at least one' }]
      : tooMany('listeners', listeners, AT_MOST.listeners);
  }),
  ofAll('gateway-listener-twice', 'a listener has a name of its own in its Gateway or ListenerSet', ({ spec }) =>
    repeated(mapsIn(spec, 'listeners').map(({ name }) => String(name))).map((name) => ({
      what: `two listeners have the name '${name}'`,
      remedy: 'give each a name of its own',
    })),
  ),
  ofAll(
    'gateway-listener-place',
    'no two listeners of a Gateway or ListenerSet have port, protocol and hostname in common',
    ({ spec }) =>
      repeated(mapsIn(spec, 'listeners').map(placeOf)).map((place) => ({
        what: `two listeners have ${place}`,
        remedy: 'give one of them another port or hostname',
      })),
  ),
  ofEach('gateway-listener-name', 'the name of a listener is a DNS name', ({ name }, title) =>
    typeof name === 'string' && !name.includes('*') && dnsNameFault(name) === undefined
      ? []
      : [
          {
            what: `${title} has a name that is no DNS name`,
            remedy: 'use lower-case letters, digits, dashes and dots',
          },
        ],
  ),
  ofEach('gateway-listener-port', 'the port of a listener is a port', ({ port }, title) => {
    const fault = portFault(port);
    return fault === undefined ? [] : [{ what: `${title}: ${fault}`, remedy: 'use a port from 1 to 65535' }];
  }),
  ofEach('gateway-listener-protocol', 'the protocol of a listener is known, or has a domain', ({ protocol }, title) =>
    isProtocol(protocol)
      ? []
      : [
          {
            what: `${title} has protocol '${protocol}', which is not one of ${CORE_PROTOCOLS.join(', ')} and has no domain`,
            remedy: 'use one of them, as it is spelt',
          },
        ],
  ),
  ofEach('gateway-listener-hostname', 'a listener has a host name, and TCP and UDP have none', (listener, title) => {
    const { hostname, protocol } = listener;
    if (hostname === undefined || hostname === null || hostname === '') {
      return [];
    }
    if (HOSTLESS_PROTOCOLS.includes(protocol)) {
      const remedy = 'remove the hostname, or use protocol TLS, HTTPS or HTTP';
      return [{ what: `${title} has hostname '${hostname}', and protocol ${protocol}, which carries none`, remedy }];
    }
    const fault = dnsNameFault(String(hostname));
    return fault === undefined
      ? []
      : [{ what: `${title}: hostname ${fault}`, remedy: 'write a name like kafka.example.com or *.example.com' }];
  }),
  ofEach('gateway-listener-tls', 'TLS is set for HTTPS and TLS alone, and HTTPS is terminated', tlsFaults),
  ofEach('gateway-listener-certificate', 'who terminates TLS has a certificate', certificateFaults),
  ofEach(
    'gateway-listener-routes',
    `a listener admits at most ${AT_MOST.routeKinds} kinds of routes`,
    (listener, title) =>
      tooMany(`kinds of routes in ${title}`, listIn(listener.allowedRoutes, 'kinds'), AT_MOST.routeKinds),
  ),
  {
    ...ofEach('gateway-listener-route-kind', 'a listener admits kinds of routes that fit its protocol', kindFaults),
    who: GATEWAY_API,
  },
];
