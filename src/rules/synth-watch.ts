import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { groupedByAll } from '../contract/json';
import { sentenceOf } from '../contract/rule';
import { SynthOutput, type SynthRun, synthRunOf, validateAgain, watchSynths } from '../contract/synth-run';
import { inPass, perPass, setChecked } from './app-objects';
import { type ClaimSource, claimFindings } from './claims';
import { type ObjectFindings, withoutIgnored } from './ignored-findings';
import { type FailingConstruct, type FileCollision, fileCollisionsIn } from './output-files';
import type { SynthObject } from './synth-object';
import { reportWarnings, type WarningSource } from './warnings';

const WATCH = Symbol('cdk8s-load-balancers.synth-watch');

type Watched = IConstruct & { [WATCH]?: SynthWatch };

/** A construct of this library of which nothing is validated; it is asked from the first error on. */
class UncheckedConstruct implements FailingConstruct {
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
 * Has all objects of an app validated in the first validation pass of each synth, so that each is rendered once: cdk8s
 * validates the whole app before the first chart and again before each chart.
 */
export class SynthWatch {
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

  public static find(construct: IConstruct): SynthWatch | undefined {
    return (construct.node.root as Watched)[WATCH];
  }

  public readonly objects: SynthObject[] = [];

  public readonly warningSources: WarningSource[] = [];

  /** The objects of the app that no rule validates, as far as they may fight with those that rules validate. */
  public uncheckedClaimers?: () => readonly ClaimSource[];

  /** Constructs of this library, and objects that it validates; each answers for everything below it. */
  private readonly owners = new Map<IConstruct, FailingConstruct>();
  private readonly unchecked: UncheckedConstruct[] = [];
  private unprepared = new Set<SynthObject>();
  private run?: SynthRun;

  private constructor(private readonly root: IConstruct) {}

  public add(object: SynthObject): void {
    const { host, target } = object;
    this.objects.push(object);
    this.unprepared.add(object);
    validateAgain(this.root);
    if (ApiObject.isApiObject(target)) {
      setChecked(target, object);
      this.owners.set(target, object);
      if (host !== target && !Chart.isChart(host) && !this.owners.has(host)) {
        this.owners.set(host, object);
      }
    }
  }

  /** Objects of a construct are of this library, although they are not validated. */
  public own(construct: IConstruct): void {
    if (!this.owners.has(construct)) {
      const unchecked = new UncheckedConstruct(construct);
      this.owners.set(construct, unchecked);
      this.unchecked.push(unchecked);
    }
  }

  public warn(warn: WarningSource): void {
    this.warningSources.push(warn);
  }

  public changed(object: SynthObject): void {
    object.forget();
    this.unprepared.add(object);
    validateAgain(this.root);
  }

  public inPass<T>(look: () => T): T {
    return inPass(this.root, look);
  }

  public fights(): ReadonlyMap<object, ObjectFindings> {
    const claimers = this.objects.map(({ claimer }) => claimer).filter(({ claims }) => claims.length > 0);
    if (claimers.length === 0) {
      return NO_FIGHTS;
    }
    const fights: Map<object, ObjectFindings> = claimFindings([...claimers, ...(this.uncheckedClaimers?.() ?? [])]);
    for (const object of this.objects.filter((one) => fights.has(one))) {
      fights.set(object, withoutIgnored(object.look().ignored, fights.get(object) as ObjectFindings));
    }
    return fights;
  }

  public overwritten(to: SynthOutput): FileCollision[] {
    const parts = this.objects
      .filter(({ target }) => !ApiObject.isApiObject(target))
      .map((owner) => ({ target: owner.target, owner }));
    const ownerOf = (object: IConstruct) =>
      [...object.node.scopes]
        .reverse()
        .map((scope) => this.owners.get(scope))
        .find((owner) => owner !== undefined);
    return fileCollisionsIn({ root: this.root, to, parts, ownerOf });
  }

  private forget(): void {
    this.run = undefined;
    this.unprepared = new Set(this.objects);
    for (const reported of [...this.objects, ...this.unchecked]) {
      reported.forget();
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
      this.prepare([...this.unprepared], run?.output ?? SynthOutput.CHART);
    }
    return [];
  }

  private prepare(prepared: readonly SynthObject[], output: SynthOutput): void {
    this.unprepared = new Set();
    let failing = false;
    const [fights, warned] = this.inPass(() => {
      for (const object of prepared) {
        failing = object.prepare().problems.length > 0 || failing;
      }
      for (const { owner, finding } of this.overwritten(output)) {
        owner.fail([sentenceOf(finding)]);
        failing = true;
      }
      const looks = this.warningSources.map((source) => {
        source.fail([]);
        const { warnings, problems = [] } = source.look();
        failing ||= problems.length > 0;
        return [source, warnings] as const;
      });
      return [this.fights(), new Map(looks)];
    });
    for (const object of prepared) {
      const errors = fights.get(object)?.errors ?? [];
      object.fail(errors.map(sentenceOf));
      failing ||= errors.length > 0;
    }
    const warningsOf = (object: WarningSource) => [
      ...(warned.get(object) ?? object.look().warnings),
      ...(fights.get(object)?.warnings ?? []),
    ];
    reportWarnings(this.root, [...this.warningSources, ...prepared], warningsOf, failing);
  }
}

const NO_FIGHTS: ReadonlyMap<object, ObjectFindings> = new Map();

const synthObjectsOf = perPass((root) =>
  groupedByAll(SynthWatch.find(root)?.objects ?? [], ({ host }) => host.node.scopes),
);

/** The objects of a construct and of everything below it that rules validate, in the order in which they were made. */
export function synthObjectsUnder(scope: IConstruct): readonly SynthObject[] {
  return synthObjectsOf(scope).get(scope) ?? [];
}
