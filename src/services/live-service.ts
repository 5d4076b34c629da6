import { knowsSchemes } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import type { ILoadBalancerController, LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { HAND_OVER_PAGE } from '../contract/rule';
import { type Claim, definitionOf, unwrapped } from '../rules/controller-definition';
import { allKinds } from '../rules/known-kinds';
import { classOf, finalizersOf, wantsLoadBalancer } from '../rules/service-json';
import { ADOPTED_SCHEME, CLASS_ON_LIVE_SERVICE, OWNER_OF_LIVE_SERVICE } from './service-rules';

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

export const HAND_IT_OVER = `make a second Service under another name and move the clients, as ${HAND_OVER_PAGE} says`;

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
  const who = plan.owner;
  const kind = definitionOf(controller);
  if (request.scheme === undefined && knowsSchemes(kind?.catalogue)) {
    problems.push({
      ruleId: ADOPTED_SCHEME.id,
      who,
      what: 'the manifest asks for a load balancer already and sets no scheme: on many clouds its balancer is public',
      remedy:
        'set scheme to INTERNET_FACING or INTERNAL; another scheme than the live one makes a new balancer, or none at all',
    });
  }
  const { loadBalancerClass } = plan;
  if (loadBalancerClass !== undefined && classOf(service) === undefined) {
    (isOfAnother ? problems : warnings).push({
      ruleId: CLASS_ON_LIVE_SERVICE.id,
      who,
      what: `the manifest has no class and the plan adds '${loadBalancerClass}', which the API server refuses on a Service that is live`,
      remedy:
        claim?.claimed === 'yes'
          ? `${who} claims the Service by annotation today: keep that, with ${kind?.classlessOption ?? 'an option of the controller that writes no class'}`
          : `if it is live, ${HAND_IT_OVER}`,
      value: loadBalancerClass,
    });
  } else if (claim?.claimed === 'no') {
    (isOfAnother ? problems : warnings).push({
      ruleId: OWNER_OF_LIVE_SERVICE.id,
      who,
      what: `it does not claim the Service as the manifest has it (${claim.because}), and does with the plan: where the Service is live, the balancer of its present owner is left behind`,
      remedy: `if it is live, ${HAND_IT_OVER}`,
    });
  }
  return { problems, warnings };
}
