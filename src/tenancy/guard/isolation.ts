import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, type Json } from '../../contract/json';

/** An object that keeps tenants apart. */
interface Fence {
  readonly object: ApiObject;
  /** Where the finished object keeps tenants less apart than it was made to, in words. */
  readonly weaknessOf: (finished: Json) => string | undefined;
}

const FENCES = new WeakMap<IConstruct, Fence[]>();

/** Remembers an object that keeps tenants apart: patches and removals come later. */
export function rememberFence(fence: Fence): void {
  const { root } = fence.object.node;
  FENCES.set(root, [...(FENCES.get(root) ?? []), fence]);
}

/** Remembers an object that must say what it was made with; it may say more. */
export function rememberAsMade(object: ApiObject, made: Json): void {
  rememberFence({ object, weaknessOf: (finished) => changeOf(made, finished, { additions: true }) });
}

/** The fences that were made in a construct, those that were removed since included. */
export function fencesWithin(host: IConstruct): Fence[] {
  return (FENCES.get(host.node.root) ?? []).filter(({ object }) => object.node.scopes.includes(host));
}

/** What an object says beside what is patched into it without harm. */
interface Comparison {
  /** Whether maps may have more than they were made with. */
  readonly additions: boolean;
}

/** Where an object says something else than it was made with, and what; nothing where it does not. */
export function changeOf(made: unknown, found: unknown, comparison: Comparison, path = ''): string | undefined {
  if (Array.isArray(made) && Array.isArray(found) && made.length === found.length) {
    return first(made, (one, i) => changeOf(one, found[i], comparison, `${path}[${i}]`));
  }
  if (isMap(made) && isMap(found)) {
    const keys = comparison.additions ? Object.keys(made) : [...new Set([...Object.keys(made), ...Object.keys(found)])];
    return first(keys, (key) => changeOf(made[key], found[key], comparison, path === '' ? key : `${path}.${key}`));
  }
  return made === found ? undefined : `${path} is ${found === undefined ? 'missing' : shortened(found)}`;
}

function first<T>(list: readonly T[], look: (one: T, i: number) => string | undefined): string | undefined {
  for (const [i, one] of list.entries()) {
    const found = look(one, i);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/** Characters of a value that stand in a message. */
const SHOWN = 60;

const POLICIES = new WeakMap<IConstruct, IConstruct[]>();

/** Remembers what judges listeners of tenants. */
export function rememberListenerPolicy(policy: IConstruct): void {
  const { root } = policy.node;
  POLICIES.set(root, [...(POLICIES.get(root) ?? []), policy]);
}

/** Whether something in the app of a construct judges listeners of tenants, and was not removed since. */
export function judgesListeners(host: IConstruct): boolean {
  return (POLICIES.get(host.node.root) ?? []).some(isThere);
}

function isThere(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isThere(scope));
}
