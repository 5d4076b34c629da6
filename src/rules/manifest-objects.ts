import { cachedIn, grouped, inKeyOrder, isMap, type Json, mapIn, objectIdOf } from '../contract/json';
import type { PlacesOfFields, YamlPlace } from '../contract/kubernetes-yaml';
import { groupOf, type IndexedObject, kindAndTitleOf, ObjectIndex } from './objects';

/**
 * Objects that several files have once each: an overlay for each environment, an example for each case. A cluster has
 * one of them, so each file is validated with the nearest one. Files of a folder that has an alternative are applied
 * with that one.
 */
export class Alternatives {
  private readonly files = new Map<string, readonly string[]>();
  /** The API groups with the objects of which another folder or file has an alternative, by folder or file. */
  private readonly places = new Map<string, Map<string, Set<string>>>();
  private readonly alternatives = new Map<string, boolean>();

  public constructor(entries: readonly IndexedObject[]) {
    for (const [identity, same] of grouped(entries.filter(isNamed), identityOf)) {
      const files = same.length > 1 ? [...new Set(same.map(({ unit }) => String(unit)))] : [];
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
      return cachedIn(kept, `${entry.group}\n${file}`, () => !this.isAlternative(place, file, entry.group));
    };
  }

  private add(identity: string, group: string, files: readonly string[]): void {
    const shared = Math.min(...files.map((file) => depthShared(files[0], file)));
    // a file is a place of its own only beside alternatives in its folder: the files of a folder have one view
    const placesOf = ([first, ...inner]: readonly string[]) => [first, ...inner.slice(0, -1)];
    for (const place of files.flatMap((file) => placesOf(around(file).slice(shared)))) {
      const groups = cachedIn(this.places, place, () => new Map<string, Set<string>>());
      cachedIn(groups, group, () => new Set()).add(identity);
    }
  }

  /** True if a file is in another branch than a place, and both branches have an object of the group. */
  private isAlternative(place: string, file: string, group: string): boolean {
    const shared = depthShared(place, file);
    const [one, other] = [place, file].map((path) => around(path)[shared] ?? '');
    const key = `${group}\n${one}\n${other}`;
    return cachedIn(this.alternatives, key, () => group !== CORE && this.haveOne(group, one, other));
  }

  private haveOne(group: string, one: string, other: string): boolean {
    const [own, its] = [one, other].map((place) => this.places.get(place)?.get(group));
    return own !== undefined && its !== undefined && [...own].some((identity) => its.has(identity));
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

/** Number of equal names at the beginning of two paths; it is asked for all pairs of files that have one object. */
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

export interface Manifest {
  readonly file: string;
  readonly line: number;
  readonly object: Json;
  readonly source?: PlacesOfFields;
  readonly renderedFrom?: string;
}

/** Place of an object in the file that is edited: in one that is rendered, and not where it is rendered. */
export function sourcePlaceOf({ file, line, source, renderedFrom }: Manifest): {
  readonly file: string;
  readonly line: number;
} {
  const at: Partial<YamlPlace> & { readonly file?: string } =
    renderedFrom === undefined ? {} : (source?.placeOf([]) ?? {});
  return { file: at.file ?? file, line: at.line ?? line };
}

/** Place of an object for people. */
export function placeOfManifest(manifest: Manifest): string {
  const { file, line } = sourcePlaceOf(manifest);
  return `${file === '-' ? 'standard input' : file}:${line}`;
}

/** Folders and files for one environment, cloud or case; below the second ones each folder is one of these. */
const OF_A_CLUSTER =
  /(^|[-_.])(dev|development|test|testing|qa|uat|int|stage|staging|preprod|prod|production|live|local|minikube|kind|aws|eks|gcp|gke|azure|aks|old|new|v\d+|before|after|examples?|samples?|patch|override|base)([-_.]|$)/i;
const OF_CLUSTERS = /^(clusters?|overlays?|env|environments?|regions?)$/i;

export const isForOneCluster = (name: string) => OF_A_CLUSTER.test(name);

/**
 * Identity of copies of one object that are applied to one cluster. An object without a namespace may be meant
 * for that of its folder.
 * @param isDeclared whether all files are declared to be sources of one cluster
 */
export function clusterOf({ file, object, renderedFrom = '' }: Manifest, isDeclared = false): string {
  const names = file.split('/');
  if (!mapIn(object, 'metadata').namespace) {
    return `${names.slice(0, -1).join('/')}/`;
  }
  const from = names.findIndex((name) => OF_CLUSTERS.test(name));
  const own = names.filter((name, i) => isForOneCluster(name) || (from >= 0 && i > from && i < names.length - 1));
  return isDeclared ? '' : [renderedFrom, ...own].join('/');
}

/**
 * Objects of a kind without the copies: of each object the one that was read last, as it wins, with all of them.
 * Objects without a namespace are copies if they are alike.
 */
export function copiesOf<T extends Manifest>(objects: readonly T[], isDeclared?: boolean): Map<T, readonly T[]> {
  const idOf = (one: T) => `${objectIdOf(one.object)} ${clusterOf(one, isDeclared)}`;
  const same = grouped(objects, (one) => (mapIn(one.object, 'metadata').name ? idOf(one) : one));
  const copies = [...same.values()].flatMap((all) =>
    all.length === 1 || mapIn(all[0].object, 'metadata').namespace
      ? [all]
      : [...grouped(all, ({ object }) => JSON.stringify(inKeyOrder(object))).values()],
  );
  return new Map(copies.map((all) => [all[all.length - 1], all]));
}

/** The objects of files, indexed as those of an app are: rules cannot tell which of the two they look at. */
export class ManifestIndex extends ObjectIndex {
  public readonly all: readonly IndexedObject[];
  private readonly alternatives: Alternatives;
  private readonly views = new Map<string, ObjectIndex>();

  public constructor(manifests: readonly Manifest[]) {
    super();
    this.all = manifests.map((manifest) => this.entryOf(manifest));
    this.alternatives = new Alternatives(this.all);
  }

  /** An object among those of the files: one of them, or one that a controller will make of what a file has. */
  public entryOf(manifest: Manifest & { readonly madeOf?: { readonly object: Json } }): IndexedObject {
    const { file, object, madeOf } = manifest;
    const seen = file === '-' ? 'standard input' : file;
    const { name, namespace, labels } = isMap(object.metadata) ? object.metadata : ({} as Json);
    const viewed = () => this.viewFrom(seen);
    return {
      get index() {
        return viewed();
      },
      apiVersion: String(object.apiVersion),
      group: groupOf(object),
      kind: String(object.kind),
      ...(madeOf && { madeOf: String(madeOf.object.kind) }),
      name,
      namespace,
      json: object,
      label: (key) => (isMap(labels) ? labels[key] : undefined),
      get path() {
        return placeOfManifest(manifest);
      },
      scopes: file.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/')),
      unit: seen,
      isChecked: true,
    };
  }

  private viewFrom(file: string): ObjectIndex {
    if (this.alternatives.areNone) {
      return this;
    }
    const place = this.alternatives.placeOf(file);
    if (this.views.size === MOST_VIEWS && !this.views.has(place)) {
      this.views.clear();
    }
    return cachedIn(this.views, place, () => new ViewOfFile(this, this.alternatives.besides(place)));
  }
}

/** Files are validated one after the other, so few views are used at a time. */
const MOST_VIEWS = 50;

/** The objects of files without the alternatives of those that one file is applied with. */
class ViewOfFile extends ObjectIndex {
  private readonly ofKinds = new Map<string, readonly IndexedObject[]>();
  private objects?: readonly IndexedObject[];

  public constructor(
    private readonly whole: ObjectIndex,
    private readonly isBeside: (entry: IndexedObject) => boolean,
  ) {
    super();
  }

  public get all(): readonly IndexedObject[] {
    this.objects ??= this.whole.all.filter(this.isBeside);
    return this.objects;
  }

  public override of(group: string, kind: string): readonly IndexedObject[] {
    return cachedIn(this.ofKinds, `${group}/${kind}`, () => this.whole.of(group, kind).filter(this.isBeside));
  }

  public override named(...key: Parameters<ObjectIndex['named']>): readonly IndexedObject[] {
    return this.whole.named(...key);
  }
}
