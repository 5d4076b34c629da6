import { nearest } from '../contract/rule';
import { DESCRIBED_RULES } from './described-rules.facts';

/** The ids of all rules of this package, sorted. */
export const ruleIds = () => [...new Set(DESCRIBED_RULES.match(/^[a-z0-9-]+(?= \| )/gm))].sort();

/** Returns whether some rule of this package has the id. */
export const isRule = (id: string) => /^[a-z0-9-]+$/.test(id) && DESCRIBED_RULES.includes(`\n${id} | `);

/** The rule whose id is nearly the same. */
export const ruleLike = (id: string) => nearest(id, ruleIds());
