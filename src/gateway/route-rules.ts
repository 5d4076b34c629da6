import { isMap, isSet, type Json, listIn, mapsIn, nameIn, ownValue, pointedAt } from '../contract/json';
import { dnsNameFault, ipFault } from '../contract/kubernetes-syntax';
import type { Finding } from '../contract/rule';
import type { FieldRule } from '../contract/schema/rules';
import type { ObjectContext, Rule } from '../rules/rule';
import { TCP_ROUTE_FIELDS, TLS_ROUTE_FIELDS } from './fields.facts';
import { AT_MOST, OLDEST_TLS_ROUTE_API, TCP_ROUTE_KIND, TLS_ROUTE_KIND } from './gateway.facts';
import { ROUTES_IN_APP } from './gateway-app-rules';
import { countFinding, gatewayApi, nameRule, repeated, rulesOfFields, setOf } from './gateway-rule';
import { REFERENCE_RULES } from './reference-rules';

const SHARED = gatewayApi('shared_types.go');
const REFERENCES = gatewayApi('object_reference_types.go');

/** What distinguishes a parent from others. */
function parentOf({ group, kind, namespace, name }: Json): string {
  return [group, kind, namespace, name].filter(Boolean).join('/');
}

const OF_BACKEND: Readonly<Record<string, (backend: Json) => Finding>> = {
  port: ({ kind = 'Service', name, port }) => ({
    what: `${kind} '${nameIn(name)}' has ${isSet(port) ? `port ${port}` : 'no port'} as a backend`,
    remedy: 'write the port of the Service',
  }),
  weight: ({ name, weight }) => ({
    what: `backend '${nameIn(name)}' has weight ${weight}`,
    remedy: `use a whole number from 0 to ${AT_MOST.weight}`,
  }),
};

function withoutPort({ spec }: Json): Finding[] {
  return listIn(spec, 'rules').flatMap((rule, i) =>
    listIn(rule, 'backendRefs').flatMap((backend, k) =>
      isMap(backend) && !backend.group && (backend.kind ?? 'Service') === 'Service' && !isSet(backend.port)
        ? [{ ...OF_BACKEND.port(backend), at: `/spec/rules/${i}/backendRefs/${k}/port` }]
        : [],
    ),
  );
}

function backendRule(id: string, kind: string): FieldRule {
  const remedy = 'write one rule with at least one Service';
  const none = { what: 'the route has no backend', remedy };
  return {
    id,
    says: `backends of a ${kind} are missing, more than ${AT_MOST.backends}, in several rules, or have no valid port or weight`,
    source: REFERENCES,
    fields: ['rules', 'rules.backendRefs', 'rules.backendRefs.port', 'rules.backendRefs.weight'],
    finding: (value, misfit, route) => {
      const { at, name } = misfit;
      const ofBackend = ownValue(OF_BACKEND, name);
      if (ofBackend) {
        return ofBackend(pointedAt(route, at.slice(0, at.lastIndexOf('/'))) as Json);
      }
      return name === 'rules' && Array.isArray(value) && value.length > 1
        ? { what: `the route has ${value.length} rules`, remedy }
        : countFinding(value, misfit, 'backends', AT_MOST.backends, none);
    },
    beside: withoutPort,
  };
}

function parentFindings({ spec }: Json): Finding[] {
  const parents = mapsIn(spec, 'parentRefs');
  const several = repeated(parents.map(parentOf));
  const unnamed = several.filter((name) => parents.some((one) => parentOf(one) === name && !one.sectionName));
  const sections = parents.map((parent) => `${parentOf(parent)} by sectionName ${parent.sectionName}`);
  return [
    ...unnamed.map((name) => ({
      what: `the route attaches to ${name} more than once, and not each time by the name of a listener`,
      remedy: 'set sectionName each time',
      at: '/spec/parentRefs',
    })),
    ...repeated(sections)
      .filter((section) => !section.endsWith(' undefined'))
      .map((section) => ({
        what: `the route attaches twice to ${section}`,
        remedy: 'write it once',
        at: '/spec/parentRefs',
      })),
  ];
}

function parentRule(id: string, kind: string): FieldRule {
  return {
    id,
    says: `a ${kind} attaches twice to one parent, or to more than ${AT_MOST.parents} parents`,
    source: SHARED,
    fields: ['parentRefs'],
    finding: (value, misfit) => countFinding(value, misfit, 'parents', AT_MOST.parents),
    beside: parentFindings,
  };
}

/** What the API server refuses of a TCPRoute. */
export const TCP_ROUTE_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('tcp-route-name', 'name of a TCPRoute is missing or invalid'),
  ...rulesOfFields(TCP_ROUTE_FIELDS, [
    backendRule('tcp-route-backend', TCP_ROUTE_KIND),
    parentRule('tcp-route-parent', TCP_ROUTE_KIND),
  ]),
];

const HOST_REMEDY = 'write a name like kafka.example.com or *.example.com';

function isAddress(host: unknown): host is string {
  return typeof host === 'string' && ipFault(host) === undefined;
}

function hostFinding(host: unknown): Finding | undefined {
  if (isAddress(host)) {
    return {
      what: `hostname '${host}' is an address, which no client sends as the name of a server`,
      remedy: HOST_REMEDY,
    };
  }
  const fault = dnsNameFault(host as string);
  return fault === undefined ? undefined : { what: `hostname ${fault}`, remedy: HOST_REMEDY };
}

const HOSTNAMES: FieldRule = {
  id: 'tls-route-hostname',
  says: `a TLSRoute has no host name, an invalid one, or more than ${AT_MOST.hostnames}`,
  source: gatewayApi('tlsroute_types.go'),
  fields: ['hostnames'],
  finding: (value, misfit) =>
    misfit.at !== '/spec/hostnames'
      ? hostFinding(value)
      : countFinding(value, misfit, 'hostnames', AT_MOST.hostnames, {
          what: 'the route has no hostname',
          remedy: 'write the names of the server that clients connect to',
        }),
  // one with colons is no name to the schema either
  beside: ({ spec }) =>
    listIn(spec, 'hostnames').flatMap((host, i) =>
      isAddress(host) && !host.includes(':') ? [{ ...(hostFinding(host) as Finding), at: `/spec/hostnames/${i}` }] : [],
    ),
};

/** The oldest API version of a TLSRoute takes one without host names. */
function mayLackHostnames({ apiVersion, spec }: Json): boolean {
  return apiVersion === OLDEST_TLS_ROUTE_API && isMap(spec) && !isSet(spec.hostnames);
}

/** What the API server refuses of a TLSRoute. */
export const TLS_ROUTE_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('tls-route-name', 'name of a TLSRoute is missing or invalid'),
  ...rulesOfFields(TLS_ROUTE_FIELDS, [
    HOSTNAMES,
    backendRule('tls-route-backend', TLS_ROUTE_KIND),
    parentRule('tls-route-parent', TLS_ROUTE_KIND),
  ]).map((rule) =>
    rule.id === HOSTNAMES.id
      ? {
          ...rule,
          judge: (route: Json, context: ObjectContext) =>
            mayLackHostnames(route) ? undefined : rule.judge(route, context),
        }
      : rule,
  ),
];

/** Rules that validate a TCPRoute of an app or folder. */
export const TCP_ROUTE_RULE_SET = setOf([...TCP_ROUTE_RULES, ...ROUTES_IN_APP, ...REFERENCE_RULES]);
/** The same for a TLSRoute. */
export const TLS_ROUTE_RULE_SET = setOf([...TLS_ROUTE_RULES, ...ROUTES_IN_APP, ...REFERENCE_RULES]);
/** The same for a route of another kind, whose fields are not looked into. */
export const OTHER_ROUTE_RULE_SET = setOf([...ROUTES_IN_APP, ...REFERENCE_RULES]);
