import type { Rule } from '../../rules/rule';
import { RULES } from '../rules.facts';

export type Judges<Context extends object> = { readonly [id in keyof typeof RULES]?: Rule<Context>['judge'] };

export function rulesOf<Context extends object>(judges: Judges<Context>): Rule<Context>[] {
  const all = Object.entries(judges) as [keyof typeof RULES, Rule<Context>['judge']][];
  return all.map(([id, judge]) => ({ id, ...RULES[id], judge }) as Rule<Context>);
}
