import type { IConstruct } from 'constructs';
import { sentenceOf } from '../contract/sentence';
import { type Claimer, type Fights, fightsAmong } from './claims-in-app';
import type { JudgedObject } from './judged-object';
import { type Remark, tellWarnings } from './warnings';

const WATCH = Symbol('cdk8s-load-balancers.synth-watch');

/**
 * Knows where the synth of one app stands. cdk8s has no such notion: it validates the whole app before the first chart
 * and again before each chart, then writes that chart's objects. From this sequence the watch tells the passes of one
 * synth from the beginning of the next, so that no object is rendered twice in one synth and none is written from an
 * earlier one.
 */
export class SynthWatch {
  /** The watch of the app that a construct belongs to. */
  public static of(construct: IConstruct): SynthWatch {
    const root = rootOf(construct);
    if (!root[WATCH]) {
      const watch = new SynthWatch(root);
      Object.defineProperty(root, WATCH, { value: watch });
      // the root is validated before its children: this opens every pass
      root.node.addValidation({ validate: () => watch.pass() });
    }
    return root[WATCH] as SynthWatch;
  }

  /** The watch of an app, where it has one. */
  public static find(construct: IConstruct): SynthWatch | undefined {
    return rootOf(construct)[WATCH];
  }

  public readonly objects: JudgedObject[] = [];

  /** While objects are prepared: what is rendered more than once in the same moment is the same. */
  public moment?: object;

  /** What was seen when constructs were made. */
  public readonly remarks: Remark[] = [];

  /** The objects of the app that are judged by nobody, as far as they may fight with those that are. */
  public strangers?: () => readonly Claimer[];

  private unprepared = new Set<JudgedObject>();
  private written = new Set<JudgedObject>();
  private passesWithoutWrite = 0;
  private passesToDoubt = FEW_PASSES;
  private isWholeApp = false;
  private failed = false;

  private constructor(private readonly root: IConstruct) {}

  public add(object: JudgedObject): void {
    this.objects.push(object);
    this.unprepared.add(object);
  }

  public remark(remark: Remark): void {
    this.remarks.push(remark);
  }

  /** An object was changed after it was prepared. */
  public changed(object: JudgedObject): void {
    object.forget();
    this.unprepared.add(object);
  }

  public wrote(object: JudgedObject): void {
    if (this.written.has(object)) {
      // written again: whatever was kept for the others is of a synth that is over
      this.begin();
    }
    if (this.written.size === 0) {
      // the whole app is validated twice before its first object is written, a chart alone once
      this.isWholeApp = this.passesWithoutWrite >= FEW_PASSES;
    }
    this.written.add(object);
    this.unprepared.delete(object);
    this.passesWithoutWrite = 0;
  }

  private begin(): void {
    this.written = new Set();
    this.unprepared = new Set(this.objects);
    this.passesWithoutWrite = 0;
    for (const object of this.objects) {
      object.forget();
    }
  }

  /** Two objects of one name in one chart are one object in the cluster, and the second overwrites the first. */
  private failNamesakes(): boolean {
    const seen = new Map<string, JudgedObject>();
    let failed = false;
    for (const object of this.objects) {
      const first = seen.get(object.identity);
      if (first) {
        object.fail([
          `kubernetes: ${object.identity.split('\n').slice(1).join(' ')} is made by ${first.host.node.path} as well; give one of the two another name (name-twice)`,
        ]);
        failed = true;
      }
      seen.set(object.identity, first ?? object);
    }
    return failed;
  }

  /** What the objects of the app fight over, each at the one where it is told. */
  public fights(): ReadonlyMap<object, Fights> {
    const claimers = this.objects.map(({ claimer }) => claimer).filter(({ claims }) => claims.length > 0);
    return claimers.length === 0 ? NO_FIGHTS : fightsAmong([...claimers, ...(this.strangers?.() ?? [])]);
  }

  private pass(): string[] {
    const isOver =
      this.failed || this.written.size === this.objects.length || (this.written.size > 0 && !this.isWholeApp);
    // charts without balancers pass without a write as well: look again, but ever more seldom
    const isDoubtful = this.written.size === 0 && this.passesWithoutWrite >= this.passesToDoubt;
    if (isOver) {
      this.begin();
      this.passesToDoubt = FEW_PASSES;
    } else if (isDoubtful) {
      const passes = this.passesWithoutWrite;
      this.begin();
      this.passesWithoutWrite = passes;
      this.passesToDoubt = passes * 2;
    }
    this.passesWithoutWrite++;
    if (this.unprepared.size > 0 || this.objects.length === 0) {
      const prepared = [...this.unprepared];
      this.unprepared = new Set();
      this.failed = false;
      this.moment = {};
      for (const object of prepared) {
        this.failed = object.prepare().problems.length > 0 || this.failed;
      }
      const fights = this.fights();
      this.moment = undefined;
      this.failed = this.failNamesakes() || this.failed;
      for (const object of prepared) {
        const errors = fights.get(object)?.errors ?? [];
        object.fail(errors.map(sentenceOf));
        this.failed = errors.length > 0 || this.failed;
      }
      const warningsOf = (object: Remark) => [...object.look().warnings, ...(fights.get(object)?.warnings ?? [])];
      const remarks = [...this.remarks, ...prepared];
      this.failed = tellWarnings(this.root, remarks, { warningsOf, failing: this.failed }) || this.failed;
    }
    return [];
  }
}

const NO_FIGHTS: ReadonlyMap<object, Fights> = new Map();

/** A synth of the whole app passes so often before it writes. */
const FEW_PASSES = 2;

function rootOf(construct: IConstruct): IConstruct & { [WATCH]?: SynthWatch } {
  let root = construct;
  while (root.node.scope) {
    root = root.node.scope;
  }
  return root;
}
