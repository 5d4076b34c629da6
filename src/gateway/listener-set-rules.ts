import { mapIn } from '../contract/json';
import { GATEWAY_GROUP, GATEWAY_KIND } from './gateway.facts';
import { GATEWAY_LISTENER_RULES } from './gateway-listener-rules';
import { type GatewayRule, gatewayApi } from './gateway-rule';
import { nameRule } from './object-rules';

/** What the API server or every implementation refuses of a ListenerSet. */
export const LISTENER_SET_RULES: readonly GatewayRule[] = [
  nameRule('listener-set-name', 'a ListenerSet has the name of an object'),
  {
    id: 'listener-set-gateway',
    says: 'a ListenerSet joins a Gateway, and nothing else',
    source: gatewayApi('listenerset_types.go'),
    judge: ({ spec }) => {
      const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, name } = mapIn(spec, 'parentRef');
      return group === GATEWAY_GROUP && kind === GATEWAY_KIND && typeof name === 'string' && name !== ''
        ? []
        : [{ what: `the ListenerSet joins ${kind} '${name ?? ''}'`, remedy: 'name the Gateway that it joins' }];
    },
  },
  ...GATEWAY_LISTENER_RULES,
];
