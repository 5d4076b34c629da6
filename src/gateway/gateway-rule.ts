import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { definedOrNothing, isMap, isSet, type Json, mapIn, mapsIn, shown } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { dnsNameFault } from '../contract/kubernetes-syntax';
import { type Found, filled, messageOf } from '../contract/rule';
import { type FieldRule, schemaRules } from '../contract/schema/rules';
import { type Misfit, SchemaFault, type SchemaFields } from '../contract/schema/walk';
import { appObjectOf, isChecked } from '../rules/app-objects';
import { type Claim, claimsOf } from '../rules/claims';
import { likelyClaimsOf } from '../rules/known-kinds';
import { kindAndTitleOf } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { RuleSet } from '../rules/rule-set';
import { validateObject } from '../rules/synth-object';

import { GATEWAY_CLASS_FIELDS } from './fields.facts';
import { AT_MOST, GATEWAY_API_VERSION, GATEWAY_KIND, IP_TYPE } from './gateway.facts';
import { FIELD_ROWS, NAME_ROWS } from './rules.facts';

/** Source of the rules of the Gateway API, unless a row names its file. */
export const GATEWAY_API_SOURCE: Citation = {
  repository: 'kubernetes-sigs/gateway-api',
  version: 'v1.6.1',
  file: 'apis/v1',
};

export function rulesOfFields(fields: SchemaFields, own: readonly FieldRule[]): readonly Rule<ObjectContext>[] {
  return schemaRules<ObjectContext>({
    prefix: 'gateway',
    called: 'an object of the Gateway API',
    source: GATEWAY_API_SOURCE,
    fieldRules: own,
    faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.VALUE, SchemaFault.UNKNOWN],
    warnings: [SchemaFault.UNKNOWN],
    part: ({ spec }) => ({ map: isSet(spec) ? spec : {}, fields, where: 'spec', at: '/spec', release: RELEASE }),
  });
}

type FieldFinding = (value: unknown, misfit: Misfit, object: Json) => Found | undefined;

/** Findings of a value that does not fit its schema, and further rules of its fields. */
interface FieldFinds {
  readonly finding: FieldFinding;
  beside(object: Json): readonly Found[];
}

export function fieldRules(
  finds: { readonly [Id in keyof typeof FIELD_ROWS]?: FieldFinding | FieldFinds },
): FieldRule[] {
  return (Object.entries(finds) as [keyof typeof FIELD_ROWS, FieldFinding | FieldFinds][]).map(([id, find]) => {
    const { says, file, fields, ...messages } = FIELD_ROWS[id];
    const { finding, beside } = typeof find === 'function' ? { finding: find, beside: undefined } : find;
    return {
      id,
      says: filled(says, AT_MOST),
      source: { ...GATEWAY_API_SOURCE, file },
      fields,
      finding: (...one) => {
        const found = finding(...one);
        return found && messageOf(messages, found);
      },
      beside: (object) => (beside?.(object) ?? []).map((found) => ({ at: '/spec', ...messageOf(messages, found) })),
    };
  });
}

const RELEASE = { product: 'the Gateway API', version: '1.6.1', readFrom: '1.6.1', oldApi: false, has: () => true };

/** Has an object validated at synth, once however often it is asked for. */
export function validateAtSynth(object: ApiObject, rules: RuleSet<ObjectContext>): void {
  if (!isChecked(object)) {
    validateObject(object, object, {
      check: (json) => rules.check(json, { among: appObjectOf(object) }).claiming(claimsOfGateway(json)),
    });
  }
}

export function setOf(rules: readonly Rule<ObjectContext>[]): RuleSet<ObjectContext> {
  return new RuleSet(rules, 'kubernetes');
}

/** Exclusive claims of a Gateway: its addresses, and what the Service claims that its implementation makes for it. */
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
  ].map((claim) => ({
    ...claim,
    at: '',
    of: kindAndTitleOf({ kind, name: metadata?.name, namespace: metadata?.namespace }),
  }));
}

// Common parts of the rules of several kinds.

export function nameRule(id: keyof typeof NAME_ROWS): Rule<ObjectContext> {
  return {
    id,
    severity: 'error',
    says: NAME_ROWS[id],
    source: { ...GATEWAY_API_SOURCE, file: 'apis/v1/shared_types.go' },
    check: ({ metadata }) => {
      const name: unknown = metadata?.name;
      const isName = typeof name === 'string' && !name.includes('*') && dnsNameFault(name) === undefined;
      if (isName || (!isSet(name) && isSet(metadata?.generateName))) {
        return [];
      }
      const what = isSet(name) ? `${shown(name)} is not a valid object name` : 'it has no name';
      return { what, remedy: 'use lower-case letters, digits, dashes and dots', at: '/metadata/name' };
    },
  };
}

export function repeated<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))];
}

/** Reports a list or map with more entries than `limit`, or with none; undefined if another misfit is found. */
export function countFinding(
  value: unknown,
  { at, name }: Misfit,
  what: string,
  limit: number,
  none?: Found,
): Found | undefined {
  if (!at.endsWith(`/${name}`)) {
    return undefined;
  }
  const number = Array.isArray(value) || isMap(value) ? Object.keys(value).length : 0;
  if (number > limit) {
    return { what: `there are ${number} ${what}, more than ${limit}`, remedy: 'leave some out' };
  }
  return !isSet(value) || (Array.isArray(value) && number === 0) ? none : undefined;
}

export const GATEWAY_CLASS_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-class-name-invalid'),
  ...rulesOfFields(
    GATEWAY_CLASS_FIELDS,
    fieldRules({
      'gateway-class-controller-invalid': (name) => ({
        is: isSet(name) ? `controllerName ${shown(name)} is not a domain with a path` : 'it names no controller',
      }),
      'gateway-class-description-too-long': (text) =>
        typeof text === 'string' ? { length: text.length, limit: AT_MOST.description } : undefined,
    }),
  ),
];

export const GATEWAY_CLASS_RULE_SET = setOf(GATEWAY_CLASS_RULES);

/** An object of the Gateway API with the metadata of its props. */
export function gatewayObject(
  kind: string,
  { name, namespace, annotations, labels }: Pick<ApiObjectMetadata, 'name' | 'namespace' | 'annotations' | 'labels'>,
  spec: Json,
) {
  const metadata = definedOrNothing({ name, namespace, annotations, labels });
  return { apiVersion: GATEWAY_API_VERSION, kind, metadata, spec };
}
