import type { ApiObject } from 'cdk8s';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { kindOf } from '../rules/controller-kind';
import { OWNERSHIP_RULES } from '../rules/ownership-rules';
import { type Judgement, judge, type RuleContext } from '../rules/rule';
import { SERVICE_RULES } from '../rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../rules/workload-rules';

/** What is known of a Service beside its JSON. */
export interface ServiceFacts {
  readonly controller: ILoadBalancerController;
  readonly plan: LoadBalancerPlan;
  readonly request: LoadBalancerRequest;
  readonly workload?: ApiObject;
}

/** Judges a finished Service by the API server's rules, those of ownership, those of its owner and of its workload. */
export function judgeService({ controller, plan, request, workload }: ServiceFacts): (service: Json) => Judgement {
  const kind = kindOf(controller);
  return (service) => {
    const pods = workload?.toJson() as Json | undefined;
    const context: RuleContext = {
      kind,
      controller,
      ownFinalizers: plan.finalizers,
      kubernetes: request.kubernetes,
      workload: pods,
    };
    const verdicts = [
      judge(service, SERVICE_RULES, context, 'kubernetes'),
      judge(service, OWNERSHIP_RULES, context, controller.name),
    ];
    if (kind) {
      verdicts.push(judge(service, kind.rules, context, controller.name));
    }
    if (pods) {
      verdicts.push(judge(service, ENDPOINT_RULES, context, 'kubernetes'), judge(pods, WORKLOAD_RULES, context, 'kubernetes'));
    }
    return {
      errors: verdicts.flatMap((judgement) => judgement.errors),
      warnings: verdicts.flatMap((judgement) => judgement.warnings),
    };
  };
}
