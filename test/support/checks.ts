import { Chart, Testing } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { check } from '../../src/cli/check';
import type { CheckReport } from '../../src/cli/check-report';
import { type CheckContext, NO_CONTEXT } from '../../src/cli/context/check-context';
import { readManifests } from '../../src/cli/manifests';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import type { ObjectContext, Rule, RuleContext } from '../../src/rules/rule';
import { type CheckResult, RuleSet } from '../../src/rules/rule-set';
import { fileWith } from './files';

export function checkByRules(object: Json, rules: readonly Rule[], context: RuleContext, who: string): CheckResult {
  return new RuleSet(rules).check(object, context, who);
}

export function faultsAt(construct: IConstruct): string[] {
  const own = `  [${construct.node.path}] `;
  try {
    Testing.synth(Chart.of(construct));
    return [];
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    return lines.filter((line) => line.startsWith(own)).map((line) => line.slice(own.length));
  }
}

/** What rules of the API server find wrong with a finished object by itself, a sentence each. */
export function faultsIn(object: Json, rules: readonly Rule<ObjectContext>[]): string[] {
  return new RuleSet(rules, 'kubernetes').check(object, {}).errors.map(sentenceOf);
}

/** The same, with what they warn of. */
export function findingsOf(object: Json, rules: readonly Rule<ObjectContext>[]): string[] {
  const { errors, warnings } = new RuleSet(rules, 'kubernetes').check(object, {});
  return [...errors, ...warnings].map(sentenceOf);
}

export function checkedText(content: string, context: Partial<CheckContext> = {}): CheckReport {
  return check(readManifests([fileWith(content)]), { ...NO_CONTEXT, ...context });
}

/** The findings of a check, each with its level, line and rule: `error 3 service-ports-invalid`. */
export function foundIn(content: string, context: Partial<CheckContext> = {}): string[] {
  return checkedText(content, context).findings.map(({ level, place, ruleId }) => `${level} ${place.line} ${ruleId}`);
}

export function saidBy(ruleId: string, content: string, context: Partial<CheckContext> = {}): string[] {
  return checkedText(content, context)
    .findings.filter((finding) => finding.ruleId === ruleId)
    .map(({ level, place, what, remedy }) => `${level} ${place.line}: ${what}; ${remedy}`);
}
