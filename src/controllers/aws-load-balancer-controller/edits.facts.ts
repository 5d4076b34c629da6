import { deleted, type EditsOf, ignored, interrupted, kept, orphans, refused, replaced } from '../../contract/edit';
import type { FieldEdits } from '../../rules/service-edits.facts';
import type { AWS } from './annotations';

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

const NEW_SCHEME = replaced('the balancer is deleted before a new one with another DNS name is made', BALANCERS);
const ATTRIBUTE = kept('the attribute is set in place; one that is taken out stays as it is', ATTRIBUTES);
const LOGS = kept('the log settings are changed in place', ATTRIBUTES);
const FIXED_ADDRESS = ignored(
  'written with the next change of the subnets only, and AWS may then refuse it: until then the addresses stay',
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
const RULES = interrupted(
  'the rules of the security group are changed in place: clients that are no longer admitted lose access',
  SECURITY_GROUP,
);

/** What an edit does to a live balancer. */
export const AWS_LBC_EDITS: EditsOf<typeof AWS> = {
  type: orphans(
    'not consulted with a class; else the owner changes, and a cloud provider before v1.36 leaves its balancer behind',
    'pkg/service/service_utils.go',
  ),
  name: ignored('a live balancer keeps its name; only a new one gets it', BALANCERS),
  scheme: NEW_SCHEME,
  internal: NEW_SCHEME,
  ipAddressType: interrupted(
    'changed in place under the same DNS name; back to ipv4, clients of IPv6 are cut off',
    BALANCER,
  ),
  loadBalancerAttributes: ATTRIBUTE,
  crossZone: ATTRIBUTE,
  accessLogEnabled: LOGS,
  accessLogBucket: LOGS,
  accessLogPrefix: LOGS,
  minimumCapacity: kept('the reservation is changed in place; taking the annotation out leaves it', BALANCERS),
  additionalResourceTags: kept('the tags are changed in place', BALANCER),
  subnets: interrupted(
    'the subnets are set in place under the same DNS name; clients of the addresses in subnets that are taken out are cut off',
    BALANCER,
  ),
  eipAllocations: FIXED_ADDRESS,
  privateIpv4Addresses: FIXED_ADDRESS,
  ipv6Addresses: ignored(
    'written with the change to dualstack or with the next change of the subnets only: until then the addresses stay',
    BALANCER,
  ),
  enablePrefixForIpv6SourceNat: kept('set in place with the subnets; AWS refuses off under a UDP listener', BALANCER),
  sourceNatIpv6Prefixes: kept('set in place with the subnets', BALANCER),
  sslCert: interrupted(
    'another certificate is set in place; the first or the last one turns listeners to TLS or back, which clients must follow',
    LISTENER,
  ),
  sslPorts: interrupted('the listeners turn to TLS or back in place, which clients must follow', LISTENER),
  sslNegotiationPolicy: TLS,
  backendProtocol: interrupted(NEW_GROUPS, GROUPS),
  alpnPolicy: kept(
    'the listener is changed in place; taking it out changes nothing unless the feature gate EnhancedDefaultBehavior is on',
    LISTENER,
  ),
  listenerAttributes: kept('the attribute is set in place; one that is taken out stays as it is', LISTENER),
  enableTcpUdpListener: interrupted(NEW_GROUPS, GROUPS),
  quicEnabledPorts: interrupted(NEW_GROUPS, GROUPS),
  actions: interrupted(
    'the listener is pointed to other target groups in place; new ones must pass their health checks first',
    LISTENER,
  ),
  targetType: interrupted(NEW_GROUPS, GROUPS),
  targetNodeLabels: interrupted(
    'targets are swapped in place; connections through nodes that no longer match end with the deregistration delay',
    BINDING,
  ),
  proxyProtocol: interrupted('set in place; pods that do not expect it refuse connections from then on', GROUP),
  proxyProtocolPerTargetGroup: interrupted(
    'set in place; pods that do not expect it refuse connections from then on',
    GROUP,
  ),
  targetGroupAttributes: interrupted(
    'set in place; pods that do not expect a PROXY header refuse connections once it is on; one that is taken out stays as it is',
    GROUP,
  ),
  targetGroupAttributesPerPort: interrupted(
    'set in place; pods that do not expect a PROXY header refuse connections once it is on; one that is taken out stays as it is',
    GROUP,
  ),
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
  securityGroups: interrupted(
    'other groups are set in place, and clients that they do not admit lose access; a balancer that was made without any gets none',
    BUILD,
  ),
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
};

/** What an edit of a field does, where it is not what all controllers do. */
export const AWS_LBC_FIELD_EDITS: FieldEdits = {
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
  'spec.ports[].nodePort': interrupted(
    'instance targets are registered anew under the new node port and must pass their health check; ip targets stay',
    BINDING,
  ),
  'spec.ports[].targetPort': interrupted(
    'ip targets are registered anew under the new port and must pass their health check; instance targets stay',
    BINDING,
  ),
  'spec.ports[].protocol': interrupted(NEW_GROUPS, GROUPS),
  'spec.externalTrafficPolicy': interrupted(
    'the health check of instance targets changes in place; nodes without a pod drop connections until they are unhealthy; ip targets stay',
    GROUP,
  ),
  'spec.loadBalancerIP': ignored('not read', BUILD),
  'spec.sessionAffinity': ignored('not read; the stickiness of the target group is an attribute', BINDING),
  'spec.loadBalancerSourceRanges': interrupted(
    'the rules of the security group are changed in place: clients that are no longer listed lose access; ignored with own groups',
    SECURITY_GROUP,
  ),
};
