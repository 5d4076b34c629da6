import { namedInDns } from '../contract/external-dns';
import { defined, type Json } from '../contract/json';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { type LoadBalancerPlan, type LoadBalancerPort, PortProtocol } from '../contract/options';

// The fields of a Service that say what a plan decided. What cdk8s-plus has no fields for (class, traffic policy,
// node port allocation) is rendered here and nowhere else.

/** The fields of `spec` that the plan and the wishes of no controller decide, and those that a new Service has beside them. */
export function specOf(
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  own: { readonly ports?: unknown; readonly selector?: unknown } = {},
): Json {
  const { ipFamilies, sessionAffinity } = plan;
  const timeoutSeconds = sessionAffinity?.timeout?.toSeconds();
  // in the order of their names, in which cdk8s writes them
  return defined({
    allocateLoadBalancerNodePorts: plan.allocateLoadBalancerNodePorts,
    externalTrafficPolicy: plan.externalTrafficPolicy,
    healthCheckNodePort: plan.rollout?.healthCheckNodePort,
    ipFamilies,
    ipFamilyPolicy: ipFamilies && (ipFamilies.length > 1 ? 'RequireDualStack' : 'SingleStack'),
    loadBalancerClass: plan.loadBalancerClass,
    loadBalancerIP: plan.loadBalancerIp,
    loadBalancerSourceRanges: plan.sourceRanges,
    ports: own.ports,
    publishNotReadyAddresses: request.publishNotReadyAddresses,
    selector: own.selector,
    sessionAffinity: sessionAffinity && 'ClientIP',
    sessionAffinityConfig: timeoutSeconds === undefined ? undefined : { clientIP: { timeoutSeconds } },
    type: 'LoadBalancer',
  });
}

export function renderedPorts(ports: readonly LoadBalancerPort[]): Record<string, unknown>[] {
  return ports.filter(Boolean).map((port) => {
    const protocol = port.protocol ?? PortProtocol.TCP;
    return {
      appProtocol: port.appProtocol,
      name: port.name ?? (ports.length > 1 ? `${protocol.toLowerCase()}-${port.port}` : undefined),
      nodePort: port.nodePort,
      port: port.port,
      protocol,
      targetPort: port.targetPortName ?? port.targetPort,
    };
  });
}

export function renderedAnnotations(plan: LoadBalancerPlan, request: LoadBalancerRequest): Record<string, string> {
  return request.dnsName === undefined
    ? (plan.annotations ?? {})
    : { ...plan.annotations, ...namedInDns(request.dnsName) };
}
