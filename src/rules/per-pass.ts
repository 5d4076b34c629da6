import type { IConstruct } from 'constructs';
import { SynthWatch } from './synth-watch';

/** What is looked for in a whole app: once in each pass of a synth, in which nothing changes, and anew at any other time. */
export function perPass<T>(look: (root: IConstruct) => T): (construct: IConstruct) => T {
  const kept = new WeakMap<object, T>();
  return ({ node: { root } }) => {
    const pass = SynthWatch.find(root)?.currentPass;
    if (pass === undefined) {
      return look(root);
    }
    const found = kept.get(pass) ?? look(root);
    kept.set(pass, found);
    return found;
  };
}
