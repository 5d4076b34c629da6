import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { type SynthRun, synthRunOf, watchSynths } from '../contract/synth-run';
import type { JudgedObject } from './judged-object';
import { type Failing, failOverwritten } from './output-files';
import { tellWarnings } from './warnings';

const WATCH = Symbol('cdk8s-load-balancers.synth-watch');

/** A construct of this library of which nothing is judged; it is asked from the first error on. */
class Claim implements Failing {
  private told?: string[];

  public constructor(private readonly construct: IConstruct) {}

  public get path(): string {
    return this.construct.node.path;
  }

  public fail(sentences: readonly string[]): void {
    if (!this.told) {
      this.construct.node.addValidation({ validate: () => this.told ?? [] });
    }
    this.told = [...new Set([...(this.told ?? []), ...sentences])];
  }

  public forget(): void {
    this.told = this.told && [];
  }
}

/**
 * Has all objects of an app judged in the first validation pass of each synth, so that each is rendered once: cdk8s validates
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

  /** While objects are prepared: what is rendered more than once in the same moment is the same. */
  public moment?: object;

  /** Constructs of this library, and objects that it judges; each answers for everything below it. */
  private readonly own = new Map<IConstruct, Failing>();
  private readonly claims: Claim[] = [];
  private unprepared = new Set<JudgedObject>();
  private run?: SynthRun;

  private constructor(private readonly root: IConstruct) {}

  /** The synth that goes on, if any. */
  public get current(): SynthRun | undefined {
    return synthRunOf(this.root);
  }

  public add(object: JudgedObject): void {
    const { host, target } = object;
    this.objects.push(object);
    this.unprepared.add(object);
    if (ApiObject.isApiObject(target)) {
      this.own.set(target, object);
      if (host !== target && !Chart.isChart(host) && !this.own.has(host)) {
        this.own.set(host, object);
      }
    }
  }

  /** What a construct makes is of this library, although nothing of it is judged. */
  public claim(construct: IConstruct): void {
    if (!this.own.has(construct)) {
      const claim = new Claim(construct);
      this.own.set(construct, claim);
      this.claims.push(claim);
    }
  }

  /** An object was changed after it was prepared. */
  public changed(object: JudgedObject): void {
    object.forget();
    this.unprepared.add(object);
  }

  private forget(): void {
    this.run = undefined;
    this.unprepared = new Set(this.objects);
    for (const told of [...this.objects, ...this.claims]) {
      told.forget();
    }
  }

  private pass(): string[] {
    const run = this.current;
    // a validation that is no part of a synth is one by itself
    const isFirst = run === undefined || run !== this.run;
    if (isFirst) {
      this.forget();
      this.run = run;
    }
    if (isFirst || this.unprepared.size > 0) {
      const prepared = [...this.unprepared];
      let failed = false;
      this.unprepared = new Set();
      this.moment = {};
      try {
        for (const object of prepared) {
          failed = object.prepare().problems.length > 0 || failed;
        }
        failed = this.failOverwritten() || failed;
      } finally {
        this.moment = undefined;
      }
      tellWarnings(this.root, prepared, failed);
    }
    return [];
  }

  private failOverwritten(): boolean {
    const parts = this.objects.filter(({ target }) => !ApiObject.isApiObject(target));
    return failOverwritten({
      root: this.root,
      parts: parts.map((owner) => ({ target: owner.target, owner })),
      ownerOf: (object) => this.ownerOf(object),
    });
  }

  /** What answers for an object, where it is of this library. */
  private ownerOf(object: IConstruct): Failing | undefined {
    for (let construct: IConstruct | undefined = object; construct; construct = construct.node.scope) {
      const owner = this.own.get(construct);
      if (owner) {
        return owner;
      }
    }
    return undefined;
  }
}

type Watched = IConstruct & { [WATCH]?: SynthWatch };
