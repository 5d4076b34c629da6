/**
 * The page that says how a live Service gets another owner. To change its finalizer, class or type in place is refused, hangs,
 * or leaves its balancer behind.
 */
export const HAND_OVER_PAGE = 'docs/how-to/hand-over-services.md';

/** Advice that holds where no other controller has made a balancer yet, with the page for a Service that has one. */
export function unlessLive(advice: string): string {
  return `if the Service is live and another controller made its balancer, change nothing and follow ${HAND_OVER_PAGE}; otherwise ${advice}`;
}
