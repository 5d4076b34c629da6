import * as fc from 'fast-check';
import { Confidence } from '../../src/contract/kubernetes.facts';
import { sentenceOf } from '../../src/contract/rule';
import type { BilledBalancer } from '../../src/cost/balancers';
import { billOf } from '../../src/cost/bill';
import { LIMIT_RULES, type LimitContext } from '../../src/cost/limits';
import { Decimal, Money } from '../../src/cost/money';
import { LIST_PRICES, pricesOlderThan } from '../../src/cost/price-list';
import { PRICED_PRODUCTS } from '../../src/cost/prices.facts';
import { type QuotaOptions, quotaUseOf } from '../../src/cost/quota-use';
import { ACCOUNT_QUOTAS } from '../../src/cost/quotas.facts';
import type { Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';
import { casesIn } from '../support/yaml-cases';
import { balancer, balancers, balancersOf, readCases, type Written } from './balancers';

const RULES: readonly Rule<LimitContext>[] = LIMIT_RULES;

const REGION = 'us-east-1';

function found(given: ReturnType<typeof balancers>, limits: LimitContext): string[] {
  const context = { bill: billOf(given, { region: REGION }), quotas: quotaUseOf(given), ...limits };
  const { errors, warnings } = new RuleSet(RULES, 'cost').check({}, context);
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
  expect(new RuleSet(RULES, 'cost').check({}, {}).unknown.map(({ ruleId }) => ruleId)).toEqual([
    'monthly-cost-exceeded',
    'monthly-cost-unknown',
    'quota-percent-exceeded',
    'quota-percent-unknown',
  ]);
});

test('prices of a region that nobody gave are no silent answer', () => {
  const context = { bill: billOf(balancers(1, 'aws/clb')), maxMonthlyCost: { USD: 100 } };
  expect(new RuleSet(RULES, 'cost').check({}, context).warnings.map(sentenceOf)).toEqual([
    'cost: maxMonthlyCost is compared with the prices of region us-east-1, as no region is given; give region (monthly-cost-unknown)',
  ]);
});

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 6 }))
  .map(([units, digits]) => {
    const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
    const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
    return Decimal.of(units < 0n ? `-${whole}` : whole);
  });

test.each<[string | number, string | number, string]>(casesIn(__dirname, 'limits.yaml')['is without dust'])(
  '%p × %p is %s, without dust',
  (one, other, product) => {
    expect(Decimal.of(one).times(Decimal.of(other)).toString()).toBe(product);
  },
);

test.each<[string, string]>(casesIn(__dirname, 'limits.yaml')['in cents is'])('%s in cents is %s', (amount, cents) =>
  expect(Decimal.of(amount).toCents()).toBe(cents),
);

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [''], ['12 USD'], [undefined], [null], [{}], ['0x10'], [' 1']])(
  '%p is no number',
  (value) => {
    expect(Decimal.read(value)).toBeUndefined();
    expect(() => Decimal.of(value as string)).toThrow('is not a valid number');
  },
);

test('sums do not depend on order, and what is added can be removed', () => {
  fc.assert(
    fc.property(fc.array(decimals), decimals, (some, one) => {
      const sum = Decimal.sum(some);
      expect(Decimal.sum([...some].reverse()).compare(sum)).toBe(0);
      expect(sum.plus(one).minus(one).toString()).toBe(sum.toString());
      expect(Decimal.of(sum.toString()).compare(sum)).toBe(0);
    }),
    { seed: 16 },
  );
});

test('a product is divided back to what it was, but for the last digit', () => {
  fc.assert(
    fc.property(decimals, fc.integer({ min: 1, max: 1_000 }), (one, divisor) => {
      const difference = one.over(divisor).times(divisor).minus(one);
      expect(difference.compare(Decimal.of('0.000000001'))).toBe(-1);
      expect(difference.compare(Decimal.of('-0.000000001'))).toBe(1);
    }),
    { seed: 16 },
  );
});

test('currencies stay apart', () => {
  const both = Money.of('USD', Decimal.of('1.5')).plus(Money.of('EUR', Decimal.of('7.49')));
  expect(`${both}`).toBe('EUR 7.49 + USD 1.50');
  expect(JSON.stringify(both)).toBe('{"EUR":"7.49","USD":"1.5"}');
  expect(new Set(Object.values(both.minus(both).toJSON()))).toEqual(new Set(['0']));
  expect(`${Money.NOTHING}`).toBe('0.00');
  expect(both.in('CHF').isZero()).toBe(true);
});

test('every price is one, of a product and an item that it is billed for, with its day and source', () => {
  for (const { product, item, price, read, source } of LIST_PRICES) {
    expect(PRICED_PRODUCTS[product].items).toContain(item);
    expect(Decimal.of(price).compare(Decimal.ZERO)).toBe(1);
    expect(read).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(source.version).toBe(read);
    expect(Object.values(source).join(' ')).not.toContain('://');
  }
});

test('a product has one price for each item in every region that it has', () => {
  for (const [product, { items, region }] of Object.entries(PRICED_PRODUCTS)) {
    const its = LIST_PRICES.filter((price) => price.product === product);
    const regions = [...new Set(its.map((price) => price.region))];
    expect(regions).toContain(region);
    for (const each of regions) {
      expect(its.filter((price) => price.region === each).map(({ item }) => item)).toHaveLength(items.length);
      expect(new Set(its.filter((price) => price.region === each).map(({ item }) => item))).toEqual(new Set(items));
    }
  }
});

describe('prices older than a year', () => {
  const { prices } = billOf([balancer('hetzner/lb11')]);

  test.each([
    ['2027-08-09', []],
    ['2027-08-10', [{ product: 'hetzner/lb11', items: ['month'], read: '2026-08-09' }]],
  ])('on %s', (today, old) => expect(pricesOlderThan(today, prices)).toEqual(old));

  test('those of the table, in order', () => {
    const old = pricesOlderThan('2026-11-23');
    expect(old).toContainEqual({
      product: 'gcp/passthrough-external',
      items: ['first-rules', 'further-rule', 'processed'],
      read: '2025-01-01',
    });
    expect(old.map(({ read }) => read)).not.toContain('2026-05-01');
    expect(pricesOlderThan('2024-02-29')).toEqual([]);
  });

  test.each(['', 'today', '2026-13-01', '2026-02-29', '2026-1-1', '2026-11-23T00:00'])('%p is no day', (today) => {
    expect(() => pricesOlderThan(today)).toThrow(
      `'${today}' is not a valid date; use year, month and day, such as 2026-11-23`,
    );
  });
});

describe('quota use', () => {
  const SOURCE = { repository: 'tests', version: '1', file: 'quota-use.test.ts' };

  function textsOf(given: readonly BilledBalancer[], ids: readonly string[], options: QuotaOptions = {}): string[] {
    return quotaUseOf(given, options)
      .uses.filter(({ id }) => ids.includes(id))
      .map(({ text }) => text);
  }

  interface Case {
    readonly case: string;
    readonly balancers: readonly Written[];
    readonly quotas: readonly string[];
    readonly options?: QuotaOptions;
    readonly texts: readonly string[];
  }

  test.each(readCases<{ readonly cases: readonly Case[] }>('quota-use.yaml').cases)('$case', (one) => {
    expect(textsOf(balancersOf(one.balancers), one.quotas, one.options)).toEqual(one.texts);
  });

  test('the quota that is met first is first, with who uses it', () => {
    const [first] = quotaUseOf([
      balancer('aws/nlb', { name: 'big', made: { listeners: 40 } }),
      balancer('aws/nlb', { name: 'small' }),
    ]).uses;
    expect(first).toMatchObject({
      id: 'aws-nlb-listeners',
      percent: 80,
      users: [{ name: 'shop/big', used: 40 }],
      isGiven: false,
    });
  });

  test('limits that a controller names count where the table has no such quota', () => {
    const made = {
      name: 'Acme',
      confidence: Confidence.DOCS,
      limits: [{ counts: 'listeners' as const, name: 'ports of an Acme', limit: 4, source: SOURCE }],
    };
    expect(quotaUseOf([balancer('acme/lb', { made })]).uses).toMatchObject([
      { id: 'acme/lb: ports of an Acme', text: '25 % of ports of an Acme (1 of 4)' },
    ]);
    expect(quotaUseOf([balancer('aws/nlb', { made })]).uses.map(({ id }) => id)).not.toContain(
      'aws/nlb: ports of an Acme',
    );
  });

  test.each([
    [{ 'aws-nlbs': 0 }, 'quota aws-nlbs 0 is not a valid number; give a whole number of 1 or more'],
    [{ 'aws-nlbs': Number.NaN }, 'quota aws-nlbs NaN is not a valid number; give a whole number of 1 or more'],
  ])('%j is no quota', (quotas, sentence) => {
    const { wrong, uses } = quotaUseOf([balancer('aws/nlb')], { quotas });
    expect(wrong.map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([sentence]);
    expect(uses.find(({ id }) => id === 'aws-nlbs')?.limit).toBe(50);
  });

  test('a quota that is not known is named', () => {
    const { wrong } = quotaUseOf([], { quotas: { 'aws-nlb': 5 } });
    expect(wrong.map(({ what }) => what)).toEqual(["'aws-nlb' is not a quota"]);
  });

  test('what a quota needs is named', () => {
    const use = quotaUseOf([balancer('aws/nlb')]).uses.find(({ id }) => id === 'aws-group-targets');
    expect(use?.text).toBe('use of Targets per target group is not known');
    expect(use?.needs.map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([
      'targets of a balancer are not known; give targets',
    ]);
  });

  test('ids are of one quota each, and no source is an address', () => {
    expect(new Set(ACCOUNT_QUOTAS.map(({ id }) => id)).size).toBe(ACCOUNT_QUOTAS.length);
    expect(ACCOUNT_QUOTAS.filter(({ source }) => Object.values(source).join(' ').includes('://'))).toEqual([]);
  });
});
