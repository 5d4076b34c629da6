import { isMap, type Json, mapIn } from '../contract/json';
import type { Manifest } from '../rules/manifest-objects';
import { isBalanced, isKindOf, serviceOf, valueAt } from './operator-services';
import { OPERATORS } from './operators/operators.facts';

// Services that operators make of Gateways, by the descriptor of their parameters.

/** The operator of a controller of GatewayClasses, with the kind of its parameters. */
export function gatewayOperator(controller: string | undefined) {
  const operator = OPERATORS.find((one) => controller !== undefined && one.gatewayController === controller);
  return operator && { operator, parametersKind: operator.resources[0].kind ?? '' };
}

/** The Service of a Gateway, as its parameters ask for it; undefined if they ask for another type. */
export function serviceOfGateway(
  { operator }: NonNullable<ReturnType<typeof gatewayOperator>>,
  gateway: Json,
  parameters: Manifest | undefined,
  ports: readonly Json[],
) {
  const [resource] = operator.resources;
  const [service] = resource.services;
  const isKnown = parameters && isKindOf(parameters.object, resource);
  const spec = { ...mapIn(isKnown ? parameters.object : {}, 'spec'), ...mapIn(gateway, 'spec') };
  const object = { metadata: gateway.metadata, spec };
  const found = valueAt(object, service.at);
  const path = service.at.split('.');
  const value = isMap(found) ? found : {};
  const template = { service, resource: object, value, root: ['spec'], at: path, path, isOnly: true };
  if (!isBalanced(template)) {
    return undefined;
  }
  const made = serviceOf(template);
  return {
    object: { ...made, spec: { ...made.spec, ports: [...ports] } } as Json,
    template: isKnown && found !== undefined ? { manifest: parameters, path } : undefined,
  };
}
