import { monthlyCostOf } from '../cost/bill';
import { LIMIT_RULES, type LimitContext } from '../cost/limits';
import { quotaUseOf } from '../cost/quota-use';
import type { Judgement } from '../rules/judgement';
import type { Rule } from '../rules/rule';
import { RuleSet } from '../rules/rule-set';
import { ReportedCluster } from './cluster';
import { NEEDS_CLUSTER, pathGroupsOf } from './paths';
import { pricedBalancers } from './priced-balancers';
import type { BalancerToReport, ReportOptions } from './report-options';

/** The most that balancers may cost and use. */
export type BudgetLimits = Pick<LimitContext, 'maxMonthlyCost' | 'maxQuotaPercent'>;

const RULES: readonly Rule<LimitContext>[] = LIMIT_RULES;
const BUDGET = new RuleSet(RULES, 'budget');

/** Compares what balancers cost and use with a budget; a limit that is not given is not looked at. */
export function judgeBudget(
  balancers: readonly BalancerToReport[],
  options: ReportOptions,
  limits: BudgetLimits,
): Judgement {
  const cluster = new ReportedCluster(options.objects ?? []);
  // no way of packets is known without nodes
  const groups =
    cluster.knownNodes.length > 0
      ? pathGroupsOf(balancers, cluster, options)
      : [{ members: balancers, row: { path: { unknown: NEEDS_CLUSTER } } }];
  const priced = pricedBalancers(groups, cluster, options);
  const uncounted = balancers
    .filter(({ made }) => made === undefined)
    .map(({ namespace, name }) => `${namespace}/${name}`);
  const { maxMonthlyCost, maxQuotaPercent } = limits;
  return BUDGET.judge(
    {},
    {
      ...(maxMonthlyCost !== undefined && { bill: monthlyCostOf(priced.billed, priced.options) }),
      ...(maxQuotaPercent !== undefined && { quotas: quotaUseOf(priced.billed, priced.options) }),
      uncounted,
      ...limits,
    },
  );
}
