import { Construct } from 'constructs';
import { refuse } from '../contract/declared-types';
import { printable } from '../contract/json';
import { WRONG_PROP } from '../contract/request-rules.facts';
import { reportFound, validateProps } from '../rules/warnings';
import { appBalancers } from './app-balancers';
import { checkLimits, figureFaults } from './make-report';
import type { LoadBalancerBudgetProps } from './options';

/**
 * Fails the synth where the load balancers of an app cost more a month, or use more of a quota, than a team agreed on.
 *
 * It counts the balancers of its scope and everything below: those of the whole app in an `App`, those of one chart in a `Chart`.
 * Unknown inputs, such as the region or the number of zones of a balancer, are warnings. Prices are list prices, never a quote.
 */
export class LoadBalancerBudget extends Construct {
  /**
   * A budget.
   *
   * @param scope an App, a Chart or any construct, whose balancers are counted
   * @param id the name of the construct
   * @param props the limits, and what no object of the app says
   * @throws on props of another type than they are declared with, on figures that cannot be computed with, and without a limit
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerBudgetProps) {
    validateProps(scope, id, 'LoadBalancerBudgetProps', props);
    refuse([scope.node.path, id].filter(Boolean).join('/'), [
      ...figureFaults(props),
      ...limitFaults(props.maxMonthlyCost, props.maxQuotaPercent),
    ]);
    super(scope, id);
    const { maxMonthlyCost, maxQuotaPercent, clusterObjects: objects, ...figures } = props;
    const limits = { maxMonthlyCost, maxQuotaPercent };
    reportFound(this, () => {
      const { errors: problems, warnings } = checkLimits(appBalancers(scope), { ...figures, objects }, limits);
      return { problems, warnings };
    });
  }
}

const CURRENCY = /^[A-Z]{3}$/;

function limitFaults(maxMonthlyCost: object | undefined, maxQuotaPercent: unknown): string[] {
  const currencies = Object.keys(maxMonthlyCost ?? {});
  if (currencies.length === 0 && maxQuotaPercent === undefined) {
    return [`there is no limit; set maxMonthlyCost or maxQuotaPercent (${WRONG_PROP.id})`];
  }
  return currencies
    .filter((currency) => !CURRENCY.test(currency))
    .map(
      (currency) =>
        `'${printable(currency)}' in maxMonthlyCost is not a currency in three capitals; write one such as USD (${WRONG_PROP.id})`,
    );
}
