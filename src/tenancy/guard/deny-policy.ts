import { type ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
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
import { ADMISSION_API_VERSION, HELP_CHARACTERS, MESSAGE_CHARACTERS, VALIDATING_POLICIES_SINCE } from './guard.facts';
import { changeOf, rememberFence } from './isolation';
import { refuse } from './refuse';
import type { TenancyIdentity } from './tenancy-identity';

/** Requests, as the API server tells them apart. */
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
  /** Who is not judged. */
  readonly exempt: readonly TenancyIdentity[];
  /** Requests that are judged: name and condition. */
  readonly conditions?: readonly { readonly name: string; readonly expression: string }[];
  /** Asked at synth, since more may be known by then. */
  readonly variables?: () => readonly CelVariable[];
  readonly faults: readonly CelFault[];
  /** What is told where the faults themselves cannot be. */
  readonly message: string;
  /** What ends every refusal. */
  readonly help?: string;
}

/** A change of metadata that is no annotation serves nothing else than before. */
export const SPEC_OR_ANNOTATIONS_CHANGED = {
  name: 'spec-or-annotations-changed',
  expression:
    'oldObject == null || object.spec != oldObject.spec || object.metadata.?annotations.orValue({}) != oldObject.metadata.?annotations.orValue({})',
} as const;

/** @throws when policies of the API server cannot judge so yet, or the help is too long for a message. */
export function mustJudge(host: Construct, kubernetes: KubernetesVersion, help: string | undefined): void {
  if (!kubernetes.isAtLeast(KubernetesVersion.of(VALIDATING_POLICIES_SINCE))) {
    refuse(host, {
      ruleId: 'policy-kubernetes',
      what: `Kubernetes ${kubernetes.version} has no ValidatingAdmissionPolicy v1 that can judge ranges of addresses`,
      remedy: `needs Kubernetes ${VALIDATING_POLICIES_SINCE} or later`,
    });
  }
  if (help !== undefined && (help.length > HELP_CHARACTERS || /[\r\n]/.test(help))) {
    refuse(host, {
      ruleId: 'policy-help',
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
  const said = [
    { name: 'faults', expression: faultList(faults) },
    { name: 'said', expression: "variables.faults.join('; ')" },
  ];
  const specWith = (allVariables: unknown): Json => ({
    failurePolicy: 'Fail',
    matchConstraints: constraints(rules),
    matchConditions: [...conditions, ...(exemption === '' ? [] : [{ name: 'not-exempt', expression: exemption }])],
    variables: allVariables,
    validations: [
      {
        expression: 'size(variables.faults) == 0',
        message: `${message}${end}`,
        messageExpression: `(size(variables.said) <= ${MESSAGE_CHARACTERS} ? variables.said : variables.said.substring(0, ${MESSAGE_CHARACTERS}) + ' ...') + ${celText(end)}`,
        reason: 'Forbidden',
      },
    ],
  });
  const all = () => [...variables(), ...said];
  const identity = { apiVersion: ADMISSION_API_VERSION, kind: 'ValidatingAdmissionPolicy' };
  const made = clusterObject(host, id, {
    ...identity,
    name,
    content: { spec: specWith(Lazy.any({ produce: all })) },
  });
  rememberFence({
    object: made,
    weaknessOf: (finished) => policyChange({ ...identity, metadata: { name }, spec: specWith(all()) }, finished),
  });
  const bound = { apiVersion: ADMISSION_API_VERSION, kind: 'ValidatingAdmissionPolicyBinding' };
  const bindingSpec = {
    policyName: name,
    validationActions: ['Deny', 'Audit'],
    matchResources: inNamespaces(namespaceSelector),
  };
  const binding = clusterObject(host, `${id}Binding`, { ...bound, name, content: { spec: bindingSpec } });
  rememberFence({
    object: binding,
    weaknessOf: (finished) => bindingChange({ ...bound, spec: bindingSpec }, finished),
  });
  return made;
}

/** Whether a policy judges what it was made to judge, as it was made to; it may judge more. */
function policyChange(made: Json, { apiVersion, kind, metadata, spec }: Json): string | undefined {
  const validations = list(spec?.validations).slice(0, made.spec.validations.length);
  return changeOf(
    made,
    { apiVersion, kind, metadata: { name: metadata?.name }, spec: { ...spec, validations } },
    { additions: false },
  );
}

/** Whether a binding denies, in the namespaces that it was made for; it may warn as well, or not audit. */
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
