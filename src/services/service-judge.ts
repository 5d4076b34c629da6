import type { ApiObject } from 'cdk8s';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { kindOf, unwrapped } from '../rules/controller-kind';
import { lookAt } from '../rules/judge-object';
import type { ObjectJudge } from '../rules/judged-object';
import { type Judgement, RuleBook, type RuleContext } from '../rules/rule';
import { serviceBookOf } from '../rules/service-book';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../rules/workload-rules';

const endpointBook = new RuleBook(ENDPOINT_RULES);
const workloadBook = new RuleBook(WORKLOAD_RULES);

/**
 * Judges finished Services of one controller by the API server's rules, those of ownership, those of the owner, and those
 * of the workload behind the Service.
 */
export class ServiceJudge implements ObjectJudge {
  private readonly context: RuleContext;

  public constructor(
    private readonly controller: ILoadBalancerController,
    kubernetes: KubernetesVersion,
    ownFinalizers?: readonly string[],
    private readonly workload?: ApiObject,
  ) {
    this.context = { kind: kindOf(controller), controller: unwrapped(controller), kubernetes, ownFinalizers };
  }

  public judge(service: Json): Judgement {
    const { name } = this.controller;
    const workload = this.workload && lookAt(this.workload);
    const context = workload ? { ...this.context, workload } : this.context;
    const judgement = serviceBookOf(context.kind).judge(service, context, name);
    return workload
      ? judgement.and(endpointBook.judge(service, context, name)).and(workloadBook.judge(workload, context, name))
      : judgement;
  }
}
