import { describedRules } from '../../../src/checks/formats';
import type { Rule } from '../../../src/rules/rule';
import { RuleSet } from '../../../src/rules/rule-set';
import { findingOf, reportOf } from '../../support/check-reports';

const rule = (id: string, says: string): Rule => ({ id, severity: 'warning', says, judge: () => undefined });

test('a rule of a set is described once, as its first set has it, and one of no set is not', () => {
  const first = rule('of-two-sets', 'a Service has a name');
  const other = rule('of-one-set', 'a Service has ports');
  new RuleSet([first]);
  new RuleSet([other, rule('of-two-sets', 'a Gateway has a name'), rule('asked-in-vain', 'a Service is one')]);
  const ids = ['of-one-set', 'unheard-of', 'of-two-sets', 'of-one-set'];
  expect(describedRules(reportOf({ findings: ids.map((ruleId) => findingOf({ ruleId })) }))).toEqual([other, first]);
});
