import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
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

/** What a host tells about an object that it gives a load balancer. */
export interface BalancedObjectOptions {
  /** The construct that the user made; its path stands in messages. */
  readonly host: Construct;
  /** The object that is written: its `toJson` answers with `write()`. */
  readonly target: ApiObject;
  /** Renders the object as it is now, everything applied. */
  readonly render: () => Json;
  readonly plan: LoadBalancerPlan;
  /** What the host found wrong by itself, whatever the object looks like. */
  readonly problems: readonly LoadBalancerFinding[];
  /** What the host warns of by itself. */
  readonly warnings: readonly LoadBalancerFinding[];
  /** Judges the finished object. */
  readonly judge: ObjectJudge;
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

  public constructor(private readonly options: BalancedObjectOptions) {
    this.watch = SynthWatch.of(options.host);
    this.watch.add(this);
    options.host.node.addValidation(this);
  }

  public get host(): Construct {
    return this.options.host;
  }

  /** What the user is told of it. */
  public get planned(): PlannedLoadBalancer {
    const { host, target, plan } = this.options;
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
    const json = this.options.render();
    const judgement = this.options.judge.judge(json);
    const { plan, problems, warnings } = this.options;
    return {
      json,
      problems: join(problems, plan.problems, judgement.errors),
      warnings: join(warnings, plan.warnings, judgement.warnings),
    };
  }
}

const EMPTY: readonly LoadBalancerFinding[] = [];

/** One list of three that are mostly empty. */
function join(...lists: (readonly LoadBalancerFinding[] | undefined)[]): readonly LoadBalancerFinding[] {
  return lists.every((list) => !list?.length) ? EMPTY : lists.flatMap((list) => list ?? []);
}
