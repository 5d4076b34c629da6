import type { IConstruct } from 'constructs';
import { refuse, refuseWrongValue } from '../../contract/declared-types';
import { LOSSES } from '../../contract/edit';
import { shown } from '../../contract/json';
import type { LoadBalancerOutcome } from '../../contract/options';
import { WRONG_PROP } from '../../contract/request-rules.facts';
import { diffOf } from '../diff';
import type { Side } from '../side';
import type { LoadBalancerChange } from './options';
import { diffText, publicChange, readAppliedManifests, sideBefore, sideOfApp } from './sides-of-app';

/**
 * Effects of a change of an app on its live load balancers: for tests, which can hold the app against what was written before.
 *
 * It looks at the apps as they are now, and nothing of it is part of a synth. What a cluster has beside the manifests is not known.
 */
export class LoadBalancerDiff {
  /**
   * The difference between two constructs, each with everything below it.
   *
   * @param older an App, a Chart or any construct, as it is applied
   * @param newer the same, as it will be applied
   * @param prune true if objects that are not in the newer one any more are deleted from the cluster, as Argo CD and Flux do
   *   where they are configured to; by default it is not known
   * @throws on values of another type than they are declared with
   */
  public static between(older: IConstruct, newer: IConstruct, prune?: boolean): LoadBalancerDiff {
    refuseWrongValue('LoadBalancerDiff.between', 'older', 'IConstruct', older);
    refuseWrongValue('LoadBalancerDiff.between', 'newer', 'IConstruct', newer);
    refuseWrongPrune('LoadBalancerDiff.between', prune);
    const before = sideOfApp(older);
    return new LoadBalancerDiff(before, sideOfApp(newer, { older: before.manifests }), prune);
  }

  /**
   * The difference between manifests that were written before and a construct with everything below it.
   *
   * @param path a folder of YAML files, or one file; it counts from the working directory
   * @param newer an App, a Chart or any construct, as it will be applied
   * @param prune as for `between`
   * @throws where nothing is there, or something of it cannot be read
   */
  public static fromOutput(path: string, newer: IConstruct, prune?: boolean): LoadBalancerDiff {
    refuseWrongValue('LoadBalancerDiff.fromOutput', 'path', 'string', path);
    refuseWrongValue('LoadBalancerDiff.fromOutput', 'newer', 'IConstruct', newer);
    refuseWrongPrune('LoadBalancerDiff.fromOutput', prune);
    const written = readAppliedManifests(path);
    refuse('LoadBalancerDiff.fromOutput', [
      ...(written
        ? []
        : [`path ${shown(path)} leads to no file and no folder; pass one that is there (${WRONG_PROP.id})`]),
      ...(written?.unreadable.map((what) => `${what}; pass manifests that can be read (${WRONG_PROP.id})`) ?? []),
    ]);
    const manifests = written?.manifests ?? [];
    const after = sideOfApp(newer, { asWritten: true, older: manifests });
    return new LoadBalancerDiff(sideBefore(path, manifests, newer, after), after, prune);
  }

  /** Effects on each load balancer, worst first, with unaffected ones. */
  public readonly changes: LoadBalancerChange[];

  /** Objects that could not be compared, with reasons, a sentence each: balancers whose number is not known. */
  public readonly gaps: string[];

  private constructor(before: Side, after: Side, prune?: boolean) {
    this.changes = diffOf(before, after, { prune }).map(publicChange);
    this.gaps = [...new Set([...before.gaps, ...after.gaps])];
  }

  /** The changes with which something is lost, cut off or not carried out: everything that is worse than UNKNOWN. */
  public get losses(): LoadBalancerChange[] {
    const losses: ReadonlySet<string> = LOSSES;
    return this.changes.filter(({ outcome }) => losses.has(outcome));
  }

  /**
   * The changes with one outcome.
   *
   * @param outcome the worst that happens to a balancer
   */
  public of(outcome: LoadBalancerOutcome): LoadBalancerChange[] {
    return this.changes.filter((change) => change.outcome === outcome);
  }

  /**
   * Effect on the balancer of one Service.
   *
   * @param service `namespace/name`
   * @returns nothing where neither side has it
   */
  public ofService(service: string): LoadBalancerChange | undefined {
    return this.changes.find((change) => change.service === service);
  }

  /** The changes for people, worst first, with what causes them and what to do. */
  public text(): string {
    return diffText(this.changes, this.gaps);
  }

  /** The same. */
  public toString(): string {
    return this.text();
  }
}

function refuseWrongPrune(who: string, prune: boolean | undefined): void {
  if (prune !== undefined) {
    refuseWrongValue(who, 'prune', 'boolean', prune);
  }
}
