import { grouped, inKeyOrder, isMap, type Json, mapIn, objectIdOf } from '../contract/json';
import type { PlacesOfFields } from '../contract/kubernetes-yaml';
import { Alternatives } from './alternatives';
import { groupOf, type IndexedObject, ObjectIndex } from './objects';

/** An object and where it is. */
export interface Manifest {
  readonly file: string;
  readonly line: number;
  readonly object: Json;
  /** Where its fields are written, if it was read from a text. */
  readonly source?: PlacesOfFields;
  /** The kustomization or chart that it is rendered from. */
  readonly renderedFrom?: string;
}

/** Folders and files for one environment, cloud or case; below the second ones each folder is one of these. */
const OF_A_CLUSTER =
  /(^|[-_.])(dev|development|test|testing|qa|uat|int|stage|staging|preprod|prod|production|live|local|minikube|kind|aws|eks|gcp|gke|azure|aks|old|new|v\d+|before|after|examples?|samples?|patch|override|base)([-_.]|$)/i;
const OF_CLUSTERS = /^(clusters?|overlays?|env|environments?|regions?)$/i;

export const isForOneCluster = (name: string) => OF_A_CLUSTER.test(name);

/**
 * What copies of one object have in common that are applied to one cluster. An object without a namespace may be meant for that of its
 * folder.
 *
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
 * Objects of a kind without the copies: of each object the one that was read last, as it wins, with all of them. Objects without a
 * namespace are copies if they are alike.
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
  public entryOf({
    file,
    line,
    object,
    madeOf,
  }: Manifest & { readonly madeOf?: { readonly object: Json } }): IndexedObject {
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
      path: `${seen}:${line}`,
      scopes: file.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/')),
      unit: seen,
      isJudged: true,
    };
  }

  /** The objects that are applied together with those of a file. */
  private viewFrom(file: string): ObjectIndex {
    if (this.alternatives.areNone) {
      return this;
    }
    const place = this.alternatives.placeOf(file);
    const kept = this.views.get(place);
    if (kept) {
      return kept;
    }
    if (this.views.size === MOST_VIEWS) {
      this.views.clear();
    }
    const view = new ViewOfFile(this, this.alternatives.besides(place));
    this.views.set(place, view);
    return view;
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
    const key = `${group}/${kind}`;
    const found = this.ofKinds.get(key) ?? this.whole.of(group, kind).filter(this.isBeside);
    this.ofKinds.set(key, found);
    return found;
  }

  public override named(...key: Parameters<ObjectIndex['named']>): readonly IndexedObject[] {
    return this.whole.named(...key);
  }
}
