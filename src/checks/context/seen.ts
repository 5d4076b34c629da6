import { isMap, type Json, list, mapIn } from '../../contract/json';
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
  const kinds = [...new Set(by.map(writtenKind))].sort();
  return joined(
    kinds.map((kind) => {
      const places = by.filter((one) => writtenKind(one) === kind).map(({ path }) => path);
      // one object makes several Services
      const [first, ...others] = kind === 'Service' ? places : [...new Set(places)];
      const where = `${kind}${others.length > 0 ? 's' : ''} in ${first}`;
      return printable(`the ${where}${others.length > 0 ? ` and ${others.length} more` : ''}`);
    }),
  );
}

/** The kind of the object that is in the file. */
function writtenKind({ madeOf, kind }: IndexedObject): string {
  return madeOf ?? kind;
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

/** The containers of a workload. */
export function containersOf(workload: Json): Json[] {
  const template = mapIn(mapIn(workload.spec, 'template'), 'spec');
  return list<Json>(template.containers).filter(isMap);
}

/** Whether a container runs an image, of any registry. */
export function runsImage({ image }: Json, name: string): boolean {
  const [path] = String(image ?? '').split(/@|:[^/]*$/);
  return `/${path}`.endsWith(`/${name}`);
}

/** The provider ID of a Node, or an empty text. */
export function providerIdOf({ json }: Pick<IndexedObject, 'json'>): string {
  const id = mapIn(json, 'spec').providerID;
  return typeof id === 'string' ? id : '';
}

/** Whether objects are in one folder: what runs there runs in one cluster. */
export function isOneFolder(objects: readonly IndexedObject[]): boolean {
  return new Set(objects.map(({ scopes }) => scopes[scopes.length - 2])).size === 1;
}
