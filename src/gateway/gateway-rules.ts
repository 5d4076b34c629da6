import type { Finding } from '../contract/finding';
import { isMap, isSet, type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { dnsNameFault, labelKeyFault, looseIpFault } from '../contract/kubernetes-syntax';
import { shown } from '../contract/printable';
import type { FieldRule } from '../contract/schema/rules';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { GATEWAY_CLASS_FIELDS, GATEWAY_FIELDS, LISTENER_SET_FIELDS, REFERENCE_GRANT_FIELDS } from './fields.facts';
import { AT_MOST, GATEWAY_GROUP, GATEWAY_KIND, IP_TYPE } from './gateway.facts';
import { LISTENERS_IN_APP } from './gateway-app-rules';
import { rulesWithListeners } from './gateway-listener-rules';
import { gatewayApi, rulesOfFields, setOf } from './gateway-rule';
import { countFinding, nameRule, repeated } from './object-rules';
import { REFERENCE_RULES } from './reference-rules';

const SOURCE = gatewayApi('gateway_types.go');
const CLASS_SOURCE = gatewayApi('gatewayclass_types.go');

function addressFaults({ type = IP_TYPE, value }: Json, at: string): Finding[] {
  const check = type === IP_TYPE ? looseIpFault : type === 'Hostname' ? dnsNameFault : undefined;
  const fault = typeof value === 'string' && value !== '' ? check?.(value) : undefined;
  return fault === undefined ? [] : [{ what: `address ${fault}`, remedy: `write an address of type ${type}`, at }];
}

function addressFindings({ spec }: Json): Finding[] {
  const addresses = mapsIn(spec, 'addresses');
  const named = addresses.filter(({ value }) => value).map(({ type = IP_TYPE, value }) => `${type} ${value}`);
  return [
    ...listIn(spec, 'addresses').flatMap((one, i) =>
      isMap(one) ? addressFaults(one, `/spec/addresses/${i}/value`) : [],
    ),
    ...repeated(named).map((what) => ({
      what: `address ${what} is listed twice`,
      remedy: 'write it once',
      at: '/spec/addresses',
    })),
  ];
}

function infrastructureFindings({ spec }: Json): Finding[] {
  return ['labels', 'annotations'].flatMap((field) =>
    Object.keys(mapIn(mapIn(spec, 'infrastructure'), field))
      .map(labelKeyFault)
      .filter((fault) => fault !== undefined)
      .map((fault) => ({
        what: `infrastructure: ${fault}`,
        remedy: 'correct it',
        at: `/spec/infrastructure/${field}`,
      })),
  );
}

const OWN_FIELD_RULES: readonly FieldRule[] = [
  {
    id: 'gateway-class-name',
    says: 'Gateway without a class',
    source: SOURCE,
    fields: ['gatewayClassName'],
    finding: (name) =>
      name ? undefined : { what: 'the Gateway has no class', remedy: 'set gatewayClass or gatewayClassName' },
  },
  {
    id: 'gateway-address',
    says: 'address of a Gateway is not of its type, or is listed twice',
    source: SOURCE,
    fields: ['addresses'],
    finding: (value, misfit) => countFinding(value, misfit, 'addresses', AT_MOST.addresses),
    beside: addressFindings,
  },
  {
    id: 'gateway-infrastructure',
    says: 'invalid label or annotation of the infrastructure',
    source: SOURCE,
    fields: ['infrastructure.labels', 'infrastructure.annotations'],
    finding: (value, misfit) =>
      countFinding(
        value,
        misfit,
        `${misfit.name} of infrastructure`,
        misfit.name === 'labels' ? AT_MOST.infrastructureLabels : AT_MOST.infrastructureAnnotations,
      ),
    beside: infrastructureFindings,
  },
];

/** What the API server refuses of a Gateway. */
export const GATEWAY_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-name', 'name of a Gateway is missing or invalid'),
  ...rulesWithListeners(GATEWAY_FIELDS, OWN_FIELD_RULES),
];

const JOINED: FieldRule = {
  id: 'listener-set-gateway',
  says: 'a ListenerSet joins something that is not a Gateway',
  source: gatewayApi('listenerset_types.go'),
  fields: ['parentRef', 'parentRef.name'],
  finding: (parent) =>
    parent ? undefined : { what: 'the ListenerSet joins no Gateway', remedy: 'name the Gateway that it joins' },
  beside: ({ spec }) => {
    const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, name = '' } = mapIn(spec, 'parentRef');
    return group === GATEWAY_GROUP && kind === GATEWAY_KIND
      ? []
      : [
          {
            what: `the ListenerSet joins ${kind} '${name}'`,
            remedy: 'name the Gateway that it joins',
            at: '/spec/parentRef',
          },
        ];
  },
};

/** What the API server or every implementation refuses of a ListenerSet. */
export const LISTENER_SET_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('listener-set-name', 'name of a ListenerSet is missing or invalid'),
  ...rulesWithListeners(LISTENER_SET_FIELDS, [JOINED]),
];

/** What the API server refuses of a GatewayClass. */
export const GATEWAY_CLASS_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-class-object-name', 'name of a GatewayClass is missing or invalid'),
  ...rulesOfFields(GATEWAY_CLASS_FIELDS, [
    {
      id: 'gateway-class-controller',
      says: 'controllerName of a GatewayClass is not a domain with a path',
      source: CLASS_SOURCE,
      fields: ['controllerName'],
      finding: (name) => ({
        what: isSet(name) ? `controllerName ${shown(name)} is not a domain with a path` : 'it names no controller',
        remedy: 'write the name that the implementation documents, like acme.example/gateway-controller',
      }),
    },
    {
      id: 'gateway-class-description',
      says: `description of a GatewayClass has more than ${AT_MOST.description} characters`,
      source: CLASS_SOURCE,
      fields: ['description'],
      finding: (text) =>
        typeof text === 'string'
          ? {
              what: `description has ${text.length} characters, more than ${AT_MOST.description}`,
              remedy: 'shorten it',
            }
          : undefined,
    },
  ]),
];

/** What the API server refuses of a ReferenceGrant. */
export const REFERENCE_GRANT_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('reference-grant-name', 'name of a ReferenceGrant is missing or invalid'),
  ...rulesOfFields(REFERENCE_GRANT_FIELDS, [
    {
      id: 'reference-grant-sides',
      says: `from or to of a ReferenceGrant is empty, or has more than ${AT_MOST.grants} kinds`,
      source: gatewayApi('referencegrant_types.go'),
      fields: ['from', 'to'],
      finding: (value, misfit) =>
        countFinding(value, misfit, `kinds in ${misfit.name}`, AT_MOST.grants, {
          what: `the ReferenceGrant has nothing in ${misfit.name}`,
          remedy: 'write at least one kind',
        }),
    },
  ]),
];

/** Rules that validate a Gateway of an app or folder. */
export const GATEWAY_RULE_SET = setOf([...GATEWAY_RULES, ...LISTENERS_IN_APP, ...REFERENCE_RULES]);
/** The same for a ListenerSet. */
export const LISTENER_SET_RULE_SET = setOf([...LISTENER_SET_RULES, ...LISTENERS_IN_APP, ...REFERENCE_RULES]);
/** The same for a GatewayClass. */
export const GATEWAY_CLASS_RULE_SET = setOf(GATEWAY_CLASS_RULES);
/** The same for a ReferenceGrant. */
export const REFERENCE_GRANT_RULE_SET = setOf(REFERENCE_GRANT_RULES);
