/** A part of a whole, exactly: sums of shares come out as 1 however many there are. */
export class Fraction {
  public static readonly NONE = new Fraction(0n, 1n);
  public static readonly WHOLE = new Fraction(1n, 1n);

  public static of(part: number, whole: number): Fraction {
    return Fraction.reduced(BigInt(part), BigInt(whole));
  }

  public static sum(parts: Iterable<Fraction>): Fraction {
    let sum = Fraction.NONE;
    for (const part of parts) {
      sum = sum.plus(part);
    }
    return sum;
  }

  private static reduced(part: bigint, whole: bigint): Fraction {
    let [a, b] = [part < 0n ? -part : part, whole];
    while (b !== 0n) {
      [a, b] = [b, a % b];
    }
    return a === 0n ? Fraction.NONE : new Fraction(part / a, whole / a);
  }

  private constructor(
    private readonly part: bigint,
    private readonly whole: bigint,
  ) {}

  public plus(other: Fraction): Fraction {
    if (this.part === 0n || other.part === 0n) {
      return this.part === 0n ? other : this;
    }
    return this.whole === other.whole
      ? Fraction.reduced(this.part + other.part, this.whole)
      : Fraction.reduced(this.part * other.whole + other.part * this.whole, this.whole * other.whole);
  }

  public minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.part, other.whole));
  }

  public times(other: Fraction): Fraction {
    return this === Fraction.WHOLE ? other : Fraction.reduced(this.part * other.part, this.whole * other.whole);
  }

  public get isNone(): boolean {
    return this.part === 0n;
  }

  public isMoreThan(other: Fraction): boolean {
    return this.part * other.whole > other.part * this.whole;
  }

  /** The nearest number. Large integers are divided as such first, for either alone may be beyond what a number holds. */
  public get value(): number {
    const scale = 10n ** 17n;
    return this.whole < scale
      ? Number(this.part) / Number(this.whole)
      : Number((this.part * scale) / this.whole) / 1e17;
  }

  public toString(): string {
    return this.whole === 1n ? `${this.part}` : `${this.part}/${this.whole}`;
  }
}

export interface Unknown {
  /** `needs …`. */
  readonly unknown: string;
  readonly because?: string;
}

export interface Figure {
  readonly value: number;
  /** The terms of the number: `1/2 × 2/3`. */
  readonly terms: string;
}

export function isUnknown(answer: object): answer is Unknown {
  return 'unknown' in answer;
}
