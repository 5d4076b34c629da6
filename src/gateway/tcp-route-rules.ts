import { TCP_ROUTE_KIND } from './gateway.facts';
import type { GatewayRule } from './gateway-rule';
import { nameRule } from './object-rules';
import { backendRule, parentRule } from './route-rules';

/** What the API server refuses of a TCPRoute. */
export const TCP_ROUTE_RULES: readonly GatewayRule[] = [
  nameRule('tcp-route-name', 'a TCPRoute has the name of an object'),
  backendRule('tcp-route-backend', TCP_ROUTE_KIND),
  parentRule('tcp-route-parent', TCP_ROUTE_KIND),
];
