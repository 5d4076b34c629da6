import type { IConstruct } from 'constructs';
import { refuseWrongValue } from '../contract/declared-types';
import type { LoadBalancerFinding } from '../contract/options';
import { SynthOutput } from '../contract/synth-run';
import { LoadBalancerFindingSeverity, type PlannedLoadBalancer, type PlannedLoadBalancerFinding } from './options';
import { isRule, ruleLike } from './rule-set';
import { ACKNOWLEDGED_RULE_UNKNOWN } from './rules.facts';
import type { SynthObject } from './synth-object';
import { SynthWatch } from './synth-watch';
import { reasonAt, settingsAt, type WarningSource, warnOf } from './warnings';

/**
 * Every load balancer that an app, a chart or a construct will make, and what there is to know about them.
 *
 * cdk8s has no channel for warnings, so this is one: each is reported once on standard error when the app is synthesized,
 * left as metadata on its construct, and listed here. Acknowledge it with a reason, or make warnings fail.
 *
 * @example
 * const balancers = LoadBalancers.of(app);
 * const owner = balancers.all[0].plan.owner;
 * balancers.acknowledge('local-policy-without-pool', 'three nodes, three pods, one each');
 * balancers.failOnWarnings();
 */
export class LoadBalancers {
  /**
   * The load balancers of a construct and everything below it.
   *
   * @param scope an App, a Chart or any construct
   */
  public static of(scope: IConstruct): LoadBalancers {
    refuseWrongValue('LoadBalancers.of', 'the scope', 'IConstruct', scope);
    return new LoadBalancers(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /** The objects that get load balancers, in the order of their construction. */
  public get all(): PlannedLoadBalancer[] {
    return this.objects.map(({ planned }) => planned).filter((planned) => planned !== undefined);
  }

  /** Number of load balancers. */
  public get count(): number {
    return this.all.reduce((sum, planned) => sum + planned.count, 0);
  }

  /**
   * Errors, then warnings, including acknowledged ones. A test can read them without a synth; files that overwrite each other
   * are only reported by `App.synth()`.
   */
  public get findings(): PlannedLoadBalancerFinding[] {
    return [...this.errors, ...this.warnings];
  }

  /** Findings that stop the synth. Warnings that were made to fail stay warnings here. */
  public get errors(): PlannedLoadBalancerFinding[] {
    return this.look((watch) => {
      const fights = watch.fights();
      return [
        ...this.warningSources.flatMap((source) => found(source.host, source.look().problems)),
        ...this.objects.flatMap((object) =>
          found(object.host, [...object.look().problems, ...(fights.get(object)?.errors ?? [])]),
        ),
        ...watch
          .overwritten(SynthOutput.FILES)
          .filter(({ owner }) => this.has(owner))
          .flatMap(({ owner, finding }) => found(owner.host, [finding])),
      ];
    });
  }

  /** The warnings about them as they are now, acknowledged ones among them. */
  public get warnings(): PlannedLoadBalancerFinding[] {
    return this.look((watch) => {
      const fights = watch.fights();
      return [...this.warningSources, ...this.objects].flatMap((object) =>
        [...object.look().warnings, ...(fights.get(object)?.warnings ?? [])].map((finding) => ({
          path: object.host.node.path,
          severity: LoadBalancerFindingSeverity.WARNING,
          finding,
          acknowledged: reasonAt(object, finding.ruleId),
        })),
      );
    });
  }

  /**
   * Accepts the warnings of one rule, here and below: they are reported no more and cannot fail.
   *
   * @param ruleId the name in parentheses at the end of the warning
   * @param reason why they are acceptable, for the next reader of this code
   * @throws when the reason is empty
   */
  public acknowledge(ruleId: string, reason: string): void {
    refuseWrongValue('LoadBalancers.acknowledge', 'ruleId', 'string', ruleId);
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw new Error(
        `LoadBalancers.acknowledge: '${ruleId}' is acknowledged without a reason; write why it is acceptable`,
      );
    }
    if (!isRule(ruleId)) {
      warnOf(this.scope, () => this.unknownRule(ruleId));
    }
    settingsAt(this.scope).acknowledged.set(ruleId, reason);
  }

  /** Makes every warning that is not acknowledged an error at synth, here and below. */
  public failOnWarnings(): void {
    settingsAt(this.scope).fail = true;
  }

  /** Returns a finding for an unknown rule id, unless a controller of the user warns by that id. */
  private unknownRule(ruleId: string): LoadBalancerFinding | undefined {
    const isOfUser = this.objects.some((object) => object.look().warnings.some((one) => one.ruleId === ruleId));
    const meant = ruleLike(ruleId);
    return isOfUser
      ? undefined
      : {
          ruleId: ACKNOWLEDGED_RULE_UNKNOWN.id,
          who: 'LoadBalancers.acknowledge',
          what: `'${ruleId}' is not a rule, so nothing is acknowledged`,
          remedy: meant ? `write '${meant}'` : 'write the name in parentheses at the end of the warning',
          value: ruleId,
          at: '',
        };
  }

  /** Looks at the app while nothing of it changes. */
  private look<T>(look: (watch: SynthWatch) => T[]): T[] {
    const watch = SynthWatch.find(this.scope);
    return watch?.inPass(() => look(watch)) ?? [];
  }

  private get warningSources(): WarningSource[] {
    return SynthWatch.find(this.scope)?.warningSources.filter((source) => this.has(source)) ?? [];
  }

  private get objects(): SynthObject[] {
    return SynthWatch.find(this.scope)?.objects.filter((object) => this.has(object)) ?? [];
  }

  private has({ host }: { readonly host: IConstruct }): boolean {
    return host.node.scopes.includes(this.scope);
  }
}

function found({ node }: IConstruct, findings: readonly LoadBalancerFinding[] = []): PlannedLoadBalancerFinding[] {
  return findings.map((finding) => ({ path: node.path, severity: LoadBalancerFindingSeverity.ERROR, finding }));
}
