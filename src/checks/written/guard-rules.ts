import { type Json, listIn, mapsIn } from '../../contract/json';
import type { ObjectContext, Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import {
  ADMISSION_GROUP,
  FAULTS_VARIABLE,
  NO_FAULTS,
  SAID_VARIABLE,
  VALIDATING_BINDING,
  VALIDATING_POLICY,
} from '../../tenancy/guard/guard.facts';
import { ruleOf } from './messages';
import { RULES } from './rules.facts';

function isOfGuard({ spec }: Json): boolean {
  const names = mapsIn(spec, 'variables').map(({ name }) => name);
  return names.includes(FAULTS_VARIABLE) && names.includes(SAID_VARIABLE);
}

const isGuard = (policy: Json): boolean => policy.kind === VALIDATING_POLICY && isOfGuard(policy);

export const GUARD_RULES: readonly Rule<ObjectContext>[] = [
  ruleOf(
    RULES['guard-fail-open'],
    (policy) =>
      isGuard(policy) && policy.spec?.failurePolicy === 'Ignore' && { value: 'Ignore', at: '/spec/failurePolicy' },
  ),
  ruleOf(
    RULES['guard-validates-nothing'],
    (policy) =>
      isGuard(policy) &&
      !mapsIn(policy.spec, 'validations').some(({ expression }) => expression === NO_FAULTS) && {
        expression: NO_FAULTS,
        at: '/spec/validations',
      },
  ),
  ruleOf(RULES['guard-unbound'], (policy, { among }) => {
    const bindings = among?.index.of(ADMISSION_GROUP, VALIDATING_BINDING) ?? [];
    const { name } = policy.metadata ?? {};
    const isBound = bindings.some(({ json }) => json.spec?.policyName === name);
    return isGuard(policy) && !isBound && { kind: VALIDATING_BINDING, value: String(name), at: '/metadata/name' };
  }),
  ruleOf(RULES['guard-without-deny'], (binding, { among }) => {
    const name: unknown = binding.spec?.policyName;
    const policies =
      binding.kind === VALIDATING_BINDING ? among?.index.named(ADMISSION_GROUP, VALIDATING_POLICY, { name }) : [];
    const actions = listIn(binding.spec, 'validationActions');
    return (
      policies?.some(({ json }) => isOfGuard(json)) &&
      !actions.includes('Deny') && { actions: actions.join(', ') || 'missing', name, at: '/spec/validationActions' }
    );
  }),
];

export const GUARD_RULE_SET = new RuleSet(GUARD_RULES);
