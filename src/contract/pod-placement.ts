import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, type Json, list, mapOf, ownValue, sorted, sortKeys, unquoted } from './json';
import {
  ARCH_LABEL,
  CONTROLLER_REVISION_HASH_LABEL,
  HOSTNAME_LABEL,
  OS_LABEL,
  POD_TEMPLATE_HASH_LABEL,
  ZONE_LABEL,
} from './kubernetes.facts';
import { holds } from './kubernetes-syntax';
import { isOverridden, RenderStage, renderLate } from './late-rendering';
import type { NodePool, NodeTaint } from './node-pool';
import { PodSpread, TaintEffect } from './options';
import { PIN_CONTRADICTED, PIN_OVERRIDDEN, PINNED_AND_EXCLUDED, PINNED_TWICE } from './request-rules.facts';
import { apiObjectsIn, validateOnce } from './synth-run';

// Placement of node pools in the spec of a pod, merged into the existing fields.

type Expression = { key: string; operator: string; values?: string[] };
type Term = { matchExpressions?: Expression[]; matchFields?: Expression[] };

interface SpreadOver {
  readonly spread: PodSpread;
  readonly matchLabels: Readonly<Record<string, string>>;
  /** The label by which the generations of the workload are told apart, where it has one. */
  readonly generation?: string;
  /** Spread over zones; none if unset. */
  readonly zoneSpread?: PodSpread;
  /**
   * Over how many nodes and zones they are spread, where a new one is to be made for a pod rather than have two on the
   * only one that is there.
   */
  readonly domains?: { readonly nodes: number; readonly zones?: number };
}

export function keepOnPool(pod: Json, pool: NodePool | undefined, excluded: readonly NodePool[] = []): void {
  const required = [...requirements(pool, excluded)];
  if (required.length > 0) {
    pod.affinity = sorted({ ...pod.affinity, nodeAffinity: merged(pod, required) });
  }
  for (const taint of pool?.taints ?? []) {
    tolerate(pod, taint);
  }
}

export function isKeptOn(pod: Json, pool: NodePool): boolean {
  const kept = structuredClone(pod);
  keepOnPool(kept, pool);
  const placing = (spec: Json) => JSON.stringify([requiredTerms(spec), spec.tolerations ?? []]);
  return placing(kept) === placing(pod);
}

export function spreadPods(pod: Json, { spread, zoneSpread = PodSpread.NONE, ...more }: SpreadOver): void {
  const { matchLabels, generation, domains } = more;
  if (Object.keys(matchLabels).length === 0) {
    return;
  }
  const constraints: Json[] = pod.topologySpreadConstraints ?? [];
  const over = (topologyKey: string, whenUnsatisfiable: PodSpread, minDomains: number | undefined) => {
    const isSpread = constraints.some((constraint) => constraint.topologyKey === topologyKey);
    if (!isSpread && whenUnsatisfiable !== PodSpread.NONE) {
      constraints.push({
        labelSelector: { matchLabels: { ...matchLabels } },
        ...(generation ? { matchLabelKeys: [generation] } : {}),
        maxSkew: 1,
        // the API server takes it beside DoNotSchedule alone
        ...(minDomains && whenUnsatisfiable === PodSpread.REQUIRED ? { minDomains } : {}),
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Honor',
        topologyKey,
        whenUnsatisfiable,
      });
    }
  };
  over(HOSTNAME_LABEL, spread, domains?.nodes);
  over(ZONE_LABEL, zoneSpread, domains?.zones);
  if (constraints.length > 0) {
    pod.topologySpreadConstraints = constraints;
  }
}

/** Requirement in the pod's own node selector or affinity that leaves no node of the pool. */
export function excludingTerms(pod: Json, pool: Pick<NodePool, 'labels'>): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(pool.labels)) {
    const selected = pod.nodeSelector?.[key];
    if (selected !== undefined && selected !== value) {
      found.push(`nodeSelector ${key}=${unquoted(selected)}`);
    }
    const terms = requiredTerms(pod);
    const shut = terms.filter((term) =>
      list<Expression>(term?.matchExpressions).some(
        (expression) => isMap(expression) && rulesOut(expression, key, value),
      ),
    );
    if (terms.length > 0 && shut.length === terms.length) {
      found.push(`node affinity on ${key}`);
    }
  }
  return found;
}

/** The names of node pools on which a pod may run alone, by the labels that it demands and that are called after pools. */
export function poolsOf(pod: Json): string[] {
  const selected = Object.entries(mapOf(pod.nodeSelector)).filter(([key]) => POOL_LABEL.test(key));
  if (selected.length > 0) {
    return selected.map(([, value]) => String(value));
  }
  const terms = requiredTerms(pod).map((term) =>
    list<Json>(term?.matchExpressions)
      .filter((each) => isMap(each) && each.operator === 'In' && POOL_LABEL.test(String(each.key)))
      .flatMap(({ values }) => list(values).map(String)),
  );
  return terms.every((names) => names.length > 0) ? terms.flat() : [];
}

/** `agentpool`, `kubernetes.azure.com/agentpool`, `nodepool.example.com/name`. */
const POOL_LABEL = /pool/i;

export function choosesNodes(pod: Json): boolean {
  return Object.keys(pod.nodeSelector ?? {}).length > 0 || requiredTerms(pod).length > 0;
}

/** True if a workload has a pod on each node of the cluster, or on each that runs Linux. */
export function isOnEachNode(kind: unknown, pod: Json): boolean {
  const isOfSystem = Object.keys(pod.nodeSelector ?? {}).every((key) => key === OS_LABEL);
  return kind === 'DaemonSet' && isOfSystem && requiredTerms(pod).length === 0;
}

type Taint = Pick<NodeTaint, 'key' | 'value'> & { readonly effect: string };

/** True if a toleration is for a taint; nothing that is empty restricts it. */
function tolerates({ key, operator, value, effect }: Json, taint: Taint): boolean {
  return (
    (!effect || effect === taint.effect) &&
    (operator === 'Exists' ? !key || key === taint.key : key === taint.key && (value ?? '') === (taint.value ?? ''))
  );
}

export function taintsAgainst<T extends Taint>(pod: Json, { taints }: { readonly taints: readonly T[] }): T[] {
  const tolerations = list<Json>(pod.tolerations).filter(isMap);
  return taints.filter(
    (taint) => taint.effect !== TaintEffect.PREFER_NO_SCHEDULE && !tolerations.some((one) => tolerates(one, taint)),
  );
}

/**
 * The pools on which a pod may run alone, by the labels that it demands.
 * @returns nothing where it demands no pool that is known, or may run on others as well
 */
export function demandedPools(pod: Json, pools: readonly NodePool[]): NodePool[] {
  const selected = Object.entries(mapOf(pod.nodeSelector)).map(([key, value]) => ({
    key,
    values: [value],
  }));
  const terms = requiredTerms(pod);
  const demands = (terms.length > 0 ? terms : [{}]).map((term) => {
    const demanded = [...selected, ...list<Json>(term?.matchExpressions).filter(isIn)];
    const possible = pools.filter(({ labels }) =>
      Object.entries(labels).every(([label, value]) =>
        demanded.some(({ key, values }) => key === label && list(values).includes(value)),
      ),
    );
    const isAll = demanded.some(({ key, values }) =>
      list(values).every((value) => possible.some(({ labels }) => labels[key] === value)),
    );
    return isAll ? possible : [];
  });
  return demands.every((possible) => possible.length > 0) ? [...new Set(demands.flat())] : [];
}

const isIn = (expression: unknown) => isMap(expression) && expression.operator === 'In';

/**
 * True if something adds a toleration when a pod is made: of the extended resource that it requests, and of an
 * architecture, as on GKE. A RuntimeClass may add any. kubernetes/kubernetes v1.36.3,
 * plugin/pkg/admission/extendedresourcetoleration/admission.go and runtimeclass/admission.go; Google Cloud, GKE docs
 * 2026-11, prepare-arm-workloads-for-deployment
 */
export function isToleratedByAdmission({ containers, initContainers }: Json, key: string): boolean {
  const requested = [...list<Json>(containers), ...list<Json>(initContainers)].flatMap((container) => {
    const { limits, requests } = container?.resources ?? {};
    return [limits, requests].filter(isMap).flatMap(Object.keys);
  });
  return key === ARCH_LABEL || requested.includes(key);
}

/** For each requirement its alternatives: the pool's labels must all hold, of an excluded pool's one must fail. */
function* requirements(pool: NodePool | undefined, excluded: readonly NodePool[]): Generator<Expression[]> {
  for (const [key, value] of Object.entries(pool?.labels ?? {})) {
    yield [{ key, operator: 'In', values: [value] }];
  }
  for (const { labels } of excluded) {
    yield Object.entries(labels).map(([key, value]) => ({ key, operator: 'NotIn', values: [value] }));
  }
}

/** Terms are ORed, so every requirement goes into every term; an alternative doubles the terms. */
function merged(pod: Json, required: Expression[][]): Json {
  // a term without expressions matches no node
  let terms = requiredTerms(pod).filter((term) => term.matchExpressions?.length || term.matchFields?.length);
  terms = terms.length === 0 ? [{}] : terms;
  for (const alternatives of required) {
    terms = terms.flatMap((term) => alternatives.map((expression) => withExpression(term, expression)));
  }
  return sorted({
    ...pod.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
  });
}

function requiredTerms(pod: Json): Term[] {
  const terms: unknown = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return Array.isArray(terms) ? terms : [];
}

function withExpression(term: Term, expression: Expression): Term {
  const present = term.matchExpressions ?? [];
  const same = (other: Expression) =>
    other.key === expression.key &&
    other.operator === expression.operator &&
    JSON.stringify(other.values) === JSON.stringify(expression.values);
  return present.some(same) ? term : { ...term, matchExpressions: [...present, expression] };
}

function rulesOut(expression: Expression, key: string, value: string): boolean {
  const isKnown = ['In', 'NotIn', 'DoesNotExist'].includes(expression.operator);
  return expression.key === key && isKnown && !holds(expression, { [key]: value });
}

/** A soft taint needs no toleration. */
function tolerate(pod: Json, taint: NodeTaint): void {
  if (taint.effect === TaintEffect.PREFER_NO_SCHEDULE) {
    return;
  }
  const tolerations: Json[] = pod.tolerations ?? [];
  const tolerated = tolerations.some(
    (toleration) => toleration.tolerationSeconds === undefined && tolerates(toleration, taint),
  );
  if (!tolerated) {
    tolerations.push({
      effect: taint.effect,
      key: taint.key,
      ...(taint.value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value: taint.value }),
    });
  }
  pod.tolerations = tolerations;
}

const TEMPLATE = ['spec', 'template'];
const POD_TEMPLATES = new Map<unknown, string[]>([
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map((kind) => [kind, TEMPLATE] as const),
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
  ['Pod', []],
]);

/**
 * The ApiObject of the one workload inside a construct: any line of cdk8s-plus, `Include`, typed imports. Throws where
 * there is none, or more than one.
 */
export function workloadIn(construct: IConstruct): ApiObject {
  const found = apiObjectsIn(construct).filter(
    ({ kind, apiGroup }) => POD_TEMPLATES.has(kind) && ['core', 'apps', 'batch'].includes(apiGroup),
  );
  if (found.length === 1) {
    return found[0];
  }
  const seen =
    found.length === 0 ? 'no workload' : `several workloads: ${found.map((child) => child.node.path).join(', ')}`;
  throw new Error(
    `${construct.node.path}: there is ${seen}; pass the construct of one Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob or Pod`,
  );
}

/** The pod template inside a rendered workload (of a Pod, the Pod itself), or inside an object of another kind that has one. */
export function podTemplateOf(workload: Json): Json | undefined {
  const path = POD_TEMPLATES.get(workload.kind);
  const template = (path ?? TEMPLATE).reduce<Json | undefined>((json, key) => json?.[key], workload);
  return path || Array.isArray(template?.spec?.containers) ? template : undefined;
}

export function podTemplatePointer(kind: unknown): string {
  return (POD_TEMPLATES.get(kind) ?? []).map((step) => `/${step}`).join('');
}

export function podSelectorOf(workload: Json): Record<string, string> {
  return workload.spec?.selector?.matchLabels ?? podTemplateOf(workload)?.metadata?.labels ?? {};
}

const PLACEMENTS = new WeakMap<ApiObject, PodPlacement>();

/** The hash label by which the generations of a workload are told apart while it rolls. */
const GENERATION_LABELS: Record<string, string> = {
  Deployment: POD_TEMPLATE_HASH_LABEL,
  ReplicaSet: POD_TEMPLATE_HASH_LABEL,
  StatefulSet: CONTROLLER_REVISION_HASH_LABEL,
};

/** Node pools on which the pods of one workload may run; written into it at render. */
export class PodPlacement {
  public static of(workload: ApiObject): PodPlacement {
    return PLACEMENTS.get(workload) ?? new PodPlacement(workload);
  }

  public static find(workload: ApiObject): PodPlacement | undefined {
    return PLACEMENTS.get(workload);
  }

  public pinnedTo?: NodePool;
  private spread = PodSpread.REQUIRED;
  private readonly excluded: NodePool[] = [];
  private readonly conflicts: string[] = [];

  private constructor(private readonly workload: ApiObject) {
    PLACEMENTS.set(workload, this);
    renderLate(workload, RenderStage.PIN, (json) => this.place(json));
    validateOnce(workload, () => (this.conflicts.length > 0 ? this.conflicts : this.contradictions()));
  }

  public pin(pool: NodePool, spread: PodSpread | undefined): void {
    if (this.pinnedTo && !this.pinnedTo.sameAs(pool)) {
      this.conflicts.push(
        `kubernetes: this workload is pinned to node pool '${this.pinnedTo.name}' already and cannot be pinned to '${pool.name}' as well; use one pool, or two workloads (${PINNED_TWICE.id})`,
      );
      return;
    }
    this.pinnedTo ??= pool;
    this.spread = spread ?? this.spread;
    this.checkExclusion(pool);
  }

  public exclude(pool: NodePool): void {
    if (!this.excluded.some((other) => other.sameAs(pool))) {
      this.excluded.push(pool);
      this.checkExclusion(pool);
    }
  }

  private checkExclusion(pool: NodePool): void {
    if (this.pinnedTo?.sameAs(pool) && this.excluded.some((other) => other.sameAs(pool))) {
      this.conflicts.push(
        `kubernetes: this workload is pinned to node pool '${pool.name}' and excluded from it; drop one of the two (${PINNED_AND_EXCLUDED.id})`,
      );
    }
  }

  /** The user's own node selector or affinity may leave no node of the pool, and a subclass may remove the pin. */
  private contradictions(): string[] {
    const { pinnedTo: pool } = this;
    if (!pool) {
      return [];
    }
    const pod = podTemplateOf(this.workload.toJson())?.spec ?? {};
    const shut = excludingTerms(pod, pool).map(
      (what) =>
        `kubernetes: this workload is pinned to node pool '${pool.name}', but its own ${what} shuts that pool out, so no pod can ever run; drop one of the two (${PIN_CONTRADICTED.id})`,
    );
    return shut.length === 0 && isOverridden(this.workload) && !isKeptOn(pod, pool)
      ? [
          `kubernetes: this workload is pinned to node pool '${pool.name}', but its class overrides toJson and takes affinity or tolerations of the pin away; keep what toJson of the superclass returns, or use a JSON patch (${PIN_OVERRIDDEN.id})`,
        ]
      : shut;
  }

  private place(json: Json): Json {
    const pod = podTemplateOf(json)?.spec as Json | undefined;
    if (!pod) {
      return json;
    }
    keepOnPool(pod, this.pinnedTo, this.excluded);
    if (this.pinnedTo && this.spread !== PodSpread.NONE && json.kind !== 'DaemonSet' && json.kind !== 'Pod') {
      spreadPods(pod, {
        spread: this.spread,
        matchLabels: podSelectorOf(json),
        generation: ownValue(GENERATION_LABELS, json.kind),
        zoneSpread: this.pinnedTo.zones.length > 1 ? PodSpread.PREFERRED : undefined,
      });
    }
    sortKeys(pod);
    return json;
  }
}
