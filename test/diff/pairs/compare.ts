import { stringify } from 'yaml';
import type { Outcome } from '../../../src/contract/edit';
import type { BalancerChange } from '../../../src/diff/effect';
import { changesOf, sideOf } from '../sides';
import type { Fate, Pair, PairObject } from './pair';

/** What was foretold of one balancer, and what becomes of it. */
export interface Compared {
  readonly id: string;
  readonly foretold: Outcome | 'nothing';
  readonly fate: Fate;
  /** What must be known, by what was foretold. */
  readonly needs: readonly string[];
  readonly changes: readonly string[];
  readonly platform: string;
}

const textOf = (objects: readonly PairObject[]) => objects.map((object) => stringify(object)).join('---\n');

/** What `diff` says of a pair, with manifests on the older side or with what a cluster has. */
export function foretoldOf(
  { before, after, platform, writer, prune }: Pair,
  live?: readonly PairObject[],
): BalancerChange[] {
  const { installed } = platform;
  const old = sideOf(textOf(live ?? before), { installed, isLive: live !== undefined });
  return changesOf(old, sideOf(textOf(after), { installed }), { writer, prune });
}

/** What `diff` says of each balancer of a pair, beside what becomes of it. */
export function comparedOf(
  pair: Pair,
  fates: ReadonlyMap<string, Fate> = pair.fates,
  live?: readonly PairObject[],
): Compared[] {
  const all = new Map(foretoldOf(pair, live).map((change) => [(change.before ?? change.after)?.id, change]));
  return [...fates].map(([id, fate]) => ({
    id,
    foretold: saidOf(all.get(id)),
    fate,
    needs: (all.get(id)?.effects ?? []).flatMap(({ needs }) => needs ?? []),
    changes: pair.changes,
    platform: `${pair.platform.owner}, ${pair.writer}${pair.prune ? '' : ', no prune'}`,
  }));
}

function saidOf(change: BalancerChange | undefined): Compared['foretold'] {
  if (!change) return 'nothing';
  const { outcome, effects: causes } = change;
  return causes.some((cause) => cause.outcome === 'unknown') && HARMLESS.includes(outcome) ? 'unknown' : outcome;
}

const HARMLESS: readonly (Outcome | 'nothing')[] = ['kept', 'interrupted'];

/** Whether something is lost that was said to be kept. */
export const isFalseKept = ({ foretold, fate }: Compared): boolean => HARMLESS.includes(foretold) && fate !== 'kept';

/** Whether a loss was foretold that does not come. */
export function isFalseAlarm({ foretold, fate }: Compared): boolean {
  return fate === 'kept' && !HARMLESS.includes(foretold) && foretold !== 'unknown';
}

/** Whether another loss was foretold than the one that comes. */
export function isAnother({ foretold, fate, changes }: Compared): boolean {
  // another name with another selector is another Service
  const isOtherService = fate === 'replaced' && foretold === 'deleted' && changes.includes('selector');
  return (
    fate !== 'kept' && !HARMLESS.includes(foretold) && foretold !== 'unknown' && foretold !== fate && !isOtherService
  );
}

/** Whether a refusal was foretold that does not come, or one comes that was not foretold. */
export function isMissedRefusal({ foretold, fate, needs }: Compared): boolean {
  // who wrote a field decides whether apply removes it, which is refused
  const isOpen = foretold === 'unknown' && needs.some((need) => need.startsWith('who wrote'));
  return !isOpen && (foretold === 'refused') !== (fate === 'refused');
}
