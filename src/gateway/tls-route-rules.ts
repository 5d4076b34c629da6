import { dnsNameFault, ipFault, portFault } from '../contract/kubernetes-syntax';
import type { Json } from '../contract/late-rendering';
import { AT_MOST } from './gateway.facts';
import { listIn, mapsIn } from './gateway-json';
import { type GatewayRule, type GatewayVerdict, gatewayApi } from './gateway-rule';
import { nameRule, repeated, tooMany } from './object-rules';

const TLS_ROUTE = gatewayApi('tlsroute_types.go');
const SHARED = gatewayApi('shared_types.go');
const REFERENCES = gatewayApi('object_reference_types.go');

function backendsOf(route: Json): Json[] {
  return mapsIn(route.spec, 'rules').flatMap((rule) => mapsIn(rule, 'backendRefs'));
}

function hostFaults(host: string): GatewayVerdict[] {
  const wayOut = 'write a name like kafka.example.com or *.example.com';
  if (ipFault(host) === undefined) {
    return [{ what: `hostname '${host}' is an address, which no client sends as the name of a server`, wayOut }];
  }
  const fault = dnsNameFault(host);
  return fault === undefined ? [] : [{ what: `hostname ${fault}`, wayOut }];
}

/** How a parent is told from others. */
function parentOf({ group, kind, namespace, name }: Json): string {
  return [group, kind, namespace, name].filter(Boolean).join('/');
}

/** What the API server refuses of a TLSRoute. */
export const TLS_ROUTE_RULES: readonly GatewayRule[] = [
  nameRule('tls-route-name', 'a TLSRoute has the name of an object'),
  {
    id: 'tls-route-hostname',
    says: `a TLSRoute has 1 to ${AT_MOST.hostnames} host names, and no addresses`,
    source: TLS_ROUTE,
    judge: ({ spec }) => {
      const hosts = listIn(spec, 'hostnames');
      return hosts.length === 0
        ? [{ what: 'the route has no hostname', wayOut: 'write the names of the server that clients connect to' }]
        : [...tooMany('hostnames', hosts, AT_MOST.hostnames), ...hosts.flatMap((host) => hostFaults(String(host)))];
    },
  },
  {
    id: 'tls-route-backend',
    says: `a TLSRoute has one rule with 1 to ${AT_MOST.backends} backends, and a Service has a port`,
    source: REFERENCES,
    judge: (route) => {
      const rules = mapsIn(route.spec, 'rules');
      const backends = backendsOf(route);
      if (rules.length !== 1 || backends.length === 0) {
        const what = rules.length > 1 ? `the route has ${rules.length} rules` : 'the route has no backend';
        return [{ what, wayOut: 'write one rule with at least one Service' }];
      }
      return [
        ...tooMany('backends', backends, AT_MOST.backends),
        ...backends
          .filter(({ group, kind = 'Service', port }) => !group && kind === 'Service' && portFault(port) !== undefined)
          .map(({ name, port }) => ({
            what: `Service '${name}' has ${port === undefined ? 'no port' : `port ${port}`} as a backend`,
            wayOut: 'write the port of the Service',
          })),
      ];
    },
  },
  {
    id: 'tls-route-parent',
    says: `a TLSRoute has at most ${AT_MOST.parents} parents, and attaches to several listeners of one by their names`,
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
          wayOut: 'say sectionName each time',
        })),
        ...repeated(sections)
          .filter((section) => !section.endsWith(' undefined'))
          .map((section) => ({ what: `the route attaches twice to ${section}`, wayOut: 'write it once' })),
      ];
    },
  },
];
