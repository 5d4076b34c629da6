import { type Duration, type Size, SizeRoundingBehavior } from 'cdk8s';

// Durations and sizes as the operator counts them. An amount that the unit cannot say is refused, not rounded.

const BYTES_PER_KIBIBYTE = 1024;

/** Whole seconds. */
export function secondsIn(what: string, duration: Duration | undefined): number | undefined {
  return whole(what, duration, 'seconds', (time) => time.toSeconds({ integral: false }));
}

/** Whole days. */
export function daysIn(what: string, duration: Duration | undefined): number | undefined {
  return whole(what, duration, 'days', (time) => time.toDays({ integral: false }));
}

/** Whole milliseconds. */
export function millisecondsIn(what: string, duration: Duration | undefined): number | undefined {
  return whole(what, duration, 'milliseconds', (time) => time.toMilliseconds({ integral: false }));
}

/** Whole bytes. */
export function bytesIn(what: string, size: Size | undefined): number | undefined {
  if (size === undefined) {
    return undefined;
  }
  const bytes = size.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) * BYTES_PER_KIBIBYTE;
  if (!Number.isInteger(bytes)) {
    throw new Error(`strimzi: ${what} is ${size.asString()}, which are no whole bytes; use a larger or smaller unit`);
  }
  return bytes;
}

function whole(
  what: string,
  duration: Duration | undefined,
  unit: string,
  count: (duration: Duration) => number,
): number | undefined {
  const amount = duration && count(duration);
  if (amount !== undefined && !Number.isInteger(amount)) {
    throw new Error(
      `strimzi: ${what} is ${duration?.toHumanString()}, and the operator counts whole ${unit}; use a multiple of one of them`,
    );
  }
  return amount;
}
