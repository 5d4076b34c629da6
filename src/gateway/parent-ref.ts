import type { Json } from '../contract/late-rendering';
import { GATEWAY_GROUP, GATEWAY_KIND } from './gateway.facts';
import type { IGateway } from './i-gateway';

/** How routes name the Gateway that they attach to. */
export function parentRefJson(gateway: IGateway, sectionName?: string): Json {
  const { gatewayName: name, namespace } = gateway;
  return {
    group: GATEWAY_GROUP,
    kind: GATEWAY_KIND,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(sectionName !== undefined && { sectionName }),
  };
}

/** How messages call a Gateway. */
export function gatewayTitle({ gatewayName, namespace }: IGateway): string {
  return `Gateway ${namespace === undefined ? '' : `${namespace}/`}${gatewayName}`;
}
