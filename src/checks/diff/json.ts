import { OUTCOMES, type Outcome } from '../../contract/outcome';
import { jsonText } from '../formats/json';
import type { DiffReport } from './diff-report';
import { countOf, isAccepted } from './words';

/** The output of `diff --format json`. Members are added without notice; one that goes or changes its meaning changes the version. */
export type DiffJson = ReturnType<typeof jsonOf>;

/** The report for programs, with all its values in full. */
export function diffJson(report: DiffReport): string {
  return jsonText(jsonOf(report));
}

function jsonOf({ before, after, context, changes, steps, unreadable, notes, money }: DiffReport) {
  const counts = OUTCOMES.map((outcome): [Outcome, number] => [outcome, countOf(changes, outcome)]);
  return {
    version: 1,
    summary: {
      ...(Object.fromEntries(counts) as Record<Outcome, number>),
      accepted: changes.filter(isAccepted).length,
      unreadable: unreadable.length,
    },
    before,
    after,
    context,
    changes: changes.map(({ outcome, title, ...change }) => ({
      outcome,
      title,
      isAccepted: isAccepted({ outcome, title, ...change }),
      ...change,
    })),
    steps,
    unreadable: unreadable.map(({ side, what, remedy, place }) => ({ side, what, remedy, place })),
    notes,
    money: money && { brief: money.brief, text: money.text, isKnown: money.isKnown, unknown: money.unknown },
  };
}
