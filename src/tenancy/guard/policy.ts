import { ApiObject, Lazy, Names } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { removeNamespace } from '../../contract/late-rendering';
import { perApp } from '../../contract/synth-run';
import { CheckResult } from '../../rules/rule-set';
import { validateByRules, validateObject } from '../../rules/synth-object';
import { SynthWatch } from '../../rules/synth-watch';
import { faultOf, findingsOfFaults, refuse } from '../fault';
import * as facts from './guard.facts';
import { GUARD_POLICY_RULE_SET } from './policy-rules';
import { changeOf, GUARD, keepIsolating } from './rules';
import type { TenancyIdentity } from './tenancy-identity';

// Pieces of the Common Expression Language, in which the API server checks requests.

export function celText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

export function celTexts(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}

function celTextMap(entries: readonly (readonly [key: string, value: string])[]): string {
  return `{${entries.map(([key, value]) => `${celText(key)}: ${value}`).join(', ')}}`;
}

export function celFinalizers(object: string): string {
  return `${object}.metadata.?finalizers.orValue([])`;
}

export interface CelVariable {
  readonly name: string;
  readonly expression: string;
}

export const ALWAYS = 'true';

export interface CelFault {
  /** Requests with which it can be wrong: faults of the same are found faster side by side. */
  readonly among?: string;
  readonly when: string;
  readonly says: string;
}

export function faultList(faults: readonly CelFault[]): string {
  const isWrong = ({ among, when }: CelFault) => (among === undefined ? when : `${among} && ${when}`);
  return faults
    .map((fault) => (fault.when === ALWAYS ? `[${fault.says}]` : `(${isWrong(fault)} ? [${fault.says}] : [])`))
    .join('\n+ ');
}

export function anyFault(faults: readonly CelFault[], variables: readonly CelVariable[]): string {
  if (faults.some(({ when }) => when === ALWAYS)) {
    return ALWAYS;
  }
  const groups = [...new Set(faults.map(({ among }) => among))].map((among) => {
    const whens = faults.filter((fault) => fault.among === among).map(({ when }) => `(${when})`);
    return among === undefined ? whens.join('\n|| ') : `(${among} && (${whens.join('\n|| ')}))`;
  });
  return withoutVariables(groups.join('\n|| '), variables);
}

/** An expression with the expressions of variables instead of these; each may refer to those before it. */
function withoutVariables(expression: string, variables: readonly CelVariable[]): string {
  return [...variables].reverse().reduce(
    (text, variable) =>
      // texts stay as they are
      text.replace(new RegExp(`'(?:[^'\\\\]|\\\\.)*'|\\bvariables\\.${variable.name}\\b`, 'g'), (found) =>
        found.startsWith("'") ? found : `(${variable.expression})`,
      ),
    expression,
  );
}

// Resources that policies match. The API server takes each of these maps as one value and fills in what is not set: so that a
// second manager can apply the same object, everything is set.

export function constraints(resourceRules: readonly object[]): Json {
  return {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: resourceRules.map((rule) => ({ ...rule, scope: '*' })),
  };
}

export function inNamespaces(namespaceSelector: object): Json {
  return { matchPolicy: 'Equivalent', namespaceSelector, objectSelector: {} };
}

export function excludes(identities: readonly TenancyIdentity[]): string {
  const usernames = identities.filter(({ _isGroup }) => !_isGroup).map(({ username }) => username);
  const groups = identities.filter(({ _isGroup }) => _isGroup).map(({ name }) => name);
  const byName = `!(request.userInfo.username in ${celTexts(distinct(usernames))})`;
  const byGroup = `!request.userInfo.?groups.orValue([]).exists(g, g in ${celTexts(distinct(groups))})`;
  return [...(usernames.length > 0 ? [byName] : []), ...(groups.length > 0 ? [byGroup] : [])].join(' && ');
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

interface LookupTable {
  readonly name: string;
  readonly entries: readonly (readonly [key: string, value: string])[];
  readonly key: string;
  readonly none: string;
}

/**
 * A table as variables, the last of which is the value. The API server takes expressions of at most 100,000 characters, so a long
 * table is several, of which it evaluates the one that can have the key.
 */
export function lookup({ name, entries, key, none }: LookupTable): CelVariable[] {
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = partsOf(sorted);
  if (parts.length <= 1) {
    const expression = sorted.length === 0 ? none : `${celTextMap(sorted)}[?${key}].orValue(${none})`;
    return [{ name, expression }];
  }
  const keyName = `${name}Key`;
  const tables = parts.map((part, i) => ({ name: `${name}${i}`, expression: celTextMap(part) }));
  const look = (i: number) => `variables.${name}${i}[?variables.${keyName}].orValue(${none})`;
  // halved again and again: expressions may be nested 50 deep
  const choose = (from: number, to: number): string => {
    if (to - from === 1) {
      return look(from);
    }
    const middle = Math.floor((from + to) / 2);
    const [[first]] = parts[middle];
    return `(variables.${keyName} < ${celText(first)} ? ${choose(from, middle)} : ${choose(middle, to)})`;
  };
  return [{ name: keyName, expression: key }, ...tables, { name, expression: choose(0, parts.length) }];
}

type Entries = LookupTable['entries'];

function partsOf(sorted: Entries): Entries[] {
  const parts: (readonly [string, string])[][] = [];
  let room = 0;
  for (const entry of sorted) {
    const [key, value] = entry;
    const length = key.length + value.length + SYNTAX;
    if (parts.length === 0 || length > room) {
      parts.push([]);
      room = TABLE_CHARACTERS;
    }
    parts[parts.length - 1].push(entry);
    room -= length;
  }
  return parts;
}

const SYNTAX = 6;

/** Characters of one table, of the 100,000 of an expression. google/cel-go v0.26.0: parser/parser.go; seen with Kubernetes 1.36.3 */
const TABLE_CHARACTERS = 50_000;

const madeIn = perApp(() => new Map<string, string>());

export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly labels?: { [key: string]: string };
  readonly content: Json;
}

export function clusterObject(host: Construct, id: string, object: ClusterObject): ApiObject {
  const { apiVersion, kind, name, labels, content } = object;
  const fault = name.includes('*') ? `'${name}' is not a valid object name` : dnsNameFault(name);
  if (fault) {
    refuse(host, faultOf(GUARD['policy-name-invalid'], { fault }));
  }
  claim(host, kind, name);
  SynthWatch.of(host).own(host);
  const metadata = { name, ...(labels && { labels }) };
  return removeNamespace(new ApiObject(host, id, { apiVersion, kind, metadata, ...content }));
}

/** A name that no object of a kind has in the app so far: the second one ends in the path of its construct. */
export function freeName(host: Construct, kind: string, name: string): string {
  const path = Names.toDnsLabel(host, { includeHash: false });
  const names = [name, `${name}-${path}`, `${name}-${Names.toDnsLabel(host)}`];
  return names.find((one) => !madeIn(host).has(`${kind} ${one}`)) ?? names[2];
}

/** The second of a name in an app would overwrite the first in the cluster. */
function claim(host: Construct, kind: string, name: string): void {
  const made = madeIn(host);
  const first = made.get(`${kind} ${name}`);
  if (first !== undefined) {
    refuse(host, faultOf(GUARD['policy-name-duplicate'], { kind, name, first }));
  }
  made.set(`${kind} ${name}`, host.node.path);
}

export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

export interface DenyPolicy {
  readonly name: string;
  readonly namespaceSelector: Json;
  readonly rules: readonly ResourceRule[];
  readonly exempt: readonly TenancyIdentity[];
  readonly conditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly CelVariable[] | (() => readonly CelVariable[]);
  readonly faults: readonly CelFault[];
  readonly message: string;
  readonly help?: string;
}

export type PolicyOfTenants = Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>;

/** @throws when the API server is too old for the policies, or the help is too long for a message. */
export function requirePolicySupport(host: Construct, kubernetes: KubernetesVersion, help: string | undefined): void {
  if (!kubernetes.isAtLeast(KubernetesVersion.of(facts.VALIDATING_POLICIES_SINCE))) {
    const { version } = kubernetes;
    refuse(host, faultOf(GUARD['policy-unsupported'], { version, since: facts.VALIDATING_POLICIES_SINCE }));
  }
  if (help !== undefined && (help.length > facts.HELP_CHARACTERS || /[\r\n]/.test(help))) {
    refuse(host, faultOf(GUARD['policy-help-invalid'], { help: help.length, helpCharacters: facts.HELP_CHARACTERS }));
  }
}

export function limitSize(host: Construct, policy: ApiObject, remedy: string): void {
  validateObject(host, policy, {
    check: (json) => {
      const size = JSON.stringify(json).length;
      const params = { name: policy.name, size, most: facts.STORED_CHARACTERS, remedy };
      return CheckResult.of(
        size > facts.STORED_CHARACTERS
          ? findingsOfFaults([faultOf(GUARD['policy-too-large'], params)], 'kubernetes')
          : [],
      );
    },
  });
}

function specOf(policy: DenyPolicy): Json {
  const { rules, variables = [], faults, message, help } = policy;
  const end = help === undefined ? '' : ` (${help})`;
  return {
    failurePolicy: 'Fail',
    matchConstraints: constraints(rules),
    matchConditions: matchConditionsOf(policy),
    variables: [
      ...(typeof variables === 'function' ? variables() : variables),
      { name: facts.FAULTS_VARIABLE, expression: faultList(faults) },
      { name: facts.SAID_VARIABLE, expression: "variables.faults.join('; ')" },
    ],
    validations: [
      {
        expression: facts.NO_FAULTS,
        message: `${message}${end}`,
        messageExpression: `(size(variables.said) <= ${facts.MESSAGE_CHARACTERS} ? variables.said : variables.said.substring(0, ${facts.MESSAGE_CHARACTERS}) + ' ...') + ${celText(end)}`,
        reason: 'Forbidden',
      },
    ],
  };
}

/**
 * A policy with its binding. Only the first failing validation reaches who made the request, so there is one, and its
 * message joins everything that is wrong.
 *
 * @param policy what it refuses; a function is called at synth, and returns the same name and namespaces each time
 */
export function denyPolicy(host: Construct, id: string, policy: DenyPolicy | (() => DenyPolicy)): ApiObject {
  const policyNow = typeof policy === 'function' ? policy : () => policy;
  const { name, namespaceSelector } = policyNow();
  const specNow = () => specOf(policyNow());
  const identity = { apiVersion: facts.ADMISSION_API_VERSION, kind: facts.VALIDATING_POLICY };
  const object = clusterObject(host, id, { ...identity, name, content: { spec: Lazy.any({ produce: specNow }) } });
  const made = () => ({ ...identity, metadata: { name }, spec: specNow() });
  keepIsolating({ object, weaknessOf: (finished) => policyChange(made(), finished) });
  const bound = { apiVersion: facts.ADMISSION_API_VERSION, kind: facts.VALIDATING_BINDING };
  const matchResources = inNamespaces(namespaceSelector);
  const spec = { policyName: name, validationActions: ['Deny', 'Audit'], matchResources };
  const binding = clusterObject(host, `${id}Binding`, { ...bound, name, content: { spec } });
  keepIsolating({ object: binding, weaknessOf: (finished) => bindingChange({ ...bound, spec }, finished) });
  validateByRules(object, GUARD_POLICY_RULE_SET);
  validateByRules(binding, GUARD_POLICY_RULE_SET);
  return object;
}

/**
 * Match conditions of requests. For validations it converts the object three times more, so that requests without
 * faults should not come that far; and it evaluates all conditions, even if the first is false, so that there is one.
 */
function matchConditionsOf({ conditions = [], exempt, variables = [], faults }: DenyPolicy) {
  const exemption = excludes(exempt);
  const byOthers = exemption === '' ? [] : [{ name: 'not-exempt', expression: exemption }];
  if (typeof variables === 'function') {
    return [...conditions, ...byOthers];
  }
  const isWrong = anyFault(faults, variables);
  // an expression that is too long for the API server is left to the validation, where it is a variable
  const fits = isWrong !== ALWAYS && isWrong.length <= facts.INLINED_CHARACTERS;
  // who is exempt is asked last: most requests are without faults
  const all = [...conditions, ...(fits ? [{ name: 'at-fault', expression: isWrong }] : []), ...byOthers];
  return all.length <= 1
    ? all
    : [{ name: 'at-fault', expression: all.map(({ expression }) => `(${expression})`).join('\n&& ') }];
}

function policyChange(made: Json, { apiVersion, kind, metadata, spec }: Json): string | undefined {
  const validations = list(spec?.validations).slice(0, made.spec.validations.length);
  const found = { apiVersion, kind, metadata: { name: metadata?.name }, spec: { ...spec, validations } };
  return changeOf(made, found, false);
}

/** Reason why a binding does not deny in its namespaces; it may warn as well, or not audit. */
function bindingChange(made: Json, { apiVersion, kind, spec }: Json): string | undefined {
  const { validationActions } = made.spec;
  return list<string>(spec?.validationActions).includes('Deny')
    ? changeOf(made, { apiVersion, kind, spec: { ...spec, validationActions } }, false)
    : `spec.validationActions is ${JSON.stringify(spec?.validationActions) ?? 'missing'}, without Deny`;
}
