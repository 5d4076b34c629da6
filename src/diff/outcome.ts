import type { OnEdit } from '../contract/edit';

/**
 * What a change of manifests does to a live balancer.
 *
 * - `orphaned`: it can stay behind with no object that leads to it
 * - `stuck`: its Service stays in Terminating
 * - `deleted`: it goes, and its address with it
 * - `replaced`: clients have to go to another address
 * - `refused`: the API server or the controller does not accept the change
 * - `handed over`: another controller owns it than before
 * - `interrupted`: it keeps its address, but clients are cut off or refused for a while
 * - `unknown`: what is needed to say it is not known
 * - `created`: there was none before
 * - `kept`: it stays as it is, or is changed in place
 */
export type Outcome =
  | 'orphaned'
  | 'stuck'
  | 'deleted'
  | 'replaced'
  | 'refused'
  | 'handed over'
  | 'interrupted'
  | 'unknown'
  | 'created'
  | 'kept';

/** All of them, worst first. */
export const OUTCOMES: readonly Outcome[] = [
  'orphaned',
  'stuck',
  'deleted',
  'replaced',
  'refused',
  'handed over',
  'interrupted',
  'unknown',
  'created',
  'kept',
];

/** Those with which something is lost, cut off or not carried out. */
export const LOSSES: ReadonlySet<Outcome> = new Set(OUTCOMES.slice(0, OUTCOMES.indexOf('unknown')));

/** Those that can be accepted: the losses, and what is not known. */
export const ACCEPTABLE: readonly Outcome[] = OUTCOMES.slice(0, OUTCOMES.indexOf('created'));

/** What an edit does, as what becomes of the balancer. */
export function outcomeOf(onEdit: OnEdit): Outcome {
  return onEdit === 'orphans' ? 'orphaned' : onEdit === 'ignored' ? 'kept' : onEdit;
}

/** The worst of some outcomes. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'kept';
}
