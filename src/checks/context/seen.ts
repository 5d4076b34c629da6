import { printable } from '../../contract/printable';
import type { IndexedObject } from '../../rules/objects';
import { joined } from './context-controllers';

/** Something that objects show of their cluster. */
export interface Seen<T> {
  readonly value: T;
  /** The objects that show it. */
  readonly by: readonly IndexedObject[];
}

/** Which objects show it, in one clause: `the Deployment in k8s/lbc.yaml:12`. */
export function fromWhere(by: readonly IndexedObject[]): string {
  const kinds = [...new Set(by.map(({ kind }) => kind))].sort();
  return joined(
    kinds.map((kind) => {
      const [first, ...others] = by.filter((one) => one.kind === kind);
      const where = `${kind}${others.length > 0 ? 's' : ''} in ${first.path}`;
      return printable(`the ${where}${others.length > 0 ? ` and ${others.length} more` : ''}`);
    }),
  );
}

/** What several objects show, each value once, in the order of the objects. */
export function seenBy<T>(
  objects: readonly IndexedObject[],
  shownBy: (object: IndexedObject) => T | undefined,
  keyOf: (value: T) => string = String,
): Seen<T>[] {
  const found = new Map<string, { value: T; by: IndexedObject[] }>();
  for (const object of objects) {
    const value = shownBy(object);
    if (value !== undefined) {
      const known = found.get(keyOf(value));
      if (known) {
        known.by.push(object);
      } else {
        found.set(keyOf(value), { value, by: [object] });
      }
    }
  }
  return [...found.values()];
}
