import { type Json, listIn, mapsIn } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import {
  ADMISSION_GROUP,
  FAULTS_VARIABLE,
  NO_FAULTS,
  SAID_VARIABLE,
  VALIDATING_BINDING,
  VALIDATING_POLICY,
} from '../../tenancy/guard/guard.facts';
import { RULES } from './rules.facts';

function isOfGuard({ spec }: Json): boolean {
  const names = mapsIn(spec, 'variables').map(({ name }) => name);
  return names.includes(FAULTS_VARIABLE) && names.includes(SAID_VARIABLE);
}

export const GUARD_RULES: readonly Rule<ObjectContext>[] = [
  {
    ...RULES['guard-fail-open'],
    judge: (policy) =>
      policy.kind === VALIDATING_POLICY && isOfGuard(policy) && policy.spec?.failurePolicy === 'Ignore'
        ? {
            what: 'failurePolicy is Ignore, so a request that cannot be evaluated is admitted',
            remedy: 'write Fail, or synthesize the guard again',
            value: 'Ignore',
            at: '/spec/failurePolicy',
          }
        : undefined,
  },
  {
    ...RULES['guard-validates-nothing'],
    judge: (policy) =>
      policy.kind === VALIDATING_POLICY &&
      isOfGuard(policy) &&
      !mapsIn(policy.spec, 'validations').some(({ expression }) => expression === NO_FAULTS)
        ? {
            what: `no validation has the expression '${NO_FAULTS}', so requests with faults are admitted`,
            remedy: 'restore it, or synthesize the guard again',
            at: '/spec/validations',
          }
        : undefined,
  },
  {
    ...RULES['guard-unbound'],
    judge(policy, { among }) {
      const bindings = among?.index.of(ADMISSION_GROUP, VALIDATING_BINDING) ?? [];
      const { name } = policy.metadata ?? {};
      return policy.kind === VALIDATING_POLICY &&
        isOfGuard(policy) &&
        !bindings.some(({ json }) => json.spec?.policyName === name)
        ? {
            what: `no ${VALIDATING_BINDING} of these files is for policy ${name}: without one it refuses nothing`,
            remedy: 'apply the binding that the guard writes with it',
            value: String(name),
            at: '/metadata/name',
          }
        : undefined;
    },
  },
  {
    ...RULES['guard-without-deny'],
    judge(binding, { among }) {
      const name: unknown = binding.spec?.policyName;
      const policies =
        binding.kind === VALIDATING_BINDING ? among?.index.named(ADMISSION_GROUP, VALIDATING_POLICY, { name }) : [];
      const actions = listIn(binding.spec, 'validationActions');
      return policies?.some(({ json }) => isOfGuard(json)) && !actions.includes('Deny')
        ? {
            what: `validationActions of the binding are ${actions.join(', ') || 'missing'}, without Deny, so policy ${name} refuses nothing`,
            remedy: 'add Deny, or synthesize the guard again',
            at: '/spec/validationActions',
          }
        : undefined;
    },
  },
];

export const GUARD_RULE_SET = new RuleSet(GUARD_RULES);
