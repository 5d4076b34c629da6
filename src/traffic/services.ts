import { isMap, type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { SOURCE_RANGES_ANNOTATION } from '../contract/kubernetes.facts';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { Unknown } from './figure';
import { nameOf } from './nodes';
import { TOPOLOGY_ANNOTATIONS } from './traffic.facts';
import type { ServiceTraffic, TrafficInput } from './traffic-input';

/** What a finished Service says about its packets, and its status about how it is reached. */
export function readService(
  service: Json,
): (Required<Pick<TrafficInput, 'service' | 'assumptions'>> & Pick<TrafficInput, 'address'>) | Unknown {
  const spec = mapIn(service, 'spec');
  const fault = FIELDS.map(([field, values]) => faultOf(spec, field, values)).find((found) => found !== undefined);
  if (fault !== undefined) {
    return { unknown: fault };
  }
  const metadata = mapIn(service, 'metadata');
  const annotations = mapIn(metadata, 'annotations');
  const older = String(annotations[SOURCE_RANGES_ANNOTATION] ?? '')
    .split(',')
    .filter((range) => range.trim() !== '');
  const sourceRanges = listIn(spec, 'loadBalancerSourceRanges').length || older.length;
  const address = addressOf(service);
  return {
    service: {
      name: `${metadata.namespace ?? 'default'}/${nameOf(service)}`,
      type: spec.type ?? 'ClusterIP',
      externalTrafficPolicy: spec.externalTrafficPolicy ?? TrafficPolicy.CLUSTER,
      internalTrafficPolicy: spec.internalTrafficPolicy ?? TrafficPolicy.CLUSTER,
      ...(spec.trafficDistribution ? { trafficDistribution: spec.trafficDistribution } : {}),
      sessionAffinity: spec.sessionAffinity === 'ClientIP',
      publishNotReadyAddresses: spec.publishNotReadyAddresses === true,
      ports: listIn(spec, 'ports').length,
      ...(sourceRanges > 0 ? { sourceRanges } : {}),
    },
    ...(address ? { address } : {}),
    assumptions: TOPOLOGY_ANNOTATIONS.filter((key) => /^auto$/i.test(String(annotations[key] ?? ''))).map(
      (key) => `${key} is assumed to have no effect: its hints depend on the cores of each zone`,
    ),
  };
}

const POLICIES: readonly unknown[] = [undefined, null, ...Object.values(TrafficPolicy)];

/** What a field may hold. */
const FIELDS: readonly (readonly [keyof ServiceTraffic, readonly unknown[]])[] = [
  ['type', [undefined, null, 'ClusterIP', 'NodePort', 'LoadBalancer']],
  ['externalTrafficPolicy', POLICIES],
  ['internalTrafficPolicy', POLICIES],
  ['trafficDistribution', [undefined, null, 'PreferClose', 'PreferSameZone', 'PreferSameNode']],
];

function faultOf(spec: Json, field: string, values: readonly unknown[]): string | undefined {
  const known = values.filter((value) => typeof value === 'string').join(', ');
  return values.includes(spec[field])
    ? undefined
    : `needs a spec.${field} that packets are known for (${known}); it is ${JSON.stringify(spec[field])}`;
}

/** How the balancer is reached, where its status says it. */
function addressOf(service: Json): TrafficInput['address'] {
  const [first] = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress');
  if (!isMap(first) || !(first.ip || first.hostname)) {
    return undefined;
  }
  if (!first.ip) {
    return 'host name';
  }
  return first.ipMode === 'Proxy' ? 'proxy' : 'vip';
}
