import type { Construct } from 'constructs';
import type { ILoadBalancerController } from './load-balancer-controller';
import type { LoadBalancerRequest } from './load-balancer-request';
import { type LoadBalancerFinding, type LoadBalancerPlan, LoadBalancerWish } from './options';
import { wishAsText } from './plan-draft';
import { requestFaults } from './request-faults';
import { BAD_CONTROLLER, CONTROLLER_FAILED, UNANSWERED_WISH } from './request-rules';

/** A plan, and what is wrong between request and controller beside what the plan says itself. */
export interface BoundPlan {
  readonly plan: LoadBalancerPlan;
  readonly problems: readonly LoadBalancerFinding[];
  /** Whether the controller answered at all; otherwise there is no plan to validate. */
  readonly answered: boolean;
}

const NONE: readonly LoadBalancerFinding[] = [];

/**
 * Asks a controller, of ours or of a user's, in whatever language: a bad request does not reach it, its failure is a
 * problem like any other, and a wish that its answer passes over is reported.
 */
export function bindTo(controller: ILoadBalancerController, scope: Construct, request: LoadBalancerRequest): BoundPlan {
  if (typeof controller?.bind !== 'function' || typeof controller.name !== 'string' || isBareFunction(controller)) {
    return failed(
      'controller',
      BAD_CONTROLLER.id,
      'this is not a controller',
      'pass an object with a name and a bind method',
    );
  }
  const faults = requestFaults(request);
  if (faults.length > 0) {
    return { plan: { owner: controller.name }, problems: faults, answered: false };
  }
  try {
    const plan = controller.bind(scope, request);
    return typeof plan?.owner === 'string' && plan.owner !== ''
      ? { plan, problems: unanswered(controller, request, plan), answered: true }
      : failed(controller.name, CONTROLLER_FAILED.id, 'bind returned no plan with an owner', 'mend the controller');
  } catch (error) {
    return failed(controller.name, CONTROLLER_FAILED.id, `bind failed: ${firstLine(error)}`, 'mend the controller');
  }
}

/** A factory whose parentheses were forgotten has a name and a bind, too. */
function isBareFunction(controller: unknown): boolean {
  return typeof controller === 'function';
}

function failed(who: string, ruleId: string, what: string, remedy: string): BoundPlan {
  return { plan: { owner: who }, problems: [{ ruleId, who, what, remedy }], answered: false };
}

function unanswered(
  controller: ILoadBalancerController,
  request: LoadBalancerRequest,
  plan: LoadBalancerPlan,
): readonly LoadBalancerFinding[] {
  const silent = request.wishes.filter(
    (wish) => !answers(plan.answers, wish) && !reports(plan.problems, wish) && !reports(plan.warnings, wish),
  );
  return silent.length === 0
    ? NONE
    : silent.map((wish) => ({
        ruleId: UNANSWERED_WISH.id,
        who: controller.name,
        what: `the plan does not answer ${wish}, with value ${wishAsText(request, wish)}`,
        remedy: `answer it in the plan's answers, problems or warnings, or leave the wish out`,
        value: wishAsText(request, wish),
        wish,
      }));
}

/** The names of the values: what an enum member becomes in languages whose enums have no values. */
const NAMES = new Map(Object.entries(LoadBalancerWish).map(([name, wish]) => [wish, name]));

function answers(means: { readonly [wish: string]: string } | undefined, wish: LoadBalancerWish): boolean {
  return means?.[wish] !== undefined || means?.[NAMES.get(wish) as string] !== undefined;
}

function reports(findings: readonly LoadBalancerFinding[] | undefined, wish: LoadBalancerWish): boolean {
  return findings?.some((finding) => finding.wish === wish || finding.wish === NAMES.get(wish)) === true;
}

/** Errors from other languages come with their whole stack. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0];
}
