import type { ApiObject } from 'cdk8s';
import type { Citation } from '../contract/kubernetes.facts';
import { amongOthers } from '../rules/app-objects';
import { judgeObject } from '../rules/judge-object';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { RuleSet } from '../rules/rule-set';
import { SynthWatch } from '../rules/synth-watch';
import { claimsOfGateway } from './gateway-claims';

/** Names the Gateway API in findings about what implementations make of objects that the API server accepts. */
export const GATEWAY_API = 'gateway-api';

/** A file of the Gateway API. */
export function gatewayApi(file: string): Citation {
  return { repository: 'kubernetes-sigs/gateway-api', version: 'v1.6.1', file: `apis/v1/${file}` };
}

/** What the API server or every implementation refuses. */
export function refused(rule: Omit<Rule<ObjectContext>, 'severity'>): Rule<ObjectContext> {
  return { severity: 'error', ...rule };
}

/** Has an object validated at synth, once however often it is asked for. */
export function judgeAtSynth(object: ApiObject, rules: RuleSet<ObjectContext>): void {
  if (!SynthWatch.of(object).judgedOf(object)) {
    judgeObject(object, object, {
      judge: (json) => rules.judge(json, { among: amongOthers(object) }).claiming(claimsOfGateway(json)),
    });
  }
}

/** Rules that validate one kind. */
export function setOf(rules: readonly Rule<ObjectContext>[]): RuleSet<ObjectContext> {
  return new RuleSet(rules, 'kubernetes');
}
