// What the controller does when an object of its own kinds changes. kubernetes-sigs/aws-load-balancer-controller v3.5.0:
// webhooks/elbv2, controllers/elbv2, pkg/targetgroupbinding, pkg/gateway/model and pkg/deploy/elbv2

import {
  advised,
  type EditFact,
  ignored,
  interrupted,
  kept,
  refused,
  replaced,
  stays,
  unknown,
} from '../../contract/edit';
import { absentIs, IN_ANY_ORDER, onlyMore, othersCome, putIn, where } from '../../contract/edit-cases';
import { isMap, isSet, type Json, mapIn } from '../../contract/json';
import type { ObjectEdits } from '../../contract/object-edits';
import { sameValue } from '../../contract/same-value';
import type { EditedKind } from '../../rules/edits-of-values';
import {
  BINDING_VALIDATOR,
  LOAD_BALANCER_CONFIGURATION_FIELDS,
  TARGET_GROUP_BINDING_FIELDS,
  TARGET_GROUP_BINDING_KIND,
  TARGET_GROUP_CONFIGURATION_FIELDS,
} from './kinds.facts';
import { OTHER_SUBNETS } from './predicates';
import { TARGET_GROUP_BINDING_RULE_SET } from './rules.target-group-binding';

const BINDINGS = 'pkg/targetgroupbinding/resource_manager.go';
const BUILD = 'pkg/gateway/model/base_model_builder.go';
const BALANCER_SPEC = 'pkg/gateway/model/model_build_loadbalancer.go';
const SECURITY_GROUPS = 'pkg/gateway/model/model_build_security_group.go';
const CONFIG_MERGER = 'pkg/gateway/lb_config_merger.go';
const BALANCERS = 'pkg/deploy/elbv2/load_balancer_synthesizer.go';
const BALANCER = 'pkg/deploy/elbv2/load_balancer_manager.go';
const ATTRIBUTES = 'pkg/deploy/elbv2/load_balancer_attributes_reconciler.go';
const LISTENER = 'pkg/deploy/elbv2/listener_manager.go';
const GROUPS = 'pkg/deploy/elbv2/target_group_synthesizer.go';
const GROUP = 'pkg/deploy/elbv2/target_group_manager.go';
const RESOLVER = 'controllers/gateway/config_resolver.go';

const IMMUTABLE = refused('the webhook does not let it change');

/** The webhook fills it in when the binding is created, by what the target group has. */
const FILLED_IN: EditFact = {
  ...IMMUTABLE,
  unless: [putIn(unknown('refused, unless it is what the webhook has filled in'))],
};

const ofBinding = (name: string, value: unknown) => (object: Json) => mapIn(object, 'spec')[name] === value;
const hasIpTargets = ofBinding('targetType', 'ip');
const hasInstanceTargets = ofBinding('targetType', 'instance');

const ARN_DECIDES = where('targetGroupARN is written too', stays('targetGroupARN decides'), ({ objects }) => {
  return [objects.before, objects.after].every((one) => isSet(mapIn(one, 'spec').targetGroupARN));
});

/** Who replaces the whole object takes off what the webhook has filled in. */
const WITHOUT_ARN = 'kubectl replace without targetGroupARN is refused';
const ROLE = (what: string): EditFact => ({
  ...interrupted(what, BINDINGS),
  unless: [
    where(
      'instances are the targets',
      refused('the webhook refuses a role with instance targets'),
      ({ after, objects }) => {
        return isSet(after) && hasInstanceTargets(objects.after);
      },
    ),
  ],
});
const METADATA = { 'metadata.labels{}': kept('not read'), 'metadata.annotations{}': kept('not read') } as const;

/** The balancer is made elsewhere: what changes is which targets it has. */
export const TARGET_GROUP_BINDING_EDITS: ObjectEdits = {
  '': {
    ...interrupted('its targets are taken off the target group: nobody answers there; the balancer stays', BINDINGS),
    unless: [putIn(kept('targets are registered'))],
  },
  'metadata.name': interrupted(
    'the old one takes its targets off when it is deleted, whoever has put them there; the balancer stays',
    BINDINGS,
  ),
  'metadata.namespace': interrupted(
    'the old one takes its targets off when it is deleted, whoever has put them there; the balancer stays',
    BINDINGS,
  ),
  'metadata.finalizers': interrupted('without its finalizer a deletion leaves targets in the target group', BINDINGS),
  ...METADATA,
  'spec.targetGroupARN': IMMUTABLE,
  'spec.targetGroupName': {
    ...advised(
      stays(`the name is resolved at creation only: targets stay in the first target group; ${WITHOUT_ARN}`),
      'delete the binding and create it with the other name, or add another binding for the other target group',
    ),
    unless: [ARN_DECIDES],
    byReplace: {
      ...refused('the webhook does not let targetGroupARN go, which the first name was resolved to'),
      unless: [ARN_DECIDES],
    },
  },
  'spec.targetType': FILLED_IN,
  'spec.ipAddressType': FILLED_IN,
  'spec.vpcID': FILLED_IN,
  'spec.targetGroupProtocol': {
    ...unknown(
      'the webhook holds it against the target group at creation only; what follows from another one was not read',
      BINDINGS,
    ),
    unless: [
      where('it is about no QUIC', kept('only QUIC is looked at'), ({ before, after }) => {
        return ![before, after].some((protocol) => String(protocol).includes('QUIC'));
      }),
    ],
  },
  'spec.serviceRef.*': interrupted('the targets are swapped: new ones must pass their health checks first', BINDINGS),
  'spec.nodeSelector.*': {
    ...interrupted('nodes that no longer match are taken off: their connections end', BINDINGS),
    unless: [
      where('pods are the targets', refused('the webhook refuses nodeSelector with ip targets'), ({ objects }) => {
        return isSet(mapIn(objects.after, 'spec').nodeSelector) && hasIpTargets(objects.after);
      }),
    ],
  },
  'spec.networking.*': interrupted(
    'rules of security groups change in place: targets that they no longer open fail their health checks',
    BINDINGS,
  ),
  'spec.multiClusterTargetGroup': interrupted(
    'off, targets of other clusters are taken for its own to deregister; on, only what it has registered counts',
    BINDINGS,
  ),
  'spec.iamRoleArnToAssume': ROLE('with a role that may not, targets are no longer kept up to date'),
  'spec.assumeRoleExternalId': interrupted(
    'with one that does not fit, targets are no longer kept up to date',
    BINDINGS,
  ),
};

const ADDRESSES: EditFact = {
  ...interrupted(
    'the subnets are set in place under the same DNS name; clients of addresses in subnets that are taken out are cut off',
    BALANCER,
  ),
  unless: [
    IN_ANY_ORDER,
    where(
      'the subnets stay, and only their addresses change',
      stays('the addresses stay until the subnets are changed, and AWS may then refuse others'),
      ({ before, after }) =>
        Array.isArray(before) && Array.isArray(after) && sameValue(subnetsIn(before), subnetsIn(after)),
    ),
    onlyMore('the balancer gets addresses in more subnets'),
    othersCome(OTHER_SUBNETS),
  ],
};

/** What the controller compares of subnets. */
function subnetsIn(mappings: readonly unknown[]): readonly string[] {
  return mappings
    .map((one) => (isMap(one) ? one : {}))
    .map(({ identifier, sourceNatIPv6Prefix = '' }) => `${identifier} ${sourceNatIPv6Prefix}`)
    .sort();
}

const RULES = {
  ...interrupted(
    'the rules of the security group change in place: clients that are no longer admitted lose access',
    SECURITY_GROUPS,
  ),
  unless: [IN_ANY_ORDER, onlyMore('those that are admitted already stay')],
};
const OF_ALB = ignored('read for Application Load Balancers alone', BALANCER_SPEC);

/** The settings of the balancers of Gateways. */
export const LOAD_BALANCER_CONFIGURATIOUTCOMESS: ObjectEdits = {
  '': {
    ...refused('it has a finalizer while a Gateway or class names it: a deletion waits for them', RESOLVER),
    unless: [putIn(kept('nothing happens before a Gateway or class names it'))],
  },
  'metadata.name': unknown(
    'what becomes of balancers whose Gateway names one that is not there was not read',
    RESOLVER,
  ),
  'metadata.namespace': unknown(
    'what becomes of balancers whose Gateway names one that is not there was not read',
    RESOLVER,
  ),
  ...METADATA,
  'spec.scheme': {
    ...replaced(
      'the balancer is deleted before a new one with another DNS name is made; absent is the default of a flag',
      BALANCERS,
    ),
    unless: [absentIs('internal')],
  },
  'spec.loadBalancerName': stays('a live balancer keeps its name; only a new one gets it', BALANCERS),
  'spec.mergingMode': {
    ...replaced(
      'fields that class and Gateway both have change sides: another scheme replaces the balancer',
      CONFIG_MERGER,
    ),
    unless: [absentIs('prefer-gateway-class')],
  },
  'spec.ipAddressType': interrupted(
    'changed in place under the same DNS name; back to ipv4, clients of IPv6 are cut off',
    BALANCER,
  ),
  'spec.enforceSecurityGroupInboundRulesOnPrivateLinkTraffic': interrupted(
    'set in place; with on, PrivateLink clients that the groups do not admit lose access',
    BALANCER,
  ),
  'spec.customerOwnedIpv4Pool': OF_ALB,
  'spec.ipv4IPAMPoolId': OF_ALB,
  'spec.loadBalancerSubnets': ADDRESSES,
  'spec.loadBalancerSubnetsSelector.*': { ...OTHER_SUBNETS, unless: [IN_ANY_ORDER] },
  'spec.listenerConfigurations[protocolPort]': interrupted(
    'the listener is changed in place: what it said holds no more',
    LISTENER,
  ),
  'spec.listenerConfigurations[protocolPort].*': interrupted(
    'the listener is changed in place; clients that do not accept certificate, policy or protocol are refused',
    LISTENER,
  ),
  'spec.listenerConfigurations[protocolPort].listenerAttributes': {
    ...kept('the attribute is set in place; one that is taken out stays as it is', LISTENER),
  },
  'spec.disableSecurityGroup': unknown(
    'whether groups of a live balancer can be taken off is up to AWS',
    SECURITY_GROUPS,
  ),
  'spec.securityGroups': {
    ...interrupted('other groups are set in place, and clients that they do not admit lose access', SECURITY_GROUPS),
    unless: [IN_ANY_ORDER],
  },
  'spec.securityGroupPrefixes': RULES,
  'spec.sourceRanges': RULES,
  'spec.enableICMP': kept('the rules of the security group change in place', SECURITY_GROUPS),
  'spec.manageBackendSecurityGroupRules': interrupted(
    'in place; without the rules for nodes and pods, targets fail unless others have opened them',
    SECURITY_GROUPS,
  ),
  'spec.loadBalancerAttributes': kept(
    'the attribute is set in place; one that is taken out stays as it is',
    ATTRIBUTES,
  ),
  'spec.tags{}': kept('the tags are changed in place', BALANCER),
  'spec.minimumLoadBalancerCapacity.*': kept('the reservation is changed in place', BALANCERS),
  'spec.wafV2.*': interrupted('of an Application Load Balancer: clients that the other ACL blocks are refused', BUILD),
  'spec.shieldConfiguration.*': kept('the protection is added or taken off', BUILD),
  'spec.defaultTargetGroupConfiguration.*': interrupted(
    'target groups are changed in place or replaced: targets must pass their health checks again',
    RESOLVER,
  ),
};

const NEW_GROUPS = interrupted(
  'the target groups are replaced: targets are registered anew and must pass their health checks',
  GROUPS,
);
const CHECK = kept('the health check is changed in place', GROUP);
const CHECK_OR_GROUPS = interrupted(
  'of Network Load Balancers the target groups are replaced without the feature gate NLBHealthCheckAdvancedConfig; else in place',
  GROUPS,
);

/** By the path below the settings of one target group. */
const TARGET_GROUP: ObjectEdits = {
  '.targetGroupName': NEW_GROUPS,
  '.ipAddressType': NEW_GROUPS,
  '.protocol': NEW_GROUPS,
  '.protocolVersion': NEW_GROUPS,
  '.targetType': NEW_GROUPS,
  '.targetControlPort': NEW_GROUPS,
  '.healthCheckConfig.healthCheckInterval': CHECK_OR_GROUPS,
  '.healthCheckConfig.healthCheckTimeout': CHECK_OR_GROUPS,
  '.healthCheckConfig.healthCheckProtocol': CHECK_OR_GROUPS,
  '.healthCheckConfig.matcher.*': CHECK_OR_GROUPS,
  '.healthCheckConfig.healthCheckPath': CHECK,
  '.healthCheckConfig.healthCheckPort': CHECK,
  '.healthCheckConfig.healthyThresholdCount': CHECK,
  '.healthCheckConfig.unhealthyThresholdCount': CHECK,
  '.nodeSelector.*': interrupted('nodes that no longer match are taken off: their connections end', BINDINGS),
  '.targetGroupAttributes': interrupted(
    'set in place; pods that do not expect a PROXY header refuse connections once it is on; one that is taken out stays as it is',
    'pkg/deploy/elbv2/target_group_attributes_reconciler.go',
  ),
  '.enableMultiCluster': kept('the target groups stay; which of their targets are managed changes', BINDINGS),
  '.tags{}': kept('the tags are changed in place', GROUP),
};

const below = (parent: string): ObjectEdits =>
  Object.fromEntries(Object.entries(TARGET_GROUP).map(([path, row]) => [`${parent}${path}`, row]));

/** The settings of the target groups of a Service, or of all that a LoadBalancerConfiguration names it for. */
export const TARGET_GROUP_CONFIGURATIOUTCOMESS: ObjectEdits = {
  '': {
    ...NEW_GROUPS,
    what: 'the defaults hold instead: target groups are changed in place or replaced, and targets checked anew',
  },
  'metadata.name': kept('it is found by the Service that it names; another one for the same Service competes with it'),
  'metadata.namespace': interrupted('it no longer holds for Services of the old namespace: the defaults hold', GROUPS),
  ...METADATA,
  'spec.targetReference.*': interrupted(
    'it holds for another Service: target groups of both are changed or replaced',
    GROUPS,
  ),
  ...below('spec.defaultConfiguration'),
  'spec.routeConfigurations': interrupted(
    'target groups of routes are changed in place or replaced, and targets checked anew',
    GROUPS,
  ),
};

const source = BINDING_VALIDATOR;
const GATEWAY = 'gateway.k8s.aws';

/** Its own kinds, for `objectEdits`. */
export const AWS_LBC_EDITED_KINDS: readonly EditedKind[] = [
  {
    kind: TARGET_GROUP_BINDING_KIND,
    group: 'elbv2.k8s.aws',
    isBinding: true,
    fields: TARGET_GROUP_BINDING_FIELDS.v1beta1.spec.fields,
    edits: TARGET_GROUP_BINDING_EDITS,
    rules: TARGET_GROUP_BINDING_RULE_SET,
    source,
  },
  {
    kind: 'LoadBalancerConfiguration',
    group: GATEWAY,
    fields: LOAD_BALANCER_CONFIGURATION_FIELDS.spec.fields,
    edits: LOAD_BALANCER_CONFIGURATIOUTCOMESS,
    source: { ...source, file: BUILD },
  },
  {
    kind: 'TargetGroupConfiguration',
    group: GATEWAY,
    fields: TARGET_GROUP_CONFIGURATION_FIELDS.spec.fields,
    edits: TARGET_GROUP_CONFIGURATIOUTCOMESS,
    source: { ...source, file: 'pkg/gateway/tg_config_constructor.go' },
  },
];
