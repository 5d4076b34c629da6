import type { ApiObject } from 'cdk8s';
import {
  CONTROLLER_REVISION_HASH_LABEL,
  HOSTNAME_LABEL,
  POD_TEMPLATE_HASH_LABEL,
  ZONE_LABEL,
} from './kubernetes.facts';
import { type Json, renderLate } from './late-rendering';
import type { NodePool } from './node-pool';
import { type NodeTaint, TaintEffect } from './node-taint';
import { PodSpread } from './pod-spread';
import { podSelectorOf, podTemplateOf } from './workload';

const PLACEMENT = Symbol('cdk8s-load-balancers.pod-placement');

type Expression = { key: string; operator: string; values?: string[] };
type Term = { matchExpressions?: Expression[]; matchFields?: Expression[] };

/** The hash label by which the generations of a workload are told apart while it rolls. */
const GENERATION_LABELS: Record<string, string> = {
  Deployment: POD_TEMPLATE_HASH_LABEL,
  ReplicaSet: POD_TEMPLATE_HASH_LABEL,
  StatefulSet: CONTROLLER_REVISION_HASH_LABEL,
};

/** Where the pods of one workload may run, as far as node pools decide it; written into it at render. */
export class PodPlacement {
  /** The placement of a workload, one each. */
  public static of(workload: ApiObject): PodPlacement {
    const placed = workload as ApiObject & { [PLACEMENT]?: PodPlacement };
    if (!placed[PLACEMENT]) {
      Object.defineProperty(workload, PLACEMENT, { value: new PodPlacement(workload) });
    }
    return placed[PLACEMENT] as PodPlacement;
  }

  /** The placement of a workload that somebody placed already. */
  public static find(workload: ApiObject): PodPlacement | undefined {
    return (workload as ApiObject & { [PLACEMENT]?: PodPlacement })[PLACEMENT];
  }

  private pool?: NodePool;
  private spread = PodSpread.REQUIRED;
  private readonly excluded: NodePool[] = [];
  private readonly conflicts: string[] = [];

  private constructor(private readonly workload: ApiObject) {
    renderLate(workload, (json) => this.place(json));
    workload.node.addValidation({
      validate: () => (this.conflicts.length > 0 ? this.conflicts : this.contradictions()),
    });
  }

  /** The pool that the pods are pinned to. */
  public get pinnedTo(): NodePool | undefined {
    return this.pool;
  }

  public pin(pool: NodePool, spread: PodSpread | undefined): void {
    if (this.pool && !this.pool.sameAs(pool)) {
      this.conflicts.push(
        `kubernetes: this workload is pinned to node pool '${this.pool.name}' already and cannot be pinned to '${pool.name}' as well; use one pool, or two workloads (pinned-twice)`,
      );
      return;
    }
    this.pool ??= pool;
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
    if (this.pool?.sameAs(pool) && this.excluded.some((other) => other.sameAs(pool))) {
      this.conflicts.push(
        `kubernetes: this workload is pinned to node pool '${pool.name}' and excluded from it; drop one of the two (pinned-and-excluded)`,
      );
    }
  }

  /** The user's own node selector or affinity may leave no node of the pool. */
  private contradictions(): string[] {
    if (!this.pool) {
      return [];
    }
    const pod = podTemplateOf(this.workload.toJson())?.spec ?? {};
    const found: string[] = [];
    for (const [key, value] of Object.entries(this.pool.labels)) {
      const selected = pod.nodeSelector?.[key];
      if (selected !== undefined && selected !== value) {
        found.push(`nodeSelector ${key}=${selected}`);
      }
      const terms = requiredTerms(pod);
      const shut = terms.filter((term) =>
        term.matchExpressions?.some((expression) => rulesOut(expression, key, value)),
      );
      if (terms.length > 0 && shut.length === terms.length) {
        found.push(`node affinity on ${key}`);
      }
    }
    return found.map(
      (what) =>
        `kubernetes: this workload is pinned to node pool '${this.pool?.name}', but its own ${what} shuts that pool out, so no pod can ever run; drop one of the two (pin-contradicted)`,
    );
  }

  private place(json: Json): Json {
    const pod = podTemplateOf(json)?.spec as Json | undefined;
    if (!pod) {
      return json;
    }
    const required = [...this.requirements()];
    if (required.length > 0) {
      pod.affinity = sorted({ ...pod.affinity, nodeAffinity: this.merged(pod, required) });
    }
    for (const taint of this.pool?.taints ?? []) {
      tolerate(pod, taint);
    }
    if (this.pool && this.spread !== PodSpread.NONE && json.kind !== 'DaemonSet' && json.kind !== 'Pod') {
      this.spreadOver(pod, json, this.pool);
    }
    for (const key of Object.keys(pod).sort()) {
      const value = pod[key];
      delete pod[key];
      pod[key] = value;
    }
    return json;
  }

  /** For each requirement its alternatives: the pool's labels must all hold, of an excluded pool's one must fail. */
  private *requirements(): Generator<Expression[]> {
    for (const [key, value] of Object.entries(this.pool?.labels ?? {})) {
      yield [{ key, operator: 'In', values: [value] }];
    }
    for (const pool of this.excluded) {
      yield Object.entries(pool.labels).map(([key, value]) => ({ key, operator: 'NotIn', values: [value] }));
    }
  }

  /** Terms are ORed, so every requirement goes into every term; an alternative doubles the terms. */
  private merged(pod: Json, requirements: Expression[][]): Json {
    // a term without expressions matches no node
    let terms = requiredTerms(pod).filter((term) => term.matchExpressions?.length || term.matchFields?.length);
    terms = terms.length === 0 ? [{}] : terms;
    for (const alternatives of requirements) {
      terms = terms.flatMap((term) => alternatives.map((expression) => withExpression(term, expression)));
    }
    return sorted({
      ...pod.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    });
  }

  private spreadOver(pod: Json, workload: Json, pool: NodePool): void {
    const matchLabels = { ...podSelectorOf(workload) };
    if (Object.keys(matchLabels).length === 0) {
      return;
    }
    const constraints: Json[] = pod.topologySpreadConstraints ?? [];
    const generation = GENERATION_LABELS[workload.kind];
    const spread = (topologyKey: string, whenUnsatisfiable: PodSpread) => {
      if (!constraints.some((constraint) => constraint.topologyKey === topologyKey)) {
        constraints.push({
          labelSelector: { matchLabels: { ...matchLabels } },
          ...(generation ? { matchLabelKeys: [generation] } : {}),
          maxSkew: 1,
          nodeAffinityPolicy: 'Honor',
          nodeTaintsPolicy: 'Honor',
          topologyKey,
          whenUnsatisfiable,
        });
      }
    };
    spread(HOSTNAME_LABEL, this.spread);
    if (pool.zones.length > 1) {
      spread(ZONE_LABEL, PodSpread.PREFERRED);
    }
    pod.topologySpreadConstraints = constraints;
  }
}

function requiredTerms(pod: Json): Term[] {
  return pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
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
  if (expression.key !== key) {
    return false;
  }
  switch (expression.operator) {
    case 'In':
      return !expression.values?.includes(value);
    case 'NotIn':
      return expression.values?.includes(value) === true;
    default:
      return expression.operator === 'DoesNotExist';
  }
}

/** A soft taint needs no toleration. */
function tolerate(pod: Json, taint: NodeTaint): void {
  if (taint.effect === TaintEffect.PREFER_NO_SCHEDULE) {
    return;
  }
  const tolerations: Json[] = pod.tolerations ?? [];
  const tolerated = tolerations.some(
    (toleration) =>
      toleration.tolerationSeconds === undefined &&
      (toleration.effect === undefined || toleration.effect === taint.effect) &&
      (toleration.operator === 'Exists'
        ? toleration.key === undefined || toleration.key === taint.key
        : toleration.key === taint.key && (toleration.value ?? '') === (taint.value ?? '')),
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

function sorted(json: Json): Json {
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));
}
