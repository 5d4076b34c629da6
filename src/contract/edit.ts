import { isSet, type Json, list, mapIn, mapsIn, sameValue } from './json';
import { type Citation, type Confidence, SOURCE_RANGES_ANNOTATION } from './kubernetes.facts';
import { LoadBalancerOutcome } from './options';

export interface EditedValue {
  /** The old value, as the controller reads it; undefined if the field is added. */
  readonly before?: unknown;
  /** The new value; undefined if the field is removed. */
  readonly after?: unknown;
  /** The map that the field is in, such as all annotations, or the listener. */
  readonly around: { readonly before: Json; readonly after: Json };
  readonly objects: { readonly before: Json; readonly after: Json };
  /** The entries of lists that the field is in, by the name of the list. */
  readonly entries?: Readonly<Record<string, { readonly before: Json; readonly after: Json }>>;
}

interface EditEffect {
  readonly outcome: Outcome;
  /** True if the live balancer stays as it was made. */
  readonly notApplied?: true;
  /** The effect in one short clause, with its duration if that is known. */
  readonly what: string;
  /** The remedy, if it differs from that of the outcome. */
  readonly remedy?: string;
  /** True if the live load balancer keeps the old value, although a new one would get the new value. */
  readonly staysAsMade?: true;
}

export type EditPredicate = (edited: EditedValue) => boolean;

interface EditCase extends EditEffect {
  /** Condition, as a clause after `where`: `the list has the same entries in another order`. */
  readonly where: string;
  readonly holds: EditPredicate;
  /** True if it looks at the rest of the Service, and not only at the values. */
  readonly ofService?: true;
}

/** An edit, with the worst that it does with a value that the controller reads. */
export interface Edit extends EditEffect {
  readonly source: Citation;
  /** Cases with a lesser effect; the first one that holds counts. */
  readonly unless?: readonly EditCase[];
}

/**
 * Effect of one edit: the worst, or the case that holds for its values.
 * @param isService whether the field is one of a Service that is at hand, and not of something that a Service is made
 *   of
 */
export function editOfValue({ unless = [], ...worst }: Edit, edited: EditedValue, isService = true): Edit {
  const less = unless.find(({ holds, ofService }) => (isService || !ofService) && holds(edited));
  return less ? { outcome: less.outcome, what: less.what, ...moreOf(less), source: worst.source } : worst;
}

type MoreOfEdit = Omit<EditEffect, 'outcome' | 'what'>;

export function moreOf({ notApplied, remedy, staysAsMade }: MoreOfEdit): MoreOfEdit {
  return {
    ...(notApplied && { notApplied }),
    ...(remedy !== undefined && { remedy }),
    ...(staysAsMade && { staysAsMade }),
  };
}

export function isInPlace({ outcome, notApplied }: Pick<Edit, 'outcome' | 'notApplied'>): boolean {
  return outcome === 'kept' && !notApplied;
}

/** The word of the tables for an edit: `ignored` if it is not applied. */
export function wordOf({ outcome, notApplied }: Pick<Edit, 'outcome' | 'notApplied'>): string {
  return notApplied ? 'ignored' : outcome;
}

// Rows of tables: an outcome with what happens, and the cases in which that is less.

/** An edit with `ignored` is not applied to the live balancer; with `stays` the balancer keeps the old value for good. */
const WORDS: readonly Word[] = ['ignored', 'stays', ...Object.values(LoadBalancerOutcome)];

type Word = Outcome | 'ignored' | 'stays';

interface EffectRow extends Readonly<Partial<Record<Word, string>>>, Pick<EditEffect, 'remedy' | 'staysAsMade'> {}

export interface EditRow extends EffectRow {
  readonly unless?: readonly CaseRow[];
  /** The file that it was read in, of the repository and version of the annotation's own source. */
  readonly file?: string;
  /** Source, if it is another repository. */
  readonly source?: Citation;
}

export type EditsOf<Entries> = { readonly [name in keyof Entries]: EditRow };

/** An edit with where it was read: its own source, or a file of that of the entry. */
export function editFrom({ unless, file, source, ...row }: EditRow, of: Citation): Edit {
  const cited = source ?? (file === undefined ? of : { ...of, file });
  return { ...effectOf(row), source: cited, ...(unless && { unless: unless.map(caseOf) }) };
}

export function hasEffect(row: EffectRow): boolean {
  return WORDS.some((word) => row[word] !== undefined);
}

function effectOf(row: EffectRow): EditEffect {
  const word = WORDS.find((one) => row[one] !== undefined);
  if (word === undefined) {
    throw new Error(`no outcome in ${JSON.stringify(row)}; write one of ${WORDS.join(', ')}`);
  }
  const { remedy, staysAsMade } = row;
  const what = row[word] as string;
  return word === 'ignored' || word === 'stays'
    ? { outcome: 'kept', what, ...moreOf({ notApplied: true, remedy, staysAsMade: word === 'stays' || staysAsMade }) }
    : { outcome: word, what, ...moreOf({ remedy, staysAsMade }) };
}

/** A condition by its name, or one with an argument, a clause and an effect, unless the condition has these. */
export type CaseRow = keyof typeof PLAIN | (EffectRow & Partial<Arguments> & { readonly where?: string });

type OfService<T> = (service: Json) => T;

interface Arguments {
  readonly if: keyof typeof PLAIN;
  /** The default of the field is written out, or no longer. */
  readonly default: unknown;
  readonly becomes: unknown;
  readonly grew: string;
  readonly change: EditPredicate;
  readonly changeOfService: EditPredicate;
  readonly services: OfService<boolean>;
  readonly newService: OfService<boolean>;
  /** The request of the Service, in this form or another. */
  readonly asks: OfService<unknown>;
  /** The address that the Service asks for, and may have. */
  readonly has: OfService<unknown>;
  /** A port without a node port that gets none, of a Service that the predicate holds of. */
  readonly noNodePort: true | OfService<boolean>;
  /** The limit of clients, wherever it is written. */
  readonly nothingLimits: OfService<boolean>;
  /** True if annotations limit the clients once the ranges of a field are gone. */
  readonly annotationsLimit: OfService<boolean>;
}

interface Condition extends Pick<EditCase, 'holds' | 'ofService'> {
  readonly where?: string;
  readonly effect?: EffectRow;
}

export function caseOf(row: CaseRow): EditCase {
  const { where, ...one } = typeof row === 'string' ? ({ if: row } as Exclude<CaseRow, string>) : row;
  const name = (Object.keys(CONDITIONS) as (keyof Arguments)[]).find((key) => key in one);
  if (name === undefined) {
    throw new Error(`no condition in ${JSON.stringify(row)}; write one of ${Object.keys(CONDITIONS).join(', ')}`);
  }
  const { effect, ...condition } = (CONDITIONS[name] as (argument: unknown) => Condition)(one[name]);
  const own = effectOf({ ...(hasEffect(one) ? {} : effect), ...one });
  return { where: '', ...condition, ...own, ...(where !== undefined && { where }) };
}

const LIST_CLIENTS = 'list the clients that are meant, unless it is meant for all of them';

// Edits that cut nobody off and let everybody in: the balancer is kept, and the change must be seen.
const OPENED = { kept: 'opens it to all clients: nothing limits any more who can connect', remedy: LIST_CLIENTS };

/** Conditions without an argument. A value that cannot be read fulfils none: then the worst holds. */
const PLAIN = {
  added: { where: 'there was none', holds: ({ before }: EditedValue) => !isSet(before) },
  removed: { where: 'it is removed', holds: ({ after }: EditedValue) => !isSet(after) },
  /** Entries do not only go, or it is not known which there are on one side. */
  replaced: {
    where: 'others come in their place',
    holds: ({ before, after }: EditedValue) => !areLists(before, after) || lacks(before, after) > 0,
  },
  grew: {
    where: 'entries are only added',
    holds: ({ before, after }: EditedValue) =>
      areLists(before, after) && (before as unknown[]).length > 0 && lacks(after, before) === 0,
  },
  /** Or one entry is there twice. */
  reordered: {
    where: 'only the order changes',
    effect: { kept: 'the order means nothing' },
    holds: ({ before, after }: EditedValue) =>
      areLists(before, after) && lacks(after, before) === 0 && lacks(before, after) === 0,
  },
  hasClass: {
    where: 'the Service has a class',
    ...ofServices((service) => isSet(mapIn(service, 'spec').loadBalancerClass)),
  },
  notBalanced: {
    where: 'it is not of type LoadBalancer yet',
    ofService: true,
    holds: ({ objects: { before } }: EditedValue) => mapIn(before, 'spec').type !== 'LoadBalancer',
  },
  opened: {
    where: 'no range is left, or one of all addresses comes',
    effect: OPENED,
    holds: ({ before, after }: EditedValue) => isLimited(before) && !isLimited(after),
  },
  /** The ranges of clients are the same, written elsewhere, or those that are changed are not read. */
  sameRanges: {
    where: 'the same ranges apply',
    effect: { kept: 'no client gains or loses access' },
    ofService: true,
    holds: ({ objects }: EditedValue) => {
      const [old, now] = [objects.before, objects.after].map((service) => [...rangesOf(service)].sort());
      return sameValue(old, now);
    },
  },
} satisfies Readonly<Record<string, Condition>>;

const CONDITIONS: { readonly [name in keyof Arguments]: (argument: Arguments[name]) => Condition } = {
  if: (name) => PLAIN[name],
  default: (value) => ({
    where: `${typeof value === 'string' ? value : JSON.stringify(value)} is only written out or left out`,
    effect: { kept: 'it is the default' },
    holds: ({ before, after }) => sameValue(before ?? value, after ?? value),
  }),
  becomes: (value) => ({
    where: `it becomes ${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}`,
    holds: ({ after }) => sameValue(after, value),
  }),
  grew: (kept) => ({ ...PLAIN.grew, effect: { kept } }),
  change: (holds) => ({ holds }),
  changeOfService: (holds) => ({ ofService: true, holds }),
  services: ofServices,
  newService: (holds) => ({ ofService: true, holds: ({ objects }) => holds(objects.after) }),
  asks: (asked) => ({
    where: 'the Service asks for the address that it has',
    ofService: true,
    holds: ({ objects }) => isSet(asked(objects.before)) && sameValue(asked(objects.before), asked(objects.after)),
  }),
  has: (asked) => ({
    where: 'it is the address that it has',
    ofService: true,
    holds: ({ objects: { before, after } }) => addressesOf(before).includes(String(asked(after))),
  }),
  noNodePort: (of) => ({
    where: 'node ports are not given out, and it has none',
    ofService: true,
    holds: ({ around, objects: { after } }) =>
      mapIn(after, 'spec').allocateLoadBalancerNodePorts === false &&
      !around.after.nodePort &&
      (of === true || of(after)),
  }),
  nothingLimits: (limits) => ({
    where: 'nothing limits the clients any more',
    effect: OPENED,
    ofService: true,
    holds: ({ objects: { before, after } }) => limits(before) && !limits(after),
  }),
  annotationsLimit: (limits) => ({
    where: 'annotations limit the clients after it',
    effect: { interrupted: 'the annotations decide from then on: clients that they do not admit lose access' },
    ofService: true,
    holds: ({ before, after, objects }) => isLimited(before) && !isLimited(after) && limits(objects.after),
  }),
};

function ofServices(holds: OfService<boolean>) {
  return {
    ofService: true,
    holds: ({ objects }: EditedValue) => holds(objects.before) && holds(objects.after),
  } as const;
}

function areLists(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after);
}

function lacks(list: unknown, of: unknown): number {
  const entries = list as unknown[];
  return (of as unknown[]).filter((entry) => !entries.some((one) => sameValue(one, entry))).length;
}

// View of conditions and their predicates on a Service.

export const keepsNumberOfPort: EditPredicate = ({ before, after, around }) => {
  const [old, now] = [around.before, around.after].map(({ port }) => port);
  return old !== undefined && (before ?? old) === (after ?? now);
};

export const needsSecondFamilyLess: EditPredicate = ({ before, after }) =>
  before === 'RequireDualStack' && after === 'PreferDualStack';

export function protocolsOf(service: Json): readonly string[] {
  return [...new Set(mapsIn(mapIn(service, 'spec'), 'ports').map(({ protocol }) => String(protocol || 'TCP')))];
}

export function addressesOf(service: Json): string[] {
  const given = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress').flatMap(({ ip }) => ip ?? []);
  return given.map(String);
}

export function isLimited(ranges: unknown): boolean {
  const all = list<unknown>(ranges).map((one) => String(one).trim());
  return all.some((one) => one !== '') && !all.some((one) => one.endsWith('/0'));
}

/** The ranges of clients of a Service: those of its spec, or else those of the older annotation. */
export function rangesOf(service: Json): readonly string[] {
  const ranges = list<unknown>(mapIn(service, 'spec').loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : entriesOf(service, SOURCE_RANGES_ANNOTATION);
}

export const limitedByRanges = (service: Json) => isLimited(rangesOf(service));

export function entriesOf(service: Json, key: string): readonly string[] {
  const text: unknown = mapIn(mapIn(service, 'metadata'), 'annotations')[key];
  return typeof text === 'string' ? text.split(',').flatMap((one) => one.trim() || []) : [];
}

export interface UpgradeEffect extends Pick<EditEffect, 'outcome' | 'notApplied' | 'what'> {
  readonly first?: string;
}

export interface UpgradedBalancer {
  readonly service: Json;
  /** Resource of which an operator makes it. */
  readonly maker?: Json;
  /** The finalizers that its owner adds and removes; none where the owner is not known. */
  readonly finalizers: readonly string[];
  readonly to: string;
  /** Versions of what runs afterwards, by name, as far as they are known. */
  readonly versions: Readonly<Record<string, string>>;
  /** Other objects afterwards: all that are not Services. */
  readonly beside: readonly Json[];
}

export interface UpgradeFact {
  /** Program of the version, if it is not the owner of the fact. */
  readonly product?: string;
  /** The first version that is so; without it, every other version. */
  readonly since?: string;
  /** True if a balancer is concerned; without it, each one is. */
  concerns?(balancer: UpgradedBalancer): boolean;
  /** Effect of an upgrade to that version or past it. */
  readonly up?: UpgradeEffect;
  /** Effect of a downgrade to a version before that one. */
  readonly down?: UpgradeEffect;
  readonly source: Citation;
  readonly confidence: Confidence;
}

export type Outcome = `${LoadBalancerOutcome}`;

/** All outcomes, worst first. */
export const OUTCOMES: readonly Outcome[] = Object.values(LoadBalancerOutcome);

/** Outcomes with which something is lost, cut off or not carried out. */
export const LOSSES: ReadonlySet<Outcome> = new Set(OUTCOMES.slice(0, OUTCOMES.indexOf('unknown')));

/** Outcomes that can be accepted: losses, and what is not known. */
export const ACCEPTABLE: readonly Outcome[] = OUTCOMES.slice(0, OUTCOMES.indexOf('created'));

export function isWorse(one: { readonly outcome: Outcome }, other: { readonly outcome: Outcome }): boolean {
  return OUTCOMES.indexOf(one.outcome) < OUTCOMES.indexOf(other.outcome);
}

export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'kept';
}
