import * as fc from 'fast-check';
import { billOf, differenceOf } from '../../src/cost/bill';
import { Decimal, Money } from '../../src/cost/money';
import { quotaUseOf } from '../../src/cost/quota-use';
import { savedBy } from '../../src/cost/sharing';
import { tries } from '../support/random';
import { anyBalancers, anyOptions, balancer } from './balancers';

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
