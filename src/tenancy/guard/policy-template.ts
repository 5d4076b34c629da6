import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { ADMISSION_API_VERSION, VALIDATING_BINDING, VALIDATING_POLICY } from './guard.facts';
import { FRAGMENTS } from './policies.facts';
import {
  type CelFault,
  type CelVariable,
  celText,
  clusterObject,
  constraints,
  type DenyPolicy,
  excludes,
  inNamespaces,
  type PolicyOfTenants,
} from './policy';
import { protectFields } from './rules';

export type PolicyParams = Readonly<Record<string, string | undefined>>;

interface FaultTemplate {
  readonly if?: string;
  readonly unless?: string;
  readonly among?: string;
  readonly when?: string;
  readonly says?: string;
}

type Fragments = Readonly<Record<string, string>>;

interface PolicyTemplate {
  readonly fragments?: Fragments;
  readonly rules: DenyPolicy['rules'];
  readonly conditions?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly faults: readonly FaultTemplate[];
  readonly message: string;
}

/** A value with the parameters and fragments of its texts. @throws on a name that means nothing */
export function expandTemplate<T>(value: T, params: PolicyParams, fragments: Fragments = {}): T {
  if (typeof value === 'string') {
    return expandedText(value, params, fragments) as T;
  }
  if (Array.isArray(value)) {
    return value.map((one) => expandTemplate(one, params, fragments)) as T;
  }
  return typeof value === 'object' && value !== null
    ? (Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, expandTemplate(one, params, fragments)]),
      ) as T)
    : value;
}

const STRING_OR_NAME = /'(?:[^'\\]|\\.)*'|\{\{([\w.]+)(?: ([\w.]+))?\}\}/g;

function expandedText(text: string, params: PolicyParams, fragments: Fragments): string {
  return text.replace(STRING_OR_NAME, (found, name?: string, about?: string) => {
    if (name === undefined) {
      return found.replace(/\{\{(\w+)\}\}/g, (_, inner) => celText(paramOf(inner, params)).slice(1, -1));
    }
    const fragment = fragments[name] ?? FRAGMENTS[name];
    return name in params || fragment === undefined
      ? paramOf(name, params)
      : expandedText(fragment, { ...params, '.': about === '.' ? params['.'] : about }, fragments);
  });
}

function paramOf(name: string, params: PolicyParams): string {
  const value = params[name];
  if (value === undefined) {
    throw new Error(`'${name}' is neither a parameter nor a fragment of the policy`);
  }
  return value;
}

export function variablesOf(variables: Readonly<Record<string, string>>): CelVariable[] {
  return Object.entries(variables).map(([name, expression]) => ({ name, expression }));
}

export function faultsOf(
  faults: readonly FaultTemplate[],
  params: PolicyParams,
  { fragments, message = '' }: { readonly fragments?: Fragments; readonly message?: string },
): CelFault[] {
  return faults
    .filter((fault) => (fault.if === undefined || params[fault.if]) && !(fault.unless && params[fault.unless]))
    .map(({ among, when = 'true', says }) => ({
      among: among && expandTemplate(among, params, fragments),
      when: expandTemplate(when, params, fragments),
      says: says === undefined ? celText(message) : expandTemplate(says, params, fragments),
    }));
}

export function policyOf(template: PolicyTemplate, params: PolicyParams = {}) {
  const { fragments, rules, conditions = {}, variables = {} } = template;
  const message = template.message.replace(/\{\{(\w+)\}\}/g, (_, name) => paramOf(name, params));
  return {
    rules,
    conditions: variablesOf(expandTemplate(conditions, params, fragments)),
    variables: variablesOf(expandTemplate(variables, params, fragments)),
    faults: faultsOf(template.faults, params, { fragments, message }),
    message,
  };
}

interface ParamTemplate extends Pick<PolicyTemplate, 'fragments' | 'rules' | 'variables'> {
  readonly paramKind: Readonly<Record<string, string>>;
  readonly conditions: Readonly<Record<string, string>>;
  readonly validations: readonly Readonly<Record<string, string>>[];
}

export function paramPolicy(
  host: Construct,
  id: string,
  { name, namespaceSelector, exempt }: PolicyOfTenants,
  { fragments, paramKind, rules, conditions, variables, validations }: ParamTemplate,
  params: PolicyParams = {},
): void {
  const exemption = excludes(exempt);
  const policy: Json = {
    failurePolicy: 'Fail',
    paramKind,
    // where a parameter cannot be read, requests are refused whatever the binding selects
    matchConstraints: { ...constraints(rules), namespaceSelector },
    matchConditions: [
      ...variablesOf(expandTemplate(conditions, params, fragments)),
      ...(exemption === '' ? [] : [{ name: 'not-exempt', expression: exemption }]),
    ],
    ...(variables && { variables: variablesOf(expandTemplate(variables, params, fragments)) }),
    validations: expandTemplate(validations, params, fragments),
  };
  const binding: Json = {
    policyName: name,
    validationActions: ['Deny', 'Audit'],
    paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
    matchResources: inNamespaces(namespaceSelector),
  };
  for (const [own, kind, spec] of [
    [id, VALIDATING_POLICY, policy],
    [`${id}Binding`, VALIDATING_BINDING, binding],
  ] as const) {
    const content = { spec };
    protectFields(clusterObject(host, own, { apiVersion: ADMISSION_API_VERSION, kind, name, content }), content);
  }
}
