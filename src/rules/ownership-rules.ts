import type { Json } from '../contract/json';
import { unlessLive } from '../contract/rule';
import { ANNOTATION_RULES } from './annotation-rules';
import { BACKEND_NODE_RULES } from './backend-node-rules';
import { FINALIZER_RULES } from './finalizer-rules';
import { ROLLOUT_RULES } from './rollout-rules';
import type { Rule } from './rule';
import { classOf, wantsLoadBalancer } from './service-json';

const claimedByOwner: Rule = {
  id: 'claimed-by-owner',
  severity: 'error',
  says: 'intended controller does not claim the Service',
  source: 'ours',
  judge(service, { kind, controller }) {
    const claim = kind && wantsLoadBalancer(service) ? kind.claim(service, controller) : undefined;
    return claim?.claimed === 'no'
      ? { what: `it does not claim this Service, because ${claim.because}`, remedy: claimRemedy(service) }
      : undefined;
  },
};

function claimRemedy(service: Json): string {
  return classOf(service) === undefined
    ? unlessLive('leave class and claiming annotations to the controller object')
    : unlessLive('choose the controller that serves the class, or take it out of the manifest');
}

/** What must be true between a finished Service and the controller that owns its load balancer. */
export const OWNERSHIP_RULES: readonly Rule[] = [
  ...ANNOTATION_RULES,
  ...FINALIZER_RULES,
  claimedByOwner,
  ...BACKEND_NODE_RULES,
  ...ROLLOUT_RULES,
];
