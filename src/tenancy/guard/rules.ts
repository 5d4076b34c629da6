import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import {
  dnsLabelFault,
  IMAGE_SYNTAX,
  labelKeyFault,
  labelValueFault,
  portFault,
  tokenFault,
} from '../../contract/kubernetes-syntax';
import type { DescribedRule } from '../../contract/rule';
import { perApp } from '../../contract/synth-run';
import { type Fault, faultOf, faultsIn, refuse, refuseFirst, rulesOf } from '../fault';
import type { PortRange } from '../ports/options';
import type { AllowedClass } from './allowed-class';
import { EVERYBODY_GROUPS, EVERYBODY_USERS, SERVICE_ACCOUNT_GROUP_PREFIX, SERVICE_ACCOUNT_PREFIX } from './guard.facts';
import type { ServiceLimits } from './options';
import { GUARD_MESSAGES, GUARD_RULES } from './rules.facts';
import { TenancyIdentity } from './tenancy-identity';

export const GUARD = rulesOf(GUARD_RULES, GUARD_MESSAGES);

// Rules of quotas, policies and permissions of tenants.

export function limitFaults(limits: ServiceLimits): (Fault | undefined)[] {
  const { minSourceRangePrefix, minSourceRangePrefixIpv6, maxSourceRanges, maxPorts, portRange } = limits;
  const isIpv6Alone = minSourceRangePrefixIpv6 !== undefined && minSourceRangePrefix === undefined;
  return [
    wholeNumberFault('minSourceRangePrefix', minSourceRangePrefix, 1, 32, 'leave it out for no check of ranges'),
    wholeNumberFault('minSourceRangePrefixIpv6', minSourceRangePrefixIpv6, 1, 128, 'leave it out for 48'),
    ...faultsIn(GUARD, { 'policy-limit-invalid': isIpv6Alone && { minSourceRangePrefixIpv6 } }),
    wholeNumberFault('maxSourceRanges', maxSourceRanges, 1, 1000, 'leave it out for 20'),
    wholeNumberFault('maxPorts', maxPorts, 1, 1000, 'leave it out for no limit'),
    portRange && portRangeFault('portRange', portRange),
  ];
}

export function wholeNumberFault(
  name: string,
  value: number | undefined,
  least: number,
  most: number,
  remedy: string,
): Fault | undefined {
  return value === undefined || (Number.isInteger(value) && value >= least && value <= most)
    ? undefined
    : faultOf(GUARD.notWhole, { name, value, least, most, remedy });
}

export function portRangeFault(name: string, { first, last }: PortRange): Fault | undefined {
  const fault = portFault(first) ?? portFault(last);
  const empty = fault ?? `${first} to ${last} is empty`;
  return fault || first > last ? faultOf(GUARD.emptyRange, { name, empty }) : undefined;
}

export function classFault(loadBalancerClass: string): Fault | undefined {
  const fault = labelKeyFault(loadBalancerClass);
  return fault ? faultOf(GUARD.class, { fault }) : undefined;
}

export function labelFault(key: string, value: string): Fault | undefined {
  const fault = labelKeyFault(key) ?? labelValueFault(value);
  return fault ? faultOf(GUARD['class-label-invalid'], { fault }) : undefined;
}

export function imageFault(rule: DescribedRule, image: string | undefined): Fault | undefined {
  return image === undefined || tokenFault(image) || IMAGE_SYNTAX.test(image)
    ? undefined
    : {
        rule,
        what: `image '${image}' is not the name of an image`,
        remedy: 'write it like example.com/node:24.11.1-alpine3.22',
      };
}

interface IsolatingObject {
  readonly object: ApiObject;
  readonly weaknessOf: (finished: Json) => string | undefined;
}

const isolatingIn = perApp((): IsolatingObject[] => []);

export function keepIsolating(isolating: IsolatingObject): void {
  isolatingIn(isolating.object).push(isolating);
}

/** Registers an object that must hold what it was made with; it may hold more. */
export function protectFields(object: ApiObject, made: Json): void {
  keepIsolating({ object, weaknessOf: (finished) => changeOf(made, finished, true) });
}

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

const SHOWN = 60;

function writtenConstructs() {
  const all = perApp((): IConstruct[] => []);
  return { add: (one: IConstruct) => void all(one).push(one), has: (host: IConstruct) => all(host).some(isWritten) };
}

export const LISTENER_POLICIES = writtenConstructs();
export const LISTENER_ROLES = writtenConstructs();

export function isWritten(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isWritten(scope));
}

/** The selector of the namespaces of tenants. An empty one would select all, those of the system among them. */
export function namespaceSelector(host: IConstruct, labels: { readonly [key: string]: string }): Json {
  const entries = Object.entries(labels);
  if (entries.length === 0) {
    refuse(host, faultOf(GUARD['namespace-labels-invalid']));
  }
  for (const [key, value] of entries) {
    const fault = labelKeyFault(key) ?? labelValueFault(value);
    if (fault) {
      refuse(host, faultOf(GUARD.namespaceLabels, { fault }));
    }
  }
  return { matchLabels: Object.fromEntries(entries) };
}

export function refuseWrongNamespaces(host: Construct, names: readonly string[]): void {
  const fault = names.map(dnsLabelFault).find((one) => one);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  const what = fault ?? (twice === undefined ? undefined : `namespace '${twice}' is named twice`);
  refuseFirst(host, faultsIn(GUARD, { 'namespace-missing': what !== undefined && { what } }));
}

export interface GuardedNamespaces {
  readonly path: string;
  readonly labels: { readonly [key: string]: string };
}

const guardedIn = perApp((): GuardedNamespaces[] => []);

export function registerGuard(guard: IConstruct, labels: { readonly [key: string]: string }): void {
  guardedIn(guard).push({ path: guard.node.path, labels });
}

export function guardsOfApp(construct: IConstruct): readonly GuardedNamespaces[] {
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

export function onceServed(host: IConstruct, asked: ClassInNamespaces, act: () => void): void {
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

/**
 * The default exemptions: all controllers whose names are published, not those of the classes alone, since Services that were
 * there before the guard are served, and released, by others.
 */
export function exemptByDefault(classes: readonly AllowedClass[]): TenancyIdentity[] {
  return [...TenancyIdentity.knownControllers(), ...classes.flatMap(({ _identities }) => _identities)];
}

export function exemptNamespaces(identities: readonly TenancyIdentity[]): string[] {
  const namespaces = identities.map(namespaceOf).filter((namespace): namespace is string => namespace !== undefined);
  return [...new Set(namespaces)].sort();
}

/**
 * Faults of identities that are exempt from the policies, or are the platform: one of them is a group of all users,
 * runs in the namespace of a tenant, or is a subject of one.
 *
 * @param namespaces the namespaces of tenants
 * @param subjects the subjects of tenants
 */
export function tenantsAmong(
  identities: readonly TenancyIdentity[],
  namespaces: readonly string[] = [],
  subjects: readonly TenancyIdentity[] = [],
): Fault | undefined {
  const tenants = new Set(namespaces);
  const own = new Set(subjects.map(keyOf));
  const wrong = identities.flatMap((identity) => {
    const namespace = namespaceOf(identity);
    const subject = subjects.find((one) => belongsTo(one, identity) || belongsTo(identity, one));
    const who = identity._isGroup ? `group ${identity.name}` : identity.username;
    const isEverybody = (identity._isGroup ? EVERYBODY_GROUPS : EVERYBODY_USERS).includes(identity.name);
    return faultsIn(GUARD, {
      everybodyExempt: isEverybody && { who },
      tenantNamespaceExempt: namespace !== undefined && tenants.has(namespace) && { who },
      'guard-exemption-invalid': (own.has(keyOf(identity)) || subject) && { who },
    });
  });
  return wrong[0];
}

function keyOf(identity: TenancyIdentity): string {
  return `${identity._isGroup ? 'group' : 'user'} ${identity.username}`;
}

function namespaceOf(identity: TenancyIdentity): string | undefined {
  const { _isGroup, username } = identity;
  const prefix = _isGroup ? SERVICE_ACCOUNT_GROUP_PREFIX : SERVICE_ACCOUNT_PREFIX;
  return username.startsWith(prefix) ? username.slice(prefix.length).split(':')[0] : undefined;
}

function belongsTo(identity: TenancyIdentity, group: TenancyIdentity): boolean {
  return (
    !identity._isGroup &&
    group._isGroup &&
    namespaceOf(group) !== undefined &&
    namespaceOf(identity) === namespaceOf(group)
  );
}
