import { dnsNameFault, ipFault, labelKeyFault, labelValueFault, portFault } from '../contract/kubernetes-syntax';
import type { Json } from '../contract/late-rendering';
import { AT_MOST, CORE_PROTOCOLS, CUSTOM_PROTOCOL, HOSTLESS_PROTOCOLS, TLS_PROTOCOLS } from './gateway.facts';
import { isMap, listIn, mapIn, mapsIn } from './gateway-json';
import { type GatewayRule, type GatewayVerdict, gatewayApi } from './gateway-rule';
import { GatewayTlsMode } from './gateway-tls-mode';
import { nameRule, repeated, tooMany } from './object-rules';

const SOURCE = gatewayApi('gateway_types.go');
const HOST_TYPE = 'Hostname';
const IP_TYPE = 'IPAddress';

type Look = (listener: Json, title: string) => readonly GatewayVerdict[];

/** A rule about the listeners, each by itself. */
function ofEach(id: string, says: string, look: Look): GatewayRule {
  return {
    id,
    says,
    source: SOURCE,
    judge: (gateway) =>
      mapsIn(gateway.spec, 'listeners').flatMap((listener) => look(listener, `listener '${listener.name}'`)),
  };
}

function ofAll(id: string, says: string, judge: (gateway: Json) => readonly GatewayVerdict[]): GatewayRule {
  return { id, says, source: SOURCE, judge };
}

function isProtocol(value: unknown): boolean {
  return typeof value === 'string' && (CORE_PROTOCOLS.includes(value) || CUSTOM_PROTOCOL.test(value));
}

/** What the API server tells listeners apart by. */
function placeOf({ port, protocol, hostname }: Json): string {
  return `port ${port}, protocol ${protocol}, ${hostname ? `hostname ${hostname}` : 'no hostname'}`;
}

function tlsFaults({ protocol, tls }: Json, title: string): GatewayVerdict[] {
  if (!isMap(tls)) {
    return protocol === 'TLS'
      ? [{ what: `${title} has protocol TLS, and no mode of TLS`, wayOut: 'say tlsMode PASSTHROUGH or TERMINATE' }]
      : [];
  }
  if (!TLS_PROTOCOLS.includes(protocol)) {
    const wayOut = 'remove the settings of TLS, or use protocol HTTPS or TLS';
    return CORE_PROTOCOLS.includes(protocol)
      ? [{ what: `${title} has settings of TLS, and protocol ${protocol}`, wayOut }]
      : [];
  }
  const { mode } = tls;
  if (protocol === 'HTTPS' && mode === GatewayTlsMode.PASSTHROUGH) {
    const what = `${title} has protocol HTTPS, and passes TLS through`;
    return [{ what, wayOut: 'use protocol TLS, or terminate TLS' }];
  }
  return protocol === 'TLS' && !mode
    ? [{ what: `${title} has protocol TLS, and no mode of TLS`, wayOut: 'say tlsMode PASSTHROUGH or TERMINATE' }]
    : [];
}

function certificateFaults({ tls }: Json, title: string): GatewayVerdict[] {
  const terminates = isMap(tls) && (tls.mode ?? GatewayTlsMode.TERMINATE) === GatewayTlsMode.TERMINATE;
  const hasSettings = listIn(tls, 'certificateRefs').length > 0 || Object.keys(mapIn(tls, 'options')).length > 0;
  return terminates && !hasSettings
    ? [{ what: `${title} terminates TLS without a certificate`, wayOut: 'say certificateRefs, or pass TLS through' }]
    : [];
}

function addressFaults({ type = IP_TYPE, value }: Json): GatewayVerdict[] {
  if (typeof value !== 'string' || value === '') {
    return [];
  }
  const fault = type === IP_TYPE ? ipFault(value) : type === HOST_TYPE ? dnsNameFault(value) : undefined;
  return fault === undefined ? [] : [{ what: `address ${fault}`, wayOut: `write an address of type ${type}` }];
}

function infrastructureFaults(gateway: Json): GatewayVerdict[] {
  const infrastructure = mapIn(gateway.spec, 'infrastructure');
  const labels = Object.entries(mapIn(infrastructure, 'labels'));
  const annotations = Object.entries(mapIn(infrastructure, 'annotations'));
  const faults = [
    ...[...labels, ...annotations].map(([key]) => labelKeyFault(key)),
    ...labels.map(([, value]) => labelValueFault(String(value))),
  ].filter((fault) => fault !== undefined);
  return [
    ...tooMany('labels of infrastructure', labels, AT_MOST.infrastructureLabels),
    ...tooMany('annotations of infrastructure', annotations, AT_MOST.infrastructureAnnotations),
    ...faults.map((fault) => ({ what: `infrastructure: ${fault}`, wayOut: 'correct it' })),
  ];
}

/** What the API server refuses of a Gateway. */
export const GATEWAY_RULES: readonly GatewayRule[] = [
  nameRule('gateway-name', 'a Gateway has the name of an object'),
  ofAll('gateway-class-name', 'a Gateway names its class', ({ spec }) =>
    typeof spec?.gatewayClassName === 'string' && spec.gatewayClassName !== ''
      ? []
      : [{ what: 'the Gateway has no class', wayOut: 'say gatewayClass or gatewayClassName' }],
  ),
  ofAll('gateway-listeners', `a Gateway has 1 to ${AT_MOST.listeners} listeners`, ({ spec }) => {
    const listeners = listIn(spec, 'listeners');
    return listeners.length === 0
      ? [{ what: 'the Gateway has no listener', wayOut: 'write at least one' }]
      : tooMany('listeners', listeners, AT_MOST.listeners);
  }),
  ofAll('gateway-listener-twice', 'a listener has a name of its own in its Gateway', ({ spec }) =>
    repeated(mapsIn(spec, 'listeners').map(({ name }) => String(name))).map((name) => ({
      what: `two listeners have the name '${name}'`,
      wayOut: 'give each a name of its own',
    })),
  ),
  ofAll(
    'gateway-listener-place',
    'no two listeners of a Gateway have port, protocol and hostname in common',
    ({ spec }) =>
      repeated(mapsIn(spec, 'listeners').map(placeOf)).map((place) => ({
        what: `two listeners have ${place}`,
        wayOut: 'give one of them another port or hostname',
      })),
  ),
  ofEach('gateway-listener-name', 'the name of a listener is a DNS name', ({ name }, title) =>
    typeof name === 'string' && !name.includes('*') && dnsNameFault(name) === undefined
      ? []
      : [
          {
            what: `${title} has a name that is no DNS name`,
            wayOut: 'use lower-case letters, digits, dashes and dots',
          },
        ],
  ),
  ofEach('gateway-listener-port', 'the port of a listener is a port', ({ port }, title) => {
    const fault = portFault(port);
    return fault === undefined ? [] : [{ what: `${title}: ${fault}`, wayOut: 'use a port from 1 to 65535' }];
  }),
  ofEach('gateway-listener-protocol', 'the protocol of a listener is known, or has a domain', ({ protocol }, title) =>
    isProtocol(protocol)
      ? []
      : [
          {
            what: `${title} has protocol '${protocol}', which is none of ${CORE_PROTOCOLS.join(', ')} and has no domain`,
            wayOut: 'use one of them, as it is spelt',
          },
        ],
  ),
  ofEach('gateway-listener-hostname', 'a listener has a host name, and TCP and UDP have none', (listener, title) => {
    const { hostname, protocol } = listener;
    if (hostname === undefined || hostname === null || hostname === '') {
      return [];
    }
    if (HOSTLESS_PROTOCOLS.includes(protocol)) {
      const wayOut = 'remove the hostname, or use protocol TLS, HTTPS or HTTP';
      return [{ what: `${title} has hostname '${hostname}', and protocol ${protocol}, which carries none`, wayOut }];
    }
    const fault = dnsNameFault(String(hostname));
    return fault === undefined
      ? []
      : [{ what: `${title}: hostname ${fault}`, wayOut: 'write a name like kafka.example.com or *.example.com' }];
  }),
  ofEach('gateway-listener-tls', 'TLS is set for HTTPS and TLS alone, and HTTPS is terminated', tlsFaults),
  ofEach('gateway-listener-certificate', 'who terminates TLS has a certificate', certificateFaults),
  ofEach(
    'gateway-listener-routes',
    `a listener admits at most ${AT_MOST.routeKinds} kinds of routes`,
    (listener, title) =>
      tooMany(`kinds of routes in ${title}`, listIn(listener.allowedRoutes, 'kinds'), AT_MOST.routeKinds),
  ),
  ofAll('gateway-address', 'addresses of a Gateway are addresses of their type, each once', ({ spec }) => {
    const addresses = mapsIn(spec, 'addresses');
    const named = addresses.filter(({ value }) => value).map(({ type = IP_TYPE, value }) => `${type} ${value}`);
    return [
      ...tooMany('addresses', addresses, AT_MOST.addresses),
      ...addresses.flatMap(addressFaults),
      ...repeated(named).map((what) => ({ what: `address ${what} stands twice`, wayOut: 'write it once' })),
    ];
  }),
  ofAll('gateway-infrastructure', 'labels and annotations of the infrastructure are such', infrastructureFaults),
];
