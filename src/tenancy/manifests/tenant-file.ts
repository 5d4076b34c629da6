import { readFileSync } from 'node:fs';
import { isMap, type Json } from '../../contract/json';
import { readKubernetesYaml } from '../../contract/kubernetes-yaml';
import { itemsOf, type YamlValue } from '../../contract/list-items';
import { printable } from '../../contract/printable';
import type { Fault } from '../fault';
import {
  TENANT_FILE_ADDRESS,
  TENANT_FILE_MERGE,
  TENANT_FILE_MISSING,
  TENANT_FILE_OBJECT,
  TENANT_FILE_YAML,
} from './rules';

/** An object of a tenant's file. */
export interface TenantObject {
  readonly json: Json;
  /** Its file and line. */
  readonly place: string;
}

/** What is wrong with a tenant's file. */
export interface FileFault extends Fault {
  /** File, and line where it is known. */
  readonly place: string;
}

/** A tenant's file: what it holds, or what is wrong with it. */
interface TenantFile {
  readonly objects: readonly TenantObject[];
  readonly faults: readonly FileFault[];
}

/** Reads the objects of a file, those of a List each by itself; what is no object of Kubernetes is a fault. */
export function readTenantFile(file: string): TenantFile {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) {
    const what = 'it is a URL, and synth reads no network: the same code would give another output tomorrow';
    return onlyFault({
      rule: TENANT_FILE_ADDRESS,
      place: file,
      what,
      remedy: 'download it, commit it, and pass its path',
    });
  }
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    const what = `it cannot be read: ${(error as NodeJS.ErrnoException).code}`;
    const remedy = 'pass the path of a file; a relative one begins at the working directory';
    return onlyFault({ rule: TENANT_FILE_MISSING, place: file, what, remedy });
  }
  const merged = mergeFaults(content.toString('utf8'), file);
  if (merged.length > 0) {
    return { objects: [], faults: merged };
  }
  const { values, faults } = readKubernetesYaml(content);
  const broken = faults.map(({ line, ...fault }) => ({ rule: TENANT_FILE_YAML, place: `${file}:${line}`, ...fault }));
  const read = values.flatMap(itemsOf).map((value) => objectIn(value, file));
  return {
    objects: broken.length > 0 ? [] : read.flatMap(({ objects }) => objects),
    faults: [...broken, ...read.flatMap(({ faults: found }) => found)],
  };
}

/** What a merge left; in a text of YAML nothing else begins a line like that. */
function mergeFaults(text: string, file: string): FileFault[] {
  return text.split('\n').flatMap((line, i) => {
    const mark = /^(<{7}|>{7}|\|{7})(?=\s|$)/.exec(line)?.[0];
    const what = `a merge left ${mark}`;
    const remedy = 'keep one of the two sides, and remove the markers';
    return mark ? [{ rule: TENANT_FILE_MERGE, place: `${file}:${i + 1}`, what, remedy }] : [];
  });
}

function onlyFault(fault: FileFault): TenantFile {
  return { objects: [], faults: [fault] };
}

function objectIn({ value, line }: YamlValue, file: string): TenantFile {
  const place = `${file}:${line}`;
  if (value === null || value === undefined || (isMap(value) && Object.keys(value).length === 0)) {
    return { objects: [], faults: [] };
  }
  if (!isMap(value)) {
    const what = 'a document is not an object of Kubernetes';
    return onlyFault({
      rule: TENANT_FILE_OBJECT,
      place,
      what,
      remedy: 'write objects with apiVersion, kind and metadata',
    });
  }
  const json = withoutNothing(value);
  if (isMap(json.metadata) && (json.metadata.namespace === '' || json.metadata.namespace === null)) {
    // the API server takes both for none
    delete json.metadata.namespace;
  }
  const what = identityFault(json);
  return what === undefined
    ? { objects: [{ json, place }], faults: [] }
    : onlyFault({ rule: TENANT_FILE_OBJECT, place, ...what });
}

/** What an object lacks by which it is known. */
function identityFault(json: Json): Pick<FileFault, 'what' | 'remedy'> | undefined {
  const { apiVersion, kind, metadata } = json;
  for (const [field, value] of [
    ['apiVersion', apiVersion],
    ['kind', kind],
  ]) {
    if (typeof value !== 'string' || value === '') {
      const remedy = 'write it, or take out what is not an object of Kubernetes';
      return { what: `an object has no ${field} that is a string`, remedy };
    }
  }
  if (apiVersion.split('/').length > 2) {
    return { what: `'${printable(apiVersion)}' is not a valid API version`, remedy: 'write group/version' };
  }
  const name = isMap(metadata) ? metadata.name : undefined;
  if (typeof name === 'string' && name !== '') {
    const isTemplate = /\{\{|\$\{|\$\(/.test(name);
    return isTemplate
      ? {
          what: `the name of a ${printable(kind)} is '${printable(name)}', a template that was not rendered`,
          remedy: 'render it',
        }
      : undefined;
  }
  return isMap(metadata) && metadata.generateName !== undefined
    ? {
        what: `a ${printable(kind)} has generateName, so each time it is applied makes another one`,
        remedy: 'give it a name',
      }
    : {
        what: `a ${printable(kind)} has no metadata.name that is a string`,
        remedy: 'give it a name; put a number in quotes',
      };
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
