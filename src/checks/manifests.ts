import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../contract/late-rendering';
import { isMap, list } from '../rules/service-json';

/** An object and where it stands. */
export interface Manifest {
  readonly file: string;
  readonly object: Json;
}

/** What could not be read. */
export interface Unreadable {
  readonly file: string;
  readonly reason: string;
}

/** Everything that was read. */
export interface Manifests {
  readonly manifests: Manifest[];
  readonly unreadable: Unreadable[];
}

/** Standard input, as kubectl and its friends write it. */
const STANDARD_INPUT = '-';

/** Reads the Kubernetes objects of files, of the YAML and JSON files in folders, and of standard input (`-`). */
export function readManifests(paths: readonly string[]): Manifests {
  const found: Manifests = { manifests: [], unreadable: [] };
  for (const file of paths.flatMap(filesIn)) {
    try {
      const text = readFileSync(file === STANDARD_INPUT ? 0 : file, 'utf8');
      for (const document of parseAllDocuments(text, { merge: true, stringKeys: true, uniqueKeys: true })) {
        if (document.errors.length > 0) {
          found.unreadable.push({ file, reason: reasonOf(document.errors[0]) });
        } else {
          found.manifests.push(...objectsIn(document.toJS()).map((object) => ({ file, object })));
        }
      }
    } catch (error) {
      found.unreadable.push({ file, reason: (error as Error).message });
    }
  }
  return found;
}

/** The parser's words, but for the ones about its own options. */
function reasonOf({ message }: Error): string {
  return message
    .split('\n')[0]
    .replace(/:$/, '')
    .replace('With stringKeys, all keys must be strings', 'a key is no text, as in a template that was not rendered,');
}

function filesIn(path: string): string[] {
  if (path === STANDARD_INPUT || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return [path];
  }
  return readdirSync(path, { recursive: true })
    .map(String)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .sort()
    .map((file) => join(path, file));
}

/** The objects of a document; a List of them is taken apart, and what it says of all of them is said of each. */
function objectsIn(document: unknown): Json[] {
  if (!isMap(document)) {
    return [];
  }
  const { kind, apiVersion, items } = document;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !items) {
    return [document];
  }
  const common = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion };
  return list(items).flatMap((item) => objectsIn(isMap(item) ? { ...common, ...item } : item));
}
