import { OUTCOMES, type Outcome } from '../../contract/outcome';
import { jsonText } from '../formats/json';
import type { DiffReport, PlaceOnSide, ReportedBalancer, ReportedCause, ReportedChange } from './diff-report';
import { countOf, isAccepted } from './words';

/**
 * What `diff --format json` prints. Members are added without notice; where one goes or changes its meaning, the version
 * is another one. What is not known has no member.
 */
export interface DiffJson {
  readonly version: 1;
  /** How many balancers have each outcome; how many of them are accepted, and how many documents cannot be read. */
  readonly summary: Readonly<Record<Outcome | 'accepted' | 'unreadable', number>>;
  readonly before: DiffReport['before'];
  readonly after: DiffReport['after'];
  /** What is known of the cluster, and from where. */
  readonly context: DiffReport['context'];
  /** Worst first; those that are kept are among them. */
  readonly changes: readonly (ReportedChange & { readonly isAccepted: boolean })[];
  /** What has to be done before the change is applied, each step once. */
  readonly steps: DiffReport['steps'];
  readonly unreadable: DiffReport['unreadable'];
  /** What is not compared and why. */
  readonly notes: readonly string[];
  /** What both sides cost a month by list price; without it, no vendor bills any of them. */
  readonly money?: DiffReport['money'];
}

/** The report for programs, with all its values in full. */
export function diffJson(report: DiffReport): string {
  return jsonText(jsonOf(report));
}

/** Members are named one by one, so that their order is always the same. */
function jsonOf(report: DiffReport): DiffJson {
  const { before, after, context, changes, steps, unreadable, notes, money } = report;
  const counts = OUTCOMES.map((outcome): [Outcome, number] => [outcome, countOf(changes, outcome)]);
  return {
    version: 1,
    summary: {
      ...(Object.fromEntries(counts) as Record<Outcome, number>),
      accepted: changes.filter(isAccepted).length,
      unreadable: unreadable.length,
    },
    before: sideJson(before),
    after: sideJson(after),
    context: context.map(({ what, from, isInferred }) => ({ what, from, isInferred })),
    changes: changes.map(changeJson),
    steps: steps.map(({ step, of, balancers }) => ({ step, of, balancers })),
    unreadable: unreadable.map(({ side, what, remedy, place: { file, line, column } }) => ({
      side,
      what,
      remedy,
      place: { file, line, column },
    })),
    notes,
    money: money && { brief: money.brief, text: money.text, isKnown: money.isKnown, unknown: money.unknown },
  };
}

function sideJson({ name, isLive, objects, balancers }: DiffReport['before']): DiffReport['before'] {
  return { name, isLive, objects, balancers };
}

function changeJson(change: ReportedChange): DiffJson['changes'][number] {
  const { outcome, title, before, after, movedTo, movedFrom, causes } = change;
  return {
    outcome,
    title,
    isAccepted: isAccepted(change),
    before: before && balancerJson(before),
    after: after && balancerJson(after),
    movedTo,
    movedFrom,
    causes: causes.map(causeJson),
  };
}

function balancerJson({ id, owner, guess, product, madeBy, maker, place }: ReportedBalancer): ReportedBalancer {
  return { id, owner, guess, product, madeBy, maker, place: placeJson(place) };
}

function causeJson(cause: ReportedCause): ReportedCause {
  const {
    outcome,
    field,
    from,
    to,
    why,
    condition,
    whom,
    lasts,
    remedy,
    first,
    source,
    trace,
    needs,
    before,
    after,
    accepted,
    notApplied,
  } = cause;
  return {
    ...{ outcome, field, from, to, why, condition, whom, lasts, remedy, first, notApplied },
    source: source && { repository: source.repository, version: source.version, file: source.file },
    trace,
    needs,
    before: before && placeJson(before),
    after: after && placeJson(after),
    accepted: accepted && { reason: accepted.reason, until: accepted.until },
  };
}

function placeJson({ file, line, column, shown }: PlaceOnSide): PlaceOnSide {
  return { file, line, column, shown };
}
