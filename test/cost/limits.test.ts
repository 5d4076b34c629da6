import { sentenceOf } from '../../src/contract/sentence';
import { billOf } from '../../src/cost/bill';
import { type LimitContext, limitRules } from '../../src/cost/limits';
import { quotaUseOf } from '../../src/cost/quota-use';
import type { Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';
import { balancer, balancers } from './balancers';

const RULES: readonly Rule<LimitContext>[] = limitRules();

/** What the rules find, run as those on objects are. */
function found(given: ReturnType<typeof balancers>, limits: LimitContext): string[] {
  const context = { bill: billOf(given), quotas: quotaUseOf(given), ...limits };
  return new RuleSet(RULES, 'cost').judge({}, context).errors.map(sentenceOf);
}

test.each<[string, ReturnType<typeof balancers>, LimitContext, string[]]>([
  ['a bill below its limit', balancers(2, 'aws/clb'), { maxMonthlyCost: { USD: 36.5 } }, []],
  [
    'a bill above its limit',
    balancers(2, 'aws/clb'),
    { maxMonthlyCost: { USD: 36.49 } },
    [
      'cost: load balancers cost USD 36.50 a month by the price list, more than maxMonthlyCost USD 36.49; ' +
        'let Services share balancers, or raise maxMonthlyCost (monthly-cost-limit)',
    ],
  ],
  [
    'a bill that is not known whole',
    [balancer('aws/nlb')],
    { maxMonthlyCost: { USD: 100 } },
    [
      'cost: the cost of a month cannot be compared with maxMonthlyCost USD 100.00: Network Load Balancer has a public ' +
        'address in each of its zones, and their number is not known; give zones (monthly-cost-limit)',
    ],
  ],
  ['a currency in which nothing is billed', balancers(2, 'aws/clb'), { maxMonthlyCost: { EUR: 0 } }, []],
  [
    'a limit that is no number',
    [],
    { maxMonthlyCost: { USD: Number.NaN } },
    ['cost: maxMonthlyCost.USD NaN is not a valid limit; give a number of 0 or more (monthly-cost-limit)'],
  ],
  ['a quota below its limit', balancers(16, 'aws/clb'), { maxQuotaPercent: 80 }, []],
  [
    'a quota above its limit',
    balancers(17, 'aws/clb'),
    { maxQuotaPercent: 80 },
    [
      'cost: 85 % of Classic Load Balancers per Region (17 of 20) is used, more than maxQuotaPercent 80, most of it by ' +
        'shop/web-0; share balancers, or have the quota raised and give it (quota-percent-limit)',
    ],
  ],
  [
    'a quota that differs by account',
    balancers(1, 'gcp/passthrough-external'),
    { maxQuotaPercent: 80 },
    [
      "cost: use of Forwarding rules per region and project cannot be compared with maxQuotaPercent 80: 'Forwarding rules " +
        "per region and project' differs from account to account; give the quota gcp-forwarding-rules (quota-percent-limit)",
    ],
  ],
  [
    'a percentage that is none',
    [],
    { maxQuotaPercent: -1 },
    ['cost: maxQuotaPercent -1 is not a valid limit; give a number of 0 or more (quota-percent-limit)'],
  ],
])('%s', (_, given, limits, sentences) => {
  expect(found(given, limits)).toEqual(sentences);
});

test('rules without a limit are not asked', () => {
  expect(new RuleSet(RULES, 'cost').judge({}, {}).unknown.map(({ ruleId }) => ruleId)).toEqual([
    'monthly-cost-limit',
    'quota-percent-limit',
  ]);
});
