import type { Json } from './json';
import type { Citation } from './kubernetes.facts';

/**
 * What an edit does to a live balancer: the worst that it can do with a value that the controller reads.
 *
 * - `kept`: it is changed in place; its address and its connections stay
 * - `interrupted`: it and its address stay, but clients are cut off or refused for a while
 * - `replaced`: clients have to go to another address
 * - `deleted`: it is taken down
 * - `ignored`: the live balancer stays as it was made
 * - `refused`: the API server or the controller does not accept it; later edits may wait behind it
 * - `orphans`: it can leave a balancer that no object leads to
 * - `unknown`: neither read nor seen
 */
export type OnEdit = 'kept' | 'interrupted' | 'replaced' | 'deleted' | 'ignored' | 'refused' | 'orphans' | 'unknown';

/** All of them, worst first. */
export const ON_EDIT: readonly OnEdit[] = [
  'orphans',
  'deleted',
  'replaced',
  'interrupted',
  'refused',
  'unknown',
  'ignored',
  'kept',
];

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
  readonly onEdit: OnEdit;
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
  readonly onEdit: OnEdit;
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
  readonly onEdit: OnEdit;
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
export function editFrom({ onEdit, what, unless, file, source, ...more }: EditFact, of: Citation): Edit {
  return {
    onEdit,
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
  return { onEdit: less.onEdit, what: less.what, ...moreOf(less), source: worst.source };
}

type MoreOfEdit = Pick<EditFact, 'remedy' | 'staysAsMade'>;

/** What only some edits say. */
export function moreOf({ remedy, staysAsMade }: MoreOfEdit): MoreOfEdit {
  return { ...(remedy !== undefined && { remedy }), ...(staysAsMade && { staysAsMade }) };
}

const of = (onEdit: OnEdit) => (what: string, file?: string) => ({ onEdit, what, ...(file && { file }) }) as const;

/** How the tables say it. */
export const kept = of('kept');
export const interrupted = of('interrupted');
export const replaced = of('replaced');
export const deleted = of('deleted');
export const ignored = of('ignored');
export const refused = of('refused');
export const orphans = of('orphans');
export const unknown = of('unknown');

/** The same edit with what to do about it: one that keeps the balancer is listed then, since it is not what it seems. */
export function advised(fact: EditFact, remedy: string): EditFact {
  return { ...fact, remedy };
}

/** The live balancer goes on as it is, with what the field said before. */
export function stays(what: string, file?: string): EditFact {
  return { ...ignored(what, file), staysAsMade: true };
}
