import { dirname, join } from 'node:path';
import { isMap, isSet, type Json, list } from '../../contract/json';
import type { Manifest } from '../../rules/manifest-objects';

// What of a kustomization decides what becomes of the objects that it renders.

/** Fields of a kustomization that change nothing of a Service but what it selects or what it is beside. */
const HARMLESS = new Set(
  [
    'images',
    'replicas',
    'configMapGenerator',
    'secretGenerator',
    'generatorOptions',
    'openapi',
    'buildMetadata',
  ].concat(['apiVersion', 'kind', 'metadata', 'sortOptions']),
);

const GENERATORS: ReadonlySet<string> = new Set(['configMapGenerator', 'secretGenerator']);
const COPYING = ['replacements', 'vars'];

/** Whether kustomizations copy what others generate: then that decides of Services as well. */
export function areCopying(kustomizations: readonly Json[]): boolean {
  return kustomizations.some((one) => COPYING.some((field) => isSet(one[field])));
}

/** What of a kustomization decides what becomes of Services. */
export function renderingFieldsOf(kustomization: Json, isCopied: boolean): Json {
  const decides = (key: string) => !HARMLESS.has(key) || (isCopied && GENERATORS.has(key));
  return Object.fromEntries(Object.entries(kustomization).filter(([key]) => decides(key)));
}

/** What a kustomization lists; what else it says changes the objects of that. */
export const LISTS: readonly string[] = ['resources', 'bases', 'components'];

/** The paths that those fields may name that change objects: of files with transformers, replacements, or values. */
export function filesNamedIn(file: string, fields: Json): string[] {
  const others = Object.entries(fields).filter(([key]) => !LISTS.includes(key));
  const paths = others.flatMap(([key, value]) =>
    textsIn(value).filter((path) => MAY_BE_FOLDERS.has(key) || isFile(path)),
  );
  return [...new Set(paths)].map((path) => join(dirname(file), path));
}

/** Fields that may name folders with kustomizations; what others say without an ending is a name of something else. */
const MAY_BE_FOLDERS: ReadonlySet<string> = new Set(['transformers', 'generators', 'validators']);
const isFile = (path: string) => /\.\w+$/.test(path);

/** The files and folders that a kustomization lists. */
export function filesListedIn({ object, file }: Pick<Manifest, 'object' | 'file'>, fields = LISTS): string[] {
  const listed = fields.flatMap((key) => list<unknown>(object[key]));
  return listed.flatMap((path) => (typeof path === 'string' ? [join(dirname(file), path)] : []));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return value.includes('\n') ? [] : [value.replace(/^[^=]*=/, '')];
  }
  return isMap(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}
