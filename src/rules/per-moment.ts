import type { IConstruct } from 'constructs';
import { SynthWatch } from './synth-watch';

/** What is looked for in a whole app: once in each moment of a synth, in which nothing changes, and anew at any other time. */
export function perMoment<T>(look: (root: IConstruct) => T): (construct: IConstruct) => T {
  const kept = new WeakMap<object, T>();
  return ({ node: { root } }) => {
    const moment = SynthWatch.find(root)?.moment;
    if (moment === undefined) {
      return look(root);
    }
    const found = kept.get(moment) ?? look(root);
    kept.set(moment, found);
    return found;
  };
}
