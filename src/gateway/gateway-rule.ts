import type { ApiObject } from 'cdk8s';
import { isSet } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { SchemaFields } from '../contract/schema/field';
import { type FieldRule, schemaRules } from '../contract/schema/rules';
import { SchemaFault } from '../contract/schema/walk';
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

/**
 * What the API server refuses or drops of the fields of one kind.
 *
 * @param fields those of `spec`
 * @param own rules for some of them
 */
export function rulesOfFields(fields: SchemaFields, own: readonly FieldRule[]): readonly Rule<ObjectContext>[] {
  return schemaRules<ObjectContext>({
    prefix: 'gateway',
    called: 'an object of the Gateway API',
    source: { ...gatewayApi(''), file: 'apis/v1' },
    fieldRules: own,
    faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.VALUE, SchemaFault.UNKNOWN],
    warnings: [SchemaFault.UNKNOWN],
    part: ({ spec }) => ({ map: isSet(spec) ? spec : {}, fields, where: 'spec', at: '/spec', release: RELEASE }),
  });
}

const RELEASE = { product: 'the Gateway API', version: '1.6.1', readFrom: '1.6.1', oldApi: false, has: () => true };

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
