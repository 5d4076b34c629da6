import type { DescribedRule } from '../../contract/rule';
import { RuleSet } from '../../rules/rule-set';
import type { CheckReport } from '../check-report';

/** The rules that found something, as far as a set has them: for formats that say what must hold. */
export function describedRules({ findings }: CheckReport): DescribedRule[] {
  const ids = new Set(findings.map(({ ruleId }) => ruleId));
  return [...ids].flatMap((id) => RuleSet.withId(id).slice(0, 1));
}
