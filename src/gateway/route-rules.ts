import type { Finding } from '../contract/finding';
import { type Json, listIn, mapsIn } from '../contract/json';
import { dnsNameFault, ipFault, portFault } from '../contract/kubernetes-syntax';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { AT_MOST, TCP_ROUTE_KIND, TLS_ROUTE_KIND } from './gateway.facts';
import { ROUTES_IN_APP } from './gateway-app-rules';
import { gatewayApi, setOf } from './gateway-rule';
import { nameRule, repeated, tooMany } from './object-rules';

const SHARED = gatewayApi('shared_types.go');
const REFERENCES = gatewayApi('object_reference_types.go');

function backendsOf(route: Json): Json[] {
  return mapsIn(route.spec, 'rules').flatMap((rule) => mapsIn(rule, 'backendRefs'));
}

/** What distinguishes a parent from others. */
function parentOf({ group, kind, namespace, name }: Json): string {
  return [group, kind, namespace, name].filter(Boolean).join('/');
}

function weightFaults({ name, weight }: Json): Finding[] {
  const isWeight = weight === undefined || (Number.isInteger(weight) && weight >= 0 && weight <= AT_MOST.weight);
  return isWeight
    ? []
    : [{ what: `backend '${name}' has weight ${weight}`, remedy: `use a whole number from 0 to ${AT_MOST.weight}` }];
}

/** The rule about the backends of a route. */
function backendRule(id: string, kind: string): Rule<ObjectContext> {
  return {
    id,
    severity: 'error',
    says: `a ${kind} has one rule with 1 to ${AT_MOST.backends} backends, and a Service has a port`,
    source: REFERENCES,
    judge: (route) => {
      const rules = mapsIn(route.spec, 'rules');
      const backends = backendsOf(route);
      if (rules.length !== 1 || backends.length === 0) {
        const what = rules.length > 1 ? `the route has ${rules.length} rules` : 'the route has no backend';
        return [{ what, remedy: 'write one rule with at least one Service' }];
      }
      return [
        ...tooMany('backends', backends, AT_MOST.backends),
        ...backends
          .filter(({ group, kind = 'Service', port }) => !group && kind === 'Service' && portFault(port) !== undefined)
          .map(({ name, port }) => ({
            what: `Service '${name}' has ${port === undefined ? 'no port' : `port ${port}`} as a backend`,
            remedy: 'write the port of the Service',
          })),
        ...backends.flatMap(weightFaults),
      ];
    },
  };
}

/** The rule about the parents of a route. */
function parentRule(id: string, kind: string): Rule<ObjectContext> {
  return {
    id,
    severity: 'error',
    says: `a ${kind} has at most ${AT_MOST.parents} parents, and attaches to several listeners of one by their names`,
    source: SHARED,
    judge: ({ spec }) => {
      const parents = mapsIn(spec, 'parentRefs');
      const several = repeated(parents.map(parentOf));
      const unnamed = several.filter((name) => parents.some((one) => parentOf(one) === name && !one.sectionName));
      const sections = parents.map((parent) => `${parentOf(parent)} by sectionName ${parent.sectionName}`);
      return [
        ...tooMany('parents', parents, AT_MOST.parents),
        ...unnamed.map((name) => ({
          what: `the route attaches to ${name} more than once, and not each time by the name of a listener`,
          remedy: 'set sectionName each time',
        })),
        ...repeated(sections)
          .filter((section) => !section.endsWith(' undefined'))
          .map((section) => ({ what: `the route attaches twice to ${section}`, remedy: 'write it once' })),
      ];
    },
  };
}

/** What the API server refuses of a TCPRoute. */
export const TCP_ROUTE_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('tcp-route-name', 'a TCPRoute has the name of an object'),
  backendRule('tcp-route-backend', TCP_ROUTE_KIND),
  parentRule('tcp-route-parent', TCP_ROUTE_KIND),
];

const TLS_ROUTE = gatewayApi('tlsroute_types.go');

function hostFaults(host: string): Finding[] {
  const remedy = 'write a name like kafka.example.com or *.example.com';
  if (ipFault(host) === undefined) {
    return [{ what: `hostname '${host}' is an address, which no client sends as the name of a server`, remedy }];
  }
  const fault = dnsNameFault(host);
  return fault === undefined ? [] : [{ what: `hostname ${fault}`, remedy }];
}

/** What the API server refuses of a TLSRoute. */
export const TLS_ROUTE_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('tls-route-name', 'a TLSRoute has the name of an object'),
  {
    id: 'tls-route-hostname',
    severity: 'error',
    says: `a TLSRoute has 1 to ${AT_MOST.hostnames} host names, and no addresses`,
    source: TLS_ROUTE,
    judge: ({ spec }) => {
      const hosts = listIn(spec, 'hostnames');
      return hosts.length === 0
        ? [{ what: 'the route has no hostname', remedy: 'write the names of the server that clients connect to' }]
        : [...tooMany('hostnames', hosts, AT_MOST.hostnames), ...hosts.flatMap((host) => hostFaults(String(host)))];
    },
  },
  backendRule('tls-route-backend', TLS_ROUTE_KIND),
  parentRule('tls-route-parent', TLS_ROUTE_KIND),
];

/** Rules that validate a TCPRoute of an app or folder. */
export const TCP_ROUTE_RULE_SET = setOf([...TCP_ROUTE_RULES, ...ROUTES_IN_APP]);
/** The same for a TLSRoute. */
export const TLS_ROUTE_RULE_SET = setOf([...TLS_ROUTE_RULES, ...ROUTES_IN_APP]);
