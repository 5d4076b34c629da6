import type { Transition } from './transition';
import { SOURCES, TURN_ROWS, WRITER_ROWS } from './writers.facts';

export const WRITERS = ['create', 'client-apply', 'server-apply', 'put', 'put-class-null', 'recreate'] as const;
export type Writer = (typeof WRITERS)[number];

/** A row of a writer that writes Services; how it is known is the same for all rows of a writer. */
export interface WriterRow extends Omit<Transition, 'id' | 'actor' | 'kind' | 'source' | 'confidence'> {
  readonly name: string;
  readonly kind?: Transition['kind'];
}

export function writerTable(writer: Writer): Transition[] {
  return WRITER_ROWS[writer].map(({ name, ...row }) => ({
    ...{ id: `${writer}.${name}`, actor: 'writer', kind: 'must', ...SOURCES[writer] },
    ...row,
  }));
}

/** What changes once in the life of a Service, beside edits. */
export const TURNS = ['nothing', 'again', 'drops', 'declares', 'type', 'upgraded', 'downgraded'] as const;
export type Turn = (typeof TURNS)[number];

/** The rows of a turn; `held` is the value by which the writer declares. */
export function turnTable(turn: Turn, held: 'held' | 'applied', isKeptByAnnotation: boolean): Transition[] {
  const row = TURN_ROWS[turn === 'type' && isKeptByAnnotation ? 'type of a claim by annotation' : turn];
  const { does } = row ?? {};
  return row ? [turn === 'declares' ? { ...row, does: { ...does, declaredOwn: held } } : row] : [];
}
