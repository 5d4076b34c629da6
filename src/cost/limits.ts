import { grouped, shown } from '../contract/json';
import type { DescribedRule, Finding } from '../contract/rule';
import type { MonthlyCost } from './bill';
import { Decimal, Money } from './money';
import type { QuotaUses } from './quota-use';

/** What load balancers may cost, and how much of a quota they may use. */
export interface LimitContext {
  readonly bill?: MonthlyCost;
  readonly quotas?: QuotaUses;
  /** Load balancers of which nobody knows what is made, so that they are neither in the bill nor in the quotas. */
  readonly uncounted?: readonly string[];
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
export const LIMIT_RULES: readonly LimitRule[] = [
  {
    id: 'monthly-cost-limit',
    severity: 'error',
    says: 'load balancers cost more than maxMonthlyCost',
    source: 'ours',
    needs: ['bill', 'maxMonthlyCost'],
    judge: (_, { bill, maxMonthlyCost }) => (bill && maxMonthlyCost ? tooDear(bill, maxMonthlyCost) : []),
  },
  {
    id: 'monthly-cost-unknown',
    severity: 'warning',
    says: 'costs that cannot be compared with maxMonthlyCost',
    source: 'ours',
    needs: ['bill', 'maxMonthlyCost'],
    judge: (_, { bill, maxMonthlyCost, uncounted = [] }) =>
      bill && maxMonthlyCost
        ? [...uncountedFor('maxMonthlyCost', uncounted), ...costUnknown(bill, maxMonthlyCost)]
        : [],
  },
  {
    id: 'quota-percent-limit',
    severity: 'error',
    says: 'load balancers use more than maxQuotaPercent of a quota',
    source: 'ours',
    needs: ['quotas', 'maxQuotaPercent'],
    judge: (_, { quotas, maxQuotaPercent }) =>
      quotas && maxQuotaPercent !== undefined ? tooMuch(quotas, maxQuotaPercent) : [],
  },
  {
    id: 'quota-percent-unknown',
    severity: 'warning',
    says: 'quota use that cannot be compared with maxQuotaPercent',
    source: 'ours',
    needs: ['quotas', 'maxQuotaPercent'],
    judge: (_, { quotas, maxQuotaPercent, uncounted = [] }) =>
      quotas && maxQuotaPercent !== undefined
        ? [...uncountedFor('maxQuotaPercent', uncounted), ...useUnknown(quotas, maxQuotaPercent)]
        : [],
  },
];

function tooDear(bill: MonthlyCost, limits: Readonly<Record<string, number>>): readonly Finding[] {
  return Object.entries(limits).flatMap(([currency, given]): readonly Finding[] => {
    const limit = limitOf(given);
    if (!limit) {
      return [wrongLimit(`maxMonthlyCost.${currency}`, given)];
    }
    const amount = bill.amounts.in(currency);
    if (amount.compare(limit) <= 0) {
      return [];
    }
    const terms = bill.lines.filter((line) => line.currency === currency).map(({ text }) => text);
    const ofLimit = `maxMonthlyCost ${Money.of(currency, limit)}`;
    return [
      {
        what: `load balancers cost ${Money.of(currency, amount)} a month by the price list, more than ${ofLimit}: ${terms.join(' + ')}`,
        remedy: 'let Services share balancers, or raise maxMonthlyCost',
        value: amount.toCents(),
      },
    ];
  });
}

function costUnknown(bill: MonthlyCost, limits: Readonly<Record<string, number>>): readonly Finding[] {
  const exceeds = (currency: string) => {
    const limit = limitOf(limits[currency]);
    return !limit || bill.amounts.in(currency).compare(limit) > 0;
  };
  const open = Object.keys(limits).filter((currency) => !exceeds(currency));
  const incomplete = open.flatMap((currency) => {
    const { lines, needs } = bill;
    const missing = lines.some((line) => line.missing.length > 0 && (line.currency ?? currency) === currency);
    const limit = Money.of(currency, limitOf(limits[currency]) ?? Decimal.of(0));
    return missing ? [notCompared(`maxMonthlyCost ${limit}`, 'the cost of a month', needs)] : [];
  });
  const billed = [...new Set(bill.lines.flatMap(({ currency }) => currency ?? []))].sort();
  const unlimited = billed.filter((currency) => !Object.hasOwn(limits, currency));
  return [
    ...incomplete,
    ...unlimited.map((currency) => ({
      what: `${Money.of(currency, bill.amounts.in(currency))} a month cannot be compared with maxMonthlyCost, which has no limit in ${currency}`,
      remedy: `give maxMonthlyCost.${currency}`,
      value: currency,
    })),
    ...(open.length > 0 ? bill.assumedRegions : []).map((region) => ({
      what: `maxMonthlyCost is compared with the prices of region ${region}, as no region is given`,
      remedy: 'give region',
      value: region,
    })),
  ];
}

function tooMuch({ uses, wrong }: QuotaUses, max: number): readonly Finding[] {
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

/** What uses too much already needs no more to be known; quotas that need the same are named together. */
function useUnknown({ uses }: QuotaUses, max: number): readonly Finding[] {
  const unknown = uses.filter(
    ({ used = 0, limit, needs }) => limit === undefined || (needs.length > 0 && used * 100 <= max * limit),
  );
  const alike = grouped(isLimit(max) ? unknown : [], ({ needs }) => JSON.stringify(needs));
  return [...alike.values()].map((its) => {
    const names = [...new Set(its.map(({ name }) => name))];
    return notCompared(`maxQuotaPercent ${max}`, `use of ${names.join(', ')}`, its[0].needs.map(needInWords));
  });
}

/** Targets are counted where nodes and pods are known. */
function needInWords(need: Finding): Finding {
  return need.value === 'targets' ? { ...need, remedy: 'give the nodes and pods of the cluster' } : need;
}

function limitOf(given: number): Decimal | undefined {
  const limit = Decimal.read(given);
  return limit?.isNegative() === false ? limit : undefined;
}

function isLimit(max: number): boolean {
  return Number.isFinite(max) && max >= 0;
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

function uncountedFor(limit: string, names: readonly string[]): readonly Finding[] {
  const shownNames = [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['others'] : [])];
  return names.length === 0
    ? []
    : [
        {
          what: `${names.length} load ${names.length === 1 ? 'balancer' : 'balancers'} cannot be compared with ${limit}, as it is not known what is made: ${shownNames.join(', ')}`,
          remedy: 'name the controller that owns them, or accept it where that one has no prices here',
        },
      ];
}

const MOST_NAMES = 3;
