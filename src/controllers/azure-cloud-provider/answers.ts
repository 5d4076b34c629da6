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
import type { Finding } from '../../contract/rule';
import { rollsByLocal } from '../shared/rollout';
import { AZURE } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import type { AzureInstallation } from './encoding';
import { AZURE_IGNORED, type AzureSku, isPublicAddress } from './reading';

/** The addresses of the request, and the one that is shared. */
export function answerStaticAddresses(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  installation: AzureInstallation,
  internal: boolean,
): void {
  const wish = request.staticAddresses ? LoadBalancerWish.STATIC_ADDRESSES : undefined;
  const shared = installation.sharedAddress === undefined ? [] : [installation.sharedAddress];
  const addresses = [...new Set([...(request.staticAddresses ?? []), ...shared])];
  for (const address of addresses) {
    const wrong = addressFault(address, addresses, installation, internal);
    if (wrong) {
      draft.refuse(wish, { ...wrong, value: address });
    } else {
      draft.annotate(wish, entryOf(address), address);
    }
  }
}

function addressFault(
  address: string,
  all: string[],
  { sku, annotations }: AzureInstallation,
  internal: boolean,
): Omit<Finding, 'value'> | undefined {
  const entry = entryOf(address);
  const other = all.find((one) => one !== address && entryOf(one) === entry);
  if (internal && !isIP(address)) {
    return {
      what: `an internal balancer cannot have a public IP, with value '${address}'`,
      remedy: 'use a private IP address, or a public balancer',
    };
  }
  if (!internal && isIP(address) && !isPublicAddress(address)) {
    return {
      what: `a public balancer cannot have the address '${address}'`,
      remedy: 'use the address of a public IP, or an internal balancer',
    };
  }
  if (all.some((one) => (isIP(one) === 0) !== (isIP(address) === 0))) {
    return { what: `names and addresses cannot be mixed, as in '${all.join(', ')}'`, remedy: 'use either' };
  }
  if (other !== undefined) {
    return {
      what: `a frontend cannot have both '${address}' and '${other}'`,
      remedy: 'use one address of each family, or one name and the option pipNameIpv6',
    };
  }
  if (AZURE_IGNORED[sku].includes(entry)) {
    return { what: `a Basic balancer cannot have a fixed address '${address}'`, remedy: 'use an IPv4 address' };
  }
  return AZURE.configurations.key() in annotations
    ? {
        what: `'${address}' cannot be fixed while configurations choose the balancer`,
        remedy: 'leave out the option configurations: the address decides',
      }
    : undefined;
}

/** Where an address, or the name of a public IP, is written. */
export function entryOf(address: string): Annotation<string> {
  if (!isIP(address)) {
    return AZURE.pipName;
  }
  return isIpv6(address) ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
}

/** The traffic policy, and the wishes that depend on it. */
export function answerTraffic(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  sku: AzureSku,
): TrafficPolicy | undefined {
  const byPods = request.backendNodes !== undefined && sku === 'standard';
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  const givenPolicy = request.trafficPolicy;
  if (givenPolicy) {
    draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${givenPolicy}`);
  }
  if (request.clientAddress === ClientAddress.REPLACE) {
    if (givenPolicy === TrafficPolicy.LOCAL || (byPods && !givenPolicy)) {
      draft.refuse(wish, {
        what: `clientAddress cannot be replaced with traffic policy Local${givenPolicy ? '' : ', which backendNodes needs'}`,
        remedy: 'use traffic policy Cluster, or leave clientAddress out',
        value: ClientAddress.REPLACE,
      });
      return TrafficPolicy.LOCAL;
    }
    draft.honour(wish, 'externalTrafficPolicy Cluster');
    return TrafficPolicy.CLUSTER;
  }
  if (request.clientAddress === ClientAddress.PRESERVE) {
    if (givenPolicy === TrafficPolicy.CLUSTER) {
      draft.refuse(wish, {
        what: 'clientAddress cannot be preserved with traffic policy Cluster, by which the node replaces it',
        remedy: 'use traffic policy Local, or leave it out',
        value: ClientAddress.PRESERVE,
      });
      return givenPolicy;
    }
    draft.honour(wish, 'externalTrafficPolicy Local');
    return TrafficPolicy.LOCAL;
  }
  return givenPolicy ?? (request.backendNodes || rollsByLocal(request) ? TrafficPolicy.LOCAL : undefined);
}

/** By which means the wished nodes are the backend. */
export function answerBackendNodes(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  { sku, annotations }: AzureInstallation,
): void {
  const wish = LoadBalancerWish.BACKEND_NODES;
  const pool = request.backendNodes;
  if (!pool) {
    return;
  }
  if (sku === 'standard') {
    if (request.trafficPolicy === TrafficPolicy.CLUSTER) {
      draft.refuse(wish, {
        what: `backendNodes '${pool.name}' cannot be kept with traffic policy Cluster: every node of a single Standard balancer is a backend`,
        remedy: 'use traffic policy Local, or leave it out',
        value: pool.name,
      });
    } else {
      draft.honour(wish, 'externalTrafficPolicy Local: nodes without a pod fail the probe');
    }
    return;
  }
  const entry: AnyAnnotation = sku === 'basic' ? AZURE.mode : AZURE.configurations;
  const chosen = annotations[entry.key()];
  if (chosen !== undefined && chosen !== AUTOMATIC_VM_SET) {
    draft.honour(wish, `${entry.key()}: ${chosen}`);
    return;
  }
  draft.refuse(
    wish,
    sku === 'basic'
      ? {
          what: `backendNodes '${pool.name}' cannot be kept ${chosen ? 'while the controller chooses the VM set' : 'without the name of their VM set, which Azure numbers by itself'}`,
          remedy: `pass AzureCloudProvider.basic({ virtualMachineSet }), such as '<pool>-availabilitySet-27255451'`,
          value: pool.name,
        }
      : {
          what: `backendNodes '${pool.name}' cannot be kept without the configurations whose balancers serve them`,
          remedy: 'pass AzureCloudProvider.multipleStandard({ configurations })',
          value: pool.name,
        },
  );
}

/** What then keeps the backend on the nodes. */
export function restrictionOf(request: LoadBalancerRequest, sku: AzureSku): NodeRestriction {
  if (!request.backendNodes) {
    return NodeRestriction.NONE;
  }
  return sku === 'standard' ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.ON_SERVICE;
}

const NO_SUCH_MEMBER = 'leave it out; interval and unhealthyThreshold decide when a node is taken out';

/** The probes. */
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
    draft.refuse(wish, {
      what: `ports of ${request.protocols.join(' and ')} have no healthCheck with traffic policy Cluster`,
      remedy: 'leave it out, or use traffic policy Local',
      value: request.protocols.join(','),
    });
    return;
  }
  draft.honour(wish, `${check.protocol ?? HealthCheckProtocol.TCP} probe`);
  const { port: probedPort, ...members } = check;
  if (check.protocol === HealthCheckProtocol.HTTPS && sku === 'basic') {
    draft.refuse(wish, {
      what: 'a Basic balancer cannot probe by https and falls back to tcp',
      remedy: 'probe by http or tcp',
      value: HealthCheckProtocol.HTTPS,
    });
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
