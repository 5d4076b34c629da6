import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Size } from 'cdk8s';
import { parse } from 'yaml';
import * as library from '../../src';

const members = { ...library, Duration, RegExp, Size };

/** The content of a YAML file of cases beside a test. */
// biome-ignore lint/suspicious/noExplicitAny: cases are of any shape
export function casesIn(folder: string, file: string): any {
  return parse(readFileSync(join(folder, file), 'utf8'));
}

/** Cases as rows of `test.each`, by their `title`. */
export function titled<Case extends { readonly title: string }>(cases: readonly Case[]): [string, Case][] {
  return cases.map((one) => [one.title, one]);
}

/** A value with the members of the library that its maps name: `$MetalLb.bgp: [{ namespace: lb }]` is a call, `$IpFamily.IPV6: []` a constant, `$RegExp: [text]` a pattern. */
// biome-ignore lint/suspicious/noExplicitAny: values are of any type
export function revived(value: any): any {
  if (Array.isArray(value)) {
    return value.map(revived);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const [[key, given] = ['']] = Object.entries(value);
  if (!key.startsWith('$')) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revived(one)]));
  }
  const [type, member] = key.slice(1).split('.');
  // biome-ignore lint/suspicious/noExplicitAny: any member of any class
  const of = (members as any)[type];
  const values = revived(given);
  if (member === undefined) {
    return new of(...values);
  }
  return typeof of[member] === 'function' ? of[member](...values) : of[member];
}
