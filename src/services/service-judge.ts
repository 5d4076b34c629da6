import type { ApiObject } from 'cdk8s';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { ObjectJudge } from '../rules/balanced-object';
import { kindOf, unwrapped } from '../rules/controller-kind';
import { OWNERSHIP_RULES } from '../rules/ownership-rules';
import { bookOf, Judgement, type RuleContext } from '../rules/rule';
import { SERVICE_RULES } from '../rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../rules/workload-rules';

const serviceBook = bookOf(SERVICE_RULES);
const ownershipBook = bookOf(OWNERSHIP_RULES);
const endpointBook = bookOf(ENDPOINT_RULES);
const workloadBook = bookOf(WORKLOAD_RULES);

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
    const workload = this.workload?.toJson() as Json | undefined;
    const context = workload ? { ...this.context, workload } : this.context;
    const judgement = new Judgement();
    serviceBook.judge(service, context, 'kubernetes', judgement);
    ownershipBook.judge(service, context, name, judgement);
    if (context.kind) {
      bookOf(context.kind.rules).judge(service, context, name, judgement);
    }
    if (workload) {
      endpointBook.judge(service, context, 'kubernetes', judgement);
      workloadBook.judge(workload, context, 'kubernetes', judgement);
    }
    return judgement;
  }
}
