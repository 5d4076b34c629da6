// The API of the last release: its assembly without docs and without places in the sources, compressed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT } from '../docs/files';

/** A type of an assembly, as far as a comparison looks into it. */
export interface Struct {
  properties?: { readonly name: string }[];
  readonly methods?: readonly { readonly name: string }[];
  /** The words of an enum. */
  readonly members?: readonly { readonly name: string }[];
  readonly interfaces?: readonly string[];
}

/** What jsii writes of a library. */
export interface Assembly {
  readonly types: Readonly<Record<string, Struct>>;
}

export const BASELINE = 'releases/api.jsii.gz';

/** Of docstrings, what decides how a change is classified. */
const COMPARED = ['stability', 'deprecated', 'subclassable'];

/** Of an assembly, what has nothing to do with who calls it. */
const ASIDE = ['docs', 'locationInModule', 'symbolId', 'readme', 'fingerprint', 'metadata', 'author', 'keywords'];

/** The API of an assembly, and nothing else. */
export function apiOf<T>(assembly: T): T {
  if (Array.isArray(assembly)) {
    return assembly.map(apiOf) as T;
  }
  if (typeof assembly !== 'object' || assembly === null) {
    return assembly;
  }
  return Object.fromEntries(
    Object.entries(assembly).flatMap(([key, value]) => {
      const kept = key === 'docs' ? compared(value) : value;
      return ASIDE.includes(key) && !(key === 'docs' && kept) ? [] : [[key, apiOf(kept)]];
    }),
  ) as T;
}

function compared(docs: Record<string, unknown>): Record<string, unknown> | undefined {
  const kept = Object.entries(docs).filter(([key, value]) => COMPARED.includes(key) && value !== 'stable');
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The assembly of the compiled library; where it is compressed, its first file names the other. */
export function compiled(): Assembly {
  const { schema, filename, ...assembly } = JSON.parse(readFileSync(join(ROOT, '.jsii'), 'utf8'));
  return schema === 'jsii/file-redirect'
    ? JSON.parse(gunzipSync(readFileSync(join(ROOT, filename))).toString('utf8'))
    : { schema, ...assembly };
}

/** The names of types and members that an API has and another has not. */
export function additionsTo(older: Assembly, newer: Assembly): string[] {
  const known = new Set(namesOf(older));
  return namesOf(newer).filter((name) => !known.has(name));
}

function namesOf({ types }: Assembly): string[] {
  return Object.entries(types).flatMap(([fqn, { properties = [], methods = [], members = [] }]) => [
    fqn,
    ...[...properties, ...methods, ...members].map(({ name }) => `${fqn}.${name}`),
  ]);
}

export function readBaseline(): Assembly {
  return JSON.parse(gunzipSync(readFileSync(join(ROOT, BASELINE))).toString('utf8'));
}

export function writeBaseline(assembly: Assembly): void {
  writeFileSync(join(ROOT, BASELINE), gzipSync(JSON.stringify(apiOf(assembly)), { level: 9 }));
}
