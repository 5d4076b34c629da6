import type { Json } from './json';
import type { Citation } from './kubernetes.facts';
import type { Outcome } from './outcome';

/** A field of a live object that changes. */
export interface EditedValue {
  /** What it was; nothing where it is added. An annotation is read as its controller reads it. */
  readonly before?: unknown;
  /** What it becomes; nothing where it is taken out. */
  readonly after?: unknown;
  /** The map that the field is in, such as all annotations, or the listener. */
  readonly around: { readonly before: Json; readonly after: Json };
  /** The objects. */
  readonly objects: { readonly before: Json; readonly after: Json };
  /** The entries of lists that the field is in, by the name of the list. */
  readonly entries?: Readonly<Record<string, { readonly before: Json; readonly after: Json }>>;
}

/** Where an edit does not do the worst, but this. */
export interface EditCase {
  readonly outcome: Outcome;
  readonly notApplied?: true;
  /** When, as it is read after `where`: `the list has the same entries in another order`. */
  readonly where: string;
  readonly what: string;
  /** What to do about it; a balancer that is kept although there is something to do is listed with those that are not. */
  readonly remedy?: string;
  readonly staysAsMade?: true;
  readonly holds: (edited: EditedValue) => boolean;
  /** Whether it looks at the rest of the Service, and not only at the values. */
  readonly ofService?: true;
}

/** An edit as it is written in a table. */
export interface EditFact {
  /** The worst that it does with a value that the controller reads. */
  readonly outcome: Outcome;
  /** True if the live balancer stays as it was made. */
  readonly notApplied?: true;
  /** What happens, in one short clause: to whom, and for how long where that is known. */
  readonly what: string;
  /** What to do about it, where that is not what is to be done of every edit with this outcome. */
  readonly remedy?: string;
  /** Whether the live balancer goes on with what the field said: what would be made anew does not say what it is. */
  readonly staysAsMade?: true;
  /** Where it is less; the first one that holds. */
  readonly unless?: readonly EditCase[];
  /** The file that it was read in, of the repository and version of the annotation's own source. */
  readonly file?: string;
  /** Where it was read, where that is another repository. */
  readonly source?: Citation;
}

/** An edit with where it was read. */
export interface Edit {
  readonly outcome: Outcome;
  readonly notApplied?: true;
  readonly what: string;
  readonly remedy?: string;
  readonly staysAsMade?: true;
  readonly source: Citation;
  /** Where it is less; the first one that holds. */
  readonly unless?: readonly EditCase[];
}

/** One edit for each entry of a table, by its name there. */
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
 *
 * @param isService whether the field is one of a Service that is at hand, and not of something that a Service is made of
 */
export function editOfValue({ unless = [], ...worst }: Edit, edited: EditedValue, isService = true): Edit {
  const less = unless.find(({ holds, ofService }) => (isService || !ofService) && holds(edited));
  if (!less) {
    return worst;
  }
  return { outcome: less.outcome, what: less.what, ...moreOf(less), source: worst.source };
}

type MoreOfEdit = Pick<EditFact, 'notApplied' | 'remedy' | 'staysAsMade'>;

/** What only some edits say. */
export function moreOf({ notApplied, remedy, staysAsMade }: MoreOfEdit): MoreOfEdit {
  return {
    ...(notApplied && { notApplied }),
    ...(remedy !== undefined && { remedy }),
    ...(staysAsMade && { staysAsMade }),
  };
}

const of = (outcome: Outcome) => (what: string, file?: string) => ({ outcome, what, ...(file && { file }) }) as const;

/** How the tables say it. */
export const kept = of('kept');
export const interrupted = of('interrupted');
export const replaced = of('replaced');
export const deleted = of('deleted');
export const refused = of('refused');
export const orphaned = of('orphaned');
export const unknown = of('unknown');
export const ignored = (what: string, file?: string) => ({ ...kept(what, file), notApplied: true }) as const;

/** True if an edit is carried out in place. */
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
