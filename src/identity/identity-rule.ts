import type { ApiObject } from 'cdk8s';
import type { Json } from '../contract/json';
import type { Refusal } from '../contract/rule-of';
import { judgeObject } from '../rules/judge-object';
import { judgementOf } from '../rules/judgement-of';

/** Has an object judged at synth, with its lazy values and its patches. */
export function judgeIdentity(object: ApiObject, who: string, rules: readonly Refusal[]): void {
  const errors = rules.map((rule) => ({ ...rule, severity: 'error' as const }));
  judgeObject(object, object, { judge: (json) => judgementOf(errors, who, (rule) => rule.judge(json)) });
}

/** How many of the fields of a map say something. */
export function said(map: unknown, ...fields: string[]): number {
  const json = typeof map === 'object' && map !== null ? (map as Json) : {};
  return fields.filter((field) => json[field] !== undefined && json[field] !== null && json[field] !== '').length;
}
