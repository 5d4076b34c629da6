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

/** Where an edit does not do the worst, but this. */
export interface EditCase extends EditEffect {
  /** When, as it is read after `where`: `the list has the same entries in another order`. */
  readonly where: string;
  readonly holds: (edited: EditedValue) => boolean;
  /** Whether it looks at the rest of the Service, and not only at the values. */
  readonly ofService?: true;
}

/** An edit as it is written in a table: the worst that it does with a value that the controller reads. */
export interface EditFact extends EditEffect {
  /** Where it is less; the first one that holds. */
  readonly unless?: readonly EditCase[];
  /** The file that it was read in, of the repository and version of the annotation's own source. */
  readonly file?: string;
  /** Where it was read, where that is another repository. */
  readonly source?: Citation;
}

export interface Edit extends EditEffect {
  readonly source: Citation;
  readonly unless?: readonly EditCase[];
}

export type EditsOf<Entries> = { readonly [name in keyof Entries]: EditFact };

/** An edit with where it was read: its own source, or a file of that of the entry. */
export function editFrom({ outcome, what, unless, file, source, ...more }: EditFact, of: Citation): Edit {
  return {
    outcome,
    what,
    ...moreOf(more),
    source: source ?? (file === undefined ? of : { ...of, file }),
    ...(unless && { unless }),
  };
}

/**
 * What one edit does: the worst, or what holds of its values.
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

const of = (outcome: Outcome) => (what: string, file?: string) => ({ outcome, what, ...(file && { file }) }) as const;

export const kept = of('kept');
export const interrupted = of('interrupted');
export const replaced = of('replaced');
export const deleted = of('deleted');
export const refused = of('refused');
export const orphaned = of('orphaned');
export const unknown = of('unknown');
export const ignored = (what: string, file?: string) => ({ ...kept(what, file), notApplied: true }) as const;

export function isInPlace({ outcome, notApplied }: Pick<Edit, 'outcome' | 'notApplied'>): boolean {
  return outcome === 'kept' && !notApplied;
}

/** The word of the tables for an edit: `ignored` if it is not applied. */
export function wordOf({ outcome, notApplied }: Pick<Edit, 'outcome' | 'notApplied'>): string {
  return notApplied ? 'ignored' : outcome;
}

/** The same edit with what to do about it: one that keeps the balancer is listed then, since it is not what it seems. */
export function advised(fact: EditFact, remedy: string): EditFact {
  return { ...fact, remedy };
}

/** The live balancer goes on as it is, with what the field said before. */
export function stays(what: string, file?: string): EditFact {
  return { ...ignored(what, file), staysAsMade: true };
}

// Where an edit does less than the worst that it can do. A value that cannot be read gets no case: then the worst holds.

export function where(when: string, fact: EditFact, holds: EditCase['holds']): EditCase {
  return { outcome: fact.outcome, where: when, what: fact.what, ...moreOf(fact), holds };
}

/** What holds without the field is written out, or no longer. */
export function absentIs(value: unknown): EditCase {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return where(`${text} is only written out or left out`, kept('it is the default'), ({ before, after }) =>
    sameValue(before ?? value, after ?? value),
  );
}

/** The same entries in another order, or one of them twice. */
export const IN_ANY_ORDER: EditCase = where(
  'only the order changes',
  kept('the order means nothing'),
  ({ before, after }) => bothLists(before, after) && lacks(after, before) === 0 && lacks(before, after) === 0,
);

export function onlyMore(what: string): EditCase {
  return where(
    'entries are only added',
    kept(what),
    ({ before, after }) => bothLists(before, after) && (before as unknown[]).length > 0 && lacks(after, before) === 0,
  );
}

/** Entries do not only go: others come in their place, or it is not known which there are on one side. */
export function othersCome(fact: EditFact): EditCase {
  return where('others come in their place', fact, ({ before, after }) => {
    return !bothLists(before, after) || lacks(before, after) > 0;
  });
}

export function takenOut(fact: EditFact): EditCase {
  return where('it is taken out', fact, ({ after }) => !isSet(after));
}

export function putIn(fact: EditFact): EditCase {
  return where('there was none', fact, ({ before }) => !isSet(before));
}

export function becomes(value: unknown, fact: EditFact): EditCase {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return where(`it becomes ${text}`, fact, ({ after }) => sameValue(after, value));
}

export function ofChange(when: string, fact: EditFact, holds: EditCase['holds']): EditCase {
  return { ...where(when, fact, holds), ofService: true };
}

export function ofServices(when: string, fact: EditFact, holds: (service: Json) => boolean): EditCase {
  return ofChange(when, fact, ({ objects }) => holds(objects.before) && holds(objects.after));
}

export function ofNewService(when: string, fact: EditFact, holds: (service: Json) => boolean): EditCase {
  return ofChange(when, fact, ({ objects }) => holds(objects.after));
}

export function protocolsOf(service: Json): readonly string[] {
  return [...new Set(mapsIn(mapIn(service, 'spec'), 'ports').map(({ protocol }) => String(protocol || 'TCP')))];
}

export function ofBarePort(fact: EditFact, also: (service: Json) => boolean = () => true): EditCase {
  return ofChange('node ports are not given out, and it has none', fact, ({ around, objects: { after } }) => {
    return mapIn(after, 'spec').allocateLoadBalancerNodePorts === false && !around.after.nodePort && also(after);
  });
}

/** The Service asks by the field for what it has or asks for already, in this way or another. */
export function askedAlready(what: string, had: (service: Json) => unknown, asked = had): EditCase {
  const holds = ({ objects }: EditedValue) => {
    const [old, now] = [had(objects.before), asked(objects.after)];
    return isSet(old) && sameValue(old, now);
  };
  return ofChange('the Service asks for the address that it has', kept(what), holds);
}

export function addressesOf(service: Json): string[] {
  const given = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress').flatMap(({ ip }) => ip ?? []);
  return given.map(String);
}

export function hasAlready(what: string, asked: (service: Json) => unknown): EditCase {
  const holds = ({ objects: { before, after } }: EditedValue) => addressesOf(before).includes(String(asked(after)));
  const fact: EditFact = { ...kept(what), staysAsMade: true };
  return ofChange('it is the address that it has', fact, holds);
}

export function ofClass(fact: EditFact): EditCase {
  return ofServices('the Service has a class', fact, (service) => isSet(mapIn(service, 'spec').loadBalancerClass));
}

export function notBalancedYet(what: string): EditCase {
  return ofChange('it is not of type LoadBalancer yet', kept(what), ({ objects: { before } }) => {
    return mapIn(before, 'spec').type !== 'LoadBalancer';
  });
}

export const keepsNumberOfPort: EditCase['holds'] = ({ before, after, around }) => {
  const [old, now] = [around.before, around.after].map(({ port }) => port);
  return old !== undefined && (before ?? old) === (after ?? now);
};

export const needsSecondFamilyLess: EditCase['holds'] = ({ before, after }) =>
  before === 'RequireDualStack' && after === 'PreferDualStack';

function bothLists(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after);
}

function lacks(list: unknown, of: unknown): number {
  const entries = list as unknown[];
  return (of as unknown[]).filter((entry) => !entries.some((one) => sameValue(one, entry))).length;
}

// Edits that cut nobody off and let everybody in: the balancer is kept, and the change must be seen.

export const LIST_CLIENTS = 'list the clients that are meant, unless it is meant for all of them';

const OPENED: EditFact = advised(
  kept('opens it to all clients: nothing limits any more who can connect'),
  LIST_CLIENTS,
);

export const NO_RANGE_IS_LEFT: EditCase = where(
  'no range is left, or one of all addresses comes',
  OPENED,
  ({ before, after }) => isLimited(before) && !isLimited(after),
);

/** What limits the clients of a Service goes, wherever it is written. */
export function nothingLimits(limits: (service: Json) => boolean): EditCase {
  return ofChange('nothing limits the clients any more', OPENED, ({ objects: { before, after } }) => {
    return limits(before) && !limits(after);
  });
}

/** The ranges of clients of a field go, and annotations limit the clients. */
export function annotationsLimit(limits: (service: Json) => boolean): EditCase {
  const fact = interrupted('the annotations decide from then on: clients that they do not admit lose access');
  return ofChange('annotations limit the clients after it', fact, ({ before, after, objects }) => {
    return isLimited(before) && !isLimited(after) && limits(objects.after);
  });
}

/** The ranges of clients are the same, written elsewhere, or those that are changed are not read. */
export const THE_SAME_RANGES: EditCase = ofChange(
  'the same ranges apply',
  kept('no client gains or loses access'),
  ({ objects }) => {
    const [old, now] = [objects.before, objects.after].map((service) => [...rangesOf(service)].sort());
    return sameValue(old, now);
  },
);

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

/** A live balancer, as far as versions matter to it. */
export interface UpgradedBalancer {
  readonly service: Json;
  /** What an operator makes it of. */
  readonly maker?: Json;
  /** The finalizers that its owner adds and removes; none where the owner is not known. */
  readonly finalizers: readonly string[];
  readonly to: string;
  /** Versions of what runs afterwards, by name, as far as they are known. */
  readonly versions: Readonly<Record<string, string>>;
  /** What is beside it afterwards: all objects that are no Services. */
  readonly beside: readonly Json[];
}

export interface UpgradeFact {
  /** What it is the version of, where that is not who has the fact. */
  readonly product?: string;
  /** The first version that is so; without it, every other version. */
  readonly since?: string;
  /** Whether a balancer is concerned; without it, each one is. */
  concerns?(balancer: UpgradedBalancer): boolean;
  /** What becomes of it with an upgrade to that version or past it. */
  readonly up?: UpgradeEffect;
  /** What becomes of it with a downgrade to before that version. */
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
