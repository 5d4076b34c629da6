import { sentenceOf } from '../../src/contract/rule';
import { billOf } from '../../src/cost/bill';
import { LIMIT_RULES, type LimitContext } from '../../src/cost/limits';
import { quotaUseOf } from '../../src/cost/quota-use';
import type { Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';
import { balancer, balancers } from './balancers';

const RULES: readonly Rule<LimitContext>[] = LIMIT_RULES;

const REGION = 'us-east-1';

function found(given: ReturnType<typeof balancers>, limits: LimitContext): string[] {
  const context = { bill: billOf(given, { region: REGION }), quotas: quotaUseOf(given), ...limits };
  const { errors, warnings } = new RuleSet(RULES, 'cost').judge({}, context);
  return [...errors, ...warnings].map(sentenceOf);
}

test.each<[string, ReturnType<typeof balancers>, LimitContext, string[]]>([
  ['a bill below its limit', balancers(2, 'aws/clb'), { maxMonthlyCost: { USD: 36.5 } }, []],
  [
    'a bill above its limit',
    balancers(2, 'aws/clb'),
    { maxMonthlyCost: { USD: 36.49 } },
    [
      'cost: load balancers cost USD 36.50 a month by the price list, more than maxMonthlyCost USD 36.49: 2 × 0.025 × 730 h; ' +
        'let Services share balancers, or raise maxMonthlyCost (monthly-cost-limit)',
    ],
  ],
  [
    'a bill that is not known whole',
    [balancer('aws/nlb')],
    { maxMonthlyCost: { USD: 100 } },
    [
      'cost: the cost of a month cannot be compared with maxMonthlyCost USD 100.00: Network Load Balancer has a public ' +
        'address in each of its zones, and their number is not known; give zones (monthly-cost-unknown)',
    ],
  ],
  [
    'a currency in which nothing is billed',
    balancers(2, 'aws/clb'),
    { maxMonthlyCost: { EUR: 0 } },
    [
      'cost: USD 36.50 a month cannot be compared with maxMonthlyCost, which has no limit in USD; ' +
        'give maxMonthlyCost.USD (monthly-cost-unknown)',
    ],
  ],
  [
    'balancers of which nothing is known',
    [],
    { maxMonthlyCost: { USD: 0 }, uncounted: ['a/a', 'a/b', 'a/c', 'a/d'] },
    [
      'cost: 4 load balancers cannot be compared with maxMonthlyCost, as it is not known what is made: a/a, a/b, a/c, others; ' +
        'name the controller that owns them, or accept it where that one has no prices here (monthly-cost-unknown)',
    ],
  ],
  [
    'a limit that is no number',
    [],
    { maxMonthlyCost: { USD: Number.NaN } },
    ['cost: maxMonthlyCost.USD NaN is not a valid limit; give a number of 0 or more (monthly-cost-limit)'],
  ],
  ['a quota below its limit', balancers(16, 'aws/clb', { targets: 3 }), { maxQuotaPercent: 80 }, []],
  [
    'targets that are not known',
    balancers(1, 'aws/clb'),
    { maxQuotaPercent: 80 },
    [
      'cost: use of Registered instances per Classic Load Balancer cannot be compared with maxQuotaPercent 80: targets of a ' +
        'balancer are not known; give the nodes and pods of the cluster (quota-percent-unknown)',
    ],
  ],
  [
    'a quota above its limit',
    balancers(17, 'aws/clb', { targets: 3 }),
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
        "per region and project' differs from account to account; give the quota gcp-forwarding-rules (quota-percent-unknown)",
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
