import type { Finding } from '../contract/finding';
import { shown } from '../contract/printable';

/** Whether a value is a number of things. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** What is wrong with a value that should be a number of things. */
export function notACount(field: string, value: unknown, least = 0): Finding {
  return {
    what: `${field} ${shown(value)} is not a valid number`,
    remedy: `give a whole number of ${least} or more`,
    value: String(value),
  };
}
