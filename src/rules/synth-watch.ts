import type { IConstruct } from 'constructs';
import type { BalancedObject } from './balanced-object';
import { tellWarnings } from './warnings';

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

  public readonly objects: BalancedObject[] = [];
  private unprepared: BalancedObject[] = [];
  private written = new Set<BalancedObject>();
  private passesWithoutWrite = 0;
  private failed = false;

  private constructor(private readonly root: IConstruct) {}

  public add(object: BalancedObject): void {
    this.objects.push(object);
    this.unprepared.push(object);
  }

  public wrote(object: BalancedObject): void {
    this.written.add(object);
    this.passesWithoutWrite = 0;
  }

  private pass(): string[] {
    // a synth passes twice before it writes; a third time, or after a failure, or with all written: a new synth
    const anew = this.failed || this.passesWithoutWrite >= 2 || this.written.size === this.objects.length;
    if (anew) {
      this.passesWithoutWrite = 0;
      this.written = new Set();
      this.unprepared = [...this.objects];
    }
    this.passesWithoutWrite++;
    if (this.unprepared.length > 0) {
      const prepared = this.unprepared;
      this.unprepared = [];
      this.failed = false;
      for (const object of prepared) {
        object.forget();
        this.failed = object.prepare().problems.length > 0 || this.failed;
      }
      this.failed = tellWarnings(this.root, prepared, this.failed) || this.failed;
    }
    return [];
  }
}

function rootOf(construct: IConstruct): IConstruct & { [WATCH]?: SynthWatch } {
  let root = construct;
  while (root.node.scope) {
    root = root.node.scope;
  }
  return root;
}
