import type { BalancerChange, Cause } from '../../diff/balancer-change';
import { worstOf } from '../../diff/outcome';
import { variableOf } from '../variables';

/** A change to what a tool fills in before it is applied: what it does depends on that. */
export function withVariables(change: BalancerChange): BalancerChange {
  const causes = change.causes.map((cause): Cause => {
    const { outcome, why, to = '', remedy: _, ...rest } = cause;
    const { from = '' } = outcome === 'kept' ? {} : rest;
    const variable = variableOf(outcome === 'refused' ? `${from} ${to} ${why}` : `${from} ${to}`);
    return variable === undefined || outcome === 'unknown'
      ? cause
      : {
          ...rest,
          ...(to !== '' && { to }),
          outcome: 'unknown',
          why: `${variable} is filled in before it is applied, so this may not happen: ${why}`,
          needs: [`the value of ${variable}`],
        };
  });
  const isOpen = causes.some((cause, i) => cause !== change.causes[i]);
  return isOpen ? { ...change, causes, outcome: worstOf(causes.map(({ outcome }) => outcome)) } : change;
}
