import { advised, type EditCase, type EditFact, interrupted, kept } from './edit';
import { ofChange, where } from './edit-cases';
import { type Json, list, mapIn } from './json';
import { SOURCE_RANGES_ANNOTATION } from './kubernetes.facts';
import { sameValue } from './same-value';

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

/** Whether a list of ranges keeps any client out. */
export function isLimited(ranges: unknown): boolean {
  const all = list<unknown>(ranges).map((one) => String(one).trim());
  return all.some((one) => one !== '') && !all.some((one) => one.endsWith('/0'));
}

/** The ranges of clients of a Service: those of its spec, or else those of the older annotation. */
export function rangesOf(service: Json): readonly string[] {
  const ranges = list<unknown>(mapIn(service, 'spec').loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : entriesOf(service, SOURCE_RANGES_ANNOTATION);
}

/** Whether ranges limit the clients of a Service. */
export const limitedByRanges = (service: Json) => isLimited(rangesOf(service));

/** The entries of an annotation that is a list. */
export function entriesOf(service: Json, key: string): readonly string[] {
  const text: unknown = mapIn(mapIn(service, 'metadata'), 'annotations')[key];
  return typeof text === 'string' ? text.split(',').flatMap((one) => one.trim() || []) : [];
}
