import { type Json, mapIn, mapsIn } from '../contract/json';
import { type Claim, claimsOf, likelyClaimsOf } from '../rules/claims';
import { kindAndTitleOf } from '../rules/objects';
import { GATEWAY_KIND, IP_TYPE } from './gateway.facts';

/** What a Gateway has for itself: its addresses, and what the Service claims that its implementation makes for it. */
export function claimsOfGateway({ kind, metadata, spec }: Json): readonly Claim[] {
  if (kind !== GATEWAY_KIND) {
    return [];
  }
  const ports = mapsIn(spec, 'listeners').map(({ port, protocol }) => ({
    port,
    protocol: protocol === 'UDP' ? 'UDP' : 'TCP',
  }));
  const service = (annotations: Json, loadBalancerIP?: unknown): Json => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, annotations },
    spec: { type: 'LoadBalancer', ports, loadBalancerIP },
  });
  const addresses = mapsIn(spec, 'addresses').filter(({ type = IP_TYPE }) => type === IP_TYPE);
  return [
    ...likelyClaimsOf(service(mapIn(mapIn(spec, 'infrastructure'), 'annotations'))),
    ...addresses.flatMap(({ value }) => claimsOf(service({}, value), undefined)),
  ].map((claim) => ({ ...claim, of: kindAndTitleOf({ kind, name: metadata?.name, namespace: metadata?.namespace }) }));
}
