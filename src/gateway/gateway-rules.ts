import { type Json, mapIn, mapsIn } from '../contract/json';
import { dnsNameFault, ipFault, labelKeyFault, labelValueFault } from '../contract/kubernetes-syntax';
import { AT_MOST, IP_TYPE } from './gateway.facts';
import { GATEWAY_LISTENER_RULES } from './gateway-listener-rules';
import { type GatewayRule, type GatewayVerdict, gatewayApi } from './gateway-rule';
import { nameRule, repeated, tooMany } from './object-rules';

const SOURCE = gatewayApi('gateway_types.go');
const HOST_TYPE = 'Hostname';

function ofAll(id: string, says: string, judge: (gateway: Json) => readonly GatewayVerdict[]): GatewayRule {
  return { id, says, source: SOURCE, judge };
}

function addressFaults({ type = IP_TYPE, value }: Json): GatewayVerdict[] {
  if (typeof value !== 'string' || value === '') {
    return [];
  }
  const fault = type === IP_TYPE ? ipFault(value) : type === HOST_TYPE ? dnsNameFault(value) : undefined;
  return fault === undefined ? [] : [{ what: `address ${fault}`, remedy: `write an address of type ${type}` }];
}

function infrastructureFaults(gateway: Json): GatewayVerdict[] {
  const infrastructure = mapIn(gateway.spec, 'infrastructure');
  const labels = Object.entries(mapIn(infrastructure, 'labels'));
  const annotations = Object.entries(mapIn(infrastructure, 'annotations'));
  const faults = [
    ...[...labels, ...annotations].map(([key]) => labelKeyFault(key)),
    ...labels.map(([, value]) => labelValueFault(String(value))),
  ].filter((fault) => fault !== undefined);
  return [
    ...tooMany('labels of infrastructure', labels, AT_MOST.infrastructureLabels),
    ...tooMany('annotations of infrastructure', annotations, AT_MOST.infrastructureAnnotations),
    ...faults.map((fault) => ({ what: `infrastructure: ${fault}`, remedy: 'correct it' })),
  ];
}

/** What the API server refuses of a Gateway. */
export const GATEWAY_RULES: readonly GatewayRule[] = [
  nameRule('gateway-name', 'a Gateway has the name of an object'),
  ofAll('gateway-class-name', 'a Gateway names its class', ({ spec }) =>
    typeof spec?.gatewayClassName === 'string' && spec.gatewayClassName !== ''
      ? []
      : [{ what: 'the Gateway has no class', remedy: 'say gatewayClass or gatewayClassName' }],
  ),
  ...GATEWAY_LISTENER_RULES,
  ofAll('gateway-address', 'addresses of a Gateway are addresses of their type, each once', ({ spec }) => {
    const addresses = mapsIn(spec, 'addresses');
    const named = addresses.filter(({ value }) => value).map(({ type = IP_TYPE, value }) => `${type} ${value}`);
    return [
      ...tooMany('addresses', addresses, AT_MOST.addresses),
      ...addresses.flatMap(addressFaults),
      ...repeated(named).map((what) => ({ what: `address ${what} stands twice`, remedy: 'write it once' })),
    ];
  }),
  ofAll('gateway-infrastructure', 'labels and annotations of the infrastructure are such', infrastructureFaults),
];
