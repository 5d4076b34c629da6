import { Duration } from 'cdk8s';
import { isMap, type Json, list } from '../contract/json';
import { DEFAULT_AFFINITY_SECONDS } from '../contract/kubernetes.facts';
import type { LoadBalancerPort, LoadBalancerWishes, PortProtocol } from '../contract/options';
import { type ControllerDefinition, schemeIn } from '../rules/controller-definition';
import { portsOf } from '../rules/service-json';

// What a manifest says already, in the terms of a request.

/** The ports of a manifest, in the terms of a request. */
export function portsIn(service: Json): LoadBalancerPort[] {
  return portsOf(service).map(({ port, name, targetPort, protocol, appProtocol, nodePort }) => ({
    port,
    name,
    targetPort: typeof targetPort === 'number' ? targetPort : undefined,
    targetPortName: typeof targetPort === 'string' ? targetPort : undefined,
    protocol: protocol as PortProtocol | undefined,
    appProtocol,
    nodePort,
  }));
}

/**
 * What a manifest wishes; what the construct's props say goes before it.
 *
 * @param service the manifest
 * @param kind what is known of the owner, in whose terms the manifest says who can reach the balancer
 */
export function wishesIn(service: Json, kind?: ControllerDefinition): LoadBalancerWishes {
  const spec = isMap(service.spec) ? service.spec : {};
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  // the API server writes its default into every Service, and so into every export
  const isTimed = typeof seconds === 'number' && seconds !== DEFAULT_AFFINITY_SECONDS;
  const ranges = list<string>(spec.loadBalancerSourceRanges);
  const families = list<never>(spec.ipFamilies);
  // which family comes first, while the cluster decides whether there is a second one: there is no such wish
  const isOpen = spec.ipFamilyPolicy === 'PreferDualStack' && families.length < 2;
  return {
    scheme: spec.type === 'LoadBalancer' && kind ? schemeIn(service, kind) : undefined,
    trafficPolicy: spec.externalTrafficPolicy ?? undefined,
    sessionAffinity:
      spec.sessionAffinity === 'ClientIP' ? { timeout: isTimed ? Duration.seconds(seconds) : undefined } : undefined,
    sourceRanges: ranges.length > 0 ? ranges : undefined,
    ipFamilies: families.length > 0 && !isOpen ? families : undefined,
    publishNotReadyAddresses: spec.publishNotReadyAddresses ?? undefined,
  };
}
