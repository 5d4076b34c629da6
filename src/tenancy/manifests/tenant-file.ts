import { readFileSync } from 'node:fs';
import { isMap, type Json, ownValue, printable } from '../../contract/json';
import { itemsOf, readKubernetesYaml, type YamlValue } from '../../contract/kubernetes-yaml';
import type { Mistake } from '../../contract/rule';
import { misfitsIn, type SchemaFields, Shape } from '../../contract/schema/walk';
import { groupOf } from '../../rules/objects';
import { type Fault, faultOf, rulesOf } from '../fault';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { MANIFESTS_MESSAGES, MANIFESTS_RULES } from './rules.facts';
import { CLUSTER_KINDS, CLUSTER_NAME, NAMESPACED_DESPITE_NAME } from './tenant-manifests.facts';

export interface TenantObject {
  readonly json: Json;
  readonly place: string;
}

export interface FileFault extends Fault {
  readonly place: string;
}

interface TenantFile {
  readonly objects: readonly TenantObject[];
  readonly faults: readonly FileFault[];
}

export function readTenantFile(file: string): TenantFile {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) {
    return onlyFault(faultOf(MANIFESTS['tenant-file-url']), file);
  }
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    return onlyFault(faultOf(MANIFESTS['tenant-file-missing'], { code: (error as NodeJS.ErrnoException).code }), file);
  }
  const merged = mergeFaults(content.toString('utf8'), file);
  if (merged.length > 0) {
    return { objects: [], faults: merged };
  }
  const { values, faults } = readKubernetesYaml(content);
  const broken = faults.map(({ line, ...fault }) => ({
    rule: MANIFESTS['tenant-file-invalid'],
    place: `${file}:${line}`,
    ...fault,
  }));
  const read = values.flatMap(itemsOf).map((value) => objectIn(value, file));
  return {
    objects: broken.length > 0 ? [] : read.flatMap(({ objects }) => objects),
    faults: [...broken, ...read.flatMap(({ faults: found }) => found)],
  };
}

/** Conflict markers of a merge; nothing else in YAML begins a line like that. */
function mergeFaults(text: string, file: string): FileFault[] {
  return text.split('\n').flatMap((line, i) => {
    const mark = /^(<{7}|>{7}|\|{7})(?=\s|$)/.exec(line)?.[0];
    return mark ? [{ ...faultOf(MANIFESTS['tenant-file-merge-markers'], { mark }), place: `${file}:${i + 1}` }] : [];
  });
}

function onlyFault(fault: Fault, place: string): TenantFile {
  return { objects: [], faults: [{ ...fault, place }] };
}

function objectIn({ value, line }: YamlValue, file: string): TenantFile {
  const place = `${file}:${line}`;
  if (value === null || value === undefined || (isMap(value) && Object.keys(value).length === 0)) {
    return { objects: [], faults: [] };
  }
  if (!isMap(value)) {
    return onlyFault(faultOf(MANIFESTS['tenant-file-object-invalid']), place);
  }
  const json = withoutNothing(value);
  if (isMap(json.metadata) && (json.metadata.namespace === '' || json.metadata.namespace === null)) {
    // the API server takes both for none
    delete json.metadata.namespace;
  }
  const fault = identityFault(json);
  return fault === undefined ? { objects: [{ json, place }], faults: [] } : onlyFault(fault, place);
}

function identityFault({ apiVersion, kind, metadata }: Json): Fault | undefined {
  const field = Object.entries({ apiVersion, kind }).find(
    ([, value]) => typeof value !== 'string' || value === '',
  )?.[0];
  if (field !== undefined) {
    return faultOf(MANIFESTS.noField, { field });
  }
  if (apiVersion.split('/').length > 2) {
    return faultOf(MANIFESTS.badVersion, { version: printable(apiVersion) });
  }
  const name = isMap(metadata) ? metadata.name : undefined;
  const of = { kind: printable(kind) };
  if (typeof name === 'string' && name !== '') {
    const isTemplate = /\{\{|\$\{|\$\(/.test(name);
    const params = { ...of, name: printable(name) };
    return isTemplate ? faultOf(MANIFESTS.template, params) : undefined;
  }
  const isGenerated = isMap(metadata) && metadata.generateName !== undefined;
  return faultOf(MANIFESTS[isGenerated ? 'generatedName' : 'noName'], of);
}

const TEXT_MAPS = new Set(['annotations', 'labels', 'matchLabels', 'nodeSelector']);
const DATA = new Set(['data', 'stringData']);

/** The API server reads nothing in a map of strings as an empty text, and cdk8s would drop the key. */
function withoutNothing(json: Json): Json {
  const walk = (value: unknown, isTexts: boolean, depth: number): unknown => {
    if (Array.isArray(value)) {
      return value.map((item) => walk(item, false, depth + 1));
    }
    if (!isMap(value)) {
      return value;
    }
    const entries = Object.entries(value).map(([key, inner]) => {
      const ofTexts = TEXT_MAPS.has(key) || (depth === 0 && DATA.has(key));
      return [key, isTexts && inner === null ? '' : walk(inner, ofTexts && !isTexts, depth + 1)];
    });
    return Object.fromEntries(entries);
  };
  return walk(json, false, 0) as Json;
}

/** The identity of an object in the cluster: without a namespace of its own it gets that of the tenant. */
function identityOf(json: Json, tenant: string): string {
  const namespace = isOfCluster(json) ? '' : (json.metadata.namespace ?? tenant);
  return [groupOf(json), json.kind, namespace, json.metadata.name].join('/');
}

export function titleOf({ kind, metadata }: Json): string {
  return `${kind} ${metadata.name}`;
}

export function isOfCluster(json: Json): boolean {
  return isKnownOfCluster(json) || isNamedOfCluster(json);
}

function isKnownOfCluster(json: Json): boolean {
  return ownValue(CLUSTER_KINDS, groupOf(json))?.includes(json.kind) === true;
}

/** An unknown kind that is named like a cluster-scoped one, and has no namespace in the file. */
export function isNamedOfCluster(json: Json): boolean {
  const { kind, metadata } = json;
  return (
    !isKnownOfCluster(json) &&
    CLUSTER_NAME.test(kind) &&
    ownValue(NAMESPACED_DESPITE_NAME, kind) !== groupOf(json) &&
    (metadata.namespace ?? undefined) === undefined
  );
}

interface TakenIn {
  readonly place: string;
  readonly path: string;
}

const FILES = new WeakMap<TenancyRegistry, Map<string, TakenIn>>();

function takenIn(registry: TenancyRegistry): Map<string, TakenIn> {
  const known = FILES.get(registry) ?? new Map<string, TakenIn>();
  FILES.set(registry, known);
  return known;
}

export function inOtherFiles(objects: readonly TenantObject[], tenant: string, registry: TenancyRegistry): FileFault[] {
  const known = takenIn(registry);
  return objects.flatMap(({ json, place }) => {
    const other = known.get(identityOf(json, tenant));
    const rule = MANIFESTS[other?.place === place ? 'readTwice' : 'inOtherFile'];
    const params = { object: titleOf(json), other: other?.path, place: other?.place };
    return other ? [{ ...faultOf(rule, params), place }] : [];
  });
}

export function takeIn(
  objects: readonly TenantObject[],
  tenant: string,
  registry: TenancyRegistry,
  path: string,
): void {
  objects.forEach(({ json, place }) => void takenIn(registry).set(identityOf(json, tenant), { place, path }));
}

export function duplicateFaults(objects: readonly TenantObject[], tenant: string): FileFault[] {
  const first = new Map<string, TenantObject>();
  return objects.flatMap((object) => {
    const { json, place } = object;
    const key = identityOf(json, tenant);
    const before = first.get(key);
    first.set(key, before ?? object);
    const fault = { object: titleOf(json), before: before?.place };
    return before ? [{ ...faultOf(MANIFESTS['tenant-object-duplicate'], fault), place }] : [];
  });
}

export const MANIFESTS = rulesOf(MANIFESTS_RULES, MANIFESTS_MESSAGES);

// Rules of the files of tenants, and of what they share.

const REMEDIES: Readonly<Record<string, string>> = {
  [Shape.TEXT]: 'write a string there, in quotes if it looks like a number',
  [Shape.SCALAR]: 'write one string there, in quotes if it has other characters',
  [Shape.MAP]: 'write a map there, `key: value`',
  [Shape.SCALARS]: 'write a map there, `key: value`',
  [Shape.BOOLEAN]: 'write true or false there, without quotes',
  [Shape.TEXTS]: 'write a list there, `[a, b]` or a line `- a` for each',
};

const RELEASE = { product: 'Kubernetes', version: '', readFrom: '', oldApi: false, has: () => true };

/** Fields of the wrong type, which readers would take for missing. Null is of each type, as for the API server. */
export function fieldFindings(who: string, map: Json, fields: SchemaFields, at = ''): Mistake[] {
  return misfitsIn({ map, fields, open: true, where: '', at, release: RELEASE }).map((misfit) => ({
    what: `${who} has ${misfit.where} ${misfit.value}, which the API server refuses`,
    remedy: REMEDIES[misfit.takes ?? ''] ?? `write ${misfit.takes} there`,
    at: misfit.at,
  }));
}
