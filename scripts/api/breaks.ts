// What callers of one assembly lose with another, in the words of jsii-diff, and those that are allowed for a reason.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../docs/files';
import type { Assembly, Struct } from './baseline';

/** One thing that a caller can no longer do. */
export interface Break {
  /** What jsii-diff calls it. */
  readonly key: string;
  readonly message: string;
}

/** A break that is allowed. */
export interface AllowedBreak {
  readonly key: string;
  readonly reason: string;
}

/** One key and its reason a line. */
export const ALLOWED_BREAKS = 'releases/allowed-breaks.txt';

/** A line of jsii-diff about a break, with its key. */
const SAID = /^(?:err |warn) *- (.*) \[(\S+)\]$/gm;

/** A struct's key, of which jsii-diff names the first property alone that breaks it. */
const OF_A_STRUCT = /^(?:strengthened|weakened):(.+)$/;
const PROPERTY = /\bproperty '?(\w+)/;

/** What callers of the older assembly lose with the newer. Types of other libraries are those of node_modules. */
export function breaksBetween(older: Assembly, newer: Assembly): Break[] {
  const mended = structuredClone(newer);
  const all = new Map<string, Break>();
  for (;;) {
    const found = said(older, mended).map((one) => ({ ...one, property: propertyOf(one) }));
    const fresh = found
      .map(({ property, ...one }) => ({ ...one, key: property ? `${one.key}.${property}` : one.key }))
      .filter(({ key }) => !all.has(key));
    if (fresh.length === 0) {
      return [...all.values()];
    }
    for (const one of fresh) {
      all.set(one.key, one);
    }
    for (const { key, property } of found) {
      takeBack(mended, older, OF_A_STRUCT.exec(key)?.[1], property);
    }
  }
}

/** The property of a struct that a break is about. */
function propertyOf({ key, message }: Break): string | undefined {
  return OF_A_STRUCT.test(key) ? PROPERTY.exec(message)?.[1] : undefined;
}

/** Gives a struct the property that it had, or had not. */
function takeBack(newer: Assembly, older: Assembly, fqn?: string, name?: string): void {
  if (!fqn || !name) {
    return;
  }
  const was = structsAbove(older, fqn).flatMap((struct) => struct.properties?.filter((one) => one.name === name) ?? []);
  for (const struct of structsAbove(newer, fqn)) {
    struct.properties = struct.properties?.filter((one) => one.name !== name);
  }
  const [struct] = structsAbove(newer, fqn);
  struct.properties = [...(struct.properties ?? []), ...was];
}

/** A struct and those that it extends, in this assembly. */
function structsAbove({ types }: Assembly, fqn: string): Struct[] {
  const struct = types[fqn];
  return struct ? [struct, ...(struct.interfaces ?? []).flatMap((above) => structsAbove({ types }, above))] : [];
}

/** What jsii-diff says of two assemblies. */
function said(older: Assembly, newer: Assembly): Break[] {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-api-'));
  try {
    const places = Object.entries({ older, newer }).map(([name, assembly]) => {
      const place = join(folder, name);
      mkdirSync(place);
      writeFileSync(join(place, '.jsii'), JSON.stringify(assembly));
      writeFileSync(join(place, 'package.json'), readFileSync(join(ROOT, 'package.json')));
      symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
      return place;
    });
    const program = join(ROOT, 'node_modules', 'jsii-diff', 'bin', 'jsii-diff.js');
    const { status, stderr } = spawnSync(process.execPath, [program, ...places, '--keys'], { encoding: 'utf8' });
    const found = [...stderr.matchAll(SAID)].map(([, message, key]) => ({ key, message }));
    if (status !== 0 && found.length === 0) {
      throw new Error(`jsii-diff failed with ${status}\n${stderr}`);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The allowed breaks of a file's text. */
export function allowedBreaksOf(text: string): AllowedBreak[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [key, ...words] = line.split(/\s+/);
      return { key, reason: words.join(' ') };
    });
}

/** What is wrong: breaks without a reason, lines without one, and reasons without a break. */
export function problemsOf(breaks: readonly Break[], allowed: readonly AllowedBreak[]): string[] {
  const keys = allowed.map(({ key }) => key);
  return [
    ...breaks
      .filter(({ key }) => !keys.includes(key))
      .map(({ key, message }) => `${message}; undo it, or add a line to ${ALLOWED_BREAKS}: ${key} REASON`),
    ...allowed
      .filter(({ reason }) => reason === '')
      .map(({ key }) => `${ALLOWED_BREAKS}: ${key} has no reason; say after it why callers must change`),
    ...keys
      .filter((key, index) => keys.indexOf(key) !== index)
      .map((key) => `${ALLOWED_BREAKS}: ${key} is listed twice; remove one`),
    ...keys
      .filter((key) => !breaks.some((one) => one.key === key))
      .map((key) => `${ALLOWED_BREAKS}: ${key} is not a break since the last release; remove the line`),
  ];
}
