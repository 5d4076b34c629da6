import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { appIndexOf } from './app-objects';
import { likelyClaimsOf } from './claimants';
import type { Claimer } from './claims-in-app';
import { JudgedObject, type JudgedTarget, join, type ObjectJudge, type Rendering } from './judged-object';
import type { PlannedLoadBalancer } from './load-balancers';
import { protectionOf } from './protection';
import { SynthWatch } from './synth-watch';

export class BalancedObject extends JudgedObject {
  /**
   * @param host the construct that the user made; its path is in messages
   * @param target the object that is written, or the part of one: its writer asks `write()`
   * @param rendering renders it
   * @param plan what its controller decided
   * @param problems what the host found wrong by itself, whatever the object looks like
   * @param warnings what the host warns of by itself
   * @param judge validates the finished object
   * @param count how many balancers it makes, where the plan does not know
   * @param services the Services that get the balancers, where the object is none itself
   */
  public constructor(
    host: Construct,
    target: JudgedTarget,
    rendering: Rendering,
    public override readonly plan: LoadBalancerPlan,
    problems: readonly LoadBalancerFinding[],
    warnings: readonly LoadBalancerFinding[],
    judge: ObjectJudge,
    private readonly count = () => plan.loadBalancers ?? 1,
    private readonly services?: () => readonly Json[],
  ) {
    super(host, target, rendering, judge, join(problems, plan.problems), join(warnings, plan.warnings));
    const watch = SynthWatch.of(host);
    watch.unjudgedClaimers ??= () => unjudgedClaimers(host);
  }

  /** The finished Services that get the balancers. */
  public override get balancedServices(): readonly Json[] {
    return this.services?.() ?? super.balancedServices;
  }

  /**
   * Its balancers must not be lost: what is written says so, and a later synth compares.
   *
   * @param object the object that says so
   * @param part the part of it that makes the balancers, where it is not the whole
   */
  public protect(object: ApiObject, part?: string): void {
    protectionOf(this.host).add({ host: this.host, object, part, owner: this.plan.owner });
    this.changed();
  }

  /** What is reported to the user. */
  public override get planned(): PlannedLoadBalancer {
    const { host, target, plan, count } = this;
    return {
      path: host.node.path,
      kind: target.kind,
      name: target.name,
      namespace: target.metadata.namespace,
      plan,
      count: count(),
    };
  }
}

function unjudgedClaimers(construct: IConstruct): Claimer[] {
  return appIndexOf(construct)
    .of('', 'Service')
    .filter(({ isJudged }) => !isJudged)
    .map((object) => ({
      object,
      group: object.unit,
      place: object.path,
      claims: likelyClaimsOf(object.json),
      isSilent: true,
    }))
    .filter(({ claims }) => claims.length > 0);
}
