import { GitFailure } from './git/git';

/** What a user has asked for in a way that cannot be done: what is wrong, and what to do. */
export class Misuse extends Error {}

/** Whether a failure is one of what was asked for, and in words. */
export function isMisuse(error: unknown): error is Error {
  return error instanceof Misuse || error instanceof GitFailure;
}
