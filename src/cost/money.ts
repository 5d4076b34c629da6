// Amounts without the dust of binary fractions: 0.0225 × 730 is 16.425, and stays it in every sum.

const DIGITS = 12;
const ONE = 10n ** BigInt(DIGITS);

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

export class Decimal {
  public static readonly ZERO = new Decimal(0n);

  /** The number that a value stands for, or nothing where it stands for none: NaN, the infinite, a text without a number. */
  public static read(value: unknown): Decimal | undefined {
    const match = DECIMAL.exec(typeof value === 'number' || typeof value === 'string' ? String(value) : '');
    if (!match) {
      return undefined;
    }
    const [, sign, whole, fraction = '', exponent = '0'] = match;
    const digits = BigInt(whole + fraction);
    const shift = DIGITS - fraction.length + Number(exponent);
    const units = shift >= 0 ? digits * 10n ** BigInt(shift) : rounded(digits, 10n ** BigInt(-shift));
    return new Decimal(sign === '-' ? -units : units);
  }

  public static readAmount(value: unknown): Decimal | undefined {
    const read = Decimal.read(value);
    return read && read.units >= 0n ? read : undefined;
  }

  /** @throws if it is not a number */
  public static of(value: number | string): Decimal {
    const read = Decimal.read(value);
    if (!read) {
      throw new Error(`'${value}' is not a valid number; use digits, such as 0.0225`);
    }
    return read;
  }

  public static sum(numbers: readonly Decimal[]): Decimal {
    return numbers.reduce((sum, each) => sum.plus(each), Decimal.ZERO);
  }

  private constructor(private readonly units: bigint) {}

  public plus(other: Decimal): Decimal {
    return new Decimal(this.units + other.units);
  }

  public minus(other: Decimal): Decimal {
    return new Decimal(this.units - other.units);
  }

  public times(other: Decimal | number): Decimal {
    const factor = typeof other === 'number' ? Decimal.of(other) : other;
    return new Decimal(rounded(this.units * factor.units, ONE));
  }

  public over(other: number): Decimal {
    return new Decimal(rounded(this.units * ONE, Decimal.of(other).units));
  }

  public compare(other: Decimal): number {
    return this.units < other.units ? -1 : Number(this.units > other.units);
  }

  public isZero(): boolean {
    return this.units === 0n;
  }

  /** All digits that it has, and no more: `16.425`. */
  public toString(): string {
    const [whole, fraction] = this.parts();
    const shown = fraction.replace(/0+$/, '');
    return `${whole}${shown && `.${shown}`}`;
  }

  /** The same as text in JSON, where a number would be a binary fraction. */
  public toJSON(): string {
    return this.toString();
  }

  /** With two digits, half a cent rounded up: `16.43`. What is less than half a cent, and not nothing, has all its digits. */
  public toCents(): string {
    const cents = new Decimal(rounded(this.units, ONE / 100n) * (ONE / 100n));
    if (cents.isZero() && !this.isZero()) {
      return this.toString();
    }
    const [whole, fraction] = cents.parts();
    return `${whole}.${fraction.slice(0, 2)}`;
  }

  private parts(): [whole: string, fraction: string] {
    const sign = this.units < 0n ? '-' : '';
    const text = String(this.units)
      .slice(sign.length)
      .padStart(DIGITS + 1, '0');
    return [sign + text.slice(0, -DIGITS), text.slice(-DIGITS)];
  }
}

/** Divides integers, a half away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const result = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -result : result;
}

/** Sums in several currencies, which are never converted: rates are no part of a list price. */
export class Money {
  public static readonly NOTHING = new Money(new Map());

  public static of(currency: string, amount: Decimal): Money {
    return new Money(new Map([[currency, amount]]));
  }

  public static sum(sums: readonly Money[]): Money {
    return sums.reduce((sum, each) => sum.plus(each), Money.NOTHING);
  }

  private constructor(private readonly amounts: ReadonlyMap<string, Decimal>) {}

  public get currencies(): readonly string[] {
    return [...this.amounts.keys()].sort();
  }

  public in(currency: string): Decimal {
    return this.amounts.get(currency) ?? Decimal.ZERO;
  }

  public plus(other: Money, times = 1): Money {
    const sums = new Map(this.amounts);
    for (const [currency, amount] of other.amounts) {
      sums.set(currency, this.in(currency).plus(amount.times(times)));
    }
    return new Money(sums);
  }

  public minus(other: Money): Money {
    return this.plus(other, -1);
  }

  /** `USD 164.25`; of several currencies `EUR 7.49 + USD 164.25`; `0.00` where there is none. */
  public toString(): string {
    const shown = this.currencies.map((currency) => `${currency} ${this.in(currency).toCents()}`);
    return shown.length > 0 ? shown.join(' + ') : '0.00';
  }

  public toJSON(): Record<string, string> {
    return Object.fromEntries(this.currencies.map((currency) => [currency, this.in(currency).toString()]));
  }
}
