import type { Finding } from '../contract/finding';
import { isMap, isSet, type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { dnsNameFault, portFault } from '../contract/kubernetes-syntax';
import { shown, unquoted } from '../contract/printable';
import type { SchemaFields } from '../contract/schema/field';
import type { FieldRule } from '../contract/schema/rules';
import { type Misfit, pointedAt } from '../contract/schema/walk';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import {
  AT_MOST,
  CORE_PROTOCOLS,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  HOSTLESS_PROTOCOLS,
  TLS_PROTOCOLS,
} from './gateway.facts';
import { GATEWAY_API, gatewayApi, rulesOfFields } from './gateway-rule';
import { GatewayTlsMode } from './gateway-tls-mode';
import { countFinding, repeated } from './object-rules';
import { fittingKinds, isCoreRoute } from './route-admission';

const SOURCE = gatewayApi('gateway_types.go');

type Look = (listener: Json, title: string) => readonly Finding[];

/** What is found in the listeners, each by itself; places are below the listener. */
function inEach(gateway: Json, look: Look): Finding[] {
  return listIn(gateway.spec, 'listeners').flatMap((listener, i) =>
    isMap(listener)
      ? look(listener, titleOf(listener)).map((found) => ({ ...found, at: `/spec/listeners/${i}${found.at}` }))
      : [],
  );
}

function titleOf({ name }: Json): string {
  return isSet(name) ? `listener ${shown(name)}` : 'a listener without a name';
}

function ofEach(id: string, says: string, look: Look): Rule<ObjectContext> {
  return { id, severity: 'error', says, source: SOURCE, judge: (gateway) => inEach(gateway, look) };
}

function ofAll(id: string, says: string, judge: (gateway: Json) => readonly Finding[]): Rule<ObjectContext> {
  return { id, severity: 'error', says, source: SOURCE, judge };
}

function ofField(
  id: string,
  says: string,
  field: string,
  finding: (title: string, value: unknown, misfit: Misfit) => Finding | undefined,
): FieldRule {
  return {
    id,
    says,
    source: SOURCE,
    fields: [`listeners.${field}`],
    finding: (value, misfit, gateway) => {
      const listener = pointedAt(gateway, misfit.at.split('/').slice(0, 4).join('/'));
      return finding(titleOf(listener as Json), value, misfit);
    },
  };
}

/** What distinguishes listeners to the API server. */
function placeOf({ port, protocol, hostname }: Json): string {
  return `port ${unquoted(port)}, protocol ${unquoted(protocol)}, ${hostname ? `hostname ${unquoted(hostname)}` : 'no hostname'}`;
}

function withoutMode(title: string): Finding {
  return {
    what: `${title} has protocol TLS, and no mode of TLS`,
    remedy: 'set tlsMode to PASSTHROUGH or TERMINATE',
    at: '/tls/mode',
  };
}

function tlsFaults({ protocol, tls }: Json, title: string): Finding[] {
  if (!isMap(tls)) {
    return protocol === 'TLS' ? [withoutMode(title)] : [];
  }
  if (!TLS_PROTOCOLS.includes(protocol)) {
    const remedy = 'remove the settings of TLS, or use protocol HTTPS or TLS';
    return CORE_PROTOCOLS.includes(protocol)
      ? [{ what: `${title} has settings of TLS, and protocol ${protocol}`, remedy, at: '/tls' }]
      : [];
  }
  const { mode } = tls;
  if (protocol === 'HTTPS' && mode === GatewayTlsMode.PASSTHROUGH) {
    const what = `${title} has protocol HTTPS, and passes TLS through`;
    return [{ what, remedy: 'use protocol TLS, or terminate TLS', at: '/tls/mode' }];
  }
  // without a word the definition writes Terminate
  return protocol === 'TLS' && mode === '' ? [withoutMode(title)] : [];
}

function certificateFaults({ tls }: Json, title: string): Finding[] {
  const terminates = isMap(tls) && (tls.mode ?? GatewayTlsMode.TERMINATE) === GatewayTlsMode.TERMINATE;
  const hasSettings = listIn(tls, 'certificateRefs').length > 0 || Object.keys(mapIn(tls, 'options')).length > 0;
  return terminates && !hasSettings
    ? [
        {
          what: `${title} terminates TLS without a certificate`,
          remedy: 'set certificateRefs, or pass TLS through',
          at: '/tls/certificateRefs',
        },
      ]
    : [];
}

function kindFaults(listener: Json, title: string): Finding[] {
  const { protocol, tls, allowedRoutes } = listener;
  if (typeof protocol !== 'string') {
    return [];
  }
  const fitting = fittingKinds(protocol, isMap(tls) ? tls.mode : undefined);
  return mapsIn(allowedRoutes, 'kinds')
    .filter(
      ({ group = GATEWAY_GROUP, kind }) => group === GATEWAY_GROUP && isCoreRoute(kind) && !fitting.includes(kind),
    )
    .map(({ kind }) => ({
      what: `${title} admits ${kind}s, and protocol ${protocol} takes none`,
      remedy: fitting.length > 0 ? `admit ${fitting.join(' or ')}` : 'leave kinds out',
      at: '/allowedRoutes/kinds',
    }));
}

function hostnameFaults({ hostname, protocol }: Json, title: string): Finding[] {
  return isSet(hostname) && hostname !== '' && HOSTLESS_PROTOCOLS.includes(protocol)
    ? [
        {
          what: `${title} has hostname ${shown(hostname)}, and protocol ${protocol}, which carries none`,
          remedy: 'remove the hostname, or use protocol TLS, HTTPS or HTTP',
          at: '/hostname',
        },
      ]
    : [];
}

/** Rules about fields of the listeners. */
const FIELD_RULES: readonly FieldRule[] = [
  {
    id: 'gateway-listeners',
    says: `no listener, or more than ${AT_MOST.listeners}`,
    source: SOURCE,
    fields: ['listeners'],
    finding: (value, misfit, { kind = GATEWAY_KIND }) =>
      countFinding(value, misfit, 'listeners', AT_MOST.listeners, {
        what: `the ${kind} has no listener`,
        remedy: 'write at least one',
      }),
  },
  ofField('gateway-listener-name', 'name of a listener is not a DNS name', 'name', (title, name) => ({
    what: isSet(name) ? `${title} has a name that is not a valid DNS name` : `there is ${title}`,
    remedy: 'use lower-case letters, digits, dashes and dots',
  })),
  ofField('gateway-listener-port', 'port of a listener is not from 1 to 65535', 'port', (title, port) => ({
    what: `${title}: ${portFault(port)}`,
    remedy: 'use a port from 1 to 65535',
  })),
  ofField(
    'gateway-listener-protocol',
    'protocol of a listener is unknown and has no domain',
    'protocol',
    (title, protocol) => ({
      what: `${title} has protocol ${shown(protocol)}, which is not one of ${CORE_PROTOCOLS.join(', ')} and has no domain`,
      remedy: 'use one of them, as it is spelt',
    }),
  ),
  {
    ...ofField(
      'gateway-listener-hostname',
      'hostname of a listener is not a DNS name, or its protocol carries none',
      'hostname',
      (title, hostname) => {
        const fault = dnsNameFault(hostname as string);
        const remedy = 'write a name like kafka.example.com or *.example.com';
        return fault === undefined ? undefined : { what: `${title}: hostname ${fault}`, remedy };
      },
    ),
    beside: (gateway) => inEach(gateway, hostnameFaults),
  },
  ofField(
    'gateway-listener-routes',
    `a listener admits more than ${AT_MOST.routeKinds} kinds of routes`,
    'allowedRoutes.kinds',
    (title, kinds, misfit) => countFinding(kinds, misfit, `kinds of routes in ${title}`, AT_MOST.routeKinds),
  ),
];

/** Rules that hold fields of listeners against each other. */
const RELATIONS: readonly Rule<ObjectContext>[] = [
  ofAll('gateway-listener-twice', 'two listeners have the same name', ({ spec }) =>
    repeated(mapsIn(spec, 'listeners').flatMap(({ name }) => (typeof name === 'string' ? [name] : []))).map((name) => ({
      what: `two listeners have the name '${name}'`,
      remedy: 'give each a name of its own',
      at: '/spec/listeners',
    })),
  ),
  ofAll('gateway-listener-place', 'two listeners have the same port, protocol and hostname', ({ spec }) =>
    repeated(
      mapsIn(spec, 'listeners')
        .filter(({ port, protocol }) => isSet(port) && isSet(protocol))
        .map(placeOf),
    ).map((place) => ({
      what: `two listeners have ${place}`,
      remedy: 'give one of them another port or hostname',
      at: '/spec/listeners',
    })),
  ),
  {
    ...ofEach('gateway-listener-tls', 'TLS settings of a listener do not fit its protocol', tlsFaults),
    supersedes: ['gateway-word'],
  },
  {
    ...ofEach('gateway-listener-certificate', 'a listener terminates TLS without a certificate', certificateFaults),
    supersedes: ['gateway-field-shape'],
  },
  {
    ...ofEach(
      'gateway-listener-route-kind',
      'a listener admits a kind of route that its protocol does not take',
      kindFaults,
    ),
    who: GATEWAY_API,
  },
];

/**
 * What the API server refuses of a Gateway or ListenerSet.
 *
 * @param fields those of `spec`
 * @param own rules for some of them beside the listeners
 */
export function rulesWithListeners(fields: SchemaFields, own: readonly FieldRule[]): readonly Rule<ObjectContext>[] {
  return [...rulesOfFields(fields, [...own, ...FIELD_RULES]), ...RELATIONS];
}
