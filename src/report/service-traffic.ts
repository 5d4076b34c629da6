import { type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { ServiceTraffic, TrafficInput } from '../traffic/traffic-input';

const DISTRIBUTIONS: readonly unknown[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const TYPES: readonly unknown[] = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** What a finished Service says about its packets; fields that Kubernetes would refuse count as not set. */
export function trafficIn(service: Json): Omit<ServiceTraffic, 'name'> {
  const spec = mapIn(service, 'spec');
  const { type, trafficDistribution: distribution } = spec;
  const ranges = listIn(spec, 'loadBalancerSourceRanges').length;
  return {
    type: TYPES.includes(type) ? type : 'ClusterIP',
    externalTrafficPolicy: policyIn(spec.externalTrafficPolicy),
    internalTrafficPolicy: policyIn(spec.internalTrafficPolicy),
    ...(DISTRIBUTIONS.includes(distribution) ? { trafficDistribution: distribution } : {}),
    sessionAffinity: spec.sessionAffinity === 'ClientIP',
    publishNotReadyAddresses: spec.publishNotReadyAddresses === true,
    ports: Math.max(1, mapsIn(spec, 'ports').length),
    ...(ranges > 0 ? { sourceRanges: ranges } : {}),
  };
}

/** How the balancer is reached, once its controller has written it into the status. */
export function addressIn(service: Json): TrafficInput['address'] {
  const [first] = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress');
  if (typeof first?.ip === 'string') {
    return first.ipMode === 'Proxy' ? 'proxy' : 'vip';
  }
  return typeof first?.hostname === 'string' ? 'host name' : undefined;
}

/** The ports of a Service as listeners: `443/TCP`. */
export function listenersIn(service: Json): string[] {
  return mapsIn(mapIn(service, 'spec'), 'ports')
    .filter(({ port }) => Number.isInteger(port))
    .map(({ port, protocol }) => `${port}/${typeof protocol === 'string' ? protocol : 'TCP'}`);
}

function policyIn(value: unknown): TrafficPolicy {
  return value === TrafficPolicy.LOCAL ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
}
