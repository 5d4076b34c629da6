/**
 * What the operator's evaluator makes of a port template whose placeholders are replaced: numbers with `+`, `-`, `*` and
 * parentheses, no signs; the fraction is cut off.
 *
 * @returns nothing where it is no such expression
 */
export function evaluatePort(expression: string): number | undefined {
  const tokens = expression.match(/\d+(\.\d+)?|[-+*()]|\S/g) ?? [];
  const reader = new Reader(tokens);
  const value = reader.sum();
  return value === undefined || !reader.isAtEnd ? undefined : Math.trunc(value);
}

class Reader {
  private next = 0;

  public constructor(private readonly tokens: readonly string[]) {}

  public get isAtEnd(): boolean {
    return this.next === this.tokens.length;
  }

  public sum(): number | undefined {
    let value = this.product();
    while (value !== undefined && (this.sees('+') || this.sees('-'))) {
      const sign = this.take() === '+' ? 1 : -1;
      const term = this.product();
      value = term === undefined ? undefined : value + sign * term;
    }
    return value;
  }

  private product(): number | undefined {
    let value = this.operand();
    while (value !== undefined && this.sees('*')) {
      this.take();
      const factor = this.operand();
      value = factor === undefined ? undefined : value * factor;
    }
    return value;
  }

  private operand(): number | undefined {
    const token = this.take();
    if (token === '(') {
      const value = this.sum();
      return this.take() === ')' ? value : undefined;
    }
    return token !== undefined && /^\d/.test(token) ? Number(token) : undefined;
  }

  private sees(token: string): boolean {
    return this.tokens[this.next] === token;
  }

  private take(): string | undefined {
    return this.tokens[this.next++];
  }
}
