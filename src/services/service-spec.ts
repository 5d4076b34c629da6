import { namedInDns } from '../contract/external-dns';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { type LoadBalancerPlan, type LoadBalancerPort, PortProtocol } from '../contract/options';

// The fields of a Service that say what a plan decided. What cdk8s-plus has no fields for (class, traffic policy,
// node port allocation) is rendered here and nowhere else.

/** The fields of `spec` that the plan and the wishes of no controller decide. */
export function specOf(plan: LoadBalancerPlan, request: LoadBalancerRequest): Record<string, unknown> {
  const spec: Record<string, unknown> = {};
  writeSpec(spec, plan, request);
  return spec;
}

export interface OwnFields {
  readonly ports: unknown;
  readonly selector: unknown;
}

/** Writes these fields into a `spec`, and those that a new Service has beside them. */
export function writeSpec(
  spec: Record<string, unknown>,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  own?: OwnFields,
): void {
  // in the order of their names, in which cdk8s writes them
  write(spec, 'allocateLoadBalancerNodePorts', plan.allocateLoadBalancerNodePorts);
  write(spec, 'externalTrafficPolicy', plan.externalTrafficPolicy);
  write(spec, 'healthCheckNodePort', plan.rollout?.healthCheckNodePort);
  if (plan.ipFamilies) {
    spec.ipFamilies = plan.ipFamilies;
    spec.ipFamilyPolicy = plan.ipFamilies.length > 1 ? 'RequireDualStack' : 'SingleStack';
  }
  write(spec, 'loadBalancerClass', plan.loadBalancerClass);
  write(spec, 'loadBalancerIP', plan.loadBalancerIp);
  write(spec, 'loadBalancerSourceRanges', plan.sourceRanges);
  write(spec, 'ports', own?.ports);
  write(spec, 'publishNotReadyAddresses', request.publishNotReadyAddresses);
  write(spec, 'selector', own?.selector);
  if (plan.sessionAffinity) {
    const timeout = plan.sessionAffinity.timeout?.toSeconds();
    spec.sessionAffinity = 'ClientIP';
    write(spec, 'sessionAffinityConfig', timeout === undefined ? undefined : { clientIP: { timeoutSeconds: timeout } });
  }
  spec.type = 'LoadBalancer';
}

function write(spec: Record<string, unknown>, field: string, value: unknown): void {
  if (value !== undefined) {
    spec[field] = value;
  }
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

/** The annotations of the plan and of wishes that no controller answers. */
export function renderedAnnotations(plan: LoadBalancerPlan, request: LoadBalancerRequest): Record<string, string> {
  return request.dnsName === undefined
    ? (plan.annotations ?? {})
    : { ...plan.annotations, ...namedInDns(request.dnsName) };
}
