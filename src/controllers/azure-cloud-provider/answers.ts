import { isIP } from 'node:net';
import type { Annotation, AnyAnnotation } from '../../contract/annotation-catalogue';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  HealthCheckProtocol,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { honourTrafficPolicy } from '../shared/answers';
import { rollsByLocal } from '../shared/rollout';
import { AZURE } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import { AZURE_IGNORED, type AzureInstallation, type AzureSku, isPublicAddress } from './model';
import { REFUSALS } from './refusals.facts';

export function answerStaticAddresses(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  installation: AzureInstallation,
  internal: boolean,
): void {
  const wish = request.staticAddresses ? LoadBalancerWish.STATIC_ADDRESSES : undefined;
  const shared = installation.sharedAddress === undefined ? [] : [installation.sharedAddress];
  const all = [...new Set([...(request.staticAddresses ?? []), ...shared])];
  for (const address of all) {
    const other = all.find((one) => one !== address && entryOf(one) === entryOf(address));
    const wrong = addressFault(address, all, other, installation, internal);
    if (wrong) {
      draft.refuseBy({ ...wrong, wish }, { value: address, all: all.join(', '), other });
    } else {
      draft.annotate(wish, entryOf(address), address);
    }
  }
}

function addressFault(
  address: string,
  all: string[],
  other: string | undefined,
  { sku, annotations }: AzureInstallation,
  internal: boolean,
) {
  if (internal && !isIP(address)) {
    return REFUSALS.publicIpOfInternal;
  }
  if (!internal && isIP(address) && !isPublicAddress(address)) {
    return REFUSALS.privateOfPublic;
  }
  if (all.some((one) => (isIP(one) === 0) !== (isIP(address) === 0))) {
    return REFUSALS.namesAndAddresses;
  }
  if (other !== undefined) {
    return REFUSALS.twoOfFamily;
  }
  if (AZURE_IGNORED[sku].includes(entryOf(address))) {
    return REFUSALS.addressOfBasic;
  }
  return AZURE.configurations.key() in annotations ? REFUSALS.besideConfigurations : undefined;
}

/** Paths of addresses and names of public IPs. */
export function entryOf(address: string): Annotation<string> {
  if (!isIP(address)) {
    return AZURE.pipName;
  }
  return isIpv6(address) ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
}

export function answerTraffic(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  sku: AzureSku,
): TrafficPolicy | undefined {
  const { clientAddress, trafficPolicy } = request;
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  honourTrafficPolicy(draft, request);
  if (clientAddress === ClientAddress.REPLACE) {
    const byPods = request.backendNodes !== undefined && sku === 'standard';
    if (trafficPolicy === TrafficPolicy.LOCAL || (byPods && !trafficPolicy)) {
      const why = trafficPolicy ? '' : ', which backendNodes needs';
      draft.refuseBy(REFUSALS.addressByLocal, { value: clientAddress, why });
      return TrafficPolicy.LOCAL;
    }
    draft.honour(wish, 'externalTrafficPolicy Cluster');
    return TrafficPolicy.CLUSTER;
  }
  if (clientAddress && trafficPolicy === TrafficPolicy.CLUSTER) {
    draft.refuseBy(REFUSALS.addressByCluster, { value: clientAddress });
    return trafficPolicy;
  }
  if (clientAddress) {
    draft.honour(wish, 'externalTrafficPolicy Local');
    return TrafficPolicy.LOCAL;
  }
  return trafficPolicy ?? (request.backendNodes || rollsByLocal(request) ? TrafficPolicy.LOCAL : undefined);
}

export function answerBackendNodes(
  draft: PlanDraft,
  { backendNodes: pool, trafficPolicy }: LoadBalancerRequest,
  { sku, annotations }: AzureInstallation,
): void {
  const wish = LoadBalancerWish.BACKEND_NODES;
  const entry: AnyAnnotation = sku === 'basic' ? AZURE.mode : AZURE.configurations;
  const chosen = annotations[entry.key()];
  if (!pool) {
    return;
  }
  if (sku === 'standard' && trafficPolicy === TrafficPolicy.CLUSTER) {
    draft.refuseBy(REFUSALS.nodesByCluster, { value: pool.name });
  } else if (sku === 'standard') {
    draft.honour(wish, 'externalTrafficPolicy Local: nodes without a pod fail the probe');
  } else if (chosen !== undefined && chosen !== AUTOMATIC_VM_SET) {
    draft.honour(wish, `${entry.key()}: ${chosen}`);
  } else {
    const ofBasic = chosen ? REFUSALS.nodesOfChosenSet : REFUSALS.nodesWithoutSet;
    draft.refuseBy(sku === 'basic' ? ofBasic : REFUSALS.nodesWithoutConfiguration, { value: pool.name });
  }
}

export function restrictionOf(request: LoadBalancerRequest, sku: AzureSku): NodeRestriction {
  if (!request.backendNodes) {
    return NodeRestriction.NONE;
  }
  return sku === 'standard' ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.ON_SERVICE;
}

const NO_SUCH_MEMBER = 'leave it out; interval and unhealthyThreshold decide when a node is removed';

export function answerHealthCheck(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  sku: AzureSku,
  policy: TrafficPolicy | undefined,
): void {
  const check = request.healthCheck;
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  const probed = request.ports.filter((port) => (port.protocol ?? PortProtocol.TCP) === PortProtocol.TCP);
  if (probed.length === 0 && policy !== TrafficPolicy.LOCAL) {
    const value = request.protocols.join(',');
    draft.refuseBy(REFUSALS.notProbed, { value, protocols: request.protocols.join(' and ') });
    return;
  }
  draft.honour(wish, `${check.protocol ?? HealthCheckProtocol.TCP} probe`);
  const { port: probedPort, ...members } = check;
  if (check.protocol === HealthCheckProtocol.HTTPS && sku === 'basic') {
    draft.refuseBy(REFUSALS.httpsOfBasic, { value: check.protocol });
    return;
  }
  draft.annotateEach(wish, members, {
    protocol: AZURE.healthProbeProtocol,
    path: AZURE.healthProbeRequestPath,
    interval: AZURE.healthProbeInterval,
    unhealthyThreshold: AZURE.healthProbeNumOfProbe,
    healthyThreshold: NO_SUCH_MEMBER,
    timeout: NO_SUCH_MEMBER,
  });
  for (const { port, appProtocol } of probed) {
    // appProtocol of a port goes before the annotation of the Service, that of the port before both
    if (check.protocol && appProtocol && appProtocol.toLowerCase() !== check.protocol) {
      draft.annotate(wish, AZURE.portHealthProbeProtocol, check.protocol, { port });
    }
    if (probedPort !== undefined) {
      draft.annotate(wish, AZURE.portHealthProbePort, String(probedPort), { port });
    }
  }
}
