import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { isOnEachNode } from '../contract/placed-pod';
import { podTemplateOf } from '../contract/workload';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { definitionOf } from '../rules/controller-definition';
import type { Judgement } from '../rules/judgement';
import type { IndexedObject } from '../rules/objects';
import type { RuleContext } from '../rules/rule-context';
import { RuleSet } from '../rules/rule-set';
import { serviceRulesOf, UNOWNED_RULES } from '../rules/service-rule-set';
import { ENDPOINT_RULES } from '../rules/workload-rules';

const ENDPOINTS = new RuleSet(ENDPOINT_RULES);

/** What is known of a Service. */
export interface ServiceKnown {
  /** What of it is of the right type. */
  readonly service: Json;
  readonly owner: LoadBalancerOwner;
  readonly behind: readonly Json[];
  /** All controllers that run in the cluster; unset where that is not known. */
  readonly controllers?: readonly ILoadBalancerController[];
  readonly kubernetes?: KubernetesVersion;
  readonly region?: string;
}

/** Validates a Service of files: the rules see the object as it is, and the workload behind it. */
export function judgeService(among: IndexedObject, known: ServiceKnown): Judgement {
  const { service, owner, behind, controllers, region, kubernetes = DEFAULT_KUBERNETES } = known;
  const { controller } = owner;
  const kind = controller && definitionOf(controller);
  const [workload, ...others] = behind;
  const context: RuleContext = {
    kind,
    controller,
    controllers,
    kubernetes,
    region,
    pods: workload && behind.map((each) => podTemplateOf(each)?.spec ?? {}),
    isOnEachNode: behind.some((each) => isOnEachNode(each.kind, podTemplateOf(each)?.spec ?? {})),
    among,
  };
  const ruleSet = kind ? serviceRulesOf(kind) : UNOWNED_RULES;
  const judgement = ruleSet.judge(among.json, context, kind?.name ?? owner.state);
  // what one of several workloads has is there
  const only = others.length === 0 ? workload : undefined;
  return judgement.and(ENDPOINTS.judge(service, { ...context, workload: only, workloads: behind }, 'kubernetes'));
}
