import { billOf } from '../../src/cost/bill';
import type { BillOptions } from '../../src/cost/charges';
import { balancer, balancers, balancersOf, readCases, type Written } from './balancers';

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
