import type { ApiObject } from 'cdk8s';
import { compareVersions } from '../contract/compare-versions';
import { isMap, type Json, mapIn, objectNameOf, shown } from '../contract/json';
import { selects } from '../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import { count, type Found, findingOf, type WordedRule } from '../contract/rule';
import { apiObjectsIn } from '../contract/synth-run';
import { currentJson } from '../rules/app-objects';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from '../rules/rollout';
import { DEFAULT_PROGRESS_SECONDS, DEFAULT_UNAVAILABLE, HOOK_SLEEPS } from '../rules/rollout.facts';
import { namespaceInWords } from '../rules/workload-rules';
import type { RolloutNeeds } from './roll-out';
import {
  ROLLOUT_BUDGET_TWICE,
  ROLLOUT_GRACE_PERIOD,
  ROLLOUT_NODE_REMOVAL,
  ROLLOUT_PRE_STOP,
  ROLLOUT_PRE_STOP_UNKNOWN,
  ROLLOUT_READINESS,
  ROLLOUT_REPLICAS,
  ROLLOUT_REPLICAS_UNSET,
  ROLLOUT_SLEEP_PROGRAM,
  ROLLOUT_STRATEGY,
  ROLLOUT_WORKLOAD,
} from './rules.facts';

type RuleFound = readonly [rule: WordedRule, found: Found];

/** Faults of a finished workload by which connections are refused: the balancer sends them where no pod accepts them. */
export function rolloutFaults(
  workload: Json,
  needs: RolloutNeeds,
  object: ApiObject,
  hasBudget: boolean,
): readonly LoadBalancerFinding[] {
  const pod = mapIn(podTemplateOf(workload), 'spec');
  const found: RuleFound[] = [
    ...shortHooks(pod, needs),
    ...shortGrace(pod, needs),
    ...shortWait(workload, needs),
    ...noOtherPod(workload),
    ...unready(pod, needs),
    ...(hasBudget ? otherBudgets(workload, object) : []),
  ];
  if (workload.kind === 'DaemonSet' && !needs.keepsNodes) {
    found.push([ROLLOUT_NODE_REMOVAL, { value: 'DaemonSet' }]);
  }
  return found.map(([rule, finding]) => findingOf(rule, finding, needs.owner));
}

/** Faults of a Service that does not select the pods of its rollout's workload. */
export function unselected(service: Json, workload: Json, owner: string): readonly LoadBalancerFinding[] {
  const labels = mapIn(mapIn(podTemplateOf(workload), 'metadata'), 'labels');
  const selector = Object.entries(mapIn(mapIn(service, 'spec'), 'selector'));
  const named = `rollout.workload ${workload.kind} ${objectNameOf(workload)}`;
  const [from, to] = [service, workload].map(({ metadata }) => metadata?.namespace);
  const why =
    from !== to
      ? `${namespaceInWords(from)}, and ${named} ${namespaceInWords(to)}`
      : selector.some(([key, value]) => labels[key] !== value)
        ? `selects no pod of ${named}: its selector is ${selector.map(([key, value]) => `${key}=${value}`).join(', ')}`
        : undefined;
  return why === undefined
    ? []
    : [findingOf(ROLLOUT_WORKLOAD, { case: 'unselected', service: objectNameOf(service), why }, owner)];
}

/** Possible causes of refused connections that the workload does not show. */
export function rolloutWarnings(
  workload: Json,
  { sendsFor, kubernetes: { version }, owner }: RolloutNeeds,
  object: ApiObject,
): readonly LoadBalancerFinding[] {
  const unknown = servingContainers(mapIn(podTemplateOf(workload), 'spec')).filter((container) => {
    const hook = preStopOf(container);
    return hook && sendsFor > 0 && sleepOf(hook) === undefined;
  });
  const found: RuleFound[] = [
    ...unknown.map(({ name }): RuleFound => [ROLLOUT_PRE_STOP_UNKNOWN, { sendsFor, value: String(name) }]),
    ...(sendsFor > 0 && compareVersions(version, HOOK_SLEEPS) < 0
      ? [[ROLLOUT_SLEEP_PROGRAM, { since: HOOK_SLEEPS, value: version }] satisfies RuleFound]
      : []),
    ...scaledPods(workload, object),
  ];
  return found.map(([rule, finding]) => findingOf(rule, finding, owner));
}

function shortHooks(pod: Json, { sendsFor, owner }: RolloutNeeds): RuleFound[] {
  return servingContainers(pod).flatMap((container): RuleFound[] => {
    const hook = preStopOf(container);
    const seconds = hook ? sleepOf(hook) : 0;
    return seconds !== undefined && seconds < sendsFor
      ? [[ROLLOUT_PRE_STOP, { container: container.name, owner, sendsFor, value: seconds }]]
      : [];
  });
}

function shortGrace(pod: Json, { sendsFor, drain }: RolloutNeeds): RuleFound[] {
  const longest = Math.max(sendsFor, ...servingContainers(pod).map((each) => sleepOf(preStopOf(each) ?? {}) ?? 0));
  const needed = Math.ceil(longest + drain);
  const value = gracePeriodOf(pod);
  return value < needed ? [[ROLLOUT_GRACE_PERIOD, { needed, sendsFor, longest, drain, value }]] : [];
}

function shortWait({ kind, spec }: Json, { waitsFor }: RolloutNeeds): RuleFound[] {
  const waits = Number(spec?.minReadySeconds ?? 0);
  const deadline = Number(spec?.progressDeadlineSeconds ?? DEFAULT_PROGRESS_SECONDS);
  const found: RuleFound[] = [];
  if (waits < waitsFor) {
    found.push([ROLLOUT_STRATEGY, { case: 'ready', waitsFor, value: waits }]);
  }
  if (kind === 'Deployment' && deadline <= waits) {
    found.push([ROLLOUT_STRATEGY, { case: 'deadline', waits, value: deadline }]);
  }
  return found;
}

/** Pods count as ready as soon as they run, where nothing asks them. */
function unready(pod: Json, { isGated }: RolloutNeeds): RuleFound[] {
  const containers = servingContainers(pod);
  const isAsked = containers.some(({ readinessProbe, startupProbe }) => readinessProbe ?? startupProbe);
  return isGated || isAsked || containers.length === 0 ? [] : [[ROLLOUT_READINESS, {}]];
}

// True if there is a pod that serves while another one goes: replicas, updates, autoscalers and budgets.

function scaledPods(workload: Json, object: ApiObject): RuleFound[] {
  const least = leastPods(object);
  if (!isReplicated(workload)) {
    return [];
  }
  if (least !== undefined && least < 2) {
    return [[ROLLOUT_REPLICAS_UNSET, { case: 'few', pods: count(least, 'pod') }]];
  }
  return workload.spec?.replicas === undefined && least === undefined
    ? [[ROLLOUT_REPLICAS_UNSET, { case: 'unset' }]]
    : [];
}

function isReplicated({ kind }: Json): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet';
}

function noOtherPod(workload: Json): RuleFound[] {
  const { kind, spec } = workload;
  const found = isReplicated(workload) ? fewPods(spec.replicas) : [];
  const strategy = mapIn(spec, 'strategy');
  if (kind === 'Deployment' && strategy.type === 'Recreate') {
    found.push([ROLLOUT_STRATEGY, { case: 'recreate', value: 'Recreate' }]);
  }
  const { maxUnavailable } = mapIn(kind === 'Deployment' ? strategy : mapIn(spec, 'updateStrategy'), 'rollingUpdate');
  if (takesAll(maxUnavailable, spec.replicas)) {
    const replicas = isReplicated(workload) && spec.replicas ? `${spec.replicas} ` : '';
    found.push([ROLLOUT_STRATEGY, { case: 'unavailable', replicas, value: String(maxUnavailable) }]);
  }
  return found;
}

function fewPods(replicas: unknown): RuleFound[] {
  const isCount = Number.isInteger(replicas) && Number(replicas) >= 0;
  if (replicas === undefined || (isCount && Number(replicas) > 1)) {
    return [];
  }
  const why = !isCount
    ? ', which is not a whole number'
    : replicas === 0
      ? ': no pod serves'
      : ': while its node is drained there is no pod';
  return [[ROLLOUT_REPLICAS, { shown: shown(replicas), why, value: String(replicas) }]];
}

/** True if an update may take all pods, as far as it is known how many there are. */
function takesAll(maxUnavailable: unknown, replicas: unknown): boolean {
  const text = String(maxUnavailable ?? DEFAULT_UNAVAILABLE);
  const isAll = text.endsWith('%') && Number(text.slice(0, -1)) >= 100;
  return isAll || (typeof replicas === 'number' && replicas > 1 && takenOf(text, replicas) >= replicas);
}

function takenOf(text: string, replicas: number): number {
  return text.endsWith('%') ? Math.floor((Number(text.slice(0, -1)) / 100) * replicas) : Number(text);
}

function leastPods(object: ApiObject): number | undefined {
  const [spec] = apiObjectsIn(object.node.root)
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    .map((one) => mapIn(currentJson(one), 'spec'))
    .filter(({ scaleTargetRef: target }) => target?.kind === object.kind && target?.name === object.name);
  return spec && Number(spec.minReplicas ?? 1);
}

function otherBudgets(workload: Json, object: ApiObject): RuleFound[] {
  const labels = mapIn(mapIn(podTemplateOf(workload), 'metadata'), 'labels');
  const selecting = apiObjectsIn(object.node.root).filter((budget) => {
    if (budget.kind !== 'PodDisruptionBudget') return false;
    const json = currentJson(budget);
    const selector: unknown = mapIn(json, 'spec').selector;
    const isOfAll = isMap(selector) && Object.keys(selector).length === 0;
    const isNear = json.metadata?.namespace === workload.metadata?.namespace;
    return isNear && (isOfAll || selects(selector, labels));
  });
  const budgets = selecting.map(({ node }) => node.path).join(' and ');
  return selecting.length > 1 ? [[ROLLOUT_BUDGET_TWICE, { budgets }]] : [];
}
