import { dirname, join } from 'node:path';
import { isMap, isSet, type Json } from '../../contract/json';

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
  return [...new Set(others.flatMap(([, value]) => textsIn(value)))].map((path) => join(dirname(file), path));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return value.includes('\n') ? [] : [value.replace(/^[^=]*=/, '')];
  }
  return isMap(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}
