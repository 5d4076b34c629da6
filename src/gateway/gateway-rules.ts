import { isMap, isSet, type Json, listIn, mapIn, mapsIn, pointedAt, shown, unquoted } from '../contract/json';
import { dnsNameFault, labelKeyFault, looseIpFault, portFault } from '../contract/kubernetes-syntax';
import type { Found } from '../contract/rule';
import type { FieldRule } from '../contract/schema/rules';
import type { Misfit, SchemaFields } from '../contract/schema/walk';
import type { ObjectContext, Rule } from '../rules/rule';
import { rulesOf } from '../rules/rule-set';
import { awsRulesFor } from './aws-rules';
import { GATEWAY_FIELDS, LISTENER_SET_FIELDS, REFERENCE_GRANT_FIELDS } from './fields.facts';
import {
  AT_MOST,
  CORE_PROTOCOLS,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  HOSTLESS_PROTOCOLS,
  IP_TYPE,
  TLS_PROTOCOLS,
} from './gateway.facts';
import { LISTENERS_IN_APP, REFERENCE_RULES } from './gateway-app-rules';
import { countFinding, fieldRules, GATEWAY_API_SOURCE, nameRule, repeated, rulesOfFields, setOf } from './gateway-rule';
import { GatewayTlsMode } from './options';
import { fittingKinds, isCoreRoute } from './route-admission';
import { LISTENER_ROWS } from './rules.facts';

type Look = (listener: Json, title: string) => readonly Found[];

/** Findings in each listener; places are relative to the listener. */
function inEach(gateway: Json, look: Look): Found[] {
  return listIn(gateway.spec, 'listeners').flatMap((listener, i) =>
    isMap(listener)
      ? look(listener, titleOf(listener)).map((found) => ({ ...found, at: `/spec/listeners/${i}${found.at}` }))
      : [],
  );
}

function titleOf({ name }: Json): string {
  return isSet(name) ? `listener ${shown(name)}` : 'a listener without a name';
}

function titleAround({ at }: Misfit, gateway: Json): string {
  return titleOf(pointedAt(gateway, at.split('/').slice(0, 4).join('/')) as Json);
}

/** Keys by which the API server distinguishes listeners. */
function placeOf({ port, protocol, hostname }: Json): string {
  return `port ${unquoted(port)}, protocol ${unquoted(protocol)}, ${hostname ? `hostname ${unquoted(hostname)}` : 'no hostname'}`;
}

function tlsFaults({ protocol, tls }: Json, title: string): Found[] {
  const withoutMode = { case: 'mode', title, at: '/tls/mode' };
  if (!isMap(tls)) {
    return protocol === 'TLS' ? [withoutMode] : [];
  }
  if (!TLS_PROTOCOLS.includes(protocol)) {
    return CORE_PROTOCOLS.includes(protocol) ? [{ case: 'settings', title, protocol, at: '/tls' }] : [];
  }
  if (protocol === 'HTTPS' && tls.mode === GatewayTlsMode.PASSTHROUGH) {
    return [{ case: 'passthrough', title, at: '/tls/mode' }];
  }
  // without a word the definition writes Terminate
  return protocol === 'TLS' && tls.mode === '' ? [withoutMode] : [];
}

function certificateFaults({ tls }: Json, title: string): Found[] {
  const terminates = isMap(tls) && (tls.mode ?? GatewayTlsMode.TERMINATE) === GatewayTlsMode.TERMINATE;
  const hasSettings = listIn(tls, 'certificateRefs').length > 0 || Object.keys(mapIn(tls, 'options')).length > 0;
  return terminates && !hasSettings ? [{ title, at: '/tls/certificateRefs' }] : [];
}

function kindFaults({ protocol, tls, allowedRoutes }: Json, title: string): Found[] {
  if (typeof protocol !== 'string') {
    return [];
  }
  const fitting = fittingKinds(protocol, isMap(tls) ? tls.mode : undefined);
  const instead = fitting.length > 0 ? `admit ${fitting.join(' or ')}` : 'leave kinds out';
  return mapsIn(allowedRoutes, 'kinds')
    .filter(
      ({ group = GATEWAY_GROUP, kind }) => group === GATEWAY_GROUP && isCoreRoute(kind) && !fitting.includes(kind),
    )
    .map(({ kind }) => ({ title, kind, protocol, instead, at: '/allowedRoutes/kinds' }));
}

function hostnameFaults({ hostname, protocol }: Json, title: string): Found[] {
  return isSet(hostname) && hostname !== '' && HOSTLESS_PROTOCOLS.includes(protocol)
    ? [{ case: 'protocol', title, hostname: shown(hostname), protocol, at: '/hostname' }]
    : [];
}

const FIELD_RULES = fieldRules({
  'gateway-listener-count': (value, misfit, { kind = GATEWAY_KIND }) =>
    countFinding(value, misfit, 'listeners', AT_MOST.listeners, { kind }),
  'gateway-listener-name-invalid': (name, misfit, gateway) => {
    const title = titleAround(misfit, gateway);
    return { is: isSet(name) ? `${title} has a name that is not a valid DNS name` : `there is ${title}` };
  },
  'gateway-listener-port-invalid': (port, misfit, gateway) => ({
    title: titleAround(misfit, gateway),
    fault: portFault(port),
  }),
  'gateway-listener-protocol-unknown': (protocol, misfit, gateway) => ({
    title: titleAround(misfit, gateway),
    protocol: shown(protocol),
    known: CORE_PROTOCOLS.join(', '),
  }),
  'gateway-listener-hostname-invalid': {
    finding: (hostname, misfit, gateway) => {
      const fault = dnsNameFault(hostname as string);
      return fault === undefined ? undefined : { case: 'syntax', title: titleAround(misfit, gateway), fault };
    },
    beside: (gateway) => inEach(gateway, hostnameFaults),
  },
  'gateway-listener-too-many-route-kinds': (kinds, misfit, gateway) =>
    countFinding(kinds, misfit, `kinds of routes in ${titleAround(misfit, gateway)}`, AT_MOST.routeKinds),
});

const RELATIONS = rulesOf({
  rows: LISTENER_ROWS,
  source: GATEWAY_API_SOURCE,
  read: ({ spec }: Json, _: ObjectContext) => mapsIn(spec, 'listeners'),
  finds: {
    'gateway-listener-name-duplicate': (listeners) =>
      repeated(listeners.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))).map((name) => ({
        name,
        at: '/spec/listeners',
      })),
    'gateway-listener-duplicate': (listeners) =>
      repeated(listeners.filter(({ port, protocol }) => isSet(port) && isSet(protocol)).map(placeOf)).map((place) => ({
        place,
        at: '/spec/listeners',
      })),
    'gateway-listener-tls-mismatch': (_, gateway) => inEach(gateway, tlsFaults),
    'gateway-listener-certificate-missing': (_, gateway) => inEach(gateway, certificateFaults),
    'gateway-listener-route-kind-mismatch': (_, gateway) => inEach(gateway, kindFaults),
  },
});

function rulesWithListeners(fields: SchemaFields, own: readonly FieldRule[]): readonly Rule<ObjectContext>[] {
  return [...rulesOfFields(fields, [...own, ...FIELD_RULES]), ...RELATIONS];
}

function addressFaults({ type = IP_TYPE, value }: Json, at: string): Found[] {
  const check = type === IP_TYPE ? looseIpFault : type === 'Hostname' ? dnsNameFault : undefined;
  const fault = typeof value === 'string' && value !== '' ? check?.(value) : undefined;
  return fault === undefined ? [] : [{ case: 'type', fault, type, at }];
}

function addressFindings({ spec }: Json): Found[] {
  const addresses = mapsIn(spec, 'addresses');
  const named = addresses.filter(({ value }) => value).map(({ type = IP_TYPE, value }) => `${type} ${value}`);
  return [
    ...listIn(spec, 'addresses').flatMap((one, i) =>
      isMap(one) ? addressFaults(one, `/spec/addresses/${i}/value`) : [],
    ),
    ...repeated(named).map((address) => ({ case: 'twice', address, at: '/spec/addresses' })),
  ];
}

export const GATEWAY_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-name-invalid'),
  ...rulesWithListeners(
    GATEWAY_FIELDS,
    fieldRules({
      'gateway-class-missing': (name) => (name ? undefined : {}),
      'gateway-address-invalid': {
        finding: (value, misfit) => countFinding(value, misfit, 'addresses', AT_MOST.addresses),
        beside: addressFindings,
      },
      'gateway-infrastructure-invalid': {
        finding: (value, misfit) =>
          countFinding(
            value,
            misfit,
            `${misfit.name} of infrastructure`,
            misfit.name === 'labels' ? AT_MOST.infrastructureLabels : AT_MOST.infrastructureAnnotations,
          ),
        beside: ({ spec }) =>
          ['labels', 'annotations'].flatMap((field) =>
            Object.keys(mapIn(mapIn(spec, 'infrastructure'), field))
              .map((key) => ({ fault: labelKeyFault(key), at: `/spec/infrastructure/${field}` }))
              .filter(({ fault }) => fault !== undefined),
          ),
      },
    }),
  ),
];

/** ListenerSets that the API server or every implementation refuses. */
export const LISTENER_SET_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('listener-set-name-invalid'),
  ...rulesWithListeners(
    LISTENER_SET_FIELDS,
    fieldRules({
      'listener-set-parent-invalid': {
        finding: (parent) => (parent ? undefined : { parent: 'no Gateway' }),
        beside: ({ spec }) => {
          const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, name = '' } = mapIn(spec, 'parentRef');
          return group === GATEWAY_GROUP && kind === GATEWAY_KIND
            ? []
            : [{ parent: `${kind} '${name}'`, at: '/spec/parentRef' }];
        },
      },
    }),
  ),
];

export const REFERENCE_GRANT_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('reference-grant-name-invalid'),
  ...rulesOfFields(
    REFERENCE_GRANT_FIELDS,
    fieldRules({
      'reference-grant-entry-count': (value, misfit) =>
        countFinding(value, misfit, `kinds in ${misfit.name}`, AT_MOST.grants, { name: misfit.name }),
    }),
  ),
];

export const GATEWAY_RULE_SET = setOf([
  ...GATEWAY_RULES,
  ...LISTENERS_IN_APP,
  ...REFERENCE_RULES,
  ...awsRulesFor(GATEWAY_KIND),
]);
export const LISTENER_SET_RULE_SET = setOf([...LISTENER_SET_RULES, ...LISTENERS_IN_APP, ...REFERENCE_RULES]);
export const REFERENCE_GRANT_RULE_SET = setOf(REFERENCE_GRANT_RULES);
