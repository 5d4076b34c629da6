import { ACCEPTABLE, type Outcome } from '../contract/edit';
import { isDay, isSet, type Json, mapIn, pointer, shown } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { findingOf, nearest, OWN_NAME } from '../contract/rule';
import { type CheckResult, isRule, RuleSet, ruleLike, rulesOf } from './rule-set';
import { IGNORE_ROWS, OWN_NAMES } from './rules.facts';
import { annotationsOf } from './service-json';

/** Lines of an object of the form `rule-a, rule-b until 2027-06-30: reason`: findings that are accepted at it. */
export const IGNORE_ANNOTATION = 'cdk8s-load-balancers/ignore';

export interface IgnoreEntry {
  /** Ids of rules, and outcomes of a change. */
  readonly names: readonly string[];
  readonly reason: string;
  /** The last day on which it counts. */
  readonly until?: string;
}

/** The day of the command. Nothing else reads a clock: without it, an entry counts for ever. */
export interface IgnoreContext {
  readonly today?: string;
}

interface WrittenEntry extends IgnoreEntry {
  readonly value: string;
}

interface Written {
  readonly entries: readonly WrittenEntry[];
  readonly faults: readonly { readonly case: string; readonly value: string }[];
}

const NOTHING: Written = { entries: [], faults: [] };

function written(object: Json | undefined): Written {
  const text: unknown = object && annotationsOf(object)[IGNORE_ANNOTATION];
  if (!isSet(text)) {
    return NOTHING;
  }
  if (typeof text !== 'string') {
    return { entries: [], faults: [{ case: 'type', value: shown(text) }] };
  }
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const read = lines.map((line) => [line, entryIn(line)] as const);
  return {
    entries: read.flatMap(([, one]) => (typeof one === 'string' ? [] : [one])),
    faults: [
      ...(lines.length === 0 ? [{ case: 'empty', value: '' }] : []),
      ...read.flatMap(([value, one]) => (typeof one === 'string' ? [{ case: one, value }] : [])),
    ],
  };
}

/** The entry of a line, or what it lacks. */
function entryIn(line: string): WrittenEntry | string {
  const [, head, reason] = /^([^:]*):\s*(.+)$/.exec(line) ?? [];
  if (head === undefined) {
    return 'reason';
  }
  const [named, until, ...others] = head.trim().split(/\s+until\s+/);
  const names = named.split(',').map((name) => name.trim());
  if (names.includes('')) {
    return 'rule';
  }
  return others.length > 0 || (until !== undefined && !isDay(until)) ? 'day' : { names, reason, until, value: line };
}

/** The entries of an object that can be read. */
export function ignoreEntriesOf(object: Json | undefined): readonly IgnoreEntry[] {
  return written(object).entries;
}

/** The entry that accepts a finding or an outcome, unless its day is over. */
export function ignoredBy(
  entries: readonly IgnoreEntry[],
  name: string,
  { today }: IgnoreContext = {},
): IgnoreEntry | undefined {
  return entries.find((entry) => entry.names.includes(name) && !isOver(entry, today));
}

/** Outcomes of a change that an object accepts, each with its reason. */
export function outcomesIgnoredBy(object: Json): (Omit<IgnoreEntry, 'names'> & { readonly outcome: Outcome })[] {
  return ignoreEntriesOf(object).flatMap(({ names, reason, until }) =>
    names.filter(isOutcome).map((outcome) => ({ outcome, reason, until })),
  );
}

/** True if the last day of an acceptance is before a day; without a day none is. */
export function isOver({ until }: Pick<IgnoreEntry, 'until'>, today: string | undefined): boolean {
  return until !== undefined && today !== undefined && until < today;
}

const isOutcome = (name: string): name is Outcome => ACCEPTABLE.includes(name as Outcome);

const key = IGNORE_ANNOTATION;

export const IGNORE_RULES = rulesOf({
  rows: IGNORE_ROWS,
  read: (object, _: IgnoreContext) => written(object),
  finds: {
    'ignore-syntax-invalid': ({ faults }) => faults.map((fault) => ({ ...fault, key })),
    'ignore-rule-unknown': ({ entries }) =>
      entries
        .flatMap(({ names }) => names.filter((name) => !isRule(name) && !isOutcome(name)))
        .map((value) => ({ key, value, fix: fixOf(ruleLike(value)) })),
    'ignore-expired': ({ entries }, _, { today }) =>
      entries
        .filter((entry) => isOver(entry, today))
        .map(({ names, until, reason, value }) => ({ key, value, names: names.join(', '), until, reason })),
    'ignore-unused': () => undefined,
    'own-annotation-unknown': (_, object) => unknownOwnKeys(object),
  },
});

const fixOf = (like: string | undefined, otherwise = 'write the id of a rule, which findings end with') =>
  like === undefined ? otherwise : `write ${like}`;

const OWN_KEYS = OWN_NAMES.map((name) => `${OWN_NAME}/${name}`);
const OTHERS = `remove it, or write one of ${OWN_KEYS.join(', ')}`;
/** Also with a misspelt prefix; `protected-` ends with the name of a part. */
const LIKE_OWN = /^cdk8s-?load-?balancers?\/(?!protected-)/i;

/** Annotations and labels that nothing reads. A Service that keeps its type has its class as a label. */
function unknownOwnKeys({ metadata, spec }: Json) {
  const known = [...OWN_KEYS, spec?.loadBalancerClass];
  return ['annotations', 'labels'].flatMap((field) =>
    Object.keys(mapIn(metadata, field))
      .filter((name) => LIKE_OWN.test(name) && !known.includes(name))
      .map((value) => ({
        value,
        at: pointer(`/metadata/${field}`, value),
        fix: fixOf(nearest(value, OWN_KEYS), OTHERS),
      })),
  );
}

const IGNORE_RULE_SET = new RuleSet(IGNORE_RULES);

export function checkIgnore(object: Json, context: IgnoreContext = {}): CheckResult {
  return IGNORE_RULE_SET.check(object, context);
}

/** Rules whose findings an object ignores although it has none of them. */
export function unusedIgnores(
  object: Json,
  isUsed: (ruleId: string) => boolean,
  { today }: IgnoreContext = {},
): LoadBalancerFinding[] {
  const names = ignoreEntriesOf(object).flatMap((entry) => (isOver(entry, today) ? [] : entry.names));
  return names
    .filter((name) => isRule(name) && name !== UNUSED && !isUsed(name))
    .map((value) => findingOf({ id: UNUSED, ...IGNORE_ROWS[UNUSED] }, { key, value }));
}

const UNUSED = 'ignore-unused';
const UNKNOWN = 'ignore-rule-unknown';

export interface ObjectFindings {
  readonly errors: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
}

/** Errors that an object ignores as warnings: they are listed with the reason, and stop nothing. */
export function withoutIgnored(entries: readonly IgnoreEntry[], { errors, warnings }: ObjectFindings): ObjectFindings {
  const isIgnored = ({ ruleId }: LoadBalancerFinding) => ignoredBy(entries, ruleId) !== undefined;
  return errors.some(isIgnored)
    ? { errors: errors.filter((one) => !isIgnored(one)), warnings: [...errors.filter(isIgnored), ...warnings] }
    : { errors, warnings };
}

/** Mistakes in the annotation itself. A controller of the user's own has rules that are not known here. */
export function findingsOfIgnore(object: Json, { errors, warnings }: ObjectFindings): readonly LoadBalancerFinding[] {
  const isFound = (id?: string) => [...errors, ...warnings].some(({ ruleId }) => ruleId === id);
  return checkIgnore(object).warnings.filter(({ ruleId, value }) => ruleId !== UNKNOWN || !isFound(value));
}
