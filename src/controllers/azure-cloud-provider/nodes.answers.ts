import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { ClientAddress } from '../../contract/client-address';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { NodeRestriction } from '../../contract/node-restriction';
import type { PlanDraft } from '../../contract/plan-draft';
import { TrafficPolicy } from '../../contract/traffic-policy';
import { AZURE } from './annotations';
import type { AzureInstallation } from './encoding';
import { AUTOMATIC_VM_SET, type AzureSku } from './product.annotations';

/** The traffic policy, and the wishes that stand or fall with it. */
export function answerTraffic(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  sku: AzureSku,
): TrafficPolicy | undefined {
  const byPods = request.backendNodes !== undefined && sku === 'standard';
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  const said = request.trafficPolicy;
  if (said) {
    draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${said}`);
  }
  if (request.clientAddress === ClientAddress.REPLACE) {
    if (said === TrafficPolicy.LOCAL || (byPods && !said)) {
      draft.refuse(wish, {
        what: `clientAddress cannot be replaced with traffic policy Local${said ? '' : ', which backendNodes needs'}`,
        remedy: 'use traffic policy Cluster, or leave clientAddress out',
        value: ClientAddress.REPLACE,
      });
      return TrafficPolicy.LOCAL;
    }
    draft.honour(wish, 'externalTrafficPolicy Cluster');
    return TrafficPolicy.CLUSTER;
  }
  if (request.clientAddress === ClientAddress.PRESERVE) {
    if (said === TrafficPolicy.CLUSTER) {
      draft.refuse(wish, {
        what: 'clientAddress cannot be preserved with traffic policy Cluster, by which the node replaces it',
        remedy: 'use traffic policy Local, or leave it out',
        value: ClientAddress.PRESERVE,
      });
      return said;
    }
    draft.honour(wish, 'externalTrafficPolicy Local');
    return TrafficPolicy.LOCAL;
  }
  return said ?? (request.backendNodes ? TrafficPolicy.LOCAL : undefined);
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
