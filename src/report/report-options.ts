import { shown } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { WRONG_PROP } from '../contract/request-rules.facts';
import type { GivenPrices } from '../cost/price-list';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Variant } from '../traffic/what-if';
import type { LoadBalancerFigures } from './load-balancer-figures';
import type { ReportedService } from './report';

export interface ReportOptions {
  /** Finished objects among which nodes and pods are looked for: one by one, or in lists. */
  readonly objects?: readonly unknown[];
  /** The zones of pools, where no node is listed. */
  readonly zonesOfPools?: readonly string[];
  /** In how many zones a balancer is, where the Service does not say it. */
  readonly zones?: number;
  readonly region?: string;
  /** Gigabytes of a month through each balancer. */
  readonly gbPerMonth?: number;
  /** Of these, the gigabytes that clients on the internet receive. */
  readonly gbOutPerMonth?: number;
  readonly connections?: number;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly prices?: Readonly<Record<string, GivenPrices>>;
  readonly variants?: readonly Variant[];
  /** The day for which old prices are reported: `2026-11-23`. */
  readonly today?: string;
  /** What was taken for granted before. */
  readonly assumptions?: readonly string[];
  /** What is not among the balancers, and why. */
  readonly notes?: readonly string[];
  /** What must be known for more, beside what the figures need. */
  readonly needs?: readonly string[];
}

/** A balancer, and what is asked for its alternatives: the controller as it is installed, or its kind. */
export interface BalancerToReport extends ReportedService {
  readonly controller?: ILoadBalancerController | ControllerDefinition;
}

const isAmount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1;

/** What each figure must be; they are computed with at once, so that none can be known later. */
const FIGURES: readonly [keyof LoadBalancerFigures, (value: unknown) => boolean, string][] = [
  ['zones', isCount, 'a whole number of 1 or more'],
  ['gbPerMonth', isAmount, 'a number of 0 or more'],
  ['connections', isAmount, 'a number of 0 or more'],
  ['region', (value) => typeof value === 'string', 'a string'],
];

export function figureFaults(figures: LoadBalancerFigures): string[] {
  return FIGURES.filter(([name, fits]) => figures[name] !== undefined && !fits(figures[name])).map(
    ([name, , right]) => `${name} is ${shown(figures[name])}, which is not ${right}; pass one (${WRONG_PROP.id})`,
  );
}
