import { isMap, type Json } from '../contract/json';
import type { YamlSource } from '../contract/yaml-source';
import { groupOf, type IndexedObject, ObjectIndex } from './objects';

/** An object and where it is. */
export interface Manifest {
  readonly file: string;
  readonly line: number;
  readonly object: Json;
  /** Where its fields are written, if it was read from a text. */
  readonly source?: YamlSource;
}

/** The objects of files, indexed as those of an app are: rules cannot tell which of the two they look at. */
export class ManifestIndex extends ObjectIndex {
  public readonly all: readonly IndexedObject[];

  public constructor(manifests: readonly Manifest[]) {
    super();
    this.all = manifests.map((manifest) => this.entryOf(manifest));
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
    return {
      index: this,
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
}
