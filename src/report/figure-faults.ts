import { printable, shown } from '../contract/printable';
import { WRONG_PROP } from '../contract/request-rules';
import type { LoadBalancerFigures } from './load-balancer-figures';

const isAmount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1;

/** What each figure must be; they are computed with at once, so that none can be known later. */
const FIGURES: readonly [keyof LoadBalancerFigures, (value: unknown) => boolean, string][] = [
  ['zones', isCount, 'a whole number of 1 or more'],
  ['gbPerMonth', isAmount, 'a number of 0 or more'],
  ['connections', isAmount, 'a number of 0 or more'],
  ['region', (value) => typeof value === 'string', 'a string'],
];

/** What is wrong with figures, each as a sentence. */
export function figureFaults(figures: LoadBalancerFigures): string[] {
  return FIGURES.filter(([name, fits]) => figures[name] !== undefined && !fits(figures[name])).map(
    ([name, , right]) => `${name} is ${shown(figures[name])}, which is not ${right}; pass one (${WRONG_PROP.id})`,
  );
}

const CURRENCY = /^[A-Z]{3}$/;

/** What is wrong with the limits of a budget, each as a sentence. */
export function limitFaults(maxMonthlyCost: object | undefined, maxQuotaPercent: unknown): string[] {
  const currencies = Object.keys(maxMonthlyCost ?? {});
  if (currencies.length === 0 && maxQuotaPercent === undefined) {
    return [`there is no limit; give maxMonthlyCost or maxQuotaPercent (${WRONG_PROP.id})`];
  }
  return currencies
    .filter((currency) => !CURRENCY.test(currency))
    .map(
      (currency) =>
        `'${printable(currency)}' in maxMonthlyCost is not a currency in three capitals; write one such as USD (${WRONG_PROP.id})`,
    );
}
