import { sentenceOf } from '../../src/contract/rule';
import { billOf } from '../../src/cost/bill';
import { LIMIT_RULES, type LimitContext } from '../../src/cost/limits';
import { quotaUseOf } from '../../src/cost/quota-use';
import type { Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';
import { balancers, balancersOf, readCases, type Written } from './balancers';

const RULES: readonly Rule<LimitContext>[] = LIMIT_RULES;

const REGION = 'us-east-1';

function found(given: ReturnType<typeof balancers>, limits: LimitContext): string[] {
  const context = { bill: billOf(given, { region: REGION }), quotas: quotaUseOf(given), ...limits };
  const { errors, warnings } = new RuleSet(RULES, 'cost').judge({}, context);
  return [...errors, ...warnings].map(sentenceOf);
}

interface Case {
  readonly case: string;
  readonly balancers: readonly Written[];
  readonly limits: LimitContext;
  readonly sentences: readonly string[];
}

test.each(readCases<{ readonly cases: readonly Case[] }>('limits.yaml').cases)('$case', (one) => {
  expect(found(balancersOf(one.balancers), one.limits)).toEqual(one.sentences);
});

test('rules without a limit are not asked', () => {
  expect(new RuleSet(RULES, 'cost').judge({}, {}).unknown.map(({ ruleId }) => ruleId)).toEqual([
    'monthly-cost-limit',
    'monthly-cost-unknown',
    'quota-percent-limit',
    'quota-percent-unknown',
  ]);
});

test('prices of a region that nobody gave are no silent answer', () => {
  const context = { bill: billOf(balancers(1, 'aws/clb')), maxMonthlyCost: { USD: 100 } };
  expect(new RuleSet(RULES, 'cost').judge({}, context).warnings.map(sentenceOf)).toEqual([
    'cost: maxMonthlyCost is compared with the prices of region us-east-1, as no region is given; give region (monthly-cost-unknown)',
  ]);
});
