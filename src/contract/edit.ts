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

/** An edit as it is written in a table. */
export interface EditFact {
  readonly onEdit: OnEdit;
  /** What happens, in one short clause: to whom, and for how long where that is known. */
  readonly what: string;
  /** The file that it was read in, of the repository and version of the annotation's own source. */
  readonly file?: string;
  /** Where it was read, where that is another repository. */
  readonly source?: Citation;
}

/** An edit with where it was read. */
export interface Edit {
  readonly onEdit: OnEdit;
  readonly what: string;
  readonly source: Citation;
}

/** One edit for each entry of a table, by its name there. */
export type EditsOf<Entries> = { readonly [name in keyof Entries]: EditFact };

/** An edit with where it was read: its own source, or a file of that of the entry. */
export function editFrom({ onEdit, what, file, source }: EditFact, of: Citation): Edit {
  return { onEdit, what, source: source ?? (file === undefined ? of : { ...of, file }) };
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
