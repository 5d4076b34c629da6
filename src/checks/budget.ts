import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { printable } from '../contract/printable';
import { judgeBudget } from '../report/judge-budget';
import type { CheckedObject, CheckFinding, Level, Place } from './check-report';
import type { CheckContext } from './context/check-context';
import type { Manifests } from './manifests';
import { balancersIn } from './reported-balancers';

/** What the context file says of money and quotas, as a finding calls it. */
const BUDGET: CheckedObject = { apiVersion: '', kind: 'budget', name: 'of all load balancers' };

/** Compares the balancers of a set with the budget of the context file. */
export function budgetFindings(read: Manifests, written: CheckContext): CheckFinding[] {
  const { budget } = written;
  if (!budget) {
    return [];
  }
  const { maxMonthlyCost, maxQuotaPercent, place, places, ...figures } = budget;
  const { balancers, options } = balancersIn(read, written);
  const { errors, warnings } = judgeBudget(balancers, { ...options, ...figures }, { maxMonthlyCost, maxQuotaPercent });
  const at = (level: Level) => (finding: LoadBalancerFinding) => findingAt(finding, level, placeOf(finding) ?? place);
  const placeOf = ({ ruleId }: LoadBalancerFinding): Place | undefined =>
    places[ruleId.startsWith('quota-') ? 'maxQuotaPercent' : 'maxMonthlyCost'];
  // what rests on a guess is a warning at most
  const isGuess = balancers.some((balancer) => balancer.isGuess === true);
  return [...errors.map(at(isGuess ? 'warning' : 'error')), ...warnings.map(at('warning'))];
}

function findingAt(
  { ruleId, who, what, remedy, value }: LoadBalancerFinding,
  level: Level,
  place: Place,
): CheckFinding {
  return {
    ruleId,
    level,
    who,
    what: printable(what),
    remedy: printable(remedy),
    ...(value !== undefined && { value: printable(value) }),
    object: BUDGET,
    place,
  };
}
