import { AWS_GATEWAY_GROUP, DANGEROUS_KINDS } from './aws-network-load-balancer.facts';
import { ENVOY_GATEWAY_GROUP } from './envoy-gateway.facts';
import { HAPROXY_DANGEROUS_KINDS } from './haproxy.facts';

/** Kinds of all engines by which one tenant reaches another; `*` is every kind of the group. */
export const DANGEROUS_KINDS_OF_ENGINES: readonly { readonly group: string; readonly resource: string }[] = [
  ...DANGEROUS_KINDS,
  { group: AWS_GATEWAY_GROUP, resource: '*' },
  { group: ENVOY_GATEWAY_GROUP, resource: '*' },
  ...HAPROXY_DANGEROUS_KINDS,
];
