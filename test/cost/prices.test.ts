import { billOf } from '../../src/cost/bill';
import { Decimal } from '../../src/cost/money';
import { LIST_PRICES, pricesOlderThan } from '../../src/cost/price-list';
import { PRICED_PRODUCTS } from '../../src/cost/prices.facts';
import { balancer } from './balancers';

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
  ])('on %s', (today, old) => {
    expect(pricesOlderThan(today, prices)).toEqual(old);
  });

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
