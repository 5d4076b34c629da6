import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { isOverridden } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { sentenceOf } from '../contract/rule';
import { likelyClaimsOf } from './claimants';
import type { Claim } from './claims';
import type { Claimer } from './claims-in-app';
import type { Judgement } from './judgement';
import type { PlannedLoadBalancer } from './load-balancers';
import { isService } from './service-json';
import { SynthWatch } from './synth-watch';
import { tokenFindings } from './unresolved-tokens';

export interface ObjectJudge {
  /**
   * @param json the finished object
   * @param host the construct that the user made
   */
  judge(json: Json, host?: Construct): Judgement;
  /** The controller for which it validates, where it is one. */
  readonly controller?: ILoadBalancerController;
}

/** What is validated: an object of a chart, or a part of one that has a name of its own. */
export interface JudgedTarget {
  readonly chart: IConstruct;
  readonly kind: string;
  readonly name: string;
  readonly metadata: { readonly namespace?: string };
}

export interface Rendering {
  /** The object as it is now, everything applied. */
  rendered(target: JudgedTarget): Json;
  /** Where the object as it is now differs from what was decided. */
  contradictions?(): LoadBalancerFinding[];
  /** Whether a subclass changes what is rendered, where `toJson` of the object is not decorated. */
  isOverridden?(target: JudgedTarget): boolean;
}

interface Examination {
  readonly rendered: Json;
  /** The object as it is written: a subclass may change what was rendered here. */
  readonly json: Json;
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
  readonly claims: readonly Claim[];
}

const NONE: string[] = [];
const EMPTY: readonly LoadBalancerFinding[] = [];

/**
 * An object that rules validate, from the host's decision to the written JSON.
 *
 * It is rendered once for each synth: the JSON that is validated before anything is written is the JSON that is written.
 * The watch of the app says when a synth begins.
 */
export class JudgedObject {
  /** What its controller decided, where it makes load balancers. */
  public readonly plan?: LoadBalancerPlan;

  private kept?: Examination;
  private reported: string[] = NONE;
  private shown?: Json;
  private isValidated = false;
  private seen?: { readonly pass: object; readonly examination: Examination };
  private readonly watch: SynthWatch;

  /**
   * @param host the construct that the user made; its path is in messages
   * @param target the object that is written, or the part of one: its writer asks `write()`
   * @param rendering renders it
   * @param judge validates the finished object
   * @param problems what the host found wrong by itself, whatever the object looks like
   * @param warnings what the host warns of by itself
   */
  public constructor(
    public readonly host: Construct,
    public readonly target: JudgedTarget,
    private readonly rendering: Rendering,
    private readonly judge: ObjectJudge,
    private readonly problems: readonly LoadBalancerFinding[] = EMPTY,
    private readonly warnings: readonly LoadBalancerFinding[] = EMPTY,
  ) {
    this.watch = SynthWatch.of(host);
    this.watch.add(this);
  }

  /** The controller that is asked for, where the object is a Service of one. */
  public get controller(): ILoadBalancerController | undefined {
    return this.judge.controller;
  }

  /** The path of the construct that the user made. */
  public get path(): string {
    return this.host.node.path;
  }

  /** What distinguishes the object from the others of its chart. */
  public get identity(): string {
    return identityOf(this.target);
  }

  /** What it has for itself, as it is now. */
  public get claimer(): Claimer {
    return new ClaimerInApp(this, this.look().claims);
  }

  /** The load balancers that it makes, where it makes any; they are counted. */
  public get planned(): PlannedLoadBalancer | undefined {
    return undefined;
  }

  /** The finished Services that get them: the object, where it is a Service. */
  public get balancedServices(): readonly Json[] {
    const json = this.document;
    return isService(json) ? [json] : [];
  }

  /** The errors of the pass that goes on, for cdk8s. */
  public validate(): string[] {
    return this.reported;
  }

  public get document(): Json {
    return this.kept?.json ?? this.rendering.rendered(this.target);
  }

  /** Looks at the object as it is now, and keeps nothing. */
  public look(): Examination {
    const pass = this.watch.currentPass;
    if (this.kept || !pass) {
      return this.kept ?? this.examine();
    }
    this.seen = this.seen?.pass === pass ? this.seen : { pass, examination: this.examine() };
    return this.seen.examination;
  }

  /** Renders and validates the object for the synth that begins; what is kept is written later. */
  public prepare(): Examination {
    this.kept = this.examine();
    this.report(sentencesOf(this.kept));
    return this.kept;
  }

  /** Forgets what was rendered for a synth that is over. */
  public forget(): void {
    this.kept = undefined;
    this.seen = undefined;
    this.reported = NONE;
  }

  public changed(): void {
    this.watch.changed(this);
  }

  /** Adds errors that others decide, such as warnings that were made to fail. */
  public fail(sentences: readonly string[]): void {
    this.report([...new Set([...this.reported, ...sentences])]);
  }

  /** The JSON to write: what was validated for this synth, or else rendered and validated now. */
  public write(): Json {
    if (this.shown) {
      return structuredClone(this.shown);
    }
    if (this.watch.currentPass) {
      // it is rendered to be looked at
      return this.kept?.rendered ?? this.rendering.rendered(this.target);
    }
    const ready = this.kept ?? this.examine();
    this.kept = undefined;
    if (ready.problems.length > 0) {
      throw new Error(`[${this.host.node.path}] ${ready.problems.map(sentenceOf).join('\n')}`);
    }
    return ready.rendered;
  }

  /**
   * Keeps errors for cdk8s, which asks each validation of an app once a chart: an object has one from its first error on. The
   * watch prepares all objects in the validation of the root, which comes before every other.
   */
  private report(sentences: string[]): void {
    this.reported = sentences;
    if (sentences.length > 0 && !this.isValidated) {
      this.isValidated = true;
      this.host.node.addValidation(this);
    }
  }

  private examine(): Examination {
    const rendered = this.rendering.rendered(this.target);
    const json = this.asWritten(rendered);
    const judgement = this.judge.judge(json, this.host);
    const problems = join(this.problems, this.rendering.contradictions?.(), judgement.errors);
    return {
      rendered,
      json,
      problems: join(problems, this.tokens(json, problems)),
      warnings: join(this.warnings, judgement.warnings),
      // what does not look at claims may validate a Service all the same
      claims: judgement.claims ?? (isService(json) ? likelyClaimsOf(json) : NO_CLAIMS),
    };
  }

  /** What cannot be written as it is, where no rule says so already. */
  private tokens(json: Json, problems: readonly LoadBalancerFinding[]): readonly LoadBalancerFinding[] {
    const { kind, name } = this.target;
    return tokenFindings(this.host, [[`${kind} ${name}`, json]]).filter(
      ({ value = '' }) => !problems.some(({ what }) => what.includes(value)),
    );
  }

  /** What a subclass makes of what is rendered here. */
  private asWritten(rendered: Json): Json {
    const { target, rendering } = this;
    const isPart = !ApiObject.isApiObject(target);
    if (isPart || !(rendering.isOverridden?.(target) ?? isOverridden(target))) {
      return rendered;
    }
    this.shown = rendered;
    try {
      return target.toJson() as Json;
    } finally {
      this.shown = undefined;
    }
  }
}

/** Most objects claim nothing that another one has, and their paths are not asked for. */
class ClaimerInApp implements Claimer {
  public constructor(
    public readonly object: JudgedObject,
    public readonly claims: readonly Claim[],
  ) {}

  public get group() {
    return this.object.target.chart;
  }

  public get place() {
    return this.object.path;
  }
}

function sentencesOf({ problems }: Examination): string[] {
  return problems.length === 0 ? NONE : [...new Set(problems.map(sentenceOf))];
}

function identityOf({ chart, kind, metadata, name }: JudgedTarget): string {
  return `${chart.node.path}\n${kind}\n${metadata.namespace ?? ''}/${name}`;
}

const NO_CLAIMS: readonly Claim[] = [];

/** One list of some that are mostly empty. */
export function join(...lists: (readonly LoadBalancerFinding[] | undefined)[]): readonly LoadBalancerFinding[] {
  return lists.every((list) => !list?.length) ? EMPTY : lists.flatMap((list) => list ?? []);
}
