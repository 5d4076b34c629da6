import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { sentenceOf } from '../contract/rule';
import { SynthOutput, type SynthRun, synthRunOf, validateAgain, watchSynths } from '../contract/synth-run';
import { type Claimer, type Fights, fightsAmong } from './claims-in-app';
import type { JudgedObject } from './judged-object';
import { type Failing, type Overwritten, overwrittenIn } from './output-files';
import { reportWarnings, type WarningSource } from './warnings';

const WATCH = Symbol('cdk8s-load-balancers.synth-watch');

/** A construct of this library of which nothing is validated; it is asked from the first error on. */
class Unjudged implements Failing {
  private reported?: string[];

  public constructor(public readonly host: IConstruct) {}

  public fail(sentences: readonly string[]): void {
    if (!this.reported) {
      this.host.node.addValidation({ validate: () => this.reported ?? [] });
    }
    this.reported = [...new Set([...(this.reported ?? []), ...sentences])];
  }

  public forget(): void {
    this.reported = this.reported && [];
  }
}

/**
 * Has all objects of an app validated in the first validation pass of each synth, so that each is rendered once: cdk8s validates
 * the whole app before the first chart and again before each chart.
 */
export class SynthWatch {
  /** The watch of the app that a construct belongs to. */
  public static of(construct: IConstruct): SynthWatch {
    const root: Watched = construct.node.root;
    if (!root[WATCH]) {
      const watch = new SynthWatch(root);
      Object.defineProperty(root, WATCH, { value: watch });
      // the root is validated before its children: this opens every pass
      root.node.addValidation({ validate: () => watch.pass() });
      watchSynths(root, () => watch.forget());
    }
    return root[WATCH] as SynthWatch;
  }

  /** The watch of an app, where it has one. */
  public static find(construct: IConstruct): SynthWatch | undefined {
    return (construct.node.root as Watched)[WATCH];
  }

  public readonly objects: JudgedObject[] = [];

  /** While objects are prepared: what is rendered more than once in one pass is the same. */
  public currentPass?: object;

  /** What was seen when constructs were made. */
  public readonly warningSources: WarningSource[] = [];

  /** The objects of the app that no rule validates, as far as they may fight with those that rules validate. */
  public unjudgedClaimers?: () => readonly Claimer[];

  /** Constructs of this library, and objects that it validates; each answers for everything below it. */
  private readonly owners = new Map<IConstruct, Failing>();
  private readonly judged = new Map<IConstruct, JudgedObject>();
  /** What is validated along with another object. */
  private readonly represented = new Set<IConstruct>();
  private readonly unjudged: Unjudged[] = [];
  private unprepared = new Set<JudgedObject>();
  private run?: SynthRun;

  private constructor(private readonly root: IConstruct) {}

  public add(object: JudgedObject): void {
    const { host, target } = object;
    this.objects.push(object);
    this.unprepared.add(object);
    validateAgain(this.root);
    if (ApiObject.isApiObject(target)) {
      this.judged.set(target, object);
      this.owners.set(target, object);
      if (host !== target && !Chart.isChart(host) && !this.owners.has(host)) {
        this.owners.set(host, object);
      }
    }
  }

  /** What a construct makes is of this library, although nothing of it is validated. */
  public own(construct: IConstruct): void {
    if (!this.owners.has(construct)) {
      const unjudged = new Unjudged(construct);
      this.owners.set(construct, unjudged);
      this.unjudged.push(unjudged);
    }
  }

  /** What validates an object; undefined where no rule does. */
  public judgedOf(object: IConstruct): JudgedObject | undefined {
    return this.judged.get(object);
  }

  /** An object is validated along with another one, and what is found in it is reported there. */
  public represent(object: IConstruct): void {
    this.represented.add(object);
  }

  /** Whether rules validate an object. */
  public isJudged(object: IConstruct): boolean {
    return this.judged.has(object) || this.represented.has(object);
  }

  public warn(warn: WarningSource): void {
    this.warningSources.push(warn);
  }

  /** An object was changed after it was prepared. */
  public changed(object: JudgedObject): void {
    object.forget();
    this.unprepared.add(object);
    validateAgain(this.root);
  }

  private forget(): void {
    this.run = undefined;
    this.unprepared = new Set(this.objects);
    for (const reported of [...this.objects, ...this.unjudged]) {
      reported.forget();
    }
  }

  /** What the objects of the app fight over, each at the one where it is reported. */
  public fights(): ReadonlyMap<object, Fights> {
    const claimers = this.objects.map(({ claimer }) => claimer).filter(({ claims }) => claims.length > 0);
    return claimers.length === 0 ? NO_FIGHTS : fightsAmong([...claimers, ...(this.unjudgedClaimers?.() ?? [])]);
  }

  /** What overwrites another, or is overwritten, where the app is written somewhere. */
  public overwritten(to: SynthOutput): Overwritten[] {
    const parts = this.objects.filter(({ target }) => !ApiObject.isApiObject(target));
    return overwrittenIn({
      root: this.root,
      to,
      parts: parts.map((owner) => ({ target: owner.target, owner })),
      ownerOf: (object) => this.ownerOf(object),
    });
  }

  /** Looks at objects of the app while none of them changes: what is rendered or looked for is so once. */
  public inPass<T>(look: () => T): T {
    if (this.currentPass) {
      return look();
    }
    this.currentPass = {};
    try {
      return look();
    } finally {
      this.currentPass = undefined;
    }
  }

  private pass(): string[] {
    const run = synthRunOf(this.root);
    // a validation that is no part of a synth is one by itself
    const isFirst = run === undefined || run !== this.run;
    if (isFirst) {
      this.forget();
      this.run = run;
    }
    if (isFirst || this.unprepared.size > 0) {
      const prepared = [...this.unprepared];
      this.unprepared = new Set();
      const { fights, warned, ...found } = this.inPass(() => {
        const wrong = prepared.filter((object) => object.prepare().problems.length > 0);
        const overwritten = this.overwritten(run?.output ?? SynthOutput.CHART);
        for (const { owner, finding } of overwritten) {
          owner.fail([sentenceOf(finding)]);
        }
        const looks = this.warningSources.map((source) => [source, source.look()] as const);
        return {
          fights: this.fights(),
          isWrong:
            overwritten.length > 0 || wrong.length > 0 || looks.some(([, { problems = [] }]) => problems.length > 0),
          warned: new Map(looks.map(([source, { warnings }]) => [source, warnings])),
        };
      });
      let failed = found.isWrong;
      for (const object of prepared) {
        const errors = fights.get(object)?.errors ?? [];
        object.fail(errors.map(sentenceOf));
        failed = errors.length > 0 || failed;
      }
      const warningsOf = (object: WarningSource) => [
        ...(warned.get(object) ?? object.look().warnings),
        ...(fights.get(object)?.warnings ?? []),
      ];
      reportWarnings(this.root, [...this.warningSources, ...prepared], { warningsOf, failing: failed });
    }
    return [];
  }

  /** What answers for an object, where it is of this library. */
  private ownerOf(object: IConstruct): Failing | undefined {
    for (let construct: IConstruct | undefined = object; construct; construct = construct.node.scope) {
      const owner = this.owners.get(construct);
      if (owner) {
        return owner;
      }
    }
    return undefined;
  }
}

const NO_FIGHTS: ReadonlyMap<object, Fights> = new Map();

type Watched = IConstruct & { [WATCH]?: SynthWatch };
