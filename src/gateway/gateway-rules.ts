import type { Finding } from '../contract/finding';
import { type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { dnsNameFault, ipFault, labelKeyFault, labelValueFault } from '../contract/kubernetes-syntax';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { AT_MOST, CONTROLLER_NAME, GATEWAY_GROUP, GATEWAY_KIND, IP_TYPE } from './gateway.facts';
import { LISTENERS_IN_APP } from './gateway-app-rules';
import { GATEWAY_LISTENER_RULES } from './gateway-listener-rules';
import { gatewayApi, setOf } from './gateway-rule';
import { nameRule, repeated, tooMany } from './object-rules';

const SOURCE = gatewayApi('gateway_types.go');
const HOST_TYPE = 'Hostname';

function ofAll(id: string, says: string, judge: (gateway: Json) => readonly Finding[]): Rule<ObjectContext> {
  return { id, severity: 'error', says, source: SOURCE, judge };
}

function addressFaults({ type = IP_TYPE, value }: Json): Finding[] {
  if (typeof value !== 'string' || value === '') {
    return [];
  }
  const fault = type === IP_TYPE ? ipFault(value) : type === HOST_TYPE ? dnsNameFault(value) : undefined;
  return fault === undefined ? [] : [{ what: `address ${fault}`, remedy: `write an address of type ${type}` }];
}

function infrastructureFaults(gateway: Json): Finding[] {
  const infrastructure = mapIn(gateway.spec, 'infrastructure');
  const labels = Object.entries(mapIn(infrastructure, 'labels'));
  const annotations = Object.entries(mapIn(infrastructure, 'annotations'));
  const faults = [
    ...[...labels, ...annotations].map(([key]) => labelKeyFault(key)),
    ...labels.map(([, value]) => labelValueFault(String(value))),
  ].filter((fault) => fault !== undefined);
  return [
    ...tooMany('labels of infrastructure', labels, AT_MOST.infrastructureLabels),
    ...tooMany('annotations of infrastructure', annotations, AT_MOST.infrastructureAnnotations),
    ...faults.map((fault) => ({ what: `infrastructure: ${fault}`, remedy: 'correct it' })),
  ];
}

/** What the API server refuses of a Gateway. */
export const GATEWAY_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-name', 'a Gateway has the name of an object'),
  ofAll('gateway-class-name', 'a Gateway names its class', ({ spec }) =>
    typeof spec?.gatewayClassName === 'string' && spec.gatewayClassName !== ''
      ? []
      : [{ what: 'the Gateway has no class', remedy: 'set gatewayClass or gatewayClassName' }],
  ),
  ...GATEWAY_LISTENER_RULES,
  ofAll('gateway-address', 'addresses of a Gateway are addresses of their type, each once', ({ spec }) => {
    const addresses = mapsIn(spec, 'addresses');
    const named = addresses.filter(({ value }) => value).map(({ type = IP_TYPE, value }) => `${type} ${value}`);
    return [
      ...tooMany('addresses', addresses, AT_MOST.addresses),
      ...addresses.flatMap(addressFaults),
      ...repeated(named).map((what) => ({ what: `address ${what} is listed twice`, remedy: 'write it once' })),
    ];
  }),
  ofAll('gateway-infrastructure', 'labels and annotations of the infrastructure are such', infrastructureFaults),
];

/** What the API server or every implementation refuses of a ListenerSet. */
export const LISTENER_SET_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('listener-set-name', 'a ListenerSet has the name of an object'),
  {
    id: 'listener-set-gateway',
    severity: 'error',
    says: 'a ListenerSet joins a Gateway, and nothing else',
    source: gatewayApi('listenerset_types.go'),
    judge: ({ spec }) => {
      const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, name } = mapIn(spec, 'parentRef');
      return group === GATEWAY_GROUP && kind === GATEWAY_KIND && typeof name === 'string' && name !== ''
        ? []
        : [{ what: `the ListenerSet joins ${kind} '${name ?? ''}'`, remedy: 'name the Gateway that it joins' }];
    },
  },
  ...GATEWAY_LISTENER_RULES,
];

/** What the API server refuses of a GatewayClass. */
export const GATEWAY_CLASS_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('gateway-class-object-name', 'a GatewayClass has the name of an object'),
  {
    id: 'gateway-class-controller',
    severity: 'error',
    says: 'a GatewayClass names its controller by a domain and a path',
    source: gatewayApi('gatewayclass_types.go'),
    judge: ({ spec }) =>
      CONTROLLER_NAME.test(String(spec?.controllerName))
        ? []
        : [
            {
              what: `controllerName '${spec?.controllerName}' is no domain with a path`,
              remedy: 'write the name that the implementation documents, like acme.example/gateway-controller',
            },
          ],
  },
  {
    id: 'gateway-class-description',
    severity: 'error',
    says: `the description of a GatewayClass has at most ${AT_MOST.description} characters`,
    source: gatewayApi('gatewayclass_types.go'),
    judge: ({ spec }) =>
      String(spec?.description ?? '').length > AT_MOST.description
        ? [
            {
              what: `description has ${spec.description.length} characters, more than ${AT_MOST.description}`,
              remedy: 'shorten it',
            },
          ]
        : [],
  },
];

/** What the API server refuses of a ReferenceGrant. */
export const REFERENCE_GRANT_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('reference-grant-name', 'a ReferenceGrant has the name of an object'),
  {
    id: 'reference-grant-sides',
    severity: 'error',
    says: `a ReferenceGrant has 1 to ${AT_MOST.grants} kinds that refer, and as many that are referred to`,
    source: gatewayApi('referencegrant_types.go'),
    judge: ({ spec }) =>
      ['from', 'to'].flatMap((side) => {
        const entries = listIn(spec, side);
        return entries.length === 0
          ? [{ what: `the ReferenceGrant has nothing in ${side}`, remedy: 'write at least one kind' }]
          : tooMany(`kinds in ${side}`, entries, AT_MOST.grants);
      }),
  },
];

/** Rules that validate a Gateway of an app or folder. */
export const GATEWAY_RULE_SET = setOf([...GATEWAY_RULES, ...LISTENERS_IN_APP]);
/** The same for a ListenerSet. */
export const LISTENER_SET_RULE_SET = setOf([...LISTENER_SET_RULES, ...LISTENERS_IN_APP]);
/** The same for a GatewayClass. */
export const GATEWAY_CLASS_RULE_SET = setOf(GATEWAY_CLASS_RULES);
/** The same for a ReferenceGrant. */
export const REFERENCE_GRANT_RULE_SET = setOf(REFERENCE_GRANT_RULES);
