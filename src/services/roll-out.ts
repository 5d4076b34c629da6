import { ApiObject, type Duration, Lazy } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { compareVersions } from '../contract/compare-versions';
import { isMap, type Json, mapIn, mapsIn, sortKeys } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import { RenderStage, renderLate } from '../contract/late-rendering';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRemoval,
  type Rollout,
  type RolloutPlan,
} from '../contract/options';
import { podSelectorOf, podTemplateOf, workloadIn } from '../contract/pod-placement';
import { type Found, findingOf, sentenceOf, type WordedRule } from '../contract/rule';
import { apiObjectsIn, validateOnce } from '../contract/synth-run';
import { currentJson } from '../rules/app-objects';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from '../rules/rollout';
import { DEFAULT_DRAIN_SECONDS, DEFAULT_GRACE_SECONDS, DEFAULT_UNAVAILABLE, HOOK_SLEEPS } from '../rules/rollout.facts';
import { warnOf } from '../rules/warnings';
import { rolloutFaults, rolloutWarnings, unselected } from './rollout-faults';
import { ROLLOUT_NAMESPACE, ROLLOUT_NAMESPACE_LABEL, ROLLOUT_TIME_UNKNOWN, ROLLOUT_WORKLOAD } from './rules.facts';

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
  // other languages name the wish by its member
  if (!rollout || plan.problems?.some(({ wish }) => wish === LoadBalancerWish.ROLLOUT || wish === 'ROLLOUT')) {
    return NO_ROLLOUT;
  }
  const problem = (rule: WordedRule, found: Found): RolloutFindings => ({
    ...NO_ROLLOUT,
    problems: [{ ...findingOf(rule, found, plan.owner), wish: LoadBalancerWish.ROLLOUT }],
  });
  const { balancerTime } = rollout;
  const known: RolloutPlan | undefined = balancerTime
    ? { ...plan.rollout, stopsSendingAfter: balancerTime }
    : plan.rollout;
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
      selector: { matchLabels: Lazy.any({ produce: () => ({ ...podSelectorOf(currentJson(workload)) }) }) },
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
    (namespace &&
      Object.entries(labels).find((one) => ![undefined, one[1]].includes(namespace.metadata.getLabel(one[0])))) ??
    [];
  const form =
    namespace === undefined
      ? 'none'
      : name !== undefined && namespace.name !== name
        ? 'other'
        : key !== undefined && 'label';
  if (form || !namespace) {
    const remedy = key === undefined ? 'pass the Namespace of the workload' : `set ${value}, or remove the label`;
    const label = key === undefined ? undefined : namespace?.metadata.getLabel(key);
    const found = { case: form, name: namespace?.name, namespace: name, key, label, remedy };
    return { ...NO_ROLLOUT, problems: [{ ...findingOf(ROLLOUT_NAMESPACE, found, owner), wish }] };
  }
  for (const key of Object.keys(labels)) {
    namespace.metadata.addLabel(key, labels[key]);
  }
  return NO_ROLLOUT;
}

function namespaceIn(construct: IConstruct): ApiObject | undefined {
  const found = apiObjectsIn(construct).filter(({ kind }) => kind === 'Namespace');
  return found.length === 1 ? found[0] : undefined;
}

const ROLLED = new WeakMap<ApiObject, RolledWorkload>();

export interface RolloutNeeds {
  readonly owner: string;
  /** Seconds for which they still come, after a pod is told to go. */
  readonly sendsFor: number;
  /** Seconds in which none come to a pod that is ready. */
  readonly waitsFor: number;
  /** Seconds that a pod takes to finish, after that. */
  readonly drain: number;
  /** True if pods are ready only once the balancer has taken them in. */
  readonly isGated: boolean;
  /** True if nodes are removed only after the balancer has left them. */
  readonly keepsNodes: boolean;
  readonly kubernetes: KubernetesVersion;
}

/** A workload whose pods live on until their balancers send no more connections: what that takes is written at render. */
export class RolledWorkload {
  /** The same for all Services of a workload. */
  public static of(workload: ApiObject): RolledWorkload {
    return ROLLED.get(workload) ?? new RolledWorkload(workload);
  }

  private needs?: RolloutNeeds;
  public hasBudget = false;
  /** Services that name it in their rollout alone: whether they select its pods is asked at the end. */
  public readonly namedBy: { readonly service: ApiObject; readonly owner: string }[] = [];

  private constructor(private readonly workload: ApiObject) {
    ROLLED.set(workload, this);
    renderLate(workload, RenderStage.ROLL, (json) => (this.needs ? rolled(json, this.needs) : json));
    validateOnce(workload, () => this.faults().map(sentenceOf));
    warnOf(workload, () => (this.needs ? rolloutWarnings(currentJson(workload), this.needs, workload) : []));
  }

  /** Adds what a Service needs: of several the longest times count. */
  public need(needs: RolloutNeeds): void {
    const { needs: before } = this;
    this.needs = before
      ? {
          owner: before.sendsFor >= needs.sendsFor ? before.owner : needs.owner,
          sendsFor: Math.max(before.sendsFor, needs.sendsFor),
          waitsFor: Math.max(before.waitsFor, needs.waitsFor),
          drain: Math.max(before.drain, needs.drain),
          isGated: before.isGated && needs.isGated,
          keepsNodes: before.keepsNodes && needs.keepsNodes,
          kubernetes: needs.kubernetes.isAtLeast(before.kubernetes) ? before.kubernetes : needs.kubernetes,
        }
      : needs;
  }

  private faults(): readonly LoadBalancerFinding[] {
    const { needs, workload } = this;
    if (!needs) {
      return [];
    }
    const json = currentJson(workload);
    return [
      ...this.namedBy.flatMap(({ service, owner }) => unselected(currentJson(service), json, owner)),
      ...rolloutFaults(json, needs, workload, this.hasBudget),
    ];
  }
}

function rolled(json: Json, needs: RolloutNeeds): Json {
  const pod: unknown = podTemplateOf(json)?.spec;
  if (!isMap(pod) || !isMap(json.spec)) {
    return json;
  }
  pod.containers = mapsIn(pod, 'containers').map((container) => waiting(container, needs));
  const longest = Math.max(
    needs.sendsFor,
    ...servingContainers(pod).map((each) => sleepOf(preStopOf(each) ?? {}) ?? 0),
  );
  if (gracePeriodOf(pod) === DEFAULT_GRACE_SECONDS) {
    put(pod, 'terminationGracePeriodSeconds', Math.max(DEFAULT_GRACE_SECONDS, Math.ceil(longest + needs.drain)));
  }
  const { spec } = json;
  if (needs.waitsFor > 0 && !(Number(spec.minReadySeconds) > 0)) {
    put(spec, 'minReadySeconds', needs.waitsFor);
  }
  if (json.kind === 'Deployment') {
    addBeforeTaking(spec);
  }
  return json;
}

function waiting(container: Json, { sendsFor, kubernetes }: RolloutNeeds): Json {
  if (sendsFor === 0 || preStopOf(container)) {
    return container;
  }
  const sleeps = compareVersions(kubernetes.version, HOOK_SLEEPS) >= 0;
  const preStop = sleeps ? { sleep: { seconds: sendsFor } } : { exec: { command: ['sleep', String(sendsFor)] } };
  const rendered = { ...container };
  put(rendered, 'lifecycle', { ...mapIn(container, 'lifecycle'), preStop });
  return rendered;
}

/** An update that makes a new pod before it takes an old one, where the Deployment leaves that to the default. */
function addBeforeTaking(spec: Json): void {
  const strategy = mapIn(spec, 'strategy');
  const { maxUnavailable, maxSurge, ...others } = mapIn(strategy, 'rollingUpdate');
  const isDefault = maxUnavailable === undefined || maxUnavailable === DEFAULT_UNAVAILABLE;
  const addsNone = maxSurge === 0 || maxSurge === '0%';
  if ((strategy.type ?? 'RollingUpdate') === 'RollingUpdate' && isDefault && !addsNone) {
    put(spec, 'strategy', {
      rollingUpdate: { ...others, ...(maxSurge === undefined ? {} : { maxSurge }), maxUnavailable: 0 },
      type: 'RollingUpdate',
    });
  }
}

/** Sets a field; fields stay in the order of their names, in which cdk8s writes them. */
function put(map: Json, field: string, value: unknown): void {
  map[field] = value;
  sortKeys(map);
}
