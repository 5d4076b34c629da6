import type { Construct } from 'constructs';
import { refuseWrongProps } from '../contract/declared-types';
import type { ILoadBalancerController, LoadBalancerRequest } from '../contract/load-balancer-request';
import {
  FinalizerPolicy,
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
} from '../contract/options';
import { wishAsText } from '../contract/plan-draft';
import { CANNOT_HONOUR } from '../contract/request-rules.facts';

const FIELDS = {
  [LoadBalancerWish.TRAFFIC_POLICY]: 'externalTrafficPolicy',
  [LoadBalancerWish.SESSION_AFFINITY]: 'sessionAffinity',
  [LoadBalancerWish.IP_FAMILIES]: 'ipFamilies',
  [LoadBalancerWish.SOURCE_RANGES]: 'sourceRanges',
} as const;

type FieldWish = keyof typeof FIELDS;

/**
 * A controller that this library does not know, described by the plan that it always answers with.
 *
 * Nothing is dropped: a wish of the request that neither `answers` nor a finding of the plan names is a problem. Wishes that are
 * fields of the Service (`trafficPolicy`, `sessionAffinity`, `ipFamilies`, `sourceRanges`) need no literal: name them in
 * `answers`, and what the request says is written.
 *
 * For a controller that answers differently from request to request implement `ILoadBalancerController`.
 */
export class CustomController implements ILoadBalancerController {
  /**
   * A controller that answers every request with this plan.
   *
   * @param plan the answer; `owner` becomes the name of the controller, `answers` says which wishes it honours and how
   * @throws when the plan names no owner
   */
  public static of(plan: LoadBalancerPlan): CustomController {
    refuseWrongProps('CustomController.of', 'LoadBalancerPlan', plan);
    return new CustomController(plan);
  }

  /** The owner in the plan. */
  public readonly name: string;

  private constructor(private readonly plan: LoadBalancerPlan) {
    if (!plan.owner?.trim()) {
      throw new Error('custom controller: the plan names no owner; set owner to the name of the controller');
    }
    this.name = plan.owner;
  }

  /**
   * Answers a request with the plan.
   *
   * @param scope not used: there are no side objects
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    void scope;
    const { plan } = this;
    const fields: Record<string, unknown> = {};
    const answers = { ...plan.answers };
    const found: LoadBalancerFinding[] = [];
    const reported = [...(plan.problems ?? []), ...(plan.warnings ?? [])].map((finding) => finding.wish);
    for (const wish of request.wishes) {
      const field = FIELDS[wish as FieldWish];
      const written = field && plan[field];
      if (written !== undefined && text(written) === text(request[wish as FieldWish])) {
        answers[wish] ??= field;
      } else if (written !== undefined) {
        found.push(
          this.problem(request, wish, `asks for ${wishAsText(request, wish)}, but the plan has ${text(written)}`),
        );
      } else if (answers[wish] === undefined && !reported.includes(wish)) {
        found.push(this.problem(request, wish, `cannot be honoured, with value ${wishAsText(request, wish)}`));
      } else if (field && answers[wish] !== undefined) {
        fields[field] = request[wish as FieldWish];
      }
    }
    const declares = request.finalizerPolicy !== FinalizerPolicy.LEAVE_TO_CONTROLLER;
    return {
      ...plan,
      ...fields,
      finalizers: declares ? plan.finalizers : [],
      answers,
      problems: [...(plan.problems ?? []), ...found],
    };
  }

  private problem(request: LoadBalancerRequest, wish: LoadBalancerWish, what: string): LoadBalancerFinding {
    return {
      ruleId: CANNOT_HONOUR.id,
      who: this.name,
      what: `${wish} ${what}`,
      remedy: `leave it out, or name ${wish} in the answers of the plan if the controller honours it`,
      value: wishAsText(request, wish),
      at: '',
      wish,
    };
  }
}

function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
