import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { type DescribedRule, type Finding, filled, HAND_OVER_PAGE } from '../contract/rule';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';

interface Message {
  readonly what: string;
  readonly remedy: string;
}

/** A rule of a table: `{{name}}` in its message is a value that the code found. */
export interface RuleRow extends Omit<DescribedRule, 'id'>, Partial<Message>, Pick<Rule, 'on' | 'supersedes'> {
  /** The file of the source, if it is another one. */
  readonly file?: string;
  /** Members of the catalogue. */
  readonly reads?: readonly string[];
  readonly needs?: readonly string[];
  /** Messages by name if the mistake has several forms. */
  readonly cases?: Readonly<Record<string, Message>>;
}

/** The values of a message by name; `case` names the message if a row has several. A row without a message takes whole findings. */
export type Found = Omit<Partial<Finding>, 'value'> & Readonly<Record<string, unknown>>;

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
        return found ? [found].flat().flatMap((one) => (one ? [findingOf(row, one)] : [])) : undefined;
      },
    };
    return [judged as Rule<Context>, ...(after?.[id] ?? [])];
  });
}

const entriesIn = (entries: Entries): readonly AnyAnnotation[] =>
  'fact' in entries ? [entries as AnyAnnotation] : Object.values(entries);

/** What `{{unlessLive}}` says before advice that holds as long as no other controller has made a balancer. */
const UNLESS_LIVE = `if the Service is live and another controller made its balancer, change nothing and follow ${HAND_OVER_PAGE}; otherwise `;

function findingOf(row: RuleRow, found: Found): Finding {
  const { what, remedy = '' } = row.cases?.[String(found.case)] ?? row;
  if (what === undefined) {
    return found as Finding;
  }
  const { value, at, effect } = found;
  const params = { unlessLive: UNLESS_LIVE, ...found };
  return {
    what: filled(what, params),
    remedy: filled(remedy, params),
    ...(value !== undefined && { value: value as string }),
    ...(at !== undefined && { at }),
    ...(effect && { effect }),
  };
}
