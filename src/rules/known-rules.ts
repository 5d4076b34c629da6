import { nearest } from '../contract/edit-distance';
import { RULE_IDS } from './known-rules.facts';

/** Whether some rule of this package has the id. */
export function isRule(id: string): boolean {
  return RULE_IDS.includes(id);
}

/** The rule that an id is a slip of the hand of. */
export function ruleLike(id: string): string | undefined {
  return nearest(id, RULE_IDS);
}
