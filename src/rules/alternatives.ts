import { grouped } from '../contract/json';
import { type IndexedObject, kindAndTitleOf } from './objects';

/**
 * Objects that several files have once each: an overlay for each environment, an example for each case. A cluster has one of them,
 * so each file is validated with the nearest one. Files of a folder that has an alternative are applied with that one.
 */
export class Alternatives {
  /** The files that have an object, if there is more than one. */
  private readonly files = new Map<string, readonly string[]>();
  /** The API groups with the objects of which another folder or file has an alternative, by folder or file. */
  private readonly places = new Map<string, Map<string, Set<string>>>();

  public constructor(entries: readonly IndexedObject[]) {
    for (const [identity, same] of grouped(entries.filter(isNamed), identityOf)) {
      const files = [...new Set(same.map(({ unit }) => String(unit)))];
      if (files.length > 1) {
        this.files.set(identity, files);
        this.add(identity, same[0].group, files);
      }
    }
  }

  public get areNone(): boolean {
    return this.files.size === 0;
  }

  /** The innermost folder or file around a file that has alternatives; files of one place are applied with the same objects. */
  public placeOf(file: string): string {
    return [...around(file)].reverse().find((place) => this.places.has(place)) ?? '';
  }

  public besides(place: string): (entry: IndexedObject) => boolean {
    const chosen = new Map<string, string>();
    for (const [identity, files] of this.files) {
      chosen.set(identity, nearest(place, files));
    }
    const kept = new Map<string, boolean>();
    return (entry) => {
      const file = String(entry.unit);
      if ((chosen.get(identityOf(entry)) ?? file) !== file) {
        return false;
      }
      const key = `${entry.group}\n${file}`;
      const isBeside = kept.get(key) ?? !this.isAlternative(place, file, entry.group);
      kept.set(key, isBeside);
      return isBeside;
    };
  }

  private add(identity: string, group: string, files: readonly string[]): void {
    const shared = Math.min(...files.map((file) => depthShared(files[0], file)));
    for (const place of files.flatMap((file) => around(file).slice(shared))) {
      const groups = this.places.get(place) ?? new Map<string, Set<string>>();
      this.places.set(place, groups);
      groups.set(group, (groups.get(group) ?? new Set()).add(identity));
    }
  }

  /** True if a file is in another branch than a place, and both branches have an object of the group. */
  private isAlternative(place: string, file: string, group: string): boolean {
    const shared = depthShared(place, file);
    const own = this.places.get(around(place)[shared] ?? '')?.get(group);
    const its = this.places.get(around(file)[shared] ?? '')?.get(group);
    return group !== CORE && own !== undefined && its !== undefined && [...own].some((identity) => its.has(identity));
  }
}

/** Objects of the core group have common names, such as those of Namespaces and ConfigMaps, in folders that are applied together. */
const CORE = '';

function isNamed({ name }: IndexedObject): boolean {
  return typeof name === 'string' && name !== '';
}

function identityOf(entry: IndexedObject): string {
  return `${entry.group}/${kindAndTitleOf(entry)}`;
}

function around(file: string): readonly string[] {
  return file.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/'));
}

/** How many names at the beginning of two paths are the same; it is asked for all pairs of files that have one object. */
function depthShared(one: string, other: string): number {
  let depth = 0;
  for (let i = 0; ; i++) {
    const [a, b] = [one[i] ?? '/', other[i] ?? '/'];
    if (a !== b) {
      return depth;
    }
    if (a === '/') {
      depth++;
    }
    if (i >= one.length || i >= other.length) {
      return depth;
    }
  }
}

/** The file that shares the most folders with a place; none of several, of which any may be applied with it. */
function nearest(place: string, files: readonly string[]): string {
  let [found, most, count] = [files[0], -1, 0];
  for (const file of files) {
    const shared = depthShared(place, file);
    if (shared > most) {
      [found, most, count] = [file, shared, 1];
    } else if (shared === most) {
      count++;
    }
  }
  return count < 2 ? found : NONE;
}

const NONE = '';
