import type { ApiObject } from 'cdk8s';
import type { Citation } from '../contract/kubernetes.facts';
import type { Json } from '../contract/late-rendering';
import { sentenceOf } from '../contract/sentence';

/** What is wrong with an object, and what to do instead. */
export interface IdentityVerdict {
  readonly what: string;
  readonly wayOut: string;
}

/** What an operator of a cloud refuses of finished objects, whoever made them. */
export interface IdentityRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The rule as a sentence. */
  readonly says: string;
  /** Where the rule was learnt. */
  readonly source: Citation;
  /** Nothing where the rule is kept. */
  judge(object: Json): readonly IdentityVerdict[];
}

/** Has an object judged at synth, with its lazy values and its patches. */
export function judgeIdentity(object: ApiObject, who: string, rules: readonly IdentityRule[]): void {
  object.node.addValidation({
    validate: () => {
      const json = object.toJson() as Json;
      return rules.flatMap((rule) =>
        rule.judge(json).map((verdict) => sentenceOf({ ruleId: rule.id, who, ...verdict })),
      );
    },
  });
}

/** How many of the fields of a map say something. */
export function said(map: unknown, ...fields: string[]): number {
  const json = typeof map === 'object' && map !== null ? (map as Json) : {};
  return fields.filter((field) => json[field] !== undefined && json[field] !== null && json[field] !== '').length;
}
