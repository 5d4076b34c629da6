import type { Json } from '../contract/json';
import { GATEWAY_GROUP, GATEWAY_KIND } from './gateway.facts';
import type { IGateway } from './i-gateway';

/** How routes name the Gateway, or the ListenerSet, that they attach to. */
export function parentRefJson(gateway: IGateway, sectionName?: string): Json {
  const { gatewayName: name, namespace, parentKind: kind = GATEWAY_KIND } = gateway;
  return {
    group: GATEWAY_GROUP,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(sectionName !== undefined && { sectionName }),
  };
}

/** How messages call a Gateway, or a ListenerSet. */
export function gatewayTitle({ gatewayName, namespace, parentKind = GATEWAY_KIND }: IGateway): string {
  return `${parentKind} ${namespace === undefined ? '' : `${namespace}/`}${gatewayName}`;
}
