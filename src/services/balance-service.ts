import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { BoundPlan } from '../contract/bound-plan';
import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController, LoadBalancerRequest } from '../contract/load-balancer-request';
import type { NodePool } from '../contract/node-pool';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../contract/options';
import { PodPlacement } from '../contract/pod-placement';
import { findingOf, type WordedRule } from '../contract/rule';
import { currentJson, indexedObjectOf } from '../rules/app-objects';
import { claimsOf } from '../rules/claims';
import { definitionOf, unwrapped } from '../rules/controller-definition';
import { finalizerLeft } from '../rules/finalizer-rules';
import { MANIFEST_RULES } from '../rules/manifest-rules';
import type { RuleContext } from '../rules/rule';
import { type CheckResult, RuleSet } from '../rules/rule-set';
import { serviceRulesOf } from '../rules/service-rule-set';
import { BalancedObject, type ObjectCheck, type Rendering } from '../rules/synth-object';
import { contextOfPods, ENDPOINT_RULES, WORKLOAD_RULES } from '../rules/workload-rules';
import { NO_ROLLOUT, rollOut } from './roll-out';
import { PODS_ELSEWHERE, PODS_MAY_BE_ELSEWHERE, PODS_NOT_PINNED } from './rules.facts';

export interface BalancedServiceOptions {
  readonly host: Construct;
  readonly target: ApiObject;
  readonly rendering: Rendering;
  readonly controller: ILoadBalancerController;
  readonly bound: BoundPlan;
  readonly request: LoadBalancerRequest;
  readonly workload?: ApiObject;
  /** True if people wrote the Service: its annotations are validated as those of files are. */
  readonly isWritten?: boolean;
  readonly problems?: readonly LoadBalancerFinding[];
  readonly warnings?: readonly LoadBalancerFinding[];
}

const NONE: readonly LoadBalancerFinding[] = [];

/** Registers a Service with the app: it is validated before anything is written, and written as it was validated. */
export function balanceService(options: BalancedServiceOptions): BalancedObject {
  const { host, target, rendering, controller, bound, request, workload } = options;
  const placement = placementFindings(bound.plan, request, workload);
  const rollout = bound.answered ? rollOut(host, bound.plan, request, target, workload) : NO_ROLLOUT;
  const own = options.problems ?? NONE;
  const problems = [...bound.problems, ...placement.problems, ...rollout.problems, ...own];
  const validator = bound.answered
    ? validatorOf(controller, bound.plan.finalizers, request, workload, options.isWritten)
    : new ServiceValidator({ ...NOBODY, name: bound.plan.owner }, DEFAULT_KUBERNETES, [], workload);
  const left = bound.answered
    ? finalizerLeft(definitionOf(controller), bound.plan.owner, request.finalizerPolicy, 'client-apply')
    : NONE;
  const warnings = [...placement.warnings, ...left, ...rollout.warnings, ...(options.warnings ?? NONE)];
  return new BalancedObject(host, target, rendering, bound.plan, problems, warnings, validator);
}

/** Without a plan, only the findings of the API server are of use. */
const NOBODY: ILoadBalancerController = { name: 'nobody', bind: () => ({ owner: 'nobody' }) };

const VALIDATORS = new WeakMap<ILoadBalancerController, ServiceValidator>();

/** Services of one controller of ours have one validator, as long as nothing but the controller makes a difference. */
function validatorOf(
  controller: ILoadBalancerController,
  finalizers: readonly string[] | undefined,
  { kubernetes, backendNodes }: LoadBalancerRequest,
  workload: ApiObject | undefined,
  isWritten: boolean | undefined,
): ServiceValidator {
  if (workload || backendNodes || isWritten || kubernetes !== DEFAULT_KUBERNETES || !definitionOf(controller)) {
    return new ServiceValidator(controller, kubernetes, finalizers, workload, backendNodes, isWritten);
  }
  let validator = VALIDATORS.get(controller);
  if (!validator) {
    validator = new ServiceValidator(controller, kubernetes);
    VALIDATORS.set(controller, validator);
  }
  return validator;
}

function placementFindings(
  plan: LoadBalancerPlan,
  { backendNodes: pool }: LoadBalancerRequest,
  workload: ApiObject | undefined,
): { readonly problems: readonly LoadBalancerFinding[]; readonly warnings: readonly LoadBalancerFinding[] } {
  const pinnedTo = workload && PodPlacement.find(workload)?.pinnedTo;
  if (!pool || (plan.problems ?? []).length > 0 || pinnedTo?.sameAs(pool)) {
    return NO_ROLLOUT;
  }
  const found = (rule: WordedRule) => [
    {
      ...findingOf(rule, { value: pool.name, pinnedTo: pinnedTo?.name }, plan.owner),
      wish: LoadBalancerWish.BACKEND_NODES,
    },
  ];
  if (pinnedTo || plan.nodeRestriction === NodeRestriction.BY_POD_PLACEMENT) {
    return { problems: found(pinnedTo ? PODS_ELSEWHERE : PODS_NOT_PINNED), warnings: NONE };
  }
  return plan.externalTrafficPolicy === TrafficPolicy.LOCAL
    ? { problems: NONE, warnings: found(PODS_MAY_BE_ELSEWHERE) }
    : NO_ROLLOUT;
}

const manifestRules = new RuleSet(MANIFEST_RULES);
const endpointRules = new RuleSet(ENDPOINT_RULES);
const workloadRules = new RuleSet(WORKLOAD_RULES);

/**
 * Validates finished Services of one controller by the API server's rules, those of ownership, those of the owner, and those
 * of the workload behind the Service.
 */
export class ServiceValidator implements ObjectCheck {
  public constructor(
    public readonly controller: ILoadBalancerController,
    private readonly kubernetes: KubernetesVersion,
    private readonly ownFinalizers?: readonly string[],
    private readonly workload?: ApiObject,
    private readonly backendNodes?: NodePool,
    private readonly isWritten = false,
  ) {}

  public check(service: Json, host?: Construct): CheckResult {
    const { controller, kubernetes, ownFinalizers } = this;
    const { name } = controller;
    const workload = this.workload && currentJson(this.workload);
    const pinnedTo = this.workload && PodPlacement.find(this.workload)?.pinnedTo;
    // a pool for the pods and another one for the backend are reported by their names
    const isReported = this.backendNodes !== undefined && pinnedTo?.sameAs(this.backendNodes) === false;
    const kind = definitionOf(controller);
    const context: RuleContext = {
      kind,
      controller: unwrapped(controller),
      kubernetes,
      ownFinalizers,
      ...(workload && contextOfPods([workload])),
      ...(isReported && { pods: undefined }),
      nodePool: this.backendNodes ?? pinnedTo,
      // an index is only asked for by a rule that looks at others, which most Services lack
      get among() {
        return host && indexedObjectOf(host, service);
      },
    };
    const result = serviceRulesOf(kind)
      .check(service, context, name)
      .claiming(claimsOf(service, kind, kind?.versionOf?.(unwrapped(controller))));
    const all = this.isWritten ? result.and(manifestRules.check(service, context, name)) : result;
    return workload
      ? all.and(endpointRules.check(service, context, name)).and(workloadRules.check(workload, context, name))
      : all;
  }
}
