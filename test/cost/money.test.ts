import * as fc from 'fast-check';
import { Decimal, Money } from '../../src/cost/money';

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 6 }))
  .map(([units, digits]) => {
    const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
    const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
    return Decimal.of(units < 0n ? `-${whole}` : whole);
  });

test.each([
  ['0.0225', '730', '16.425'],
  [0.1, 3, '0.3'],
  ['1e-7', '1e7', '1'],
  ['-2.5', 2, '-5'],
  [0.005, 730, '3.65'],
])('%p × %p is %s, without dust', (one, other, product) => {
  expect(Decimal.of(one).times(Decimal.of(other)).toString()).toBe(product);
});

test.each([
  ['16.425', '16.43'],
  ['16.424999', '16.42'],
  ['-16.425', '-16.43'],
  ['0', '0.00'],
  ['109.5', '109.50'],
  ['0.005', '0.01'],
  ['0.0003', '0.0003'],
  ['-0.0003', '-0.0003'],
])('%s in cents is %s', (amount, cents) => {
  expect(Decimal.of(amount).toCents()).toBe(cents);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [''], ['12 USD'], [undefined], [null], [{}], ['0x10'], [' 1']])(
  '%p is no number',
  (value) => {
    expect(Decimal.read(value)).toBeUndefined();
    expect(() => Decimal.of(value as string)).toThrow('is not a valid number');
  },
);

test('sums do not depend on order, and what is added can be taken away', () => {
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
