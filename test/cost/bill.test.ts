import * as fc from 'fast-check';
import { billOf, differenceOf } from '../../src/cost/bill';
import type { BillOptions } from '../../src/cost/charges';
import { Decimal, Money } from '../../src/cost/money';
import { quotaUseOf } from '../../src/cost/quota-use';
import { savedBy } from '../../src/cost/sharing';
import { tries } from '../support/random';
import {
  anyBalancers,
  anyOptions,
  balancer,
  balancers,
  balancersOf,
  INTERNAL,
  readCases,
  type Written,
} from './balancers';

const NLB = 'aws/nlb';
const CLB = 'aws/clb';
const UNCOUNTED = 'traffic not counted (--gb-per-month)';

interface Case {
  readonly case: string;
  readonly balancers: readonly Written[];
  readonly options?: BillOptions;
}

const CASES = readCases<{
  readonly bills: readonly (Case & { readonly text: string })[];
  readonly needs: readonly (Case & { readonly sentence: string })[];
}>('bill.yaml');

test.each(CASES.bills)('$case', ({ balancers: given, options, text }) => {
  expect(billOf(balancersOf(given), options).text).toBe(text);
});

describe("the story's bill", () => {
  test('a Classic balancer is 18 dollars a month, and twenty tenants pay twenty times that', () => {
    expect(billOf([balancer(CLB)]).text).toBe(`USD 18.25 = 0.025 × 730 h, ${UNCOUNTED}`);
    expect(billOf(balancers(20, CLB)).text).toBe(`USD 365.00 = 20 × 0.025 × 730 h, ${UNCOUNTED}`);
  });

  test('today its addresses are billed too', () => {
    expect(billOf([balancer(CLB, { zones: 3, made: { publicAddresses: { count: 1, perZone: true } } })]).text).toBe(
      `USD 29.20 = 0.025 × 730 h + 3 zones × 3.65 public IPv4, ${UNCOUNTED}`,
    );
  });

  test('data counts both ways, and a user who downloads in a loop costs a hundred balancers', () => {
    // a month of ten mebibytes a second
    const gb = 25_664.0625;
    const bill = billOf([balancer(CLB, { tenant: 'ann', traffic: { gbPerMonth: gb, gbOutPerMonth: gb } })], {
      zoneCrossings: 0,
    });
    expect(bill.text).toBe(
      'USD 2533.33 = 0.025 × 730 h + 25664.0625 GB × 0.008 processed + ' +
        '25664.0625 GB × 0 zone crossings × 2 × 0.01 + 25664.0625 GB × 0.09 to the internet',
    );
    expect(bill.lines[0].terms.map(({ amount }) => `${amount}`)).toEqual(['18.25', '205.3125', '0', '2309.765625']);
  });
});

describe('what is missing or wrong', () => {
  test.each(CASES.needs)('$case', ({ balancers: given, options, sentence }) => {
    const bill = billOf(balancersOf(given), options);
    expect(bill.needs.map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([sentence]);
    expect(bill.text).toMatch(/^(at least|not known)/);
    expect(bill.text).not.toContain('NaN');
  });

  test('a price that counts for nothing is named, and the total is whole', () => {
    const bill = billOf([balancer(CLB)], { prices: { [CLB]: { month: 3 } } });
    expect(bill.needs.map(({ what }) => what)).toEqual(["aws/clb is not billed for 'month', whose price is given"]);
    expect(bill.text).toBe(`USD 18.25 = 0.025 × 730 h, ${UNCOUNTED}`);
  });

  test('the names of records are no products', () => {
    expect(billOf([balancer('constructor'), balancer('__proto__', { name: 'b' })]).text).toBe(
      "not known = (needs prices of '__proto__') + (needs prices of 'constructor')",
    );
  });
});

test('owners, namespaces and tenants have their part, and what they share is for them together', () => {
  const bill = billOf([
    balancer(CLB, { owner: 'one', namespace: 'a', tenant: 'ann' }),
    balancer(CLB, { owner: 'two', namespace: 'b' }),
    balancer(NLB, { owner: 'one', namespace: 'a', name: 'x', zones: 1, tenant: 'ann', made: { sharedBy: 'k' } }),
    balancer(NLB, { owner: 'one', namespace: 'b', name: 'y', zones: 1, tenant: 'bob', made: { sharedBy: 'k' } }),
  ]);
  const parts = (all: typeof bill.byOwner) => all.map((part) => [part.of, part.balancers, `${part.amounts}`]);
  expect(parts(bill.byOwner)).toEqual([
    [['one'], 2, 'USD 38.33'],
    [['two'], 1, 'USD 18.25'],
  ]);
  expect(parts(bill.byNamespace)).toEqual([
    [['a', 'b'], 1, 'USD 20.08'],
    [['a'], 1, 'USD 18.25'],
    [['b'], 1, 'USD 18.25'],
  ]);
  expect(parts(bill.byTenant)).toEqual([
    [['ann', 'bob'], 1, 'USD 20.08'],
    [['ann'], 1, 'USD 18.25'],
    [[], 1, 'USD 18.25'],
  ]);
  expect(bill.balancers).toBe(3);
  expect(bill.assumedRegions).toEqual(['us-east-1']);
  expect(billOf([balancer(CLB)], { region: 'us-east-1' }).assumedRegions).toEqual([]);
});

const isNothing = (sum: Money) => sum.currencies.every((currency) => sum.in(currency).isZero());

const RUNS = { numRuns: tries(100), seed: 16 };

const bills = fc.record({ given: anyBalancers, options: anyOptions });

test('a total is the sum of its terms, and the parts of a bill are together the whole', () => {
  fc.assert(
    fc.property(bills, ({ given, options }) => {
      const bill = billOf(given, options);
      for (const part of [bill, ...bill.byOwner, ...bill.byNamespace, ...bill.byTenant]) {
        for (const line of part.lines) {
          const terms = line.terms.map(({ factors }) =>
            factors.reduce((product, { value }) => product.times(value), Decimal.of(1)),
          );
          expect(line.amount.toString()).toBe(Decimal.sum(terms).times(line.count).toString());
        }
      }
      for (const parts of [bill.byOwner, bill.byNamespace, bill.byTenant]) {
        expect(Money.sum(parts.map(({ amounts }) => amounts)).toJSON()).toEqual(bill.amounts.toJSON());
        expect(parts.reduce((sum, part) => sum + part.balancers, 0)).toBe(bill.balancers);
      }
    }),
    RUNS,
  );
});

test('the order of the input does not matter', () => {
  const shuffled = bills.chain(({ given, options }) =>
    fc.record({
      given: fc.constant(given),
      other: fc.shuffledSubarray(given, { minLength: given.length, maxLength: given.length }),
      options: fc.constant(options),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ given, other, options }) => {
      expect(JSON.stringify(billOf(other, options))).toBe(JSON.stringify(billOf(given, options)));
      expect(JSON.stringify(quotaUseOf(other, options))).toBe(JSON.stringify(quotaUseOf(given, options)));
      expect(JSON.stringify(savedBy(other, options))).toBe(JSON.stringify(savedBy(given, options)));
    }),
    RUNS,
  );
});

test('no number is without a meaning, and nothing costs less than nothing', () => {
  fc.assert(
    fc.property(bills, ({ given, options }) => {
      const bill = billOf(given, options);
      expect(bill.text).not.toMatch(/NaN|Infinity|undefined|-\d/);
      expect(
        bill.text.startsWith('at least') || bill.text.includes('; at least') || bill.text.includes('not known'),
      ).toBe(bill.lines.some(({ missing }) => missing.length > 0));
    }),
    RUNS,
  );
});

test('sharing never costs more, nor takes more balancers', () => {
  fc.assert(
    fc.property(bills, ({ given, options }) => {
      const { balancers, enough, difference } = savedBy(given, options);
      expect(enough).toBeLessThanOrEqual(balancers);
      for (const currency of difference.amounts.currencies) {
        expect(difference.amounts.in(currency).compare(Decimal.ZERO)).toBeLessThanOrEqual(0);
      }
    }),
    RUNS,
  );
});

test('a difference is that of the totals, there and back', () => {
  fc.assert(
    fc.property(bills, anyBalancers, ({ given, options }, others) => {
      const [before, after] = [billOf(given, options), billOf(others, options)];
      const difference = differenceOf(before, after);
      expect(isNothing(before.amounts.plus(difference.amounts).minus(after.amounts))).toBe(true);
      expect(isNothing(differenceOf(after, before).amounts.plus(difference.amounts))).toBe(true);
      const changes = difference.changes.map(({ currency, amount }) =>
        currency === undefined ? Money.NOTHING : Money.of(currency, amount),
      );
      expect(isNothing(Money.sum(changes).minus(difference.amounts))).toBe(true);
      expect(differenceOf(before, before).text).toBe('no difference');
    }),
    RUNS,
  );
});

test('one balancer more never costs less where each has its own price', () => {
  fc.assert(
    fc.property(bills, ({ given, options }) => {
      const one = balancer('aws/clb', { namespace: 'zz' });
      const more = billOf([...given, one], options).amounts.minus(billOf(given, options).amounts);
      expect(more.currencies.every((currency) => more.in(currency).compare(Decimal.ZERO) >= 0)).toBe(true);
    }),
    RUNS,
  );
});

const ports = (...numbers: number[]) => numbers.map((port) => `${port}/TCP`);

test('four balancers of a Kafka cluster are one', () => {
  const given = [9092, 9093, 9094, 9095].map((port) =>
    balancer('aws/nlb', { namespace: 'kafka', name: `broker-${port}`, zones: 3, ports: ports(port) }),
  );
  const { difference, ...counts } = savedBy(given);
  expect(counts).toEqual({ balancers: 4, enough: 1, withoutPorts: [] });
  expect(difference.text).toBe('USD 109.50 -> USD 27.38: - 3 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)');
  expect(`${difference.amounts}`).toBe('USD -82.13');
});

test('two Services with one port need two balancers, and so do owners, schemes and products', () => {
  const given = [
    balancer('aws/clb', { name: 'a', ports: ports(80) }),
    balancer('aws/clb', { name: 'b', ports: ports(80) }),
    balancer('aws/clb', { name: 'c', ports: ports(81) }),
    balancer('aws/clb', { name: 'd', ports: ports(82), made: { scheme: INTERNAL } }),
    balancer('aws/clb', { name: 'e', ports: ports(83), owner: 'other' }),
    balancer('aws/nlb', { name: 'f', ports: ports(84), zones: 1 }),
  ];
  expect(savedBy(given)).toMatchObject({ balancers: 6, enough: 5 });
});

test('no balancer has more listeners than one may have', () => {
  expect(savedBy(balancers(6, 'aws/nlb', { zones: 1, made: { listeners: 20 } }))).toMatchObject({
    balancers: 6,
    enough: 3,
    withoutPorts: [0, 1, 2, 3, 4, 5].map((index) => `shop/web-${index}`),
  });
});

test('what has no price of its own saves nothing', () => {
  for (const product of ['azure/standard', 'gcp/passthrough-external', 'none', 'acme/lb']) {
    expect(savedBy(balancers(3, product)).difference.text).toBe('no difference');
  }
});

test('Services of several namespaces share', () => {
  const given = ['a', 'a', 'b'].map((namespace, index) => balancer('aws/clb', { namespace, name: `web-${index}` }));
  expect(`${savedBy(given).difference.amounts}`).toBe('USD -36.50');
});

describe('the difference between two bills', () => {
  test('names terms that came and went', () => {
    const before = billOf([...balancers(2, 'aws/clb'), balancer('hetzner/lb11', { name: 'h' })]);
    const after = billOf([balancer('aws/nlb', { zones: 2 }), balancer('hetzner/lb11', { name: 'h' })]);
    const difference = differenceOf(before, after);
    expect(difference.text).toBe(
      'EUR 7.49 + USD 36.50 -> EUR 7.49 + USD 23.73: - 2 × 0.025 × 730 h + (0.0225 × 730 h + 2 zones × 3.65 public IPv4)',
    );
    expect(difference).toMatchObject({ balancers: -1, isKnown: true });
  });

  test('is not known where a term is missing', () => {
    const difference = differenceOf(billOf([]), billOf([balancer('aws/nlb')]));
    expect(difference).toMatchObject({ isKnown: false });
    expect(difference.text).toBe(
      'at least 0.00 -> at least USD 16.43: + (0.0225 × 730 h + (public IPv4: needs zones))',
    );
  });
});
