import { type ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { refuse } from '../fault';
import {
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
  MESSAGE_CHARACTERS,
  NO_FAULTS,
  SAID_VARIABLE,
  VALIDATING_BINDING,
  VALIDATING_POLICIES_SINCE,
  VALIDATING_POLICY,
} from './guard.facts';
import { changeOf, keepIsolating } from './isolation';
import { POLICY_HELP, POLICY_KUBERNETES } from './rules';
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
  /** Evaluated at synth, since more may be known by then. */
  readonly variables?: () => readonly CelVariable[];
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

/**
 * A policy with its binding. Only the first failing validation reaches who made the request, so there is one, and its
 * message joins everything that is wrong.
 */
export function denyPolicy(host: Construct, id: string, policy: DenyPolicy): ApiObject {
  const {
    name,
    rules,
    exempt,
    conditions = [],
    variables = () => [],
    faults,
    message,
    help,
    namespaceSelector,
  } = policy;
  const end = help === undefined ? '' : ` (${help})`;
  const exemption = madeByNoneOf(exempt);
  const joined = [
    { name: FAULTS_VARIABLE, expression: faultList(faults) },
    { name: SAID_VARIABLE, expression: "variables.faults.join('; ')" },
  ];
  const specWith = (allVariables: unknown): Json => ({
    failurePolicy: 'Fail',
    matchConstraints: constraints(rules),
    matchConditions: [...conditions, ...(exemption === '' ? [] : [{ name: 'not-exempt', expression: exemption }])],
    variables: allVariables,
    validations: [
      {
        expression: NO_FAULTS,
        message: `${message}${end}`,
        messageExpression: `(size(variables.said) <= ${MESSAGE_CHARACTERS} ? variables.said : variables.said.substring(0, ${MESSAGE_CHARACTERS}) + ' ...') + ${celText(end)}`,
        reason: 'Forbidden',
      },
    ],
  });
  const all = () => [...variables(), ...joined];
  const identity = { apiVersion: ADMISSION_API_VERSION, kind: VALIDATING_POLICY };
  const made = clusterObject(host, id, {
    ...identity,
    name,
    content: { spec: specWith(Lazy.any({ produce: all })) },
  });
  keepIsolating({
    object: made,
    weaknessOf: (finished) => policyChange({ ...identity, metadata: { name }, spec: specWith(all()) }, finished),
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
