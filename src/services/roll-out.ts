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
import { type DescribedRule, findingOf } from '../contract/rule';
import { lookAt } from '../rules/app-objects';
import { DEFAULT_DRAIN_SECONDS } from '../rules/rollout.facts';
import { RolledWorkload } from './rolled-workload';
import { ROLLOUT_NAMESPACE, ROLLOUT_NAMESPACE_LABEL, ROLLOUT_TIME_UNKNOWN, ROLLOUT_WORKLOAD } from './rollout-rules';

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
  const problem = (rule: DescribedRule, what: string, remedy: string): RolloutFindings => ({
    ...NO_ROLLOUT,
    problems: [{ ...findingOf(rule, { what, remedy }, plan.owner), wish: LoadBalancerWish.ROLLOUT }],
  });
  const known = timesOf(plan, rollout);
  if (!known) {
    return problem(
      ROLLOUT_TIME_UNKNOWN,
      'the plan does not say for how long connections are sent to a pod that goes',
      'set stopsSendingAfter in the rollout of the plan, or rollout.balancerTime',
    );
  }
  const workload = rollout.workload ? workloadIn(rollout.workload) : behind;
  if (!workload || (behind && workload !== behind)) {
    return problem(
      ROLLOUT_WORKLOAD,
      workload
        ? `rollout.workload is ${workload.node.path}, and the Service is for ${behind?.node.path}`
        : 'the workload is not known, whose pods are to live on until the balancer sends no more connections',
      workload ? 'leave rollout.workload out' : 'pass it as workload, or as rollout.workload',
    );
  }
  if (!REPLACED.includes(workload.kind)) {
    return problem(
      ROLLOUT_WORKLOAD,
      `nothing replaces the pods of a ${workload.kind} one after the other`,
      `use a ${REPLACED.join(', ')}`,
    );
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
    return words.length === 0
      ? NO_ROLLOUT
      : {
          ...NO_ROLLOUT,
          warnings: [
            {
              ...findingOf(
                ROLLOUT_NAMESPACE_LABEL,
                {
                  what: `pods wait for the balancer only where their Namespace is labelled so: without it an update may take all pods that the balancer knows`,
                  remedy: `pass the Namespace as rollout.namespace, or run: kubectl label namespace ${name ?? 'NAMESPACE'} ${words.join(' ')}; pods that are made after that wait`,
                  value: name,
                },
                owner,
              ),
              wish,
            },
          ],
        };
  }
  const other =
    namespace && Object.entries(labels).find(([key, value]) => ![undefined, value].includes(labelOf(namespace, key)));
  const fault =
    namespace === undefined
      ? 'rollout.namespace is not one Namespace'
      : name !== undefined && namespace.name !== name
        ? `rollout.namespace is ${namespace.name}, and the workload is in ${name}`
        : other &&
          `Namespace ${namespace.name} has label ${other[0]}: ${labelOf(namespace, other[0])}, by which its pods do not wait for the balancer`;
  if (fault || !namespace) {
    const remedy = other ? `set ${other[1]}, or take the label out` : 'pass the Namespace of the workload';
    const finding = findingOf(ROLLOUT_NAMESPACE, { what: String(fault), remedy }, owner);
    return { ...NO_ROLLOUT, problems: [{ ...finding, wish }] };
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
