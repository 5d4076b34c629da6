import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { ClientAddress, LoadBalancerWish, PortProtocol, TrafficPolicy } from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { answerByPolicy } from '../shared/answers';
import { rollsByLocal } from '../shared/rollout';
import { twinIn } from './rules';

/** One protocol a port number. */
export function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
  const asText = request.protocols.join(' and ');
  const twin = twinIn(request.ports);
  if (request.protocols.includes(PortProtocol.SCTP)) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, {
      what: 'a Network Load Balancer cannot balance SCTP',
      remedy: 'balance TCP or UDP',
      value: asText,
    });
  } else if (twin !== undefined) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, {
      what: `port ${twin} cannot carry ${asText} at once`,
      remedy: 'make one Service for each protocol',
      value: asText,
    });
  } else if (asText !== PortProtocol.TCP) {
    draft.honour(LoadBalancerWish.PROTOCOLS, `${asText} listeners`);
  }
}

/** With instance targets nodes decide whom a pod sees, and which nodes get traffic. */
export function answerByNodes(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { trafficPolicy, clientAddress, backendNodes } = request;
  const needsLocal = backendNodes !== undefined || clientAddress === ClientAddress.PRESERVE || rollsByLocal(request);
  const replaces = clientAddress === ClientAddress.REPLACE ? TrafficPolicy.CLUSTER : undefined;
  const policy = trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : replaces);

  answerByPolicy(draft, request, policy, 'every node is a backend');
  return policy;
}

/** With ip targets no node lies between, and what a pod sees is an attribute that cannot be set. */
export function answerByPods(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { clientAddress, backendNodes, protocols } = request;
  if (backendNodes) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, {
      what: `with target type 'ip' pods are the targets, and the nodes of '${backendNodes.name}' cannot be chosen`,
      remedy: 'use NlbTargetType.INSTANCE, or only pin the pods with NodePool.pin',
      value: backendNodes.name,
    });
  }
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  const [byDefault, other] = protocols.includes(PortProtocol.UDP)
    ? [ClientAddress.PRESERVE, 'UDP always keeps the client address']
    : [ClientAddress.REPLACE, 'TCP replaces the client address'];
  if (clientAddress && (clientAddress !== byDefault || protocols.length > 1)) {
    draft.refuse(wish, {
      what: `with target type 'ip' ${other}, and EKS Auto Mode does not support the attribute that would change it`,
      remedy: 'use NlbTargetType.INSTANCE, or leave clientAddress out',
      value: clientAddress,
    });
  } else if (clientAddress) {
    draft.honour(wish, `what ip targets do with ${protocols.join('')}`);
  }
  return request.trafficPolicy;
}
