import { grouped, shown } from '../contract/json';
import type { DescribedRule, Mistake } from '../contract/rule';
import type { MonthlyCost } from './bill';
import { Decimal, Money } from './money';
import type { QuotaUses } from './quota-use';

export interface LimitContext {
  readonly bill?: MonthlyCost;
  readonly quotas?: QuotaUses;
  /** Load balancers of which nobody knows what is made, so that they are neither in the bill nor in the quotas. */
  readonly uncounted?: readonly string[];
  /** The most that they may cost a month by the price list, by currency: `{ USD: 100 }`. */
  readonly maxMonthlyCost?: Readonly<Record<string, number>>;
  readonly maxQuotaPercent?: number;
}

interface LimitRow extends DescribedRule {
  readonly at: string;
  readonly needs: readonly (keyof LimitContext)[];
  check(object: unknown, context: LimitContext): readonly Mistake[];
}

const PAGE = 'docs/how-to/report.md#limit-what-load-balancers-cost';
const COST = { source: PAGE, needs: ['bill', 'maxMonthlyCost'], at: '/maxMonthlyCost' } as const;
const QUOTA = { source: PAGE, needs: ['quotas', 'maxQuotaPercent'], at: '/maxQuotaPercent' } as const;

const LIMIT_ROWS: readonly LimitRow[] = [
  {
    id: 'monthly-cost-exceeded',
    severity: 'error',
    says: 'load balancers cost more than maxMonthlyCost',
    ...COST,
    check: (_, { bill, maxMonthlyCost }) => (bill && maxMonthlyCost ? tooDear(bill, maxMonthlyCost) : []),
  },
  {
    id: 'monthly-cost-unknown',
    severity: 'warning',
    says: 'costs that cannot be compared with maxMonthlyCost',
    ...COST,
    check: (_, { bill, maxMonthlyCost, uncounted }) =>
      bill && maxMonthlyCost
        ? [...uncountedFor('maxMonthlyCost', uncounted), ...costUnknown(bill, maxMonthlyCost)]
        : [],
  },
  {
    id: 'quota-percent-exceeded',
    severity: 'error',
    says: 'load balancers use more than maxQuotaPercent of a quota',
    ...QUOTA,
    check: (_, { quotas, maxQuotaPercent: max }) => (quotas && max !== undefined ? tooMuch(quotas, max) : []),
  },
  {
    id: 'quota-percent-unknown',
    severity: 'warning',
    says: 'quota use that cannot be compared with maxQuotaPercent',
    ...QUOTA,
    check: (_, { quotas, maxQuotaPercent: max, uncounted }) =>
      quotas && max !== undefined ? [...uncountedFor('maxQuotaPercent', uncounted), ...useUnknown(quotas, max)] : [],
  },
];

export const LIMIT_RULES = LIMIT_ROWS.map(({ check, ...row }) => ({
  ...row,
  check: (bill: unknown, context: LimitContext) => check(bill, context).map((found) => ({ ...found, at: row.at })),
}));

function tooDear(bill: MonthlyCost, limits: Readonly<Record<string, number>>): readonly Mistake[] {
  return Object.entries(limits).flatMap(([currency, given]): Mistake[] => {
    const limit = Decimal.readAmount(given);
    if (!limit) {
      return [wrongLimit(`maxMonthlyCost.${currency}`, given)];
    }
    const amount = bill.amounts.in(currency);
    const terms = bill.lines.filter((line) => line.currency === currency).map(({ text }) => text);
    const what = `load balancers cost ${Money.of(currency, amount)} a month by the price list, more than maxMonthlyCost ${Money.of(currency, limit)}: ${terms.join(' + ')}`;
    const remedy = 'let Services share balancers, or raise maxMonthlyCost';
    return amount.compare(limit) <= 0 ? [] : [{ what, remedy, value: amount.toCents() }];
  });
}

function costUnknown(bill: MonthlyCost, limits: Readonly<Record<string, number>>): readonly Mistake[] {
  const { amounts, lines, needs, assumedRegions } = bill;
  const open = Object.entries(limits).flatMap(([currency, given]) => {
    const limit = Decimal.readAmount(given);
    return limit && amounts.in(currency).compare(limit) <= 0 ? { currency, limit } : [];
  });
  const billed = [...new Set(lines.flatMap(({ currency }) => currency ?? []))].sort();
  return [
    ...open
      .filter(({ currency }) =>
        lines.some((line) => line.missing.length > 0 && (line.currency ?? currency) === currency),
      )
      .map(({ currency, limit }) =>
        notCompared(`maxMonthlyCost ${Money.of(currency, limit)}`, 'the cost of a month', needs),
      ),
    ...billed
      .filter((currency) => !Object.hasOwn(limits, currency))
      .map((currency) => ({
        what: `${Money.of(currency, amounts.in(currency))} a month cannot be compared with maxMonthlyCost, which has no limit in ${currency}`,
        remedy: `set maxMonthlyCost.${currency}`,
        value: currency,
      })),
    ...(open.length > 0 ? assumedRegions : []).map((region) => ({
      what: `maxMonthlyCost is compared with the prices of region ${region}, as no region is given`,
      remedy: 'give region',
      value: region,
    })),
  ];
}

function tooMuch({ uses, wrong }: QuotaUses, max: number): readonly Mistake[] {
  if (!isLimit(max)) {
    return [wrongLimit('maxQuotaPercent', max)];
  }
  const findings = uses
    .filter(({ used, limit }) => used !== undefined && limit !== undefined && used * 100 > max * limit)
    .map(({ text, percent, adjustable, users: [most] }) => ({
      what: `${text} is used, more than maxQuotaPercent ${max}, most of it by ${most.name}`,
      remedy: adjustable
        ? 'share balancers, or have the quota raised and give it'
        : 'split the ports over more balancers',
      value: String(percent),
    }));
  return [...wrong, ...findings];
}

/** A quota that is exceeded already needs no more context; quotas that need the same are named together. */
function useUnknown({ uses }: QuotaUses, max: number): readonly Mistake[] {
  const unknown = uses.filter(
    ({ used = 0, limit, needs }) => limit === undefined || (needs.length > 0 && used * 100 <= max * limit),
  );
  const alike = grouped(isLimit(max) ? unknown : [], ({ needs }) => JSON.stringify(needs));
  return [...alike.values()].map((its) => {
    const names = [...new Set(its.map(({ name }) => name))];
    // targets are counted where nodes and pods are known
    const needs = its[0].needs.map((need) =>
      need.value === 'targets' ? { ...need, remedy: 'give the nodes and pods of the cluster' } : need,
    );
    return notCompared(`maxQuotaPercent ${max}`, `use of ${names.join(', ')}`, needs);
  });
}

function isLimit(max: number): boolean {
  return Number.isFinite(max) && max >= 0;
}

function wrongLimit(name: string, given: unknown): Mistake {
  return {
    what: `${name} ${shown(given)} is not a valid limit`,
    remedy: 'give a number of 0 or more',
    value: String(given),
  };
}

function notCompared(limit: string, what: string, needs: readonly Mistake[]): Mistake {
  return {
    what: `${what} cannot be compared with ${limit}: ${needs.map((need) => need.what).join(', ')}`,
    remedy: [...new Set(needs.map(({ remedy }) => remedy))].join(', '),
  };
}

const MOST_NAMES = 3;

function uncountedFor(limit: string, names: readonly string[] = []): readonly Mistake[] {
  if (names.length === 0) {
    return [];
  }
  const some = [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['others'] : [])].join(', ');
  const what = `${names.length} load ${names.length === 1 ? 'balancer' : 'balancers'} cannot be compared with ${limit}, as it is not known what is made: ${some}`;
  return [{ what, remedy: 'name the controller that owns them, or accept it where that one has no prices here' }];
}
