import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { NodePool } from '../contract/node-pool';
import { isOnEachNode, PodPlacement, podTemplateOf } from '../contract/pod-placement';
import { amongOthersOf, lookAt } from '../rules/app-objects';
import { claimsOf } from '../rules/claims';
import { definitionOf, unwrapped } from '../rules/controller-definition';
import type { ObjectJudge } from '../rules/judged-object';
import type { RuleContext } from '../rules/rule';
import { type Judgement, RuleSet } from '../rules/rule-set';
import { serviceRulesOf } from '../rules/service-rule-set';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../rules/workload-rules';

const endpointRules = new RuleSet(ENDPOINT_RULES);
const workloadRules = new RuleSet(WORKLOAD_RULES);

/**
 * Validates finished Services of one controller by the API server's rules, those of ownership, those of the owner, and those
 * of the workload behind the Service.
 */
export class ServiceJudge implements ObjectJudge {
  public constructor(
    public readonly controller: ILoadBalancerController,
    private readonly kubernetes: KubernetesVersion,
    private readonly ownFinalizers?: readonly string[],
    private readonly workload?: ApiObject,
    private readonly backendNodes?: NodePool,
  ) {}

  public judge(service: Json, host?: Construct): Judgement {
    const { controller, kubernetes, ownFinalizers } = this;
    const { name } = controller;
    const workload = this.workload && lookAt(this.workload);
    const pinnedTo = this.workload && PodPlacement.find(this.workload)?.pinnedTo;
    // a pool for the pods and another one for the backend are reported by their names
    const isReported = this.backendNodes !== undefined && pinnedTo?.sameAs(this.backendNodes) === false;
    const kind = definitionOf(controller);
    const context: RuleContext = {
      kind,
      controller: unwrapped(controller),
      kubernetes,
      ownFinalizers,
      workload,
      pods: workload && !isReported ? [podTemplateOf(workload)?.spec ?? {}] : undefined,
      isOnEachNode: workload && isOnEachNode(workload.kind, podTemplateOf(workload)?.spec ?? {}),
      nodePool: this.backendNodes ?? pinnedTo,
      // an index is only asked for by a rule that looks at others, which most Services lack
      get among() {
        return host && amongOthersOf(host, service);
      },
    };
    const judgement = serviceRulesOf(kind)
      .judge(service, context, name)
      .claiming(claimsOf(service, kind, kind?.versionOf?.(unwrapped(controller))));
    return workload
      ? judgement.and(endpointRules.judge(service, context, name)).and(workloadRules.judge(workload, context, name))
      : judgement;
  }
}
