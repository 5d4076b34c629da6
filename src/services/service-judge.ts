import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { NodePool } from '../contract/node-pool';
import { PodPlacement } from '../contract/pod-placement';
import { podTemplateOf } from '../contract/workload';
import { amongOthersOf } from '../rules/app-objects';
import { claimsOf } from '../rules/claims';
import { definitionOf, unwrapped } from '../rules/controller-definition';
import { lookAt } from '../rules/judge-object';
import type { ObjectJudge } from '../rules/judged-object';
import type { Judgement } from '../rules/judgement';
import type { RuleContext } from '../rules/rule-context';
import { RuleSet } from '../rules/rule-set';
import { serviceRulesOf } from '../rules/service-rule-set';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../rules/workload-rules';

const endpointRules = new RuleSet(ENDPOINT_RULES);
const workloadRules = new RuleSet(WORKLOAD_RULES);

/**
 * Validates finished Services of one controller by the API server's rules, those of ownership, those of the owner, and those
 * of the workload behind the Service.
 */
export class ServiceJudge implements ObjectJudge {
  private readonly context: RuleContext;

  public constructor(
    private readonly controller: ILoadBalancerController,
    kubernetes: KubernetesVersion,
    ownFinalizers?: readonly string[],
    private readonly workload?: ApiObject,
    private readonly backendNodes?: NodePool,
  ) {
    this.context = { kind: definitionOf(controller), controller: unwrapped(controller), kubernetes, ownFinalizers };
  }

  public judge(service: Json, host?: Construct): Judgement {
    const { name } = this.controller;
    const workload = this.workload && lookAt(this.workload);
    const pinnedTo = this.workload && PodPlacement.find(this.workload)?.pinnedTo;
    // a pool for the pods and another one for the backend are reported by their names
    const isReported = this.backendNodes !== undefined && pinnedTo?.sameAs(this.backendNodes) === false;
    const context = {
      ...this.context,
      workload,
      pods: workload && !isReported ? [podTemplateOf(workload)?.spec ?? {}] : undefined,
      nodePool: this.backendNodes ?? pinnedTo,
      // most Services have no rule that looks at others
      get among() {
        return host && amongOthersOf(host, service);
      },
    };
    const judgement = serviceRulesOf(context.kind)
      .judge(service, context, name)
      .claiming(claimsOf(service, context.kind));
    return workload
      ? judgement.and(endpointRules.judge(service, context, name)).and(workloadRules.judge(workload, context, name))
      : judgement;
  }
}
