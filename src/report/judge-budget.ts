import { LIMIT_RULES, type LimitContext } from '../cost/limits';
import type { Judgement } from '../rules/judgement';
import type { Rule } from '../rules/rule';
import { RuleSet } from '../rules/rule-set';
import { makeReport } from './make-report';
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
  const { bill, quotas } = makeReport(balancers, options);
  const uncounted = balancers
    .filter(({ made }) => made === undefined)
    .map(({ namespace, name }) => `${namespace}/${name}`);
  return BUDGET.judge({}, { bill, quotas, uncounted, ...limits });
}
