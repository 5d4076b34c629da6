import type { IConstruct } from 'constructs';
import { SynthWatch } from './synth-watch';

/** What was made in a pass of a synth; it goes with the pass. */
const MADE = new WeakMap<object, Map<KeptInPass<unknown>, unknown>>();

/**
 * What follows from a construct as it is now, such as its JSON. While a synth looks at its objects one after the other, none of
 * them changes: it is made once then, and anew at any other time.
 */
export class KeptInPass<T> {
  public constructor(
    private readonly of: IConstruct,
    private readonly make: () => T,
  ) {}

  /** What follows now; in a pass many get the same, so none may change it. */
  public get now(): T {
    const pass = SynthWatch.find(this.of)?.currentPass;
    if (pass === undefined) {
      return this.make();
    }
    const made = MADE.get(pass) ?? new Map<KeptInPass<unknown>, unknown>();
    MADE.set(pass, made);
    if (!made.has(this)) {
      made.set(this, this.make());
    }
    return made.get(this) as T;
  }
}
