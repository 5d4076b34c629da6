import { type LoadBalancerPort, PortProtocol } from '../../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';
import { isDualstack } from './addresses.answers';
import { AWS } from './annotations';
import type { AwsLoadBalancerControllerNlbOptions as Options } from './options';

/** TCP and UDP, on one number too. */
export function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest, options: Options): void {
  const wish = LoadBalancerWish.PROTOCOLS;
  const sctp = request.ports.find((port) => port.protocol === PortProtocol.SCTP);
  if (sctp) {
    draft.refuse(wish, {
      what: `port ${sctp.port} is SCTP, and a Network Load Balancer has TCP and UDP only`,
      remedy: 'balance TCP and UDP only',
      value: PortProtocol.SCTP,
    });
    return;
  }
  const udp = request.ports.filter(isUdp);
  if (udp.length === 0) {
    return;
  }
  draft.honour(wish, 'UDP listeners');
  if (udp.some((port) => request.ports.some((other) => other.port === port.port && !isUdp(other)))) {
    draft.annotate(wish, AWS.enableTcpUdpListener, true);
  }
  if (isDualstack(request, options)) {
    draft.annotate(wish, AWS.enablePrefixForIpv6SourceNat, true);
  }
}

/** Whether a port is UDP. */
export function isUdp(port: LoadBalancerPort): boolean {
  return port.protocol === PortProtocol.UDP;
}
