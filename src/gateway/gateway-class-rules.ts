import { AT_MOST, CONTROLLER_NAME } from './gateway.facts';
import { type GatewayRule, gatewayApi } from './gateway-rule';
import { nameRule } from './object-rules';

const SOURCE = gatewayApi('gatewayclass_types.go');

/** What the API server refuses of a GatewayClass. */
export const GATEWAY_CLASS_RULES: readonly GatewayRule[] = [
  nameRule('gateway-class-object-name', 'a GatewayClass has the name of an object'),
  {
    id: 'gateway-class-controller',
    says: 'a GatewayClass names its controller by a domain and a path',
    source: SOURCE,
    judge: ({ spec }) =>
      CONTROLLER_NAME.test(String(spec?.controllerName))
        ? []
        : [
            {
              what: `controllerName '${spec?.controllerName}' is no domain with a path`,
              remedy: 'write the name that the implementation documents, like acme.example/gateway-controller',
            },
          ],
  },
  {
    id: 'gateway-class-description',
    says: `the description of a GatewayClass has at most ${AT_MOST.description} characters`,
    source: SOURCE,
    judge: ({ spec }) =>
      String(spec?.description ?? '').length > AT_MOST.description
        ? [
            {
              what: `description has ${spec.description.length} characters, more than ${AT_MOST.description}`,
              remedy: 'shorten it',
            },
          ]
        : [],
  },
];
