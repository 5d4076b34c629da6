import { editsByKey } from '../../contract/annotation-catalogue';
import {
  advised,
  deleted,
  type Edit,
  type EditCase,
  type EditFact,
  editFrom,
  ignored,
  interrupted,
  kept,
  orphans,
  refused,
  replaced,
  stays,
  unknown,
} from '../../contract/edit';
import {
  absentIs,
  becomes,
  IN_ANY_ORDER,
  ofBarePort,
  ofChange,
  ofClass,
  ofServices,
  onlyMore,
  othersCome,
  takenOut,
  where,
} from '../../contract/edit-cases';
import {
  annotationsLimit,
  entriesOf,
  isLimited,
  LIST_CLIENTS,
  nothingLimits,
  rangesOf,
} from '../../contract/edits-that-open';
import { isMap, isSet, type Json, mapIn, mapsIn } from '../../contract/json';
import type { OwnerSetting } from '../../rules/controller-definition';
import type { FieldEdits } from '../../rules/service-edits.facts';
import { classOf } from '../../rules/service-json';
import { AWS_PREFIX, DELETION_PROTECTION } from '../aws/annotations';
import { AWS, AWS_LBC_SOURCE } from './annotations';
import { hasIpTargets } from './reading';

const IP_ADDRESS_TYPE = `${AWS_PREFIX}ip-address-type`;
const BUILD = 'pkg/service/model_build_load_balancer.go';
const BALANCERS = 'pkg/deploy/elbv2/load_balancer_synthesizer.go';
const BALANCER = 'pkg/deploy/elbv2/load_balancer_manager.go';
const ATTRIBUTES = 'pkg/deploy/elbv2/load_balancer_attributes_reconciler.go';
const LISTENERS = 'pkg/deploy/elbv2/listener_synthesizer.go';
const LISTENER = 'pkg/deploy/elbv2/listener_manager.go';
const GROUPS = 'pkg/deploy/elbv2/target_group_synthesizer.go';
const GROUP = 'pkg/deploy/elbv2/target_group_manager.go';
const SECURITY_GROUP = 'pkg/service/model_build_managed_sg.go';
const BINDING = 'pkg/service/model_build_target_group.go';
const EVENTS = 'controllers/service/eventhandlers/service_events.go';

/** The scheme that annotations ask for, by whichever of the two is read; nothing where the live balancer keeps its own. */
function schemeIn(annotations: Json): unknown {
  const internal: unknown = annotations[`${AWS_PREFIX}internal`];
  const legacy = isSet(internal) ? (INTERNAL.get(String(internal)) ?? `internal: ${internal}`) : undefined;
  return annotations[`${AWS_PREFIX}scheme`] ?? legacy;
}

const INTERNAL = new Map([
  ['true', 'internal'],
  ['false', 'internet-facing'],
]);

const NEW_SCHEME = {
  ...replaced('the balancer is deleted before a new one with another DNS name is made', BALANCERS),
  unless: [
    ofChange(
      'neither annotation is left',
      advised(
        stays('the live balancer keeps its scheme; one that is made anew is internal by default'),
        'leave the annotation in, so that one that is made anew is as reachable',
      ),
      ({ around: { before, after } }) =>
        schemeIn(after) === undefined && (schemeIn(before) ?? 'internal') !== 'internal',
    ),
    ofChange(
      'neither annotation is left, and internal was asked for',
      stays('the live balancer keeps its scheme'),
      ({ around: { after } }) => schemeIn(after) === undefined,
    ),
    ofChange(
      'both ask for the same scheme, absent being internal',
      kept('it is the scheme that the balancer has, unless its own default is another one'),
      ({ around: { before, after } }) => (schemeIn(before) ?? 'internal') === schemeIn(after),
    ),
  ],
};

const ATTRIBUTE = kept('the attribute is set in place; one that is taken out stays as it is', ATTRIBUTES);
const LOGS = kept('the log settings are changed in place', ATTRIBUTES);
/** Addresses are written with subnets alone, and those are compared by their ids. updateSDKLoadBalancerWithSubnetMappings */
const withSubnets = (what: string): EditFact => ({
  ...stays(`the addresses stay until the subnets are changed, and AWS may then refuse ${what}`, BALANCER),
  unless: [
    where(
      'the subnets change with it',
      unknown(`whether AWS takes ${what} together with the other subnets`),
      ({ around: { before, after } }) => before[`${AWS_PREFIX}subnets`] !== after[`${AWS_PREFIX}subnets`],
    ),
  ],
});
const FIXED_ADDRESS = withSubnets('other addresses');
/** SetSubnets takes a removal and an addition in one zone in two calls only. kubernetes-sigs/aws-load-balancer-controller#4171 */
export const OTHER_SUBNETS: EditFact = unknown(
  'AWS refuses a subnet of a zone that the balancer has another subnet in, and later edits wait; in other zones, clients of the addresses that go are cut off',
  BALANCER,
);
const NEW_GROUPS =
  'the target groups of its ports are replaced: targets are registered anew and must pass their health checks';
const CHECK = kept(
  'the health check is changed in place; without the feature gate NLBHealthCheckAdvancedConfig the target groups are replaced',
  GROUPS,
);
const CHECK_IN_PLACE = kept('the health check is changed in place', GROUP);
const TLS = kept('the listener is changed in place', LISTENER);

/** Pods are the targets on both sides: no connection comes through a node port. */
const TO_PODS = ofServices(
  'pods are the targets',
  ignored('no connection of the balancer comes through a node'),
  (service) => hasIpTargets(mapIn(service, 'metadata').annotations ?? {}),
);

const hasGroups = (service: Json) => entriesOf(service, `${AWS_PREFIX}security-groups`).length > 0;

/** Whether the controller's own group keeps clients out: without ranges and prefix lists it admits all of them. */
function limitedByOwnGroup(service: Json): boolean {
  const ranges = rangesOf(service);
  return ranges.length > 0
    ? isLimited(ranges)
    : entriesOf(service, `${AWS_PREFIX}security-group-prefix-lists`).length > 0;
}

const NOT_READ_WITH_GROUPS = ofServices(
  'the Service names groups of its own',
  ignored('with groups of its own it is not read'),
  hasGroups,
);

const RULES = {
  ...interrupted(
    'the rules of the security group are changed in place: clients that are no longer admitted lose access',
    SECURITY_GROUP,
  ),
  unless: [
    NOT_READ_WITH_GROUPS,
    nothingLimits((service) => hasGroups(service) || limitedByOwnGroup(service)),
    IN_ANY_ORDER,
    onlyMore('those that are admitted already stay'),
  ],
};

const hasEntries = (value: unknown) => Array.isArray(value) && value.length > 0;

/** What pods notice: who they think the client is. An attribute that is taken out stays as it is. */
const seenByPods = ['proxyProtocolV2', 'proxyProtocolV2HeaderPlacement', 'preserveClientIp', 'additional'];
const GROUP_ATTRIBUTES = {
  ...interrupted(
    'set in place; pods that do not expect a PROXY header refuse connections once it is on; one that is taken out stays as it is',
    GROUP,
  ),
  unless: [
    where(
      'neither PROXY protocol nor the address of clients changes',
      kept('the attribute is set in place; one that is taken out stays as it is'),
      ({ before, after }) => {
        const [old, now] = [before, after].map((one) => (isMap(one) ? one : {}));
        return seenByPods.every((name) => JSON.stringify(old[name] ?? {}) === JSON.stringify(now[name] ?? {}));
      },
    ),
  ],
};

/** What an edit does to a live balancer. */
export const AWS_LBC_ANNOTATION_EDITS = editsByKey(AWS, {
  type: {
    ...orphans(
      'not consulted with a class; else the owner changes, and a cloud provider leaves its balancer behind',
      'pkg/service/service_utils.go',
    ),
    unless: [
      ofClass(ignored('with a class it does not decide who the owner is')),
      where(
        'it claims the Service before and after',
        interrupted('the Service stays with its owner; where targets are of another type, clients are cut off'),
        ({ before, after }) => isSet(before) && isSet(after),
      ),
      where(
        'it is taken out',
        replaced('the owner deletes its balancer by its finalizer, and the next one makes another'),
        ({ before }) => isSet(before),
      ),
    ],
  },
  name: stays('a live balancer keeps its name; only a new one gets it', BALANCERS),
  scheme: NEW_SCHEME,
  internal: NEW_SCHEME,
  ipAddressType: {
    ...interrupted('changed in place under the same DNS name; back to ipv4, clients of IPv6 are cut off', BALANCER),
    unless: [absentIs('ipv4'), becomes('dualstack', kept('IPv6 is added under the same DNS name'))],
  },
  loadBalancerAttributes: ATTRIBUTE,
  crossZone: ATTRIBUTE,
  accessLogEnabled: LOGS,
  accessLogBucket: LOGS,
  accessLogPrefix: LOGS,
  minimumCapacity: kept('the reservation is changed in place; taking the annotation out leaves it', BALANCERS),
  additionalResourceTags: kept('the tags are changed in place', BALANCER),
  subnets: {
    ...interrupted(
      'the subnets are set in place under the same DNS name; clients of the addresses in subnets that are taken out are cut off',
      BALANCER,
    ),
    unless: [IN_ANY_ORDER, onlyMore('the balancer gets addresses in more subnets'), othersCome(OTHER_SUBNETS)],
  },
  eipAllocations: FIXED_ADDRESS,
  privateIpv4Addresses: FIXED_ADDRESS,
  ipv6Addresses: {
    ...FIXED_ADDRESS,
    unless: [
      where(
        'the balancer becomes dualstack with it',
        kept('the addresses are set with IPv6'),
        ({ around: { before, after } }) =>
          before[IP_ADDRESS_TYPE] !== 'dualstack' && after[IP_ADDRESS_TYPE] === 'dualstack',
      ),
      ...(FIXED_ADDRESS.unless ?? []),
    ],
  },
  enablePrefixForIpv6SourceNat: kept('set in place with the subnets; AWS refuses off under a UDP listener', BALANCER),
  sourceNatIpv6Prefixes: kept('set in place with the subnets', BALANCER),
  sslCert: {
    ...interrupted(
      'another certificate is set in place; the first or the last one turns listeners to TLS or back, which clients must follow',
      LISTENER,
    ),
    unless: [
      where('there is one before and after', kept('the certificates are set in place'), ({ before, after }) => {
        return hasEntries(before) && hasEntries(after);
      }),
    ],
  },
  sslPorts: {
    ...interrupted('the listeners turn to TLS or back in place, which clients must follow', LISTENER),
    unless: [IN_ANY_ORDER],
  },
  sslNegotiationPolicy: TLS,
  backendProtocol: { ...interrupted(NEW_GROUPS, GROUPS), unless: [absentIs('tcp')] },
  alpnPolicy: kept(
    'the listener is changed in place; taking it out changes nothing unless the feature gate EnhancedDefaultBehavior is on',
    LISTENER,
  ),
  listenerAttributes: kept('the attribute is set in place; one that is taken out stays as it is', LISTENER),
  enableTcpUdpListener: { ...interrupted(NEW_GROUPS, GROUPS), unless: [absentIs(false)] },
  quicEnabledPorts: interrupted(NEW_GROUPS, GROUPS),
  actions: interrupted(
    'the listener is pointed to other target groups in place; new ones must pass their health checks first',
    LISTENER,
  ),
  targetType: interrupted(NEW_GROUPS, GROUPS),
  targetNodeLabels: {
    ...interrupted(
      'targets are swapped in place; connections through nodes that no longer match end with the deregistration delay',
      BINDING,
    ),
    unless: [TO_PODS],
  },
  proxyProtocol: interrupted('set in place; pods that do not expect it refuse connections from then on', GROUP),
  proxyProtocolPerTargetGroup: interrupted(
    'set in place; pods that do not expect it refuse connections from then on',
    GROUP,
  ),
  targetGroupAttributes: GROUP_ATTRIBUTES,
  targetGroupAttributesPerPort: GROUP_ATTRIBUTES,
  multiClusterTargetGroup: kept('the target groups stay; which of their targets are managed changes', BINDING),
  healthCheckProtocol: CHECK,
  healthCheckPort: CHECK_IN_PLACE,
  healthCheckPath: CHECK_IN_PLACE,
  healthCheckInterval: CHECK,
  healthCheckTimeout: CHECK,
  healthCheckHealthyThreshold: CHECK_IN_PLACE,
  healthCheckUnhealthyThreshold: CHECK_IN_PLACE,
  healthCheckSuccessCodes: CHECK,
  sourceRanges: RULES,
  securityGroupPrefixLists: RULES,
  securityGroups: {
    ...interrupted(
      'other groups are set in place, and clients that they do not admit lose access; a balancer that was made without any gets none',
      BUILD,
    ),
    unless: [
      IN_ANY_ORDER,
      ofChange(
        "the controller's own group takes their place, and lists no clients",
        advised(
          kept("the controller's own group opens it to all clients; a balancer that was made without groups gets none"),
          LIST_CLIENTS,
        ),
        ({ after, objects }) => !hasEntries(after) && !limitedByOwnGroup(objects.after),
      ),
      takenOut(interrupted("the controller's own group takes their place: clients that it does not list lose access")),
    ],
  },
  manageBackendSecurityGroupRules: interrupted(
    'in place; without the rules for nodes and pods, targets fail unless others have opened them',
    BUILD,
  ),
  disableNlbSg: refused(
    'true is refused on a balancer with groups, and later edits wait behind it; one that was made without never gets any',
    BUILD,
  ),
  inboundSgRulesOnPrivateLinkTraffic: interrupted(
    'set in place; with on, PrivateLink clients that the groups do not admit lose access',
    BALANCER,
  ),
  enableIcmpForPathMtuDiscovery: kept('the rules of the security group are changed in place', SECURITY_GROUP),
});

/** A balancer of IPv4 is to get the second family. */
function asksForIpv6(policy: string, fact: EditFact): EditCase {
  const isOfIpv4 = (service: Json) => {
    return !String(mapIn(mapIn(service, 'metadata'), 'annotations')[IP_ADDRESS_TYPE]).startsWith('dualstack');
  };
  return ofChange(`it becomes ${policy}, and the balancer is of IPv4`, fact, ({ before, after, objects }) => {
    return !String(before).endsWith('DualStack') && after === policy && isOfIpv4(objects.after);
  });
}

/** What an edit of a field does, where it is not what all controllers do. */
export const AWS_LBC_FIELD_EDITS: FieldEdits = {
  'spec.ports[]': {
    ...refused('a port of SCTP is an error, and later edits wait behind it; the balancer stays', LISTENERS),
    unless: [
      ofBarePort(
        refused(
          'instance targets need a node port: it is an error, and later edits wait behind it; the balancer stays',
        ),
        (service) => !hasIpTargets(mapIn(service, 'metadata').annotations ?? {}),
      ),
      ofChange(
        'the number has another protocol already',
        interrupted(
          'the two become one listener with other target groups where TCP_UDP is switched on, and else one of them is lost',
        ),
        ({ around, objects }) =>
          around.after.protocol !== 'SCTP' &&
          mapsIn(mapIn(objects.after, 'spec'), 'ports').filter(({ port }) => port === around.after.port).length > 1,
      ),
      where(
        'it is TCP or UDP',
        kept('a listener is added, with a target group of its own; those of the other ports stay'),
        ({ around: { after } }) => after.protocol !== 'SCTP',
      ),
    ],
  },
  'spec.ports[].appProtocol': ignored('not read', BINDING),
  'spec.sessionAffinityConfig': ignored('not read; kube-proxy alone follows it', BINDING),
  'metadata.finalizers': orphans(
    'a finalizer that is taken out comes back with the next edit or resync only (10 hours); a deletion before leaves the balancer',
    EVENTS,
  ),
  'spec.type': deleted(
    'with a class the balancer is taken down; a Service that is claimed by the type annotation keeps it, without an address in its status',
    'pkg/service/service_utils.go',
  ),
  'spec.ports[].port': interrupted(
    'the listener of the old number is deleted before the new one is made, with a new target group; the DNS name stays',
    LISTENERS,
  ),
  'spec.ports[].nodePort': {
    ...interrupted(
      'instance targets are registered anew under the new node port and must pass their health check',
      BINDING,
    ),
    unless: [TO_PODS],
  },
  'spec.ports[].targetPort': interrupted(
    'ip targets are registered anew under the new port and must pass their health check; instance targets stay',
    BINDING,
  ),
  'spec.ports[].protocol': interrupted(NEW_GROUPS, GROUPS),
  'spec.externalTrafficPolicy': {
    ...interrupted(
      'the health check of instance targets changes in place; nodes without a pod drop connections until they are unhealthy',
      GROUP,
    ),
    unless: [TO_PODS],
  },
  'spec.ipFamilyPolicy': {
    ...interrupted(`with a family more or less ${NEW_GROUPS}`, BINDING),
    unless: [
      asksForIpv6(
        'RequireDualStack',
        refused('the second family is refused without ip-address-type dualstack, and later edits wait behind it'),
      ),
      asksForIpv6(
        'PreferDualStack',
        unknown(
          'in a dual-stack cluster the controller refuses the second family without ip-address-type dualstack; else nothing changes',
        ),
      ),
    ],
  },
  'spec.loadBalancerIP': ignored('not read', BUILD),
  'spec.sessionAffinity': ignored('not read; the stickiness of the target group is an attribute', BINDING),
  'spec.loadBalancerSourceRanges': {
    ...interrupted(
      'the rules of the security group are changed in place: clients that are no longer listed lose access; ignored with own groups',
      SECURITY_GROUP,
    ),
    unless: [NOT_READ_WITH_GROUPS, annotationsLimit(limitedByOwnGroup)],
  },
};

/** An address is of one balancer at a time, and each balancer has a DNS name of its own. */
export const AWS_LBC_SAME_ADDRESS: EditFact = replaced(
  'the other one can be made once the addresses are free, and has another DNS name',
);

/** A Service that is deleted, changes its type or is no longer claimed waits; the attribute is looked up in its annotation alone. */
export const AWS_LBC_PROTECTED: Edit = editFrom(
  advised(
    refused(
      `${DELETION_PROTECTION} is true in the load balancer attributes, and the controller does not delete the balancer`,
      'pkg/service/model_builder.go',
    ),
    `set ${DELETION_PROTECTION} to false and apply that first`,
  ),
  AWS_LBC_SOURCE,
);

/** The settings of its installation that decide which Network Load Balancers of Services it finds and serves. v3.5.0 */
export const AWS_LBC_OWNER_SETTINGS: readonly OwnerSetting[] = [
  {
    flag: 'cluster-name',
    chartValue: 'clusterName',
    edit: orphans(
      'it finds its balancers by the name of the cluster: those that are live stay behind in the cloud, and others with other addresses are made',
      'pkg/deploy/tracking/provider.go',
    ),
  },
  {
    flag: 'load-balancer-class',
    chartValue: 'loadBalancerClass',
    default: 'service.k8s.aws/nlb',
    edit: {
      ...deleted(
        'it serves the class of the Service no more: as it starts it takes the balancers down whose Services have its finalizer, and leaves the others behind',
        'pkg/service/service_utils.go',
      ),
      unless: [
        ofServices(
          'the Service is claimed by its annotations',
          kept('the class is not looked at'),
          (service) => classOf(service) === undefined,
        ),
      ],
    },
  },
];
