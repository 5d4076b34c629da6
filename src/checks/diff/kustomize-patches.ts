import { dirname, join } from 'node:path';
import { isMap, type Json, list, mapIn } from '../../contract/json';
import { readKubernetesYaml } from '../../contract/kubernetes-yaml';
import type { YamlPath } from '../../contract/yaml-source';
import type { Manifest } from '../../rules/manifest-objects';
import type { ReadSide } from './read-sides';

/** A patch of a kustomization: objects that are merged, or operations on what a target names. */
export interface Patch {
  readonly target?: Json;
  readonly values: readonly unknown[];
}

const PATCHES = new WeakMap<ReadSide, Map<string, readonly Patch[]>>();

/** The patches of a kustomization, as far as they can be read. */
export function patchesOf({ file, object }: Manifest, read: ReadSide): readonly Patch[] {
  const ofSide = PATCHES.get(read) ?? new Map<string, readonly Patch[]>();
  PATCHES.set(read, ofSide);
  const known = ofSide.get(file) ?? patchesIn(file, object, read);
  ofSide.set(file, known);
  return known;
}

function patchesIn(file: string, kustomization: Json, read: ReadSide): Patch[] {
  const listed = ['patches', 'patchesJson6902'].flatMap((field) => list<unknown>(kustomization[field]).filter(isMap));
  const merged = list<unknown>(kustomization.patchesStrategicMerge).map((one) =>
    typeof one === 'string' && !one.includes('\n') ? { path: one } : { patch: one },
  );
  return [...listed, ...merged].map(({ path, patch, target }: Json) => ({
    ...(isMap(target) && { target }),
    values: typeof path === 'string' ? valuesOfFile(join(dirname(file), path), read) : valuesOfText(patch),
  }));
}

function valuesOfText(text: unknown): unknown[] {
  const { values, faults } = readKubernetesYaml(typeof text === 'string' ? text : '');
  return faults.length > 0 ? [] : values.map(({ value }) => value);
}

function valuesOfFile(file: string, { read, common }: ReadSide): unknown[] {
  return [...read.manifests, ...(read.documents ?? []), ...(read.lists ?? [])]
    .filter((one) => common(one.file) === file)
    .map((one) => ('object' in one ? one.object : one.values));
}

/** Whether a patch writes a field of a Service, whatever it was before. */
export function writesOver({ target, values }: Patch, service: Json, path: YamlPath): boolean {
  return values.some((value) =>
    Array.isArray(value)
      ? target !== undefined && isAbout(target, service) && value.some((one) => isOperationOn(one, path))
      : isMap(value) && (target ? isAbout(target, service) : isNamed(value, service)) && isMergedAt(value, path),
  );
}

/** Names as they are, and the pattern of all of them; whether labels fit is not looked at. */
function isAbout({ kind, name, namespace, labelSelector, annotationSelector }: Json, { metadata }: Json): boolean {
  const { name: own, namespace: of } = mapIn({ metadata }, 'metadata');
  const fits = (pattern: unknown, text: unknown) =>
    pattern === undefined || pattern === '' || pattern === '.*' || pattern === text;
  const isSelected = labelSelector === undefined && annotationSelector === undefined;
  return isSelected && fits(kind, 'Service') && fits(name, own) && fits(namespace, of);
}

/** An object that is merged is that of its own kind and name, in its own namespace. */
function isNamed({ kind, metadata }: Json, service: Json): boolean {
  const { name, namespace } = mapIn({ metadata }, 'metadata');
  const own = mapIn(service, 'metadata');
  return kind === 'Service' && name === own.name && (namespace ?? 'default') === (own.namespace ?? 'default');
}

/** Whether an object that is merged has a field: parts of maps and of most lists are merged, what is in none is written over. */
function isMergedAt(patch: Json, path: YamlPath): boolean {
  const last = path.reduce<unknown>(
    (value, step) => (typeof step === 'string' && isMap(value) && Object.hasOwn(value, step) ? value[step] : MISSING),
    patch,
  );
  return last !== MISSING && !isMap(last) && (!Array.isArray(last) || path.join('.') === REPLACED_LIST);
}

const MISSING = Symbol('missing');

/** The list of a Service that is no set of entries with keys. kubernetes/api, core/v1/types.go */
const REPLACED_LIST = 'spec.loadBalancerSourceRanges';

/** Whether an operation writes a field, or what it is in. RFC 6902 */
function isOperationOn(operation: unknown, path: YamlPath): boolean {
  if (!isMap(operation) || !WRITING.includes(operation.op)) {
    return false;
  }
  const steps = String(operation.path)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.length > 0 && steps.length <= path.length && steps.every((step, i) => step === String(path[i]));
}

const WRITING: readonly unknown[] = ['add', 'replace', 'remove'];
