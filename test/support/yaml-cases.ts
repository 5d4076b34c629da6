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

/** Functions of a test that its cases name: `$pool: [a]` is `pool(a)`. */
type Functions = Readonly<Record<string, (...values: never[]) => unknown>>;

/**
 * A value with the members of the library that its maps name: `$MetalLb.bgp: [{ namespace: lb }]` is a call, `$IpFamily.IPV6: []` a
 * constant, `$RegExp: [text]` a pattern. `$undefined: []` is undefined.
 */
// biome-ignore lint/suspicious/noExplicitAny: values are of any type
export function revived(value: any, functions: Functions = {}): any {
  if (Array.isArray(value)) {
    return value.map((one) => revived(one, functions));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const [[key, given] = ['']] = Object.entries(value);
  if (!key.startsWith('$')) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revived(one, functions)]));
  }
  if (key === '$undefined') {
    return undefined;
  }
  const [type, member] = key.slice(1).split('.');
  const values = revived(given, functions);
  if (functions[type]) {
    return functions[type](...(values as never[]));
  }
  // biome-ignore lint/suspicious/noExplicitAny: any member of any class
  const of = (members as any)[type];
  if (member === undefined) {
    return new of(...values);
  }
  return typeof of[member] === 'function' ? of[member](...values) : of[member];
}

/** A function for `$all`: makes what maps of names and arguments say, `{ pool: [a] }` as `pool(scope, a)`. */
export function all(functions: Functions) {
  return (...steps: readonly Readonly<Record<string, unknown[]>>[]) =>
    (scope: unknown) => {
      for (const [name, values] of steps.flatMap(Object.entries)) {
        functions[name](...([scope, ...values] as never[]));
      }
    };
}
