import { type Json, listIn, mapsIn } from '../../contract/json';
import type { ObjectContext } from '../../rules/rule';
import { RuleSet, rulesOf } from '../../rules/rule-set';
import {
  ADMISSION_GROUP,
  FAULTS_VARIABLE,
  NO_FAULTS,
  SAID_VARIABLE,
  VALIDATING_BINDING,
  VALIDATING_POLICY,
} from './guard.facts';
import { GUARD_POLICY_ROWS } from './rules.facts';

function isOfGuard({ spec }: Json): boolean {
  const names = mapsIn(spec, 'variables').map(({ name }) => name);
  return names.includes(FAULTS_VARIABLE) && names.includes(SAID_VARIABLE);
}

/** Validates policies of the guard and their bindings, which patches and other tools may have changed. */
export const GUARD_POLICY_RULE_SET = new RuleSet(
  rulesOf({
    rows: GUARD_POLICY_ROWS,
    source: { repository: 'kubernetes/api', version: 'v0.36.3', file: 'admissionregistration/v1/types.go' },
    read: (policy: Json, _: ObjectContext) => policy.kind === VALIDATING_POLICY && isOfGuard(policy),
    finds: {
      'guard-fail-open': (isGuard, { spec }) => isGuard && spec?.failurePolicy === 'Ignore' && { value: 'Ignore' },
      'guard-without-validation': (isGuard, { spec }) =>
        isGuard &&
        !mapsIn(spec, 'validations').some(({ expression }) => expression === NO_FAULTS) && { expression: NO_FAULTS },
      'guard-without-binding': (isGuard, { metadata }, { among }) => {
        const { name } = metadata ?? {};
        const bindings = among?.index.of(ADMISSION_GROUP, VALIDATING_BINDING) ?? [];
        const isBound = bindings.some(({ json }) => json.spec?.policyName === name);
        // one that was removed from its app is not among the objects
        const isWritten = among?.index.of(ADMISSION_GROUP, VALIDATING_POLICY).includes(among);
        return isGuard && isWritten && !isBound && { kind: VALIDATING_BINDING, value: String(name) };
      },
      'guard-without-deny': (_, { kind, spec }, { among }) => {
        const name: unknown = spec?.policyName;
        // an app may give a namespace to what has none: names are compared alone
        const policies = kind === VALIDATING_BINDING ? among?.index.of(ADMISSION_GROUP, VALIDATING_POLICY) : [];
        const actions = listIn(spec, 'validationActions');
        const isGuards = policies?.some((policy) => policy.name === name && isOfGuard(policy.json));
        return isGuards && !actions.includes('Deny') && { actions: actions.join(', ') || 'missing', name };
      },
    },
  }),
  'kubernetes',
);
