import { knowsSchemes } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import type { ILoadBalancerController, LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { findingOf } from '../contract/rule';
import { type Claim, definitionOf, unwrapped } from '../rules/controller-definition';
import { allKinds } from '../rules/known-kinds';
import { classOf, finalizersOf, wantsLoadBalancer } from '../rules/service-json';
import { ADOPTED_SCHEME, CLASS_ON_LIVE_SERVICE, OWNER_OF_LIVE_SERVICE } from './rules.facts';

// What a manifest that may be live already makes dangerous: its balancer exists, and has an owner.

/** How the owner of a plan relates to the manifest as it is written. */
export interface LiveOwnership {
  /** Whether the owner would take the Service as it is; unset of owners of which nothing is known. */
  readonly claim?: Claim;
  /** Whether the manifest shows that it is live under another owner. */
  readonly isOfAnother: boolean;
}

/**
 * How the owner of a plan relates to the manifest.
 *
 * @param isLive whether the manifest was exported from a cluster
 */
export function ownershipOf(service: Json, controller: ILoadBalancerController, isLive: boolean): LiveOwnership {
  const kind = definitionOf(controller);
  if (!kind || !wantsLoadBalancer(service)) {
    return { isOfAnother: false };
  }
  const claim = kind.claim(service, unwrapped(controller));
  // a webhook gives its class to new Services alone
  const isUnclaimed = claim.claimed === 'no' || claim.byDefaultingTheClass === true;
  const foreign = finalizersOf(service).some(
    (finalizer) =>
      !kind.finalizers.includes(finalizer) &&
      allKinds().some(
        (other) => other.finalizers.includes(finalizer) || other.untouchableFinalizers?.includes(finalizer),
      ),
  );
  return { claim: isUnclaimed ? { ...claim, claimed: 'no' } : claim, isOfAnother: isUnclaimed && (isLive || foreign) };
}

/** What a manifest that is live already makes dangerous to leave unsaid. */
export function liveFindings(
  service: Json,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  controller: ILoadBalancerController,
  { claim, isOfAnother }: LiveOwnership,
): { readonly problems: LoadBalancerFinding[]; readonly warnings: LoadBalancerFinding[] } {
  const problems: LoadBalancerFinding[] = [];
  const warnings: LoadBalancerFinding[] = [];
  if (!wantsLoadBalancer(service)) {
    return { problems, warnings };
  }
  const { owner, loadBalancerClass: value } = plan;
  const kind = definitionOf(controller);
  if (request.scheme === undefined && knowsSchemes(kind?.catalogue)) {
    problems.push(findingOf(ADOPTED_SCHEME, {}, owner));
  }
  if (value !== undefined && classOf(service) === undefined) {
    const form = claim?.claimed === 'yes' ? 'claimed' : 'unclaimed';
    const option = kind?.classlessOption ?? 'an option of the controller that writes no class';
    const found = { case: form, owner, option, value };
    (isOfAnother ? problems : warnings).push(findingOf(CLASS_ON_LIVE_SERVICE, found, owner));
  } else if (claim?.claimed === 'no') {
    const found = { because: claim.because };
    (isOfAnother ? problems : warnings).push(findingOf(OWNER_OF_LIVE_SERVICE, found, owner));
  }
  return { problems, warnings };
}
