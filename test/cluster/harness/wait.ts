/** Waits a while. */
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Far more than anything takes on a quiet machine: only what never comes is waited for to the end. */
const PATIENCE = 120;

/**
 * Asks until there is an answer other than undefined or false, and returns it.
 *
 * @throws with what was waited for, and what was seen last, when the time is over.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  options: { seconds?: number; seen?: () => unknown } = {},
): Promise<T> {
  const { seconds = PATIENCE, seen } = options;
  const end = Date.now() + seconds * 1000;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 100)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    if (Date.now() > end) {
      const last = seen ? `; seen last: ${JSON.stringify(await seen())}` : '';
      throw new Error(`waited ${seconds} s in vain for ${what}${last}`);
    }
    await pause(wait);
  }
}
