import type { ApiObject } from 'cdk8s';
import { type Json, ownValue } from './json';
import { CONTROLLER_REVISION_HASH_LABEL, POD_TEMPLATE_HASH_LABEL } from './kubernetes.facts';
import { isOverridden, RenderStage, renderLate } from './late-rendering';
import type { NodePool } from './node-pool';
import { PodSpread } from './options';
import { isKeptOn, keepOnPool, podSelectorOf, podTemplateOf, shutsOut, spreadPods } from './placed-pod';
import { PIN_CONTRADICTED, PIN_OVERRIDDEN, PINNED_AND_EXCLUDED, PINNED_TWICE } from './request-rules.facts';
import { validateOnce } from './synth-run';

const PLACEMENT = Symbol('cdk8s-load-balancers.pod-placement');

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

  /** The placement of a workload that was placed already. */
  public static find(workload: ApiObject): PodPlacement | undefined {
    return (workload as ApiObject & { [PLACEMENT]?: PodPlacement })[PLACEMENT];
  }

  private pool?: NodePool;
  private spread = PodSpread.REQUIRED;
  private readonly excluded: NodePool[] = [];
  private readonly conflicts: string[] = [];

  private constructor(private readonly workload: ApiObject) {
    renderLate(workload, RenderStage.PIN, (json) => this.place(json));
    validateOnce(workload, () => (this.conflicts.length > 0 ? this.conflicts : this.contradictions()));
  }

  /** The pool that the pods are pinned to. */
  public get pinnedTo(): NodePool | undefined {
    return this.pool;
  }

  public pin(pool: NodePool, spread: PodSpread | undefined): void {
    if (this.pool && !this.pool.sameAs(pool)) {
      this.conflicts.push(
        `kubernetes: this workload is pinned to node pool '${this.pool.name}' already and cannot be pinned to '${pool.name}' as well; use one pool, or two workloads (${PINNED_TWICE.id})`,
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
        `kubernetes: this workload is pinned to node pool '${pool.name}' and excluded from it; drop one of the two (${PINNED_AND_EXCLUDED.id})`,
      );
    }
  }

  /** The user's own node selector or affinity may leave no node of the pool, and a subclass may take the pin away. */
  private contradictions(): string[] {
    const { pool } = this;
    if (!pool) {
      return [];
    }
    const pod = podTemplateOf(this.workload.toJson())?.spec ?? {};
    const shut = shutsOut(pod, pool).map(
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
    keepOnPool(pod, this.pool, this.excluded);
    if (this.pool && this.spread !== PodSpread.NONE && json.kind !== 'DaemonSet' && json.kind !== 'Pod') {
      spreadPods(pod, {
        spread: this.spread,
        matchLabels: podSelectorOf(json),
        generation: ownValue(GENERATION_LABELS, json.kind),
        zoneSpread: this.pool.zones.length > 1 ? PodSpread.PREFERRED : undefined,
      });
    }
    for (const key of Object.keys(pod).sort()) {
      const value = pod[key];
      delete pod[key];
      pod[key] = value;
    }
    return json;
  }
}
