import { type App, ImplicitTokenResolver, type IResolver, LazyResolver, NumberStringUnionResolver } from 'cdk8s';
import { type Json, sorted } from '../contract/json';

const BUILT_IN: readonly unknown[] = [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver];

/** The resolvers of an app, and whether they leave plain data alone. */
let checked: { readonly resolvers: readonly IResolver[]; readonly plain: boolean } | undefined;

/**
 * True if cdk8s would write plain data of this app as it is: the app has no resolvers but those of cdk8s itself, and
 * keys are sorted.
 */
export function writesPlainDataAsItIs({ resolvers }: App): boolean {
  if (checked?.resolvers !== resolvers) {
    checked = { resolvers, plain: resolvers.every((resolver) => BUILT_IN.includes(resolver.constructor)) };
  }
  return checked.plain && !process.env.CDK8S_DISABLE_SORT;
}

const NOT_PLAIN = Symbol('not-plain');

/**
 * Plain data as cdk8s would write it: keys sorted, nothing without a value. Nothing at all where there is something in it
 * that must be resolved first.
 */
export function plainJson(data: Json): Json | undefined {
  const json = plain(data);
  return json === NOT_PLAIN ? undefined : (json as Json);
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object') {
    return typeof value === 'function' ? NOT_PLAIN : value;
  }
  if (value === null) {
    return undefined;
  }
  return Array.isArray(value) ? plainList(value) : plainMap(value as Json);
}

function plainList(values: readonly unknown[]): unknown {
  const json: unknown[] = [];
  for (const value of values) {
    const entry = plain(value);
    if (entry === NOT_PLAIN) return NOT_PLAIN;
    json.push(entry);
  }
  return json;
}

function plainMap(map: Json): unknown {
  if (map.constructor !== Object) {
    return NOT_PLAIN;
  }
  const json: Json = {};
  let last = '';
  let isSorted = true;
  for (const key in map) {
    const entry = plain(map[key]);
    if (entry === NOT_PLAIN) return NOT_PLAIN;
    if (entry !== undefined) json[key] = entry;
    isSorted = isSorted && last < key;
    last = key;
  }
  return isSorted ? json : sorted(json);
}
