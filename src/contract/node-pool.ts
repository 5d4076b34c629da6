import type { IConstruct } from 'constructs';
import { refuseWrongProps, refuseWrongValue } from './declared-types';
import { labelKeyFault, labelValueFault } from './kubernetes-syntax';
import { type NodePoolOptions, type PodSpread, TaintEffect } from './options';
import { PodPlacement, workloadIn } from './pod-placement';

/**
 * Nodes that belong together: what distinguishes them from the others (labels) and what keeps pods away from them (taints).
 * One object for the pods and for the balancer's backend, so that the two cannot disagree.
 *
 * `NodePools` has the pools of the clouds.
 */
export class NodePool {
  /**
   * The nodes that carry all of these labels.
   *
   * @param labels at least one; a label alone must never match a node outside the pool
   * @param options facts about the pool
   * @throws when there is no label, or one that Kubernetes would refuse
   */
  public static labeled(labels: { [key: string]: string }, options: NodePoolOptions = {}): NodePool {
    refuseWrongValue('NodePool.labeled', 'labels', '{any}', labels);
    refuseWrongProps('NodePool.labeled', 'NodePoolOptions', options);
    const entries = Object.entries(labels);
    if (entries.length === 0) {
      throw new Error('node pool: there are no labels, which would match every node; give at least one');
    }
    for (const [key, value] of entries) {
      const fault =
        (typeof value === 'string'
          ? undefined
          : `the value of '${key}' is ${JSON.stringify(value)}, which is not a string`) ??
        labelKeyFault(key) ??
        labelValueFault(value) ??
        (value === '' ? `label '${key}' is empty` : undefined);
      if (fault) {
        throw new Error(`node pool: ${fault}; give a label that nodes can have`);
      }
    }
    return new NodePool(
      options.name ?? entries.map(([key, value]) => `${key}=${value}`).join(','),
      { ...labels },
      options.taints ?? [],
      options.zones ?? [],
    );
  }

  private constructor(
    /** The name of the pool. */
    public readonly name: string,
    /** The labels that all of its nodes, and no others, carry together. */
    public readonly labels: { [key: string]: string },
    /** The taints of its nodes. */
    public readonly taints: NodeTaint[],
    /** The zones that its nodes are in; empty where unknown. */
    public readonly zones: string[],
  ) {}

  /**
   * Pins the pods of a workload to this pool: required node affinity, tolerations for the pool's taints, spread over its
   * nodes. Merged at render into whatever affinity the workload has by then, so nothing of the user's is lost and
   * nothing is ORed beside it. Pinning to the same pool again changes nothing.
   *
   * A workload that is pinned to two pools, or pinned to and excluded from one, is an error at synth.
   *
   * @param workload a Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob or Pod: of any cdk8s-plus line, from
   *   `Include`, or an ApiObject
   * @param spread the spread of the pods over the nodes of the pool; by default `PodSpread.REQUIRED`
   * @throws when the construct holds no workload, or several
   */
  public pin(workload: IConstruct, spread?: PodSpread): void {
    PodPlacement.of(workloadIn(workload)).pin(this, spread);
  }

  /**
   * Keeps the pods of a workload off this pool. A workload may be kept off several pools.
   *
   * @param workload as for `pin`
   * @throws when the construct holds no workload, or several
   */
  public exclude(workload: IConstruct): void {
    PodPlacement.of(workloadIn(workload)).exclude(this);
  }

  /**
   * True if the other pool is the same nodes with the same taints.
   *
   * @param other the pool to compare with
   */
  public sameAs(other: NodePool): boolean {
    return this === other || this.identity === other.identity;
  }

  private get identity(): string {
    return JSON.stringify([Object.entries(this.labels).sort(), this.taints.map(String).sort()]);
  }
}

/**
 * A taint of the nodes of a pool.
 */
export class NodeTaint {
  /**
   * Keeps pods away that do not tolerate it.
   *
   * @param key a qualified name
   * @param value at most 63 letters, digits, dashes, dots, underscores
   */
  public static noSchedule(key: string, value?: string): NodeTaint {
    return new NodeTaint(key, TaintEffect.NO_SCHEDULE, value);
  }

  /**
   * Makes the scheduler avoid the nodes; pods need no toleration.
   *
   * @param key a qualified name
   * @param value at most 63 letters, digits, dashes, dots, underscores
   */
  public static preferNoSchedule(key: string, value?: string): NodeTaint {
    return new NodeTaint(key, TaintEffect.PREFER_NO_SCHEDULE, value);
  }

  /**
   * Keeps pods away that do not tolerate it, and evicts those that are there.
   *
   * @param key a qualified name
   * @param value at most 63 letters, digits, dashes, dots, underscores
   */
  public static noExecute(key: string, value?: string): NodeTaint {
    return new NodeTaint(key, TaintEffect.NO_EXECUTE, value);
  }

  private constructor(
    /** The key of the taint. */
    public readonly key: string,
    /** Effect of the taint. */
    public readonly effect: TaintEffect,
    /** The value of the taint; none matches an empty one. */
    public readonly value?: string,
  ) {
    const wrong = labelKeyFault(key) ?? (value === undefined ? undefined : labelValueFault(value));
    if (wrong) {
      throw new Error(`node taint: ${wrong}; write key and value in the syntax of labels`);
    }
  }

  /** The taint as kubectl writes it, `key=value:effect`. */
  public toString(): string {
    return `${this.key}${this.value === undefined ? '' : `=${this.value}`}:${this.effect}`;
  }
}
