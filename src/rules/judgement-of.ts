import { findingsIn, type Said } from '../contract/finding';
import type { DescribedRule } from '../contract/rule';
import { Judgement } from './judgement';

/** What some rules say, each asked by itself. */
export function judgementOf<R extends DescribedRule>(
  rules: readonly R[],
  who: string,
  ask: (rule: R) => Said,
): Judgement {
  const judgement = new Judgement();
  for (const rule of rules) {
    judgement.keep(rule, who, findingsIn(ask(rule)));
  }
  return judgement;
}
