import { type ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { judgeObject } from '../../rules/judge-object';
import { Judgement } from '../../rules/judgement';
import { refuse, reported } from '../fault';
import {
  ALWAYS,
  anyFault,
  type CelFault,
  type CelVariable,
  celText,
  constraints,
  faultList,
  inNamespaces,
  madeByNoneOf,
} from './admission';
import { clusterObject } from './cluster-object';
import {
  ADMISSION_API_VERSION,
  FAULTS_VARIABLE,
  HELP_CHARACTERS,
  INLINED_CHARACTERS,
  MESSAGE_CHARACTERS,
  NO_FAULTS,
  SAID_VARIABLE,
  STORED_CHARACTERS,
  VALIDATING_BINDING,
  VALIDATING_POLICIES_SINCE,
  VALIDATING_POLICY,
} from './guard.facts';
import { changeOf, keepIsolating } from './isolation';
import { POLICY_HELP, POLICY_KUBERNETES, POLICY_SIZE } from './rules';
import type { TenancyIdentity } from './tenancy-identity';

/** Requests, as the API server distinguishes them. */
interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

/** What a policy refuses. */
export interface DenyPolicy {
  readonly name: string;
  readonly namespaceSelector: Json;
  readonly rules: readonly ResourceRule[];
  /** The identities whose requests are not checked. */
  readonly exempt: readonly TenancyIdentity[];
  /** Which requests are checked: name and condition. */
  readonly conditions?: readonly { readonly name: string; readonly expression: string }[];
  /** Names for expressions; what gives them is called at synth, since more may be known by then. */
  readonly variables?: readonly CelVariable[] | (() => readonly CelVariable[]);
  readonly faults: readonly CelFault[];
  /** The message where the faults themselves are too long for one. */
  readonly message: string;
  /** The end of every refusal. */
  readonly help?: string;
}

/** A change of metadata that is no annotation serves nothing else than before. */
export const SPEC_OR_ANNOTATIONS_CHANGED = {
  name: 'spec-or-annotations-changed',
  expression:
    'oldObject == null || object.spec != oldObject.spec || object.metadata.?annotations.orValue({}) != oldObject.metadata.?annotations.orValue({})',
} as const;

/** @throws when the API server is too old for the policies, or the help is too long for a message. */
export function requirePolicySupport(host: Construct, kubernetes: KubernetesVersion, help: string | undefined): void {
  if (!kubernetes.isAtLeast(KubernetesVersion.of(VALIDATING_POLICIES_SINCE))) {
    refuse(host, {
      rule: POLICY_KUBERNETES,
      what: `Kubernetes ${kubernetes.version} has no ValidatingAdmissionPolicy v1 that can validate ranges of addresses`,
      remedy: `use Kubernetes ${VALIDATING_POLICIES_SINCE} or later`,
    });
  }
  if (help !== undefined && (help.length > HELP_CHARACTERS || /[\r\n]/.test(help))) {
    refuse(host, {
      rule: POLICY_HELP,
      what: `help has ${help.length} characters or several lines, and the API server would drop the whole message`,
      remedy: `write one line of at most ${HELP_CHARACTERS} characters`,
    });
  }
}

/** Has a policy that names every tenant validated for its size. */
export function limitSize(host: Construct, policy: ApiObject, remedy: string): void {
  judgeObject(host, policy, {
    judge: (json) => {
      const size = JSON.stringify(json).length;
      const fault = {
        rule: POLICY_SIZE,
        what: `policy ${policy.name} has ${size} characters, and the API server stores at most ${STORED_CHARACTERS}`,
        remedy,
      };
      return Judgement.of(size > STORED_CHARACTERS ? reported([fault], 'kubernetes') : []);
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
      { name: FAULTS_VARIABLE, expression: faultList(faults) },
      { name: SAID_VARIABLE, expression: "variables.faults.join('; ')" },
    ],
    validations: [
      {
        expression: NO_FAULTS,
        message: `${message}${end}`,
        messageExpression: `(size(variables.said) <= ${MESSAGE_CHARACTERS} ? variables.said : variables.said.substring(0, ${MESSAGE_CHARACTERS}) + ' ...') + ${celText(end)}`,
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
  const identity = { apiVersion: ADMISSION_API_VERSION, kind: VALIDATING_POLICY };
  const made = clusterObject(host, id, {
    ...identity,
    name,
    content: { spec: Lazy.any({ produce: specNow }) },
  });
  keepIsolating({
    object: made,
    weaknessOf: (finished) => policyChange({ ...identity, metadata: { name }, spec: specNow() }, finished),
  });
  const bound = { apiVersion: ADMISSION_API_VERSION, kind: VALIDATING_BINDING };
  const bindingSpec = {
    policyName: name,
    validationActions: ['Deny', 'Audit'],
    matchResources: inNamespaces(namespaceSelector),
  };
  const binding = clusterObject(host, `${id}Binding`, { ...bound, name, content: { spec: bindingSpec } });
  keepIsolating({
    object: binding,
    weaknessOf: (finished) => bindingChange({ ...bound, spec: bindingSpec }, finished),
  });
  return made;
}

/**
 * Which requests the API server looks at closer. For validations it converts the object three times more, so that requests without
 * faults should not come that far; and it evaluates all conditions, even if the first is false, so that there is one.
 */
function matchConditionsOf({ conditions = [], exempt, variables = [], faults }: DenyPolicy) {
  const exemption = madeByNoneOf(exempt);
  const byOthers = exemption === '' ? [] : [{ name: 'not-exempt', expression: exemption }];
  if (typeof variables === 'function') {
    return [...conditions, ...byOthers];
  }
  const isWrong = anyFault(faults, variables);
  // an expression that is too long for the API server is left to the validation, where it is a variable
  const fits = isWrong !== ALWAYS && isWrong.length <= INLINED_CHARACTERS;
  // who is exempt is asked last: most requests are without faults
  const all = [...conditions, ...(fits ? [{ name: 'at-fault', expression: isWrong }] : []), ...byOthers];
  return all.length <= 1
    ? all
    : [{ name: 'at-fault', expression: all.map(({ expression }) => `(${expression})`).join('\n&& ') }];
}

/** How a policy differs from what it was made to check; it may check more. */
function policyChange(made: Json, { apiVersion, kind, metadata, spec }: Json): string | undefined {
  const validations = list(spec?.validations).slice(0, made.spec.validations.length);
  return changeOf(
    made,
    { apiVersion, kind, metadata: { name: metadata?.name }, spec: { ...spec, validations } },
    { additions: false },
  );
}

/** Why a binding does not deny in the namespaces that it was made for; it may warn as well, or not audit. */
function bindingChange(made: Json, { apiVersion, kind, spec }: Json): string | undefined {
  const actions = list<string>(spec?.validationActions);
  return actions.includes('Deny')
    ? changeOf(
        made,
        { apiVersion, kind, spec: { ...spec, validationActions: made.spec.validationActions } },
        { additions: false },
      )
    : `spec.validationActions is ${JSON.stringify(spec?.validationActions) ?? 'missing'}, without Deny`;
}
