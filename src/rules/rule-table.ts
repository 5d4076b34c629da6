import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { type DescribedRule, type Found, type Messages, worded } from '../contract/rule';

export type { Found } from '../contract/rule';

import type { Rule } from './rule';
import type { RuleContext } from './rule-context';

/** A rule of a table. */
export interface RuleRow extends Omit<DescribedRule, 'id'>, Messages, Pick<Rule, 'on' | 'supersedes'> {
  /** The file of the source, if it is another one. */
  readonly file?: string;
  /** Members of the catalogue. */
  readonly reads?: readonly string[];
  readonly needs?: readonly string[];
}

type Find<Reading, Context> = (
  reading: Reading,
  object: Json,
  context: Context,
) => Found | readonly (Found | undefined)[] | undefined | null | false | '' | 0;

type Entries = AnyAnnotation | readonly AnyAnnotation[] | Readonly<Record<string, AnyAnnotation>>;

interface RuleTable<Rows, Reading, Context extends object> {
  readonly rows: Rows;
  /** Where a row was read that names no source. */
  readonly source?: Citation;
  /** The annotations that rows name, one by one, with all spellings, or in groups. */
  readonly catalogue?: Readonly<Record<string, Entries>>;
  read(object: Json, context: Context): Reading;
  /** What is wrong with an object, by rule. */
  readonly finds: { readonly [Id in keyof Rows]: Find<Reading, Context> };
  /** Rules of others that follow a rule of the table. */
  readonly after?: { readonly [Id in keyof Rows]?: readonly Rule<Context>[] };
}

export function rulesOf<Rows extends object, Reading, Context extends object = RuleContext>({
  rows,
  source,
  catalogue = {},
  read,
  finds,
  after,
}: RuleTable<Rows, Reading, Context>): Rule<Context>[] {
  return (Object.entries(rows) as [keyof Rows & string, RuleRow][]).flatMap(([id, row]) => {
    const { file, what, remedy, cases, reads, source: of = source, ...rule } = row;
    const judged = {
      ...rule,
      source: file === undefined || typeof of === 'string' ? of : ({ ...of, file } as Citation),
      ...(reads && { reads: reads.flatMap((name) => entriesIn(catalogue[name])) }),
      id,
      judge: (object: Json, context: Context) => {
        const found = finds[id](read(object, context), object, context);
        return found ? [found].flat().flatMap((one) => (one ? [worded(row, one)] : [])) : undefined;
      },
    };
    return [judged as Rule<Context>, ...(after?.[id] ?? [])];
  });
}

const entriesIn = (entries: Entries): readonly AnyAnnotation[] =>
  'fact' in entries ? [entries as AnyAnnotation] : Object.values(entries);
