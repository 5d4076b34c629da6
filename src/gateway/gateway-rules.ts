import { isMap, isSet, type Json, listIn, mapIn, mapsIn, pointedAt, shown, unquoted } from '../contract/json';
import { dnsNameFault, labelKeyFault, looseIpFault, portFault } from '../contract/kubernetes-syntax';
import type { Finding } from '../contract/rule';
import type { FieldRule } from '../contract/schema/rules';
import type { Misfit, SchemaFields } from '../contract/schema/walk';
import type { ObjectContext, Rule } from '../rules/rule';
import { GATEWAY_CLASS_FIELDS, GATEWAY_FIELDS, LISTENER_SET_FIELDS, REFERENCE_GRANT_FIELDS } from './fields.facts';
import {
  AT_MOST,
  CORE_PROTOCOLS,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  HOSTLESS_PROTOCOLS,
  IP_TYPE,
  TLS_PROTOCOLS,
} from './gateway.facts';
import { LISTENERS_IN_APP } from './gateway-app-rules';
import { countFinding, GATEWAY_API, gatewayApi, nameRule, repeated, rulesOfFields, setOf } from './gateway-rule';
import { GatewayTlsMode } from './options';
import { REFERENCE_RULES } from './reference-rules';
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
  const what = `${title} terminates TLS without a certificate`;
  const remedy = 'set certificateRefs, or pass TLS through';
  return terminates && !hasSettings ? [{ what, remedy, at: '/tls/certificateRefs' }] : [];
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
function rulesWithListeners(fields: SchemaFields, own: readonly FieldRule[]): readonly Rule<ObjectContext>[] {
  return [...rulesOfFields(fields, [...own, ...FIELD_RULES]), ...RELATIONS];
}

const CLASS_SOURCE = gatewayApi('gatewayclass_types.go');

function addressFaults({ type = IP_TYPE, value }: Json, at: string): Finding[] {
  const check = type === IP_TYPE ? looseIpFault : type === 'Hostname' ? dnsNameFault : undefined;
  const fault = typeof value === 'string' && value !== '' ? check?.(value) : undefined;
  return fault === undefined ? [] : [{ what: `address ${fault}`, remedy: `write an address of type ${type}`, at }];
}

function addressFindings({ spec }: Json): Finding[] {
  const addresses = mapsIn(spec, 'addresses');
  const named = addresses.filter(({ value }) => value).map(({ type = IP_TYPE, value }) => `${type} ${value}`);
  return [
    ...listIn(spec, 'addresses').flatMap((one, i) =>
      isMap(one) ? addressFaults(one, `/spec/addresses/${i}/value`) : [],
    ),
    ...repeated(named).map((what) => ({
      what: `address ${what} is listed twice`,
      remedy: 'write it once',
      at: '/spec/addresses',
    })),
  ];
}

function infrastructureFindings({ spec }: Json): Finding[] {
  return ['labels', 'annotations'].flatMap((field) =>
    Object.keys(mapIn(mapIn(spec, 'infrastructure'), field))
      .map(labelKeyFault)
      .filter((fault) => fault !== undefined)
      .map((fault) => ({
        what: `infrastructure: ${fault}`,
        remedy: 'correct it',
        at: `/spec/infrastructure/${field}`,
      })),
  );
}

const OWN_FIELD_RULES: readonly FieldRule[] = [
  {
    id: 'gateway-class-name',
    says: 'Gateway without a class',
    source: SOURCE,
    fields: ['gatewayClassName'],
    finding: (name) =>
      name ? undefined : { what: 'the Gateway has no class', remedy: 'set gatewayClass or gatewayClassName' },
  },
  {
    id: 'gateway-address',
    says: 'address of a Gateway is not of its type, or is listed twice',
    source: SOURCE,
    fields: ['addresses'],
    finding: (value, misfit) => countFinding(value, misfit, 'addresses', AT_MOST.addresses),
    beside: addressFindings,
  },
  {
    id: 'gateway-infrastructure',
    says: 'invalid label or annotation of the infrastructure',
    source: SOURCE,
    fields: ['infrastructure.labels', 'infrastructure.annotations'],
    finding: (value, misfit) =>
      countFinding(
        value,
        misfit,
        `${misfit.name} of infrastructure`,
        misfit.name === 'labels' ? AT_MOST.infrastructureLabels : AT_MOST.infrastructureAnnotations,
      ),
    beside: infrastructureFindings,
  },
];

/** What the API server refuses of a Gateway. */
export const GATEWAY_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-name', 'name of a Gateway is missing or invalid'),
  ...rulesWithListeners(GATEWAY_FIELDS, OWN_FIELD_RULES),
];

const JOINED: FieldRule = {
  id: 'listener-set-gateway',
  says: 'a ListenerSet joins something that is not a Gateway',
  source: gatewayApi('listenerset_types.go'),
  fields: ['parentRef', 'parentRef.name'],
  finding: (parent) =>
    parent ? undefined : { what: 'the ListenerSet joins no Gateway', remedy: 'name the Gateway that it joins' },
  beside: ({ spec }) => {
    const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, name = '' } = mapIn(spec, 'parentRef');
    return group === GATEWAY_GROUP && kind === GATEWAY_KIND
      ? []
      : [
          {
            what: `the ListenerSet joins ${kind} '${name}'`,
            remedy: 'name the Gateway that it joins',
            at: '/spec/parentRef',
          },
        ];
  },
};

/** What the API server or every implementation refuses of a ListenerSet. */
export const LISTENER_SET_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('listener-set-name', 'name of a ListenerSet is missing or invalid'),
  ...rulesWithListeners(LISTENER_SET_FIELDS, [JOINED]),
];

/** What the API server refuses of a GatewayClass. */
export const GATEWAY_CLASS_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-class-object-name', 'name of a GatewayClass is missing or invalid'),
  ...rulesOfFields(GATEWAY_CLASS_FIELDS, [
    {
      id: 'gateway-class-controller',
      says: 'controllerName of a GatewayClass is not a domain with a path',
      source: CLASS_SOURCE,
      fields: ['controllerName'],
      finding: (name) => ({
        what: isSet(name) ? `controllerName ${shown(name)} is not a domain with a path` : 'it names no controller',
        remedy: 'write the name that the implementation documents, like acme.example/gateway-controller',
      }),
    },
    {
      id: 'gateway-class-description',
      says: `description of a GatewayClass has more than ${AT_MOST.description} characters`,
      source: CLASS_SOURCE,
      fields: ['description'],
      finding: (text) =>
        typeof text === 'string'
          ? {
              what: `description has ${text.length} characters, more than ${AT_MOST.description}`,
              remedy: 'shorten it',
            }
          : undefined,
    },
  ]),
];

/** What the API server refuses of a ReferenceGrant. */
export const REFERENCE_GRANT_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('reference-grant-name', 'name of a ReferenceGrant is missing or invalid'),
  ...rulesOfFields(REFERENCE_GRANT_FIELDS, [
    {
      id: 'reference-grant-sides',
      says: `from or to of a ReferenceGrant is empty, or has more than ${AT_MOST.grants} kinds`,
      source: gatewayApi('referencegrant_types.go'),
      fields: ['from', 'to'],
      finding: (value, misfit) =>
        countFinding(value, misfit, `kinds in ${misfit.name}`, AT_MOST.grants, {
          what: `the ReferenceGrant has nothing in ${misfit.name}`,
          remedy: 'write at least one kind',
        }),
    },
  ]),
];

/** Rules that validate a Gateway of an app or folder. */
export const GATEWAY_RULE_SET = setOf([...GATEWAY_RULES, ...LISTENERS_IN_APP, ...REFERENCE_RULES]);
/** The same for a ListenerSet. */
export const LISTENER_SET_RULE_SET = setOf([...LISTENER_SET_RULES, ...LISTENERS_IN_APP, ...REFERENCE_RULES]);
/** The same for a GatewayClass. */
export const GATEWAY_CLASS_RULE_SET = setOf(GATEWAY_CLASS_RULES);
/** The same for a ReferenceGrant. */
export const REFERENCE_GRANT_RULE_SET = setOf(REFERENCE_GRANT_RULES);
