import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { likelyClaimants } from '../rules/claimants';
import type { IndexedObject } from '../rules/objects';
import { judgeService } from './service-judgement';

/**
 * What every controller would find that might own a Service whose owner is not known, by the annotations that it reads: that
 * is true whoever of them it is, and nothing else is.
 */
export function commonFindings(
  entry: IndexedObject,
  service: Json,
  behind: readonly Json[],
): readonly LoadBalancerFinding[] {
  const [first, ...others] = likelyClaimants(service).map(({ controller }) => {
    const owner = LoadBalancerOwner._told(OwnershipState.OWNED, 'it reads the annotations', [], controller);
    const { errors, warnings } = judgeService(entry, { service, owner, behind });
    return [...errors, ...warnings];
  });
  return (first ?? []).filter((finding) =>
    others.every((found) => found.some(({ ruleId, value, at }) => isSame(finding, { ruleId, value, at }))),
  );
}

export function isSame(one: LoadBalancerFinding, other: Pick<LoadBalancerFinding, 'ruleId' | 'value' | 'at'>): boolean {
  return one.ruleId === other.ruleId && one.value === other.value && one.at === other.at;
}
