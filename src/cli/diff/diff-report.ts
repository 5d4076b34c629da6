import { LOSSES, OUTCOMES, type Outcome } from '../../contract/edit';
import { grouped } from '../../contract/json';
import { citationInWords, count, ownCommand, someOf } from '../../contract/rule';
import type { Effect } from '../../diff/effect';
import { clippedText } from '../../report/document';
import type { Acceptance, KnownContext, Place, UnreadableDocument } from '../check-report';
import { contextJson, jsonText } from '../formats/json';

export interface PlaceOnSide extends Place {
  readonly shown: string;
}

export interface ReportedCause extends Omit<Effect, 'path' | 'pathBefore' | 'places' | 'staysAsMade'> {
  readonly before?: PlaceOnSide;
  readonly after?: PlaceOnSide;
  readonly accepted?: Acceptance;
}

export interface ReportedBalancer {
  readonly id: string;
  readonly owner?: string;
  readonly guess?: string;
  readonly product?: string;
  readonly madeBy?: string;
  /** The object that it is made of: `Kafka kafka/events`. */
  readonly maker?: string;
  readonly place: PlaceOnSide;
}

export interface ReportedChange {
  readonly outcome: Outcome;
  readonly title: string;
  readonly before?: ReportedBalancer;
  readonly after?: ReportedBalancer;
  readonly movedTo?: string;
  readonly movedFrom?: string;
  readonly causes: readonly ReportedCause[];
}

export interface ReportedStep {
  readonly step: string;
  /** The change: `strimzi 0.49.1 -> 1.2.0`. */
  readonly of: string;
  readonly balancers: readonly string[];
}

interface ReportedSide {
  readonly name: string;
  readonly isLive: boolean;
  readonly objects: number;
  readonly balancers: number;
}

export interface ReportedMoney {
  /** `+$42.34`, or what is known of it. */
  readonly brief: string;
  /** `USD 164.25 -> USD 27.38: - 5 × (…)`. */
  readonly text: string;
  readonly isKnown: boolean;
  readonly unknown: readonly string[];
}

export interface DiffReport {
  readonly before: ReportedSide;
  readonly after: ReportedSide;
  readonly context: readonly KnownContext[];
  readonly changes: readonly ReportedChange[];
  readonly steps: readonly ReportedStep[];
  readonly unreadable: readonly (UnreadableDocument & { readonly side: 'before' | 'after' })[];
  readonly notes: readonly string[];
  readonly idleForAll: readonly string[];
  readonly mayHaveMore?: boolean;
  readonly isIncomplete?: boolean;
  readonly money?: ReportedMoney;
}

export function isOpenLoss({ outcome, accepted }: ReportedCause): boolean {
  return LOSSES.has(outcome) && accepted === undefined;
}

export function isOpenUnknown({ outcome, accepted }: ReportedCause): boolean {
  return outcome === 'unknown' && accepted === undefined;
}

export function isAccepted({ causes }: ReportedChange): boolean {
  return causes.some(({ accepted }) => accepted) && !causes.some((one) => isOpenLoss(one) || isOpenUnknown(one));
}

export function isConditional({ outcome, causes }: ReportedChange): boolean {
  const worst = causes.filter((cause) => cause.outcome === outcome);
  return worst.length > 0 && worst.every(({ condition }) => condition !== undefined);
}

/** `its scheme internal -> internet-facing (k8s/edge.yaml:9)`, or nothing where the cause is about no field that changes. */
export function fieldInWords({ field, from, to, before, after }: ReportedCause): string {
  const place = (after ?? before)?.shown;
  const values = to === undefined ? ` ${from} removed` : from === undefined ? ` is now ${to}` : ` ${from} -> ${to}`;
  const isEdit = from !== undefined || to !== undefined;
  return `${field}${isEdit ? values : ''}${place === undefined ? '' : ` (${place})`}`;
}

export function placeOfChange({ before, after }: ReportedChange): PlaceOnSide | undefined {
  return (after ?? before)?.place;
}

export function whyInWords({ why, whom, lasts, condition }: ReportedCause): string {
  return [condition === undefined ? why : `if ${condition}, ${why}`, whom ?? [], lasts ?? []].flat().join('; ');
}

export function causeInWords(cause: ReportedCause): string {
  return `${fieldInWords(cause)}: ${whyInWords(cause)}`;
}

export function detailsOfCause({
  remedy,
  trace,
  source,
  accepted,
  needs = [],
  why,
}: ReportedCause): [string, string][] {
  const until = accepted?.until === undefined ? '' : ` (until ${accepted.until})`;
  const all: [string, string | undefined][] = [
    ['needs', needs.filter((need) => !why.includes(need)).join('; ')],
    ['remedy', remedy],
    ['trace', trace && ownCommand(`explain ${trace}`)],
    ['source', source && citationInWords(source)],
    ['accepted', accepted && `${accepted.reason}${until}`],
  ];
  return all.flatMap(([label, text]) => (text ? [[label, text]] : []));
}

export function isListed({ outcome, causes }: ReportedChange): boolean {
  return outcome !== 'kept' || causes.some(({ remedy, notApplied }) => remedy !== undefined || notApplied);
}

export function tellingCauses({ outcome, causes }: ReportedChange): readonly ReportedCause[] {
  const telling = causes.filter((cause) => cause.outcome !== 'kept' || cause.remedy !== undefined || cause.notApplied);
  return outcome === 'kept' || telling.length === 0 ? causes : telling;
}

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
  const numbers = OUTCOMES.flatMap((outcome) => {
    const of = changes.filter((change) => change.outcome === outcome);
    const open = of.filter(isConditional).length;
    return [
      ...(of.length > open ? [`${of.length - open} ${outcome}`] : []),
      ...(open > 0 ? [`${open} may be ${outcome}`] : []),
    ];
  });
  const accepted = changes.filter(isAccepted).length;
  const open = changes.filter(({ causes }) => causes.some(isOpenUnknown) && !causes.some(isOpenLoss));
  const [reason] = open.flatMap(({ causes }) => causes.filter(isOpenUnknown));
  // what cannot be read fails by itself
  const passes = unreadable.length > 0 ? '' : ', and only --strict fails on that';
  const more = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} unreadable`] : []),
    ...(reason
      ? [`what becomes of ${count(open.length, 'balancer')} is not known${passes}: ${clippedText(reason.why)}`]
      : []),
  ];
  return [numbers.join(', ') || 'nothing that can be compared', ...more].join('; ');
}

export interface SimilarChanges {
  readonly change: ReportedChange;
  readonly also: readonly ReportedChange[];
}

/**
 * Option that accepts a change: `--allow deleted=kafka/events-brokers-2`. Undefined if the title of the change shows it already, or if
 * no cause fails the diff.
 */
export function acceptedAs({ change, also }: SimilarChanges): string | undefined {
  const open = change.causes.find((cause) => isOpenLoss(cause) || isOpenUnknown(cause));
  const balancers = [change, ...also].map(({ before, after }) => after ?? before);
  const [first] = balancers;
  const name = open?.outcome.replace(' ', '-');
  if (!open || first?.maker === undefined || first.maker.endsWith(` ${first.id}`)) {
    return undefined;
  }
  const ids = balancers.flatMap((one) => (one ? [one.id] : []));
  const all = `'${name}=${first.maker}' for all balancers of ${first.maker}`;
  return ids.length === 1
    ? `--allow ${name}=${first.id}, or object: ${first.id} in load-balancers.yaml; ${all}`
    : `--allow ${all}, or each as object in load-balancers.yaml: ${someOf(ids, MOST_IDS)}`;
}

const MOST_IDS = 4;

export function groupSimilar(changes: readonly ReportedChange[]): SimilarChanges[] {
  return [...grouped(changes, storyOf).values()].map(([change, ...also]) => ({ change, also }));
}

function placeElsewhere({ causes, before, after }: ReportedChange): string | undefined {
  const places = causes.map((cause) => cause.after ?? cause.before);
  const own = [before, after].map((one) => one?.place.file);
  const isElsewhere = places.length > 0 && places.every((place) => !own.includes(place?.file));
  return isElsewhere ? places.map((place) => place?.shown).join() : undefined;
}

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

/** The output of `diff --format json`. Members are added without notice; one that goes or changes its meaning changes the version. */
export type DiffJson = ReturnType<typeof jsonOf>;

export function diffJson(report: DiffReport): string {
  return jsonText(jsonOf(report));
}

function jsonOf({ before, after, context, changes, steps, unreadable, notes, money }: DiffReport) {
  const counts = OUTCOMES.map((outcome) => [outcome, changes.filter((one) => one.outcome === outcome).length]);
  return {
    version: 1,
    summary: {
      ...(Object.fromEntries(counts) as Record<Outcome, number>),
      accepted: changes.filter(isAccepted).length,
      unreadable: unreadable.length,
    },
    before,
    after,
    context: contextJson(context),
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
