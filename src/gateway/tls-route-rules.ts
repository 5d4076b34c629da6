import { listIn } from '../contract/json';
import { dnsNameFault, ipFault } from '../contract/kubernetes-syntax';
import { AT_MOST, TLS_ROUTE_KIND } from './gateway.facts';
import { type GatewayRule, type GatewayVerdict, gatewayApi } from './gateway-rule';
import { nameRule, tooMany } from './object-rules';
import { backendRule, parentRule } from './route-rules';

const TLS_ROUTE = gatewayApi('tlsroute_types.go');

function hostFaults(host: string): GatewayVerdict[] {
  const remedy = 'write a name like kafka.example.com or *.example.com';
  if (ipFault(host) === undefined) {
    return [{ what: `hostname '${host}' is an address, which no client sends as the name of a server`, remedy }];
  }
  const fault = dnsNameFault(host);
  return fault === undefined ? [] : [{ what: `hostname ${fault}`, remedy }];
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
        ? [{ what: 'the route has no hostname', remedy: 'write the names of the server that clients connect to' }]
        : [...tooMany('hostnames', hosts, AT_MOST.hostnames), ...hosts.flatMap((host) => hostFaults(String(host)))];
    },
  },
  backendRule('tls-route-backend', TLS_ROUTE_KIND),
  parentRule('tls-route-parent', TLS_ROUTE_KIND),
];
