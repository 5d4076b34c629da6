import { printable } from '../contract/printable';
import type { LoadBalancerChange, LoadBalancerChangeCause } from './load-balancer-change';
import { LoadBalancerOutcome } from './load-balancer-outcome';

/** Changes for people, worst first; those that nothing happens to are counted, unless something is to be done or an edit is not applied. */
export function diffText(changes: readonly LoadBalancerChange[], gaps: readonly string[]): string {
  const shown = changes.filter(
    ({ outcome, causes }) =>
      outcome !== LoadBalancerOutcome.KEPT ||
      causes.some(({ remedy, notApplied }) => remedy !== undefined || notApplied),
  );
  const kept = changes.length - shown.length;
  return [
    ...shown.flatMap((change) => linesOf(change)),
    ...(kept > 0 ? [`KEPT  ${kept}${shown.length > 0 ? ' others' : ''}`] : []),
    ...(changes.length === 0 ? ['no load balancer on either side'] : []),
    ...gaps.map((gap) => `not compared: ${printable(gap)}`),
    '',
  ].join('\n');
}

function linesOf({ outcome, title, path, causes }: LoadBalancerChange): string[] {
  const place = path === undefined ? '' : ` (${printable(path)})`;
  return [
    `${outcome.toUpperCase()}  ${printable(title)}${place}`,
    ...causes.flatMap((cause) => [
      `    ${printable(sentenceOfCause(cause))}`,
      ...(cause.remedy === undefined ? [] : [`    remedy: ${printable(cause.remedy)}`]),
    ]),
  ];
}

/** What changes and what that does, in one clause: `spec.type LoadBalancer -> ClusterIP: …`. */
export function sentenceOfCause({
  field,
  before,
  after,
  why,
  whom,
  lasts,
  needs = [],
}: LoadBalancerChangeCause): string {
  const values = [before, after].some((value) => value !== undefined)
    ? ` ${before ?? 'nothing'} -> ${after ?? 'nothing'}`
    : '';
  const missing = needs.length > 0 ? `; needs ${needs.join(', ')}` : '';
  const reach = [whom, lasts].filter((part) => part !== undefined).join(', ');
  return `${field}${values}: ${why}${reach && ` (${reach})`}${missing}`;
}
