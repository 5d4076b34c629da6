import type { ApiObject } from 'cdk8s';
import { isMap, isSet, type Json, mapIn, mapsIn, shown } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { dnsNameFault } from '../contract/kubernetes-syntax';
import type { Finding } from '../contract/rule';
import { type FieldRule, schemaRules } from '../contract/schema/rules';
import { type Misfit, SchemaFault, type SchemaFields } from '../contract/schema/walk';
import { amongOthers, isJudged } from '../rules/app-objects';
import { type Claim, claimsOf } from '../rules/claims';
import { judgeObject } from '../rules/judged-object';
import { likelyClaimsOf } from '../rules/known-kinds';
import { kindAndTitleOf } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { RuleSet } from '../rules/rule-set';
import { GATEWAY_KIND, IP_TYPE } from './gateway.facts';

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
  if (!isJudged(object)) {
    judgeObject(object, object, {
      judge: (json) => rules.judge(json, { among: amongOthers(object) }).claiming(claimsOfGateway(json)),
    });
  }
}

/** Rules that validate one kind. */
export function setOf(rules: readonly Rule<ObjectContext>[]): RuleSet<ObjectContext> {
  return new RuleSet(rules, 'kubernetes');
}

/** What a Gateway has for itself: its addresses, and what the Service claims that its implementation makes for it. */
function claimsOfGateway({ kind, metadata, spec }: Json): readonly Claim[] {
  if (kind !== GATEWAY_KIND) {
    return [];
  }
  const ports = mapsIn(spec, 'listeners').map(({ port, protocol }) => ({
    port,
    protocol: protocol === 'UDP' ? 'UDP' : 'TCP',
  }));
  const service = (annotations: Json, loadBalancerIP?: unknown): Json => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, annotations },
    spec: { type: 'LoadBalancer', ports, loadBalancerIP },
  });
  const addresses = mapsIn(spec, 'addresses').filter(({ type = IP_TYPE }) => type === IP_TYPE);
  return [
    ...likelyClaimsOf(service(mapIn(mapIn(spec, 'infrastructure'), 'annotations'))),
    ...addresses.flatMap(({ value }) => claimsOf(service({}, value), undefined)),
  ].map((claim) => ({ ...claim, of: kindAndTitleOf({ kind, name: metadata?.name, namespace: metadata?.namespace }) }));
}

// What rules of several kinds have in common.

/** A rule about the name of an object. */
export function nameRule(id: string, says: string): Rule<ObjectContext> {
  return {
    id,
    severity: 'error',
    says,
    source: gatewayApi('shared_types.go'),
    judge: ({ metadata }) => {
      const name: unknown = metadata?.name;
      if (!isSet(name) && isSet(metadata?.generateName)) {
        return [];
      }
      const isName = typeof name === 'string' && !name.includes('*') && dnsNameFault(name) === undefined;
      return isName
        ? []
        : [
            {
              what: isSet(name) ? `${shown(name)} is not a valid object name` : 'it has no name',
              remedy: 'use lower-case letters, digits, dashes and dots',
              at: '/metadata/name',
            },
          ];
    },
  };
}

export function repeated<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))];
}

/**
 * What is reported of a list or map that has too many entries or none; nothing where something else does not fit.
 *
 * @param what what the entries are
 * @param limit how many there may be
 * @param none what is reported where there are none
 */
export function countFinding(
  value: unknown,
  { at, name }: Misfit,
  what: string,
  limit: number,
  none?: Finding,
): Finding | undefined {
  if (!at.endsWith(`/${name}`)) {
    return undefined;
  }
  const count = Array.isArray(value) || isMap(value) ? Object.keys(value).length : 0;
  if (count > limit) {
    return { what: `there are ${count} ${what}, more than ${limit}`, remedy: 'leave some out' };
  }
  return !isSet(value) || (Array.isArray(value) && count === 0) ? none : undefined;
}
