import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import { perApp } from '../../contract/per-app';

/** An object that keeps tenants apart. */
interface IsolatingObject {
  readonly object: ApiObject;
  /** Where the finished object isolates tenants less than it was made to, as a clause. */
  readonly weaknessOf: (finished: Json) => string | undefined;
}

const isolatingIn = perApp((): IsolatingObject[] => []);

/** Registers an object that keeps tenants apart: patches and removals come later. */
export function keepIsolating(isolating: IsolatingObject): void {
  isolatingIn(isolating.object).push(isolating);
}

/** Registers an object that must hold what it was made with; it may hold more. */
export function keepAsMade(object: ApiObject, made: Json): void {
  keepIsolating({ object, weaknessOf: (finished) => changeOf(made, finished, { additions: true }) });
}

/** The isolating objects that were made in a construct, also those that were removed since. */
export function isolatingObjectsIn(host: IConstruct): IsolatingObject[] {
  return isolatingIn(host).filter(({ object }) => object.node.scopes.includes(host));
}

/** How an object is compared. */
interface Comparison {
  /** Whether maps may have more than they were made with. */
  readonly additions: boolean;
}

/** The first field in which an object differs from what it was made with, as a clause; nothing where it does not. */
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

/** Characters of a value in a message. */
const SHOWN = 60;

const policiesIn = perApp((): IConstruct[] => []);

/** Registers a policy for listeners of tenants. */
export function rememberListenerPolicy(policy: IConstruct): void {
  policiesIn(policy).push(policy);
}

/** Whether the app of a construct has a policy for listeners of tenants that was not removed since. */
export function hasListenerPolicy(host: IConstruct): boolean {
  return policiesIn(host).some(isWritten);
}

const rolesIn = perApp((): IConstruct[] => []);

/** Registers a role by which tenants write listeners. */
export function rememberListenerRole(role: IConstruct): void {
  rolesIn(role).push(role);
}

/** Whether the app of a construct has such a role that was not removed since. */
export function tenantsWriteListeners(host: IConstruct): boolean {
  return rolesIn(host).some(isWritten);
}

/** Whether an object is written: neither it nor a scope around it was removed. */
export function isWritten(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isWritten(scope));
}
