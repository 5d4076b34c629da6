import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../contract/late-rendering';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import { sentenceOf } from '../contract/sentence';
import type { PlannedLoadBalancer } from './load-balancers';
import type { Judgement } from './rule';
import { SynthWatch } from './synth-watch';

/** Judges finished objects of one host. */
export interface ObjectJudge {
  judge(json: Json): Judgement;
}

/** What gets a load balancer: an object of a chart, or a part of one that has a name of its own. */
export interface BalancedTarget {
  readonly chart: IConstruct;
  readonly kind: string;
  readonly name: string;
  readonly metadata: { readonly namespace?: string };
}

/** Renders objects of one kind of host. */
export interface Rendering {
  /** The object as it is now, everything applied. */
  rendered(target: BalancedTarget): Json;
  /** Where the object as it is now says something else than its plan. */
  contradictions?(): LoadBalancerFinding[];
}

/** What is known of an object at one moment. */
export interface Examination {
  readonly json: Json;
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
}

const NONE: string[] = [];

/**
 * An object that gets a load balancer, from the host's decision to the written JSON.
 *
 * It is rendered once for each synth: the JSON that is judged before anything is written is the JSON that is written.
 * The watch of the app says when a new synth begins.
 */
export class BalancedObject {
  private kept?: Examination;
  private told: string[] = NONE;
  private readonly watch: SynthWatch;

  /**
   * @param host the construct that the user made; its path stands in messages
   * @param target the object that is written, or the part of one: whoever writes it asks `write()`
   * @param rendering renders it
   * @param plan what its controller decided
   * @param problems what the host found wrong by itself, whatever the object looks like
   * @param warnings what the host warns of by itself
   * @param judge judges the finished object
   */
  public constructor(
    public readonly host: Construct,
    private readonly target: BalancedTarget,
    private readonly rendering: Rendering,
    private readonly plan: LoadBalancerPlan,
    private readonly problems: readonly LoadBalancerFinding[],
    private readonly warnings: readonly LoadBalancerFinding[],
    private readonly judge: ObjectJudge,
  ) {
    this.watch = SynthWatch.of(host);
    this.watch.add(this);
    host.node.addValidation(this);
  }

  /** What tells the object from the others of its chart. */
  public get identity(): string {
    const { chart, kind, metadata, name } = this.target;
    return `${chart.node.path}\n${kind}\n${metadata.namespace ?? ''}/${name}`;
  }

  /** What the user is told of it. */
  public get planned(): PlannedLoadBalancer {
    const { host, target, plan } = this;
    return {
      path: host.node.path,
      kind: target.kind,
      name: target.name,
      namespace: target.metadata.namespace,
      plan,
      loadBalancers: plan.loadBalancers ?? 1,
    };
  }

  /** The errors of the current synth, for cdk8s; the watch has examined the object before. */
  public validate(): string[] {
    return this.told;
  }

  /** Looks at the object as it is now, and keeps nothing. */
  public look(): Examination {
    return this.kept ?? this.examine();
  }

  /** Renders and judges the object for the synth that begins; what is kept is written later. */
  public prepare(): Examination {
    this.kept = this.examine();
    const { problems } = this.kept;
    this.told = problems.length === 0 ? NONE : problems.map(sentenceOf);
    return this.kept;
  }

  /** Forgets what was rendered for a synth that is over. */
  public forget(): void {
    this.kept = undefined;
    this.told = NONE;
  }

  /** The object was changed by somebody. */
  public changed(): void {
    this.watch.changed(this);
  }

  /** Adds errors that others decide, such as warnings that were made to fail. */
  public fail(sentences: string[]): void {
    this.told = [...this.told, ...sentences];
  }

  /** The JSON to write: what was judged for this synth, or else rendered and judged now. */
  public write(): Json {
    const ready = this.kept ?? this.examine();
    this.kept = undefined;
    this.watch.wrote(this);
    if (ready.problems.length > 0) {
      throw new Error(`[${this.host.node.path}] ${ready.problems.map(sentenceOf).join('\n')}`);
    }
    return ready.json;
  }

  private examine(): Examination {
    const json = this.rendering.rendered(this.target);
    const judgement = this.judge.judge(json);
    const { plan, problems, warnings } = this;
    return {
      json,
      problems: join(problems, this.rendering.contradictions?.(), plan.problems, judgement.errors),
      warnings: join(warnings, plan.warnings, judgement.warnings),
    };
  }
}

const EMPTY: readonly LoadBalancerFinding[] = [];

/** One list of three that are mostly empty. */
function join(...lists: (readonly LoadBalancerFinding[] | undefined)[]): readonly LoadBalancerFinding[] {
  return lists.every((list) => !list?.length) ? EMPTY : lists.flatMap((list) => list ?? []);
}
