import { LOSSES, OUTCOMES, type Outcome } from '../../contract/outcome';
import { count } from '../../contract/printable';
import { clipped } from '../formats/words';
import type { DiffReport, PlaceOnSide, ReportedCause, ReportedChange, ReportedStep } from './diff-report';

// What every format has in the same words.

/** Whether something is lost, cut off or not carried out by a cause, and nobody accepted it. */
export function isOpenLoss({ outcome, accepted }: ReportedCause): boolean {
  return LOSSES.has(outcome) && accepted === undefined;
}

/** Whether it is not known what a cause does, and nobody accepted that. */
export function isOpenUnknown({ outcome, accepted }: ReportedCause): boolean {
  return outcome === 'unknown' && accepted === undefined;
}

/** Whether all of a change that would fail is accepted. */
export function isAccepted({ causes }: ReportedChange): boolean {
  return causes.some(({ accepted }) => accepted) && !causes.some((one) => isOpenLoss(one) || isOpenUnknown(one));
}

/** Whether what is worst of a change happens under a condition alone. */
export function isConditional({ outcome, causes }: ReportedChange): boolean {
  const worst = causes.filter((cause) => cause.outcome === outcome);
  return worst.length > 0 && worst.every(({ condition }) => condition !== undefined);
}

/** `its scheme internal -> internet-facing (k8s/edge.yaml:9)`, or nothing where the cause is about no field that changes. */
export function fieldInWords({ field, from, to, before, after }: ReportedCause): string {
  const place = (after ?? before)?.shown;
  const at = place === undefined ? '' : ` (${place})`;
  const values =
    from !== undefined && to !== undefined
      ? ` ${from} -> ${to}`
      : to !== undefined
        ? ` is now ${to}`
        : from !== undefined
          ? ` ${from} removed`
          : '';
  return `${field}${values}${at}`;
}

/** Where a balancer is written, on the newer side where it is there. */
export function placeOfChange({ before, after }: ReportedChange): PlaceOnSide | undefined {
  return (after ?? before)?.place;
}

/** Why it happens, whom it hits and for how long. */
export function whyInWords({ why, whom, lasts, condition }: ReportedCause): string {
  return [
    condition === undefined ? why : `if ${condition}, ${why}`,
    ...(whom === undefined ? [] : [whom]),
    ...(lasts === undefined ? [] : [lasts]),
  ].join('; ');
}

/** `argoproj/argo-cd v3.1.0, docs/user-guide/sync-options.md` */
export function sourceInWords({ source }: ReportedCause): string | undefined {
  return source && `${source.repository} ${source.version}, ${source.file}`;
}

/** Whether a change is listed: a balancer that is kept is if there is something to do about it, or an edit is not applied to it. */
export function isListed({ outcome, causes }: ReportedChange): boolean {
  return outcome !== 'kept' || causes.some(({ remedy, notApplied }) => remedy !== undefined || notApplied);
}

/** Causes without those that say that nothing happens, and that nothing is to be done about. */
export function tellingCauses({ outcome, causes }: ReportedChange): readonly ReportedCause[] {
  const telling = causes.filter((cause) => cause.outcome !== 'kept' || cause.remedy !== undefined || cause.notApplied);
  return outcome === 'kept' || telling.length === 0 ? causes : telling;
}

/** For whom a step is: `edge/echo`, `edge/echo and 7 more`. */
export function balancersInWords({ balancers: [first, ...others] }: ReportedStep): string {
  return `${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

/** `1 replaced, 1 orphaned, 7 kept; 1 accepted`, and of how many it is not known: the exit code does not say that. */
export function summaryOf({ changes, unreadable, mayHaveMore }: DiffReport): string {
  if (changes.length === 0 && unreadable.length === 0) {
    return mayHaveMore
      ? 'no load balancer can be compared: a note tells which may be made, and only --strict fails on that'
      : 'no load balancers on either side';
  }
  const numbers = OUTCOMES.map((outcome) => [outcome, countOf(changes, outcome)] as const).filter(([, n]) => n > 0);
  const accepted = changes.filter(isAccepted).length;
  const open = changes.filter(({ causes }) => causes.some(isOpenUnknown) && !causes.some(isOpenLoss));
  const [reason] = open.flatMap(({ causes }) => causes.filter(isOpenUnknown));
  // what cannot be read fails by itself
  const passes = unreadable.length > 0 ? '' : ', and only --strict fails on that';
  const more = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} unreadable`] : []),
    ...(reason
      ? [`what becomes of ${count(open.length, 'balancer')} is not known${passes}: ${clipped(reason.why)}`]
      : []),
  ];
  const all = numbers.map(([outcome, n]) => `${n} ${outcome}`).join(', ') || 'nothing that can be compared';
  return [all, ...more].join('; ');
}

/** How many changes have an outcome. */
export function countOf(changes: readonly ReportedChange[], outcome: Outcome): number {
  return changes.filter((change) => change.outcome === outcome).length;
}

/** Changes that differ in their balancer alone, such as those of the brokers of one listener. */
export interface Told {
  readonly change: ReportedChange;
  readonly also: readonly ReportedChange[];
}

/**
 * How a change is accepted, where its title does not say that: `--allow deleted=kafka/events-brokers-2`; nothing where its title is
 * what is accepted, or nothing of it would fail.
 */
export function acceptedAs({ change, also }: Told): string | undefined {
  const open = change.causes.find((cause) => isOpenLoss(cause) || isOpenUnknown(cause));
  const balancers = [change, ...also].map(({ before, after }) => after ?? before);
  const [first] = balancers;
  const name = open?.outcome.replace(' ', '-');
  if (!open || first?.maker === undefined || first.maker.endsWith(` ${first.id}`)) {
    return undefined;
  }
  const ids = balancers.flatMap((one) => (one ? [one.id] : []));
  const named = ids.slice(0, MOST_IDS).join(', ');
  const more = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : '';
  const all = `'${name}=${first.maker}' for all balancers of ${first.maker}`;
  return ids.length === 1
    ? `--allow ${name}=${first.id}, or object: ${first.id} in load-balancers.yaml; ${all}`
    : `--allow ${all}, or each as object in load-balancers.yaml: ${named}${more}`;
}

const MOST_IDS = 4;

/** Changes without those that are told with another one. */
export function told(changes: readonly ReportedChange[]): Told[] {
  const byStory = new Map<string, { change: ReportedChange; also: ReportedChange[] }>();
  for (const change of changes) {
    const key = storyOf(change);
    const known = byStory.get(key);
    if (known) {
      known.also.push(change);
    } else {
      byStory.set(key, { change, also: [] });
    }
  }
  return [...byStory.values()];
}

/** Where all causes of a change are written, where that is another file than its own. */
function placeElsewhere({ causes, before, after }: ReportedChange): string | undefined {
  const places = causes.map((cause) => cause.after ?? cause.before);
  const own = [before, after].map((one) => one?.place.file);
  const isElsewhere = places.length > 0 && places.every((place) => !own.includes(place?.file));
  return isElsewhere ? places.map((place) => place?.shown).join() : undefined;
}

/** What is the same of changes of Services that are made of one object, or that are not to be seen for one reason. */
function storyOf(change: ReportedChange): string {
  const { outcome, causes, title, before, after } = change;
  const maker = (after ?? before)?.madeBy;
  const place = placeOfChange(change);
  const story = causes.map(({ before: _, after: __, ...cause }) => cause);
  // one file that cannot be read can hide any number of balancers, and one kustomization render them
  const isHidden = outcome === 'unknown' && (before === undefined || after === undefined);
  const elsewhere = (outcome === 'unknown' || outcome === 'kept') && !maker ? placeElsewhere(change) : undefined;
  const who = isHidden ? (before ? 'before' : 'after') : (elsewhere ?? (maker === undefined ? title : [maker, place]));
  return JSON.stringify([outcome, who, story]);
}

/** What must be known of what is not, where the reason does not say it already. */
export function needsInWords({ needs = [], why }: ReportedCause): string | undefined {
  return needs.filter((need) => !why.includes(need)).join('; ') || undefined;
}
