import { type ApiObject, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import { dnsLabelFault, labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { perApp } from '../../contract/per-app';
import { faultOf, refuse } from '../fault';
import { GUARD } from './rules';

interface IsolatingObject {
  readonly object: ApiObject;
  readonly weaknessOf: (finished: Json) => string | undefined;
}

const isolatingIn = perApp((): IsolatingObject[] => []);

export function keepIsolating(isolating: IsolatingObject): void {
  isolatingIn(isolating.object).push(isolating);
}

/** Registers an object that must hold what it was made with; it may hold more. */
export function keepAsMade(object: ApiObject, made: Json): void {
  keepIsolating({ object, weaknessOf: (finished) => changeOf(made, finished, true) });
}

/** The isolating objects that were made in a construct, also those that were removed since. */
export function isolatingObjectsIn(host: IConstruct): IsolatingObject[] {
  return isolatingIn(host).filter(({ object }) => object.node.scopes.includes(host));
}

/** The first place where something is not what was made; with `mayAdd` it may hold more. */
export function changeOf(made: unknown, found: unknown, mayAdd: boolean, path = ''): string | undefined {
  if (Array.isArray(made) && Array.isArray(found) && made.length === found.length) {
    return first(made.map((one, i) => () => changeOf(one, found[i], mayAdd, `${path}[${i}]`)));
  }
  if (isMap(made) && isMap(found)) {
    const keys = mayAdd ? Object.keys(made) : [...new Set([...Object.keys(made), ...Object.keys(found)])];
    const below = (key: string) => (path === '' ? key : `${path}.${key}`);
    return first(keys.map((key) => () => changeOf(made[key], found[key], mayAdd, below(key))));
  }
  return made === found ? undefined : `${path} is ${found === undefined ? 'missing' : shortened(found)}`;
}

function first(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look();
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

/** Constructs of an app, of which those count that are written. */
function writtenConstructs() {
  const all = perApp((): IConstruct[] => []);
  return { add: (one: IConstruct) => void all(one).push(one), has: (host: IConstruct) => all(host).some(isWritten) };
}

export const LISTENER_POLICIES = writtenConstructs();
/** Roles with which tenants write listeners. */
export const LISTENER_ROLES = writtenConstructs();

/** Whether an object is written: neither it nor a scope around it was removed. */
export function isWritten(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isWritten(scope));
}

/** The selector of the namespaces of tenants. An empty one would select all, those of the system among them. */
export function namespaceSelector(host: IConstruct, labels: { readonly [key: string]: string }): Json {
  const entries = Object.entries(labels);
  if (entries.length === 0) {
    refuse(host, faultOf(GUARD['namespace-labels']));
  }
  for (const [key, value] of entries) {
    const fault = labelKeyFault(key) ?? labelValueFault(value);
    if (fault) {
      refuse(host, faultOf(GUARD.namespaceLabels, { fault }));
    }
  }
  return { matchLabels: Object.fromEntries(entries) };
}

export function namespacesOf(host: Construct, named: readonly string[] | undefined): readonly string[] {
  const { namespace } = Chart.of(host);
  const names = named ?? (namespace === undefined ? [] : [namespace]);
  if (names.length === 0) {
    refuse(host, faultOf(GUARD['no-namespace']));
  }
  const fault = names.map(dnsLabelFault).find((one) => one);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (fault || twice !== undefined) {
    refuse(host, {
      rule: GUARD['no-namespace'],
      what: fault ?? `namespace '${twice}' is named twice`,
      remedy: 'name each namespace once, as it is called',
    });
  }
  return names;
}

export interface GuardedNamespaces {
  readonly path: string;
  readonly labels: { readonly [key: string]: string };
}

const guardedIn = perApp((): GuardedNamespaces[] => []);

export function rememberGuarded(guard: IConstruct, labels: { readonly [key: string]: string }): void {
  guardedIn(guard).push({ path: guard.node.path, labels });
}

export function guardsBeside(construct: IConstruct): readonly GuardedNamespaces[] {
  return [...guardedIn(construct)];
}

export function sameLabels(
  one: { readonly [key: string]: string },
  other: { readonly [key: string]: string },
): boolean {
  const text = (labels: { readonly [key: string]: string }) => JSON.stringify(Object.entries(labels).sort());
  return text(one) === text(other);
}

interface ClassInNamespaces {
  readonly loadBalancerClass: string;
  readonly namespaceLabels: { readonly [key: string]: string };
}

const servedIn = perApp(() => ({ classes: [] as ClassInNamespaces[], waiting: new Set<() => void>() }));

export function registerServed(server: IConstruct, served: ClassInNamespaces): void {
  const { classes, waiting } = servedIn(server);
  classes.push(served);
  for (const look of waiting) {
    look();
  }
}

export function isServed(host: IConstruct, { loadBalancerClass, namespaceLabels }: ClassInNamespaces): boolean {
  return servedIn(host).classes.some(
    (served) =>
      served.loadBalancerClass === loadBalancerClass &&
      Object.entries(served.namespaceLabels).every(([key, value]) => namespaceLabels[key] === value),
  );
}

/** Calls something once as soon as the app serves a class: at once, or when what serves it is made. */
export function whenServed(host: IConstruct, asked: ClassInNamespaces, act: () => void): void {
  const { waiting } = servedIn(host);
  const look = () => {
    if (isServed(host, asked)) {
      waiting.delete(look);
      act();
    }
  };
  waiting.add(look);
  look();
}
