import type { Finding } from '../contract/finding';
import { shown } from '../contract/printable';
import type { DescribedRule } from '../contract/rule';
import type { Bill } from './bill';
import { Decimal, Money } from './money';
import type { QuotaUses } from './quota-use';

/** What load balancers may cost, and how much of a quota they may use. */
export interface LimitContext {
  readonly bill?: Bill;
  readonly quotas?: QuotaUses;
  /** The most that they may cost a month by the price list, by currency: `{ USD: 100 }`. */
  readonly maxMonthlyCost?: Readonly<Record<string, number>>;
  /** The most that they may use of any quota, in percent. */
  readonly maxQuotaPercent?: number;
}

/** A rule on a bill or on the use of quotas, shaped as those on objects. */
export interface LimitRule extends DescribedRule {
  readonly needs: readonly (keyof LimitContext)[];
  judge(object: unknown, context: LimitContext): readonly Finding[];
}

/** The rules on money and quotas. */
export function limitRules(): readonly LimitRule[] {
  return [
    {
      id: 'monthly-cost-limit',
      severity: 'error',
      says: 'load balancers cost at most maxMonthlyCost, by the price lists of their vendors',
      source: 'ours',
      needs: ['bill', 'maxMonthlyCost'],
      judge: (_, { bill, maxMonthlyCost }) => (bill && maxMonthlyCost ? tooDear(bill, maxMonthlyCost) : []),
    },
    {
      id: 'quota-percent-limit',
      severity: 'error',
      says: 'load balancers use at most maxQuotaPercent of each quota',
      source: 'ours',
      needs: ['quotas', 'maxQuotaPercent'],
      judge: (_, { quotas, maxQuotaPercent }) =>
        quotas && maxQuotaPercent !== undefined ? tooMuch(quotas, maxQuotaPercent) : [],
    },
  ];
}

function tooDear(bill: Bill, limits: Readonly<Record<string, number>>): readonly Finding[] {
  return Object.entries(limits).flatMap(([currency, given]): readonly Finding[] => {
    const limit = Decimal.read(given);
    if (!limit || limit.isNegative()) {
      return [wrongLimit(`maxMonthlyCost.${currency}`, given)];
    }
    const amount = bill.amounts.in(currency);
    const shownLimit = Money.of(currency, limit);
    if (amount.compare(limit) > 0) {
      return [
        {
          what: `load balancers cost ${Money.of(currency, amount)} a month by the price list, more than maxMonthlyCost ${shownLimit}`,
          remedy: 'let Services share balancers, or raise maxMonthlyCost',
          value: amount.toCents(),
        },
      ];
    }
    const missing = bill.lines.some((line) => line.missing.length > 0 && (line.currency ?? currency) === currency);
    return missing ? [notCompared(`maxMonthlyCost ${shownLimit}`, 'the cost of a month', bill.needs)] : [];
  });
}

function tooMuch({ uses, wrong }: QuotaUses, max: number): readonly Finding[] {
  if (!Number.isFinite(max) || max < 0) {
    return [wrongLimit('maxQuotaPercent', max)];
  }
  const findings = uses.flatMap((use): readonly Finding[] => {
    if (use.used !== undefined && use.limit !== undefined && use.used * 100 > max * use.limit) {
      const [most] = use.users;
      return [
        {
          what: `${use.text} is used, more than maxQuotaPercent ${max}, most of it by ${most.name}`,
          remedy: use.adjustable
            ? 'share balancers, or have the quota raised and give it'
            : 'split the ports over more balancers',
          value: String(use.percent),
        },
      ];
    }
    return use.limit === undefined ? [notCompared(`maxQuotaPercent ${max}`, `use of ${use.name}`, use.needs)] : [];
  });
  return [...wrong, ...findings];
}

function wrongLimit(name: string, given: unknown): Finding {
  return {
    what: `${name} ${shown(given)} is not a valid limit`,
    remedy: 'give a number of 0 or more',
    value: String(given),
  };
}

/** What is not known cannot be below a limit. */
function notCompared(limit: string, what: string, needs: readonly Finding[]): Finding {
  const why = needs.map((need) => need.what);
  const remedies = needs.map(({ remedy }) => remedy);
  return {
    what: `${what} cannot be compared with ${limit}: ${why.join(', ')}`,
    remedy: [...new Set(remedies)].join(', '),
  };
}
