import type { ApiObject } from 'cdk8s';
import { compareVersions } from '../contract/compare-versions';
import { isMap, type Json, mapIn, mapsIn } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import { RenderStage, renderLate } from '../contract/late-rendering';
import type { LoadBalancerFinding } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import { sentenceOf } from '../contract/rule';
import { validateOnce } from '../contract/synth-run';
import { lookAt } from '../rules/app-objects';
import { gracePeriodOf, preStopOf, servingContainers, sleepOf } from '../rules/rollout';
import { DEFAULT_GRACE_SECONDS, DEFAULT_UNAVAILABLE, HOOK_SLEEPS } from '../rules/rollout.facts';
import { warnOf } from '../rules/warnings';
import { rolloutFaults, rolloutWarnings, unselected } from './rollout-faults';

const ROLLED = Symbol('cdk8s-load-balancers.rolled-workload');

/** What one Service needs of the pods behind it. */
export interface RolloutNeeds {
  /** Who sends the connections. */
  readonly owner: string;
  /** Seconds for which they still come, after a pod is told to go. */
  readonly sendsFor: number;
  /** Seconds in which none come to a pod that is ready. */
  readonly waitsFor: number;
  /** Seconds that a pod takes to finish, after that. */
  readonly drain: number;
  /** Whether pods are ready only once the balancer has taken them in. */
  readonly isGated: boolean;
  /** Whether nodes are removed only after the balancer has left them. */
  readonly keepsNodes: boolean;
  readonly kubernetes: KubernetesVersion;
}

/** A workload whose pods live on until their balancers send no more connections: what that takes is written at render. */
export class RolledWorkload {
  /** The same for all Services of a workload. */
  public static of(workload: ApiObject): RolledWorkload {
    const rolled = workload as ApiObject & { [ROLLED]?: RolledWorkload };
    if (!rolled[ROLLED]) {
      Object.defineProperty(workload, ROLLED, { value: new RolledWorkload(workload) });
    }
    return rolled[ROLLED] as RolledWorkload;
  }

  private needs?: RolloutNeeds;
  /** Whether a budget was made for it. */
  public hasBudget = false;
  /** Services that name it in their rollout alone: whether they select its pods is asked at the end. */
  public readonly namedBy: { readonly service: ApiObject; readonly owner: string }[] = [];

  private constructor(private readonly workload: ApiObject) {
    renderLate(workload, RenderStage.ROLL, (json) => (this.needs ? rolled(json, this.needs) : json));
    validateOnce(workload, () => this.faults().map(sentenceOf));
    warnOf(workload, () => (this.needs ? rolloutWarnings(lookAt(workload), this.needs, workload) : []));
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
    const json = lookAt(workload);
    return [
      ...this.namedBy.flatMap(({ service, owner }) => unselected(lookAt(service), json, owner)),
      ...rolloutFaults(json, needs, workload, this.hasBudget),
    ];
  }
}

/** The workload with what it does not say itself. */
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

/** A container with a hook that waits, unless it has one. */
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
  for (const key of Object.keys(map).sort()) {
    const kept = map[key];
    delete map[key];
    map[key] = kept;
  }
}
