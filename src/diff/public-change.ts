import { defined, printable } from '../contract/json';
import { LoadBalancerOutcome } from '../contract/options';
import { type BalancerChange, type Effect, titleOfChange } from './effect';
import type { LoadBalancerChange, LoadBalancerChangeCause } from './options';
import type { SideBalancer } from './side';

export function publicChange(change: BalancerChange): LoadBalancerChange {
  const { before, after, outcome, effects: causes } = change;
  const balancer = after ?? before;
  return defined({
    outcome,
    service: balancer?.id ?? '',
    title: titleOfChange(change),
    ownerBefore: before?.owner,
    ownerAfter: after?.owner,
    path: balancer && placeOf(balancer),
    causes: causes.map(publicEffect),
  }) as LoadBalancerChange;
}

export function publicEffect({
  outcome,
  field,
  from,
  to,
  why,
  condition,
  whom,
  lasts,
  remedy,
  notApplied,
  trace,
  needs,
}: Effect): LoadBalancerChangeCause {
  return defined({
    outcome,
    field,
    before: from,
    after: to,
    why: condition === undefined ? why : `if ${condition}, ${why}`,
    whom,
    lasts,
    remedy,
    notApplied,
    trace,
    needs: needs && [...needs],
  }) as LoadBalancerChangeCause;
}

/** The construct path, or the file with the line. */
export function placeOf({ written: { file, line } }: SideBalancer): string {
  return line > 0 ? `${file}:${line}` : file;
}

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
    ...causes.flatMap((effect) => [
      `    ${printable(sentenceOfCause(effect))}`,
      ...(effect.remedy === undefined ? [] : [`    remedy: ${printable(effect.remedy)}`]),
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
