import type { Json } from '../../contract/json';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { likelyClaimants } from '../../rules/claimants';
import { type ControllerDefinition, definitionOf, knownKinds } from '../../rules/controller-definition';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';

/** What is known beside a Service that somebody wrote by hand. */
export interface WrittenContext extends ObjectContext {
  readonly owner: LoadBalancerOwner;
  /** All controllers that run in the cluster; unset where that is not known. */
  readonly controllers?: readonly ILoadBalancerController[];
  /** All workloads that the Service selects; unset where these are not known. */
  readonly workloads?: readonly Json[];
}

/** A rule about what people write, which works and surprises. */
export type WrittenRule = Rule<WrittenContext>;

/** The definition of the owner, where there is one. */
export function kindOf({ owner }: WrittenContext): ControllerDefinition | undefined {
  return owner.controller && definitionOf(owner.controller);
}

/** The owner, or else the controllers one of which it most likely is. */
export function likelyKinds(service: Json, context: WrittenContext): readonly ControllerDefinition[] {
  const kind = kindOf(context);
  return kind ? [kind] : context.owner.controller ? [] : likelyClaimants(service).map((claimant) => claimant.kind);
}

/** The kinds that may read an annotation: the owner, those that are likely, or any. */
export function readers(service: Json, context: WrittenContext): readonly ControllerDefinition[] {
  const kinds = likelyKinds(service, context);
  return kinds.length > 0 || context.owner.controller ? kinds : knownKinds();
}
