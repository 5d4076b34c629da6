import { nearest } from '../contract/edit-distance';
import { DESCRIBED_RULES } from './described-rules.facts';

let ids: readonly string[] | undefined;

/** The ids of all rules of this package, sorted. */
export function ruleIds(): readonly string[] {
  ids ??= [...new Set([...DESCRIBED_RULES.matchAll(/^([a-z0-9-]+) \| /gm)].map(([, id]) => id))].sort();
  return ids;
}

/** Returns whether some rule of this package has the id. */
export function isRule(id: string): boolean {
  return ruleIds().includes(id);
}

/** The rule whose id is nearly the same. */
export function ruleLike(id: string): string | undefined {
  return nearest(id, ruleIds());
}
