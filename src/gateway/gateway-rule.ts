import type { ApiObject } from 'cdk8s';
import type { Citation } from '../contract/kubernetes.facts';
import type { Json } from '../contract/late-rendering';
import { sentenceOf } from '../contract/sentence';

/** What is wrong with an object, and what to do instead. */
export interface GatewayVerdict {
  readonly what: string;
  readonly wayOut: string;
}

/** What the API server or every implementation refuses of finished objects, whoever made them. */
export interface GatewayRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The rule as a sentence. */
  readonly says: string;
  /** Where the rule was learnt. */
  readonly source: Citation;
  /** Nothing where the rule is kept. */
  judge(object: Json): readonly GatewayVerdict[];
}

/** What a file of the Gateway API says. */
export function gatewayApi(file: string): Citation {
  return { repository: 'kubernetes-sigs/gateway-api', version: 'v1.6.1', file: `apis/v1/${file}` };
}

/** What rules find wrong with a finished object, a sentence each. */
export function faultsIn(object: Json, rules: readonly GatewayRule[]): string[] {
  return rules.flatMap((rule) =>
    rule.judge(object).map((verdict) => sentenceOf({ ruleId: rule.id, who: 'kubernetes', ...verdict })),
  );
}

const JUDGED = new WeakSet<ApiObject>();

/** Has an object judged at synth, once however often it is asked for. */
export function judgeAtSynth(object: ApiObject, rules: readonly GatewayRule[]): void {
  if (!JUDGED.has(object)) {
    JUDGED.add(object);
    object.node.addValidation({ validate: () => faultsIn(object.toJson() as Json, rules) });
  }
}
