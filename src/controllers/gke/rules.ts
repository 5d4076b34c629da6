import type { Rule } from '../../rules/rule';
import { GKE_ADDRESS_RULES } from './addresses.rules';
import { GKE_CLASS_RULES } from './class.rules';
import { GKE_TRAFFIC_RULES } from './traffic.rules';

/** What GKE refuses, and what it takes in silence and in another sense. */
export const GKE_RULES: readonly Rule[] = [...GKE_CLASS_RULES, ...GKE_ADDRESS_RULES, ...GKE_TRAFFIC_RULES];
