import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { type DescribedRule, filled, findingOf, type Mistake, type RuleSource } from '../contract/rule';
import type { Rule } from '../rules/rule';

export interface Message {
  readonly what: string;
  readonly remedy: string;
}

interface RuleRows {
  readonly [id: string]: { readonly says: string; readonly source?: RuleSource } & Partial<Message> &
    Pick<Rule<never>, 'on' | 'supersedes'> & { readonly needs?: readonly string[] };
}

interface RuleTable {
  /** Citation of rules without one of their own. */
  readonly source: string;
  readonly errors?: RuleRows;
  readonly warnings?: RuleRows;
}

type Rules<Rows> = { readonly [Id in keyof Rows]: DescribedRule & Rows[Id] };
type RulesOf<Table> = (Table extends { readonly errors: infer Rows } ? Rules<Rows> : unknown) &
  (Table extends { readonly warnings: infer Rows } ? Rules<Rows> : unknown);

interface MessageRows {
  readonly [name: string]: Message & { readonly rule: string };
}

export function rulesOf<Table extends RuleTable, Messages extends MessageRows = Record<never, never>>(
  { source, errors = {}, warnings = {} }: Table,
  messages = {} as Messages,
): RulesOf<Table> & Rules<Messages> {
  const rulesIn = (rows: RuleRows, severity: 'error' | 'warning') =>
    Object.entries(rows).map(([id, row]) => [id, { id, severity, source, ...row }]);
  const rules = Object.fromEntries([...rulesIn(errors, 'error'), ...rulesIn(warnings, 'warning')]);
  const others = Object.entries(messages).map(([name, { rule, ...message }]) => [name, { ...rules[rule], ...message }]);
  return { ...rules, ...Object.fromEntries(others) };
}

type NamesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | NamesIn<Rest> : never;
export type Params<Of extends Message> = { readonly [Name in NamesIn<Of['what'] | Of['remedy']>]: unknown };

/** A fault with the message of its rule, in which `{{name}}` is a parameter. */
export function faultOf<Of extends Message>(
  rule: DescribedRule & Of,
  ...[params = {}, value]: keyof Params<Of> extends never
    ? [params?: Readonly<Record<string, never>>, value?: unknown]
    : [params: Params<Of>, value?: unknown]
): Fault {
  return filledFault(rule, params, value);
}

function filledFault({ what, remedy, ...rule }: DescribedRule & Message, params: object, value: unknown): Fault {
  const fault = { rule, what: filled(what, params), remedy: filled(remedy, params) };
  return value === undefined ? fault : { ...fault, value: value as string };
}

type None = false | undefined | '' | 0;
type Found<Row> = Row extends Message
  ? keyof Params<Row> extends never
    ? true | { readonly value: unknown }
    : Params<Row> & { readonly value?: unknown }
  : never;

/** The faults of a table, by rule or message: `true`, or the parameters of each; `value` is the value as well. */
export function faultsIn<Table extends object>(
  table: Table,
  found: { readonly [Name in keyof Table]?: None | Found<Table[Name]> | readonly (None | Found<Table[Name]>)[] },
): Fault[] {
  const rows = table as Readonly<Record<string, DescribedRule & Message>>;
  return Object.entries(found as Readonly<Record<string, unknown>>).flatMap(([name, some]) =>
    [some].flat().flatMap((one) => {
      const params = one === true ? {} : (one as { readonly value?: unknown });
      return one ? [filledFault(rows[name], params, params.value)] : [];
    }),
  );
}

type Finds<Row> = None | Mistake | Found<Row> | readonly (None | Mistake | Found<Row>)[];

/** Rules of a table that check objects: each finds whole findings, or the parameters of its message. */
export function objectRules<Table extends object, Context extends object>(
  table: Table,
  finds: { readonly [Name in keyof Table]?: (object: Json, context: Context) => Finds<Table[Name]> },
): Rule<Context>[] {
  return (Object.keys(finds) as (keyof Table & string)[]).map((name) => ({
    ...(table[name] as DescribedRule),
    check: (object, context) =>
      [finds[name]?.(object, context)]
        .flat()
        .flatMap((found) => {
          const isWhole = typeof found === 'object' && found !== null && 'what' in found;
          return isWhole
            ? [found as Mistake]
            : faultsIn(table, { [name]: found } as Parameters<typeof faultsIn<Table>>[1]);
        })
        .map((found) => ({ at: '', ...found })),
  }));
}

export interface Fault extends Mistake {
  readonly rule: DescribedRule;
}

export function findingsOfFaults(faults: readonly Fault[], who: string): LoadBalancerFinding[] {
  return faults.map(({ rule, ...finding }) => findingOf(rule, finding, who));
}

export function refusal(path: string, { rule, what, remedy }: Fault): Error {
  return new Error(`${path}: ${what}; ${remedy} (${rule.id})`);
}

export function refuse({ node }: IConstruct, fault: Fault): never {
  throw refusal(node.path, fault);
}

export function refuseFirst(host: IConstruct, faults: readonly (Fault | undefined)[]): void {
  const fault = faults.find((one) => one !== undefined);
  if (fault) {
    refuse(host, fault);
  }
}
