import type { ApiObject } from 'cdk8s';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../contract/options';
import { PodPlacement } from '../contract/pod-placement';
import { PODS_ELSEWHERE, PODS_MAY_BE_ELSEWHERE, PODS_NOT_PINNED } from './service-rules';

/** What is wrong between the nodes of the balancer and those of the pods. */
export interface PlacementFindings {
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
}

const NOTHING: PlacementFindings = { problems: [], warnings: [] };

/** Compares where a balancer sends traffic with where the pods may run. */
export function placementFindings(
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  workload: ApiObject | undefined,
): PlacementFindings {
  const pool = request.backendNodes;
  if (!pool || (plan.problems ?? []).length > 0) {
    return NOTHING;
  }
  const pinnedTo = workload && PodPlacement.find(workload)?.pinnedTo;
  if (pinnedTo?.sameAs(pool)) {
    return NOTHING;
  }
  const common = { who: plan.owner, wish: LoadBalancerWish.BACKEND_NODES, value: pool.name };
  const remedy = 'use NodepoolPinnedService, or call pin() of the pool on the workload before and pass the workload';
  if (pinnedTo) {
    const what = `the backend is on node pool '${pool.name}', but the pods are pinned to '${pinnedTo.name}'`;
    return { ...NOTHING, problems: [{ ...common, ruleId: PODS_ELSEWHERE.id, what, remedy: 'use one pool for both' }] };
  }
  if (plan.nodeRestriction === NodeRestriction.BY_POD_PLACEMENT) {
    const what = `it keeps the backend on node pool '${pool.name}' by the placement of the pods alone, and the pods are not pinned`;
    return { ...NOTHING, problems: [{ ...common, ruleId: PODS_NOT_PINNED.id, what, remedy }] };
  }
  if (plan.externalTrafficPolicy === TrafficPolicy.LOCAL) {
    const what = `the backend is on node pool '${pool.name}' with policy Local, and the pods are not pinned to it: where none runs there, no target is healthy`;
    return { ...NOTHING, warnings: [{ ...common, ruleId: PODS_MAY_BE_ELSEWHERE.id, what, remedy }] };
  }
  return NOTHING;
}
