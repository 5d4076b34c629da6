import { isMap, type Json, list } from '../../contract/json';
import { printable } from '../../contract/printable';
import { SUCCESSES } from './causes.facts';

/** What a controller reported of an object: an event about it, or a condition in its status. */
export interface Reported {
  readonly from: 'event' | 'condition';
  readonly reason: string;
  readonly message: string;
  /** When, as the API server writes it. */
  readonly at?: string;
}

const LONGEST = 400;

export function reportedInWords({ from, reason, message, at }: Reported): string {
  const cut = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  const words = cut.replace(/\s+/g, ' ').trim();
  return printable(`${from} ${reason}${at ? ` at ${at}` : ''}${words && `: ${words}`}`);
}

/**
 * What was reported of an object that is still true, the newest first: what goes before the last success is history, and for an
 * object that is being deleted also what goes before its deletion.
 */
export function reportedOf(object: Json, objects: readonly Json[]): Reported[] {
  const { kind, metadata = {} } = object;
  const events = objects
    .filter((event) => event.kind === 'Event' && isAbout(event, kind, metadata))
    .map(eventOf)
    .sort((a, b) => compare(b.at ?? '', a.at ?? ''));
  const success = events.findIndex(({ reason }) => (SUCCESSES as readonly string[]).includes(reason));
  const deleted = text(metadata.deletionTimestamp);
  const fresh = events
    .slice(0, success < 0 || deleted !== '' ? undefined : success)
    .filter(({ at, isWarning }) => isWarning && (deleted === '' || at === undefined || at >= deleted))
    .map(({ isWarning: _, ...event }) => event);
  return [...conditionsOf(object), ...fresh];
}

/** Whether a controller reported something of an object, of whatever kind. */
export function hasEvents({ kind, metadata = {} }: Json, objects: readonly Json[]): boolean {
  return objects.some((event) => event.kind === 'Event' && isAbout(event, kind, metadata));
}

function isAbout(event: Json, kind: string, { name, namespace, uid }: Json): boolean {
  const about = event.involvedObject ?? event.regarding;
  return (
    isMap(about) &&
    about.kind === kind &&
    about.name === name &&
    (about.namespace ?? event.metadata?.namespace) === namespace &&
    (about.uid === undefined || uid === undefined || about.uid === uid)
  );
}

function eventOf(event: Json): Reported & { readonly isWarning: boolean } {
  const series = isMap(event.series) ? event.series : {};
  const at = [series.lastObservedTime, event.lastTimestamp, event.eventTime, event.firstTimestamp]
    .map(text)
    .find(Boolean);
  return {
    from: 'event',
    reason: text(event.reason),
    message: text(event.message ?? event.note),
    ...(at !== undefined && { at }),
    isWarning: event.type !== 'Normal',
  };
}

/** Conditions that say what is wrong: errors that are there, and what is not ready. */
function conditionsOf({ status }: Json): Reported[] {
  return list<Json>(isMap(status) ? status.conditions : undefined)
    .filter((condition) => isMap(condition) && isWrong(condition))
    .map(({ type, reason, message, lastTransitionTime }) => ({
      from: 'condition' as const,
      reason: text(reason) || text(type),
      message: text(message),
      ...(text(lastTransitionTime) !== '' && { at: text(lastTransitionTime) }),
    }));
}

function isWrong({ type, status }: Json): boolean {
  const isBad = /Error$|^NotReady$|^Warning$|Failed$|Conflict/.test(text(type));
  return isBad ? status !== 'False' : status === 'False';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
