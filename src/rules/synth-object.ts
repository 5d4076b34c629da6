import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { tokenIn } from '../contract/kubernetes-syntax';
import { isOverridden, RenderStage, renderBy, renderingOf } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { sentenceOf } from '../contract/rule';
import { SynthOutput, synthRunOf } from '../contract/synth-run';
import { appIndexOf, appObjectOf, keepRendering, passOf, takeWaiting } from './app-objects';
import type { Claim, ClaimSource } from './claims';
import { hasFinalizerForOtherKind, OBJECT_FINALIZER_RULES } from './finalizer-rules';
import { findingsOfIgnore, type IgnoreEntry, ignoredBy, ignoreEntriesOf, withoutIgnored } from './ignored-findings';
import { likelyClaimsOf } from './known-kinds';
import type { PlannedLoadBalancer } from './options';
import type { SynthTarget } from './output-files';
import type { ObjectContext } from './rule';
import { type CheckResult, RuleSet } from './rule-set';
import { UNRESOLVED_TOKEN } from './rules.facts';
import { isService } from './service-json';
import { SynthWatch } from './synth-watch';
import { protectionOf } from './warnings';

type NamedDocument = readonly [title: string, json: Json];

/**
 * Errors where finished objects hold what only a deployment tool can fill in, and the app writes them by itself. Charts
 * that a tool takes one by one, as AWS CDK does in `cluster.addCdk8sChart`, are filled in by it.
 */
export function tokenFindings(construct: IConstruct, documents: readonly NamedDocument[]): LoadBalancerFinding[] {
  const run = synthRunOf(construct);
  if (run === undefined || run.output === SynthOutput.CHART) {
    return [];
  }
  return documents.flatMap(([title, json]) => {
    const token = tokenIn(json);
    return token === undefined
      ? []
      : [
          {
            ruleId: UNRESOLVED_TOKEN.id,
            who: 'cdk8s',
            what: `${title} holds ${token}, which only a deployment fills in`,
            remedy:
              'write the value itself, such as that of a CfnOutput or of an SSM parameter of the deployed stack, or give the chart to cluster.addCdk8sChart instead of calling app.synth()',
            value: token,
            at: '',
          },
        ];
  });
}

export function titled(json: Json): NamedDocument {
  return [`${json.kind} ${json.metadata?.name}`, json];
}

export interface ObjectCheck {
  check(json: Json, host?: Construct): CheckResult;
  readonly controller?: ILoadBalancerController;
}

export interface Rendering {
  rendered(target: SynthTarget): Json;
  /** Differences of the current object from the plan. */
  contradictions?(): LoadBalancerFinding[];
  /** True if a subclass changes what is rendered, where `toJson` of the object is not decorated. */
  isOverridden?(target: SynthTarget): boolean;
}

interface Examination {
  readonly rendered: Json;
  /** The object as it is written: a subclass may change what was rendered here. */
  readonly json: Json;
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
  readonly claims: readonly Claim[];
  readonly ignored: readonly IgnoreEntry[];
}

const NONE: string[] = [];
const EMPTY: readonly LoadBalancerFinding[] = [];

/**
 * An object that rules validate, from the host's decision to the written JSON. It is rendered once for each synth: the
 * JSON that is validated before anything is written is the JSON that is written. The watch of the app says when a synth
 * begins.
 */
export class SynthObject {
  public readonly plan?: LoadBalancerPlan;

  private kept?: Examination;
  private reported: string[] = NONE;
  private shown?: Json;
  private isValidated = false;
  private seen?: { readonly pass: object; readonly examination: Examination };
  private readonly watch: SynthWatch;

  /**
   * @param target the object that is written, or the part of one: its writer asks `write()`
   * @param problems what the host found wrong by itself, whatever the object looks like
   * @param warnings what the host warns of by itself
   */
  public constructor(
    public readonly host: Construct,
    public readonly target: SynthTarget,
    private readonly rendering: Rendering,
    private readonly check: ObjectCheck,
    private readonly problems: readonly LoadBalancerFinding[] = EMPTY,
    private readonly warnings: readonly LoadBalancerFinding[] = EMPTY,
  ) {
    this.watch = SynthWatch.of(host);
    this.watch.add(this);
  }

  public get controller(): ILoadBalancerController | undefined {
    return this.check.controller;
  }

  public get path(): string {
    return this.host.node.path;
  }

  /** Its current exclusive claims; most objects claim nothing that another one has, and their paths are not asked for. */
  public get claimer(): ClaimSource {
    const { host, target } = this;
    return {
      object: this,
      claims: this.look().claims,
      get group() {
        return target.chart;
      },
      get place() {
        return host.node.path;
      },
    };
  }

  public get planned(): PlannedLoadBalancer | undefined {
    return undefined;
  }

  /** The finished Services that get them: the object, where it is a Service. */
  public get balancedServices(): readonly Json[] {
    const json = this.document;
    return isService(json) ? [json] : [];
  }

  public validate(): string[] {
    return this.reported;
  }

  public get document(): Json {
    return this.kept?.json ?? this.rendering.rendered(this.target);
  }

  public look(): Examination {
    const pass = passOf(this.host);
    if (this.kept || !pass) {
      return this.kept ?? this.examine();
    }
    this.seen = this.seen?.pass === pass ? this.seen : { pass, examination: this.examine() };
    return this.seen.examination;
  }

  public reasonToIgnore(ruleId: string): string | undefined {
    return ignoredBy(this.look().ignored, ruleId)?.reason;
  }

  /** Renders and validates the object for the synth that begins; what is kept is written later. */
  public prepare(): Examination {
    this.kept = this.examine();
    this.reported = NONE;
    this.fail(this.kept.problems.map(sentenceOf));
    return this.kept;
  }

  public forget(): void {
    this.kept = undefined;
    this.seen = undefined;
    this.reported = NONE;
  }

  public changed(): void {
    this.watch.changed(this);
  }

  /**
   * Keeps errors for cdk8s, which asks each validation of an app once a chart: an object has one from its first error
   * on. The watch prepares all objects in the validation of the root, which comes before every other.
   */
  public fail(sentences: readonly string[]): void {
    if (sentences.length > 0) {
      this.reported = [...new Set([...this.reported, ...sentences])];
    }
    if (this.reported.length > 0 && !this.isValidated) {
      this.isValidated = true;
      this.host.node.addValidation(this);
    }
  }

  /** The JSON to write: what was validated for this synth, or else rendered and validated now. */
  public write(): Json {
    if (this.shown) {
      return structuredClone(this.shown);
    }
    if (passOf(this.host)) {
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

  private examine(): Examination {
    const rendered = this.rendering.rendered(this.target);
    const json = this.asWritten(rendered);
    const result = this.check.check(json, this.host);
    const whole = this.target.whole?.() ?? json;
    const ofFinalizers = hasFinalizerForOtherKind(whole) ? finalizerRules.check(whole, {}).errors : EMPTY;
    const found = join(this.problems, this.rendering.contradictions?.(), result.errors, ofFinalizers);
    const all = {
      errors: join(found, this.tokens(json, found)),
      warnings: join(this.warnings, result.warnings),
    };
    const ignored = ignoreEntriesOf(whole);
    const { errors: problems, warnings } = withoutIgnored(ignored, all);
    return {
      rendered,
      json,
      problems,
      warnings: join(warnings, findingsOfIgnore(whole, all)),
      ignored,
      // what does not look at claims may validate a Service all the same
      claims: result.claims ?? (isService(json) ? likelyClaimsOf(json) : NO_CLAIMS),
    };
  }

  /** Objects that cannot be written, if no rule reports them. */
  private tokens(json: Json, problems: readonly LoadBalancerFinding[]): readonly LoadBalancerFinding[] {
    const { kind, name } = this.target;
    return tokenFindings(this.host, [[`${kind} ${name}`, json]]).filter(
      ({ value: token = '' }) => !problems.some(({ value }) => value?.includes(token)),
    );
  }

  /** Rendering of a subclass. */
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

const NO_CLAIMS: readonly Claim[] = [];
const finalizerRules = new RuleSet(OBJECT_FINALIZER_RULES, 'kubernetes');

export function join(...lists: (readonly LoadBalancerFinding[] | undefined)[]): readonly LoadBalancerFinding[] {
  return lists.every((list) => !list?.length) ? EMPTY : lists.flatMap((list) => list ?? []);
}

/** Has an object of a chart validated before it is written, with its lazy values and its patches. */
export function validateObject(host: Construct, object: ApiObject, check: ObjectCheck): SynthObject {
  const rendering = keepRendering(object, renderingOf(object, RenderStage.WRITE));
  const checked = new SynthObject(host, object, { rendered: () => rendering.now }, check);
  renderBy(object, RenderStage.WRITE, () => checked.write());
  return checked;
}

export function validateByRules(object: ApiObject, rules: RuleSet<ObjectContext>): void {
  validateObject(object, object, { check: (json) => rules.check(json, { among: appObjectOf(object) }) });
}

export class BalancedObject extends SynthObject {
  /**
   * @param count how many balancers it makes, where the plan does not know
   * @param services the Services that get the balancers, where the object is none itself
   */
  public constructor(
    host: Construct,
    target: SynthTarget,
    rendering: Rendering,
    public override readonly plan: LoadBalancerPlan,
    problems: readonly LoadBalancerFinding[],
    warnings: readonly LoadBalancerFinding[],
    check: ObjectCheck,
    private readonly count = () => plan.loadBalancers ?? 1,
    private readonly services?: () => readonly Json[],
  ) {
    super(host, target, rendering, check, join(problems, plan.problems), join(warnings, plan.warnings));
    const watch = SynthWatch.of(host);
    watch.uncheckedClaimers ??= () => uncheckedClaimers(host);
    for (const [object, rules] of takeWaiting(host)) {
      validateByRules(object, rules);
    }
  }

  public override get balancedServices(): readonly Json[] {
    return this.services?.() ?? super.balancedServices;
  }

  /**
   * Its balancers must not be lost: what is written says so, and a later synth compares.
   * @param object the object that says so
   * @param part the part of it that makes the balancers, where it is not the whole
   */
  public protect(object: ApiObject, part?: string): void {
    protectionOf(this.host).add(this.host, object, this.plan.owner, part);
    this.changed();
  }

  public override get planned(): PlannedLoadBalancer {
    const { host, target, plan, count } = this;
    const { kind, name, metadata } = target;
    return { path: host.node.path, kind, name, namespace: metadata.namespace, plan, count: count() };
  }
}

function uncheckedClaimers(construct: IConstruct): ClaimSource[] {
  return appIndexOf(construct)
    .of('', 'Service')
    .filter(({ isChecked }) => !isChecked)
    .map((object) => {
      const claims = likelyClaimsOf(object.json);
      return { object, group: object.unit, place: object.path, claims, isSilent: true };
    })
    .filter(({ claims }) => claims.length > 0);
}
