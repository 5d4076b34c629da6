import type { Json } from '../../contract/json';
import type { Findings } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { type Found, type RuleRow, rulesOf as rulesOfRows } from '../../rules/rule-table';
import { RULES } from '../rules.facts';

/** A rule finds whole findings, or the values of its message in the table. */
type Find<Context> = (object: Json, context: Context) => Findings | Found | readonly Found[];

export type Finds<Context extends object> = { readonly [id in keyof typeof RULES]?: Find<Context> };

export function rulesOf<Context extends object>(finds: Finds<Context>): Rule<Context>[] {
  return (Object.entries(finds) as [keyof typeof RULES, Find<Context>][]).flatMap(([id, find]) =>
    rulesOfRows({
      rows: { [id]: RULES[id] as RuleRow },
      read: () => undefined,
      finds: { [id]: (_: undefined, object: Json, context: Context) => find(object, context) as Found | undefined },
    }),
  );
}
