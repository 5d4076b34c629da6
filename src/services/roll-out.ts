import { ApiObject, type Duration, Lazy } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRemoval,
  type Rollout,
  type RolloutPlan,
} from '../contract/options';
import { podSelectorOf, workloadIn } from '../contract/pod-placement';
import { type Found, findingOf, type WordedRule } from '../contract/rule';
import { lookAt } from '../rules/app-objects';
import { DEFAULT_DRAIN_SECONDS } from '../rules/rollout.facts';
import { RolledWorkload } from './rolled-workload';
import { ROLLOUT_NAMESPACE, ROLLOUT_NAMESPACE_LABEL, ROLLOUT_TIME_UNKNOWN, ROLLOUT_WORKLOAD } from './rules.facts';

/** What is wrong between a rollout and the workload, or will surprise. */
export interface RolloutFindings {
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
}

export const NO_ROLLOUT: RolloutFindings = { problems: [], warnings: [] };

/** Kinds whose pods a controller replaces one after the other. */
const REPLACED = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** Writes what a rollout takes into the workload and its Namespace, and makes the budget. */
export function rollOut(
  host: Construct,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  service: ApiObject,
  behind: ApiObject | undefined,
): RolloutFindings {
  const { rollout } = request;
  if (!rollout || (plan.problems ?? []).some(({ wish }) => isRollout(wish))) {
    return NO_ROLLOUT;
  }
  const problem = (rule: WordedRule, found: Found): RolloutFindings => ({
    ...NO_ROLLOUT,
    problems: [{ ...findingOf(rule, found, plan.owner), wish: LoadBalancerWish.ROLLOUT }],
  });
  const known = timesOf(plan, rollout);
  if (!known) {
    return problem(ROLLOUT_TIME_UNKNOWN, {});
  }
  const workload = rollout.workload ? workloadIn(rollout.workload) : behind;
  if (!workload || (behind && workload !== behind)) {
    const form = workload ? 'other' : 'unknown';
    return problem(ROLLOUT_WORKLOAD, { case: form, workload: workload?.node.path, behind: behind?.node.path });
  }
  if (!REPLACED.includes(workload.kind)) {
    return problem(ROLLOUT_WORKLOAD, { case: 'kind', kind: workload.kind, kinds: REPLACED.join(', ') });
  }
  const rolled = RolledWorkload.of(workload);
  if (!behind) {
    rolled.namedBy.push({ service, owner: plan.owner });
  }
  const namespace = labelNamespace(plan, workload, rollout, known.namespaceLabels ?? {});
  rolled.need({
    owner: plan.owner,
    sendsFor: secondsOf(known.stopsSendingAfter),
    waitsFor: known.startsSendingAfter ? secondsOf(known.startsSendingAfter) : 0,
    drain: rollout.drainTime?.toSeconds() ?? DEFAULT_DRAIN_SECONDS,
    isGated: known.namespaceLabels !== undefined && rollout.namespace !== undefined,
    keepsNodes: rollout.nodeRemoval === NodeRemoval.NONE || rollout.nodeRemoval === NodeRemoval.WAITS_FOR_BALANCER,
    kubernetes: request.kubernetes,
  });
  if (rollout.disruptionBudget !== false && workload.kind !== 'DaemonSet' && !rolled.hasBudget) {
    rolled.hasBudget = true;
    makeBudget(host, workload);
  }
  return namespace;
}

/** Other languages name the wish by its member. */
function isRollout(wish: string | undefined): boolean {
  return wish === LoadBalancerWish.ROLLOUT || wish === 'ROLLOUT';
}

/** How the balancer follows its pods: what was measured goes before what is known. */
function timesOf(plan: LoadBalancerPlan, { balancerTime }: Rollout): RolloutPlan | undefined {
  return balancerTime ? { ...plan.rollout, stopsSendingAfter: balancerTime } : plan.rollout;
}

/** Whole seconds, which fields have: a part of one is one more. */
function secondsOf(time: Duration): number {
  return Math.ceil(time.toSeconds({ integral: false }));
}

/** Drains take one pod at a time, and those that never become ready at once. */
function makeBudget(host: Construct, workload: ApiObject): void {
  new ApiObject(host, 'PodDisruptionBudget', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: workload.metadata.namespace },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: Lazy.any({ produce: () => ({ ...podSelectorOf(lookAt(workload)) }) }) },
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  });
}

/** The labels by which pods wait for the balancer; the command that writes them, where the Namespace is not at hand. */
function labelNamespace(
  { owner }: LoadBalancerPlan,
  workload: ApiObject,
  rollout: Rollout,
  labels: Readonly<Record<string, string>>,
): RolloutFindings {
  const wish = LoadBalancerWish.ROLLOUT;
  const name = workload.metadata.namespace;
  const namespace = rollout.namespace && namespaceIn(rollout.namespace);
  if (!rollout.namespace) {
    const words = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const found = { namespace: name ?? 'NAMESPACE', labels: words.join(' '), value: name };
    return words.length === 0
      ? NO_ROLLOUT
      : { ...NO_ROLLOUT, warnings: [{ ...findingOf(ROLLOUT_NAMESPACE_LABEL, found, owner), wish }] };
  }
  const [key, value] =
    (namespace && Object.entries(labels).find((one) => ![undefined, one[1]].includes(labelOf(namespace, one[0])))) ??
    [];
  const form =
    namespace === undefined
      ? 'none'
      : name !== undefined && namespace.name !== name
        ? 'other'
        : key !== undefined && 'label';
  if (form || !namespace) {
    const remedy = key === undefined ? 'pass the Namespace of the workload' : `set ${value}, or take the label out`;
    const label = namespace && key !== undefined ? labelOf(namespace, key) : undefined;
    const found = { case: form, name: namespace?.name, namespace: name, key, label, remedy };
    return { ...NO_ROLLOUT, problems: [{ ...findingOf(ROLLOUT_NAMESPACE, found, owner), wish }] };
  }
  for (const key of Object.keys(labels)) {
    namespace.metadata.addLabel(key, labels[key]);
  }
  return NO_ROLLOUT;
}

function labelOf(namespace: ApiObject, key: string): string | undefined {
  return namespace.metadata.getLabel(key);
}

function namespaceIn(construct: IConstruct): ApiObject | undefined {
  const found = construct.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one) && one.kind === 'Namespace');
  return found.length === 1 ? found[0] : undefined;
}
