import { LoadBalancerOutcome } from './options';

/** An outcome as tables write it. */
export type Outcome = `${LoadBalancerOutcome}`;

/** All outcomes, worst first. */
export const OUTCOMES: readonly Outcome[] = Object.values(LoadBalancerOutcome);

/** Outcomes with which something is lost, cut off or not carried out. */
export const LOSSES: ReadonlySet<Outcome> = new Set(OUTCOMES.slice(0, OUTCOMES.indexOf('unknown')));

/** Outcomes that can be accepted: losses, and what is not known. */
export const ACCEPTABLE: readonly Outcome[] = OUTCOMES.slice(0, OUTCOMES.indexOf('created'));

/** True if the first outcome is worse. */
export function isWorse(one: { readonly outcome: Outcome }, other: { readonly outcome: Outcome }): boolean {
  return OUTCOMES.indexOf(one.outcome) < OUTCOMES.indexOf(other.outcome);
}

/** The worst outcome, or `kept` if there is none. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'kept';
}
