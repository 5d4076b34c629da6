import type { ApiObject } from 'cdk8s';
import type { Json } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { sentenceOf } from '../contract/sentence';
import { judgeObject } from '../rules/judge-object';
import { Judgement } from '../rules/judgement';
import { SynthWatch } from '../rules/synth-watch';
import { claimsOfGateway } from './gateway-claims';

/** What is wrong with an object, and what to do instead. */
export interface GatewayVerdict {
  readonly what: string;
  readonly remedy: string;
}

/** Who says what implementations make of objects that the API server takes. */
export const GATEWAY_API = 'gateway-api';

/** What the API server or every implementation refuses of finished objects, whoever made them. */
export interface GatewayRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** Who refuses it in messages; the API server where nobody is named. */
  readonly who?: string;
  /** The rule as a sentence. */
  readonly says: string;
  /** Where the rule was learnt. */
  readonly source: Citation;
  /** Nothing where the rule is kept. */
  judge(object: Json): readonly GatewayVerdict[];
}

/** What is wrong between an object and others of its app. */
export interface GatewayAppRule extends Omit<GatewayRule, 'judge'> {
  /** Nothing where the rule is kept. */
  judge(object: ApiObject): readonly GatewayVerdict[];
}

/** What a file of the Gateway API says. */
export function gatewayApi(file: string): Citation {
  return { repository: 'kubernetes-sigs/gateway-api', version: 'v1.6.1', file: `apis/v1/${file}` };
}

function findingOf({ id, who = 'kubernetes' }: Pick<GatewayRule, 'id' | 'who'>, verdict: GatewayVerdict) {
  return { ruleId: id, who, ...verdict };
}

function findingsIn(object: Json, rules: readonly GatewayRule[]): LoadBalancerFinding[] {
  return rules.flatMap((rule) => rule.judge(object).map((verdict) => findingOf(rule, verdict)));
}

/** What rules find wrong with a finished object, a sentence each. */
export function faultsIn(object: Json, rules: readonly GatewayRule[]): string[] {
  return findingsIn(object, rules).map(sentenceOf);
}

const JUDGED = new WeakSet<ApiObject>();

/** Whether an object is judged at synth. */
export function isJudged(object: ApiObject): boolean {
  return JUDGED.has(object);
}

/**
 * Has an object judged at synth, once however often it is asked for: by itself, and with the others of its app.
 *
 * Others are looked at while a synth looks at all its objects: at any other time, each object would ask for the whole app.
 */
export function judgeAtSynth(
  object: ApiObject,
  rules: readonly GatewayRule[],
  inApp: readonly GatewayAppRule[] = [],
): void {
  if (JUDGED.has(object)) {
    return;
  }
  JUDGED.add(object);
  const watch = SynthWatch.of(object);
  judgeObject(object, object, {
    judge: (json) => {
      const judgement = new Judgement();
      judgement.claims = claimsOfGateway(json);
      const withOthers = watch.moment === undefined ? [] : inApp;
      judgement.errors = [
        ...findingsIn(json, rules),
        ...withOthers.flatMap((rule) => rule.judge(object).map((verdict) => findingOf(rule, verdict))),
      ];
      return judgement;
    },
  });
}
