import { Annotation, AnnotationCatalogue, type AnnotationFact } from '../../contract/annotation-catalogue';
import {
  address,
  anyCase,
  cidr,
  duration,
  flag,
  integer,
  oneOf,
  onlyWord,
  text,
  words,
} from '../../contract/annotation-codec';
import { escapedPairs, sparseList } from '../../contract/annotation-codecs-lists';
import { nodeLabels } from '../../contract/annotation-codecs-selector';
import { HealthCheckProtocol } from '../../contract/health-check';
import type { Json } from '../../contract/json';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ADDRESS, type Fate } from '../../contract/own-thing';
import { annotationsOf } from '../../rules/service-json';
import { AWS_PREFIX, ELASTIC_IP } from '../aws/annotations';
import {
  AWS_PAIRS,
  capacity,
  forwardAction,
  healthCheckPort,
  idOrName,
  listenerAttributes,
  loadBalancerAttributes,
  natPrefix,
  portOfService,
  startingWith,
  targetGroupAttributes,
} from './codecs';
import { AwsLoadBalancerType, NlbAlpnPolicy, NlbBackendProtocol, NlbIpAddressType, NlbTargetType } from './options';

/** Upstream name of the controller. */
export const AWS_LBC = 'aws-load-balancer-controller';

/** The class that it serves unless its flag says otherwise. */
export const AWS_LBC_CLASS = 'service.k8s.aws/nlb';

/** The finalizer of the Services that it owns. pkg/shared_constants/finalizers.go */
export const AWS_LBC_FINALIZER = 'service.k8s.aws/resources';

/** Where these facts were read. */
export const AWS_LBC_SOURCE: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'pkg/annotations/constants.go',
};

const DESTROYED = 'the two destroy the listeners of each other';
const DUPLICATE = 'AWS refuses the later one (DuplicateLoadBalancerName)';

/**
 * AWS gives back the balancer that has a name, where all its settings are asked for; of no other Service tags are looked at.
 * pkg/deploy/elbv2/load_balancer_synthesizer.go, tags v2.4.0 to v3.5.0
 */
const FATE_OF_NAME: Fate = {
  fate: `before v2.6.0, and with the same security groups, ${DESTROYED}; else ${DUPLICATE}`,
  needs: 'the version of aws-load-balancer-controller',
};

/** From v2.6.0 on each balancer has a security group of its own, unless the Service says otherwise. pkg/service/model_build_load_balancer.go */
function fateOfName(service: Json, reaches: ((since: string) => boolean) | undefined): Fate {
  if (reaches === undefined) {
    return FATE_OF_NAME;
  }
  const annotations = annotationsOf(service);
  const isAlike = ['security-groups', 'disable-nlb-sg'].some((name) => AWS_PREFIX + name in annotations);
  return !reaches('v2.6.0')
    ? { fate: DESTROYED, cutsOff: 'always' }
    : isAlike
      ? {
          fate: `with the same security groups ${DESTROYED}; else ${DUPLICATE}`,
          needs: 'whether the two have the same security groups',
        }
      : { fate: `${DUPLICATE}, which gets no balancer` };
}

/** The prefix of forward actions. */
export const ACTIONS_PREFIX = 'service.beta.kubernetes.io/actions.';

/** A file of the same version. */
export const lbcFile = (file: string): Citation => ({ ...AWS_LBC_SOURCE, file });

/** The files that several facts and rules were read in. */
export const LBC_FILES = {
  loadBalancer: lbcFile('pkg/service/model_build_load_balancer.go'),
  listener: lbcFile('pkg/service/model_build_listener.go'),
  targetGroup: lbcFile('pkg/service/model_build_target_group.go'),
  securityGroup: lbcFile('pkg/service/model_build_managed_sg.go'),
  networking: lbcFile('pkg/networking/utils.go'),
  claims: lbcFile('pkg/service/service_utils.go'),
};

/** The attributes of balancers and target groups, by AWS. */
export const AWS_ATTRIBUTES: Citation = {
  repository: 'AWS Elastic Load Balancing User Guide',
  version: '2026-11-21',
  file: 'network/edit-target-group-attributes.html',
};

/** Seen on a running controller. */
export const SEEN = { confidence: Confidence.SEEN } as const;

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

/** An entry of the catalogue, by its key without the prefix. */
function entry<T>(name: string, fact: Facts<T>): Annotation<T> {
  const common = { badValue: 'refused', source: AWS_LBC_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ key: AWS_PREFIX + name, ...common, ...fact });
}

// what the remarks of obsolete entries name
const SCHEME = 'scheme';
const ATTRIBUTES = 'attributes';
const ACCESS_LOG = 'access-log-enabled';

/** The balancer as a whole. */
export const AWS_BALANCER = {
  type: entry('type', {
    option: 'type',
    codec: oneOf(Object.values(AwsLoadBalancerType)),
    default: 'none: the class claims the Service',
    remark: 'not consulted where the Service has a class; leaves a balancer behind when it is added or edited later',
    badValue: 'accepted',
    source: LBC_FILES.claims,
    ...SEEN,
  }),
  name: entry('name', {
    namesOne: {
      thing: 'Network Load Balancer',
      ...FATE_OF_NAME,
      fateOf: fateOfName,
    },
    option: 'loadBalancerName',
    codec: text({
      says: 'at most 32 letters, digits and dashes, no dash at the ends and no internal- in front',
      matches: /^(?!-|internal-)[A-Za-z0-9-]{1,32}(?<!-)$/,
      example: 'edge',
    }),
    default: 'made from namespace, name and UID of the Service',
    since: 'v2.2.0',
    remark: `read at creation only; of two Services of one name: ${FATE_OF_NAME.fate}`,
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  scheme: entry(SCHEME, {
    option: 'scheme',
    wish: LoadBalancerWish.SCHEME,
    codec: oneOf(Object.values(LoadBalancerScheme)),
    default: 'that of the live balancer, else internal, or the value of the flag --default-load-balancer-scheme',
    since: 'v2.2.0',
    remark: 'a change replaces the balancer, with a new DNS name',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  internal: entry('internal', {
    option: 'loadBalancerInternal',
    wish: LoadBalancerWish.SCHEME,
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: `use ${AWS_PREFIX}${SCHEME} instead, beside which this one is not read`,
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  ipAddressType: entry('ip-address-type', {
    option: 'ipAddressType',
    wish: LoadBalancerWish.IP_FAMILIES,
    codec: oneOf(Object.values(NlbIpAddressType)),
    default: 'ipv4',
    since: 'v2.1.0',
    remark: 'a Service with IPv6 needs dualstack, and dualstack an IPv6 range in every subnet',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  loadBalancerAttributes: entry(ATTRIBUTES, {
    option: 'loadBalancerAttributes',
    codec: loadBalancerAttributes(),
    default: "AWS's",
    since: 'v2.3.0',
    remark:
      'an attribute that is taken out stays as it is; one that AWS does not know leaves a balancer without listeners',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  crossZone: entry('cross-zone-load-balancing-enabled', {
    option: 'crossZoneLoadBalancingEnabled',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: `use load_balancing.cross_zone.enabled in ${AWS_PREFIX}${ATTRIBUTES} instead, over which this one wins`,
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  accessLogEnabled: entry(ACCESS_LOG, {
    option: 'accessLogEnabled',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: `use access_logs.s3.enabled in ${AWS_PREFIX}${ATTRIBUTES} instead, over which true wins here; false counts as not set`,
    source: LBC_FILES.loadBalancer,
  }),
  accessLogBucket: entry('access-log-s3-bucket-name', {
    option: 'accessLogS3BucketName',
    codec: text(),
    default: 'none',
    deprecated: true,
    remark: `use access_logs.s3.bucket in ${AWS_PREFIX}${ATTRIBUTES} instead: this one is read only with ${AWS_PREFIX}${ACCESS_LOG}`,
    source: LBC_FILES.loadBalancer,
  }),
  accessLogPrefix: entry('access-log-s3-bucket-prefix', {
    option: 'accessLogS3BucketPrefix',
    codec: text(),
    default: 'none',
    deprecated: true,
    remark: `use access_logs.s3.prefix in ${AWS_PREFIX}${ATTRIBUTES} instead: this one is read only with ${AWS_PREFIX}${ACCESS_LOG}`,
    source: LBC_FILES.loadBalancer,
  }),
  minimumCapacity: entry('minimum-load-balancer-capacity', {
    option: 'minimumLoadBalancerCapacity',
    codec: capacity(),
    default: 'none reserved',
    since: 'v2.11.0',
    remark: '0 ends a reservation; needs two permissions of its own',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  additionalResourceTags: entry('additional-resource-tags', {
    option: 'additionalResourceTags',
    codec: escapedPairs(AWS_PAIRS),
    default: 'none',
    remark: "the controller's default tags win; a tag of --external-managed-tags is refused",
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
};

/** Subnets, and the addresses in them. */
export const AWS_ADDRESSES = {
  subnets: entry('subnets', {
    option: 'subnets',
    codec: sparseList(idOrName),
    default: 'found by tags and route tables; a live balancer keeps its own',
    remark: 'one each zone; whether they are public or private is not looked at',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  eipAllocations: entry('eip-allocations', {
    namesOne: ELASTIC_IP,
    option: 'eipAllocations',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: sparseList(startingWith('eipalloc-', 'the allocation id of an elastic IP')),
    default: 'assigned',
    remark: 'internet-facing only; one each subnet',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  privateIpv4Addresses: entry('private-ipv4-addresses', {
    namesOne: ADDRESS,
    option: 'privateIpv4Addresses',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: sparseList(address(4)),
    default: 'assigned',
    since: 'v2.2.0',
    remark: 'internal only; one in each subnet',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  ipv6Addresses: entry('ipv6-addresses', {
    namesOne: ADDRESS,
    option: 'ipv6Addresses',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: sparseList(address(6)),
    default: 'assigned',
    since: 'v2.4.4',
    remark: 'dualstack only; one in each subnet',
    source: LBC_FILES.loadBalancer,
  }),
  enablePrefixForIpv6SourceNat: entry('enable-prefix-for-ipv6-source-nat', {
    option: 'enablePrefixForIpv6SourceNat',
    codec: words('on', 'off'),
    default: 'off',
    since: 'v2.10.0',
    remark: 'dualstack only; UDP on dualstack needs it; cannot be switched off under a UDP listener',
    source: LBC_FILES.networking,
  }),
  sourceNatIpv6Prefixes: entry('source-nat-ipv6-prefixes', {
    namesOne: { thing: 'source NAT prefix', fate: 'a prefix belongs to one balancer, and the other one is not made' },
    option: 'sourceNatIpv6Prefixes',
    codec: sparseList(natPrefix),
    default: 'auto_assigned',
    since: 'v2.10.0',
    remark: 'only with enable-prefix-for-ipv6-source-nat; one each subnet, inside it',
    source: LBC_FILES.networking,
  }),
};

/** Listeners: TLS, protocols, and where they forward to. */
export const AWS_LISTENER = {
  sslCert: entry('ssl-cert', {
    option: 'sslCert',
    codec: sparseList(startingWith('arn:', 'the ARN of a certificate')),
    default: 'none: no TLS',
    source: LBC_FILES.listener,
  }),
  sslPorts: entry('ssl-ports', {
    option: 'sslPorts',
    codec: sparseList(portOfService),
    default: 'all TCP ports, where there is a certificate',
    remark: 'a port that the Service lacks is refused, and so is *',
    source: LBC_FILES.listener,
    ...SEEN,
  }),
  sslNegotiationPolicy: entry('ssl-negotiation-policy', {
    option: 'sslNegotiationPolicy',
    codec: text(),
    default: 'ELBSecurityPolicy-2016-08, or the value of the flag --default-ssl-policy',
    source: LBC_FILES.listener,
  }),
  backendProtocol: entry('backend-protocol', {
    option: 'backendProtocol',
    codec: oneOf(Object.values(NlbBackendProtocol)),
    default: 'tcp',
    remark: 'consulted on TLS listeners only; anything but exactly ssl means tcp',
    badValue: 'accepted',
    source: LBC_FILES.listener,
  }),
  alpnPolicy: entry('alpn-policy', {
    option: 'alpnPolicy',
    codec: oneOf(Object.values(NlbAlpnPolicy)),
    default: 'None',
    since: 'v2.1.0',
    remark: 'consulted on TLS listeners only',
    source: LBC_FILES.listener,
    ...SEEN,
  }),
  listenerAttributes: entry('listener-attributes.{protocol}-{port}', {
    option: 'listenerAttributes',
    codec: listenerAttributes(),
    default: "AWS's",
    since: 'v2.9.0',
    remark: 'ignored where protocol and port are those of no listener; an attribute that is taken out stays as it is',
    source: LBC_FILES.listener,
  }),
  enableTcpUdpListener: entry('enable-tcp-udp-listener', {
    option: 'enableTcpUdpListener',
    codec: flag(),
    default: 'false, or the value of the feature gate EnableTCPUDPListener',
    since: 'v2.13.0',
    remark: 'makes one listener of a TCP and a UDP port of one number; an unreadable value counts as absent',
    badValue: 'accepted',
    source: LBC_FILES.listener,
  }),
  quicEnabledPorts: entry('quic-enabled-ports', {
    option: 'quicEnabledPorts',
    codec: sparseList(portOfService),
    default: 'none',
    since: 'v2.15.0',
    remark: 'UDP ports with ip targets only',
    source: LBC_FILES.listener,
  }),
  actions: entry('actions', {
    key: `${ACTIONS_PREFIX}{protocol}-{port}`,
    option: 'actions',
    codec: forwardAction(),
    default: 'all traffic goes to the Service',
    since: 'v2.16.0',
    remark: 'ignored where protocol and port are those of no listener; needs the feature gate WeightedTargetGroups',
    source: lbcFile('pkg/service/config_types.go'),
  }),
};

/** Target groups: which targets there are, and what they see. */
export const AWS_TARGET_GROUP = {
  targetType: entry('nlb-target-type', {
    option: 'targetType',
    codec: oneOf(Object.values(NlbTargetType)),
    default: 'instance, or the value of the flag --default-target-type',
    remark: 'anything but exactly ip means instance; a change replaces the target groups',
    badValue: 'accepted',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  targetNodeLabels: entry('target-node-labels', {
    option: 'targetNodeLabels',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: nodeLabels(),
    default: 'every node',
    since: 'v2.2.0',
    remark: 'ignored silently by ip targets; labels that no node carries leave the balancer without targets',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  proxyProtocol: entry('proxy-protocol', {
    option: 'proxyProtocol',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: onlyWord('*'),
    default: 'none: no proxy protocol, which is written to AWS too',
    remark: 'wins over proxy-protocol-per-target-group and over the attribute',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  proxyProtocolPerTargetGroup: entry('proxy-protocol-per-target-group', {
    option: 'proxyProtocolPerTargetGroup',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: sparseList(integer(1, 65535)),
    default: 'none',
    since: 'v2.13.0',
    remark: 'numbers only; switches it off for the ports that are not listed',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  targetGroupAttributes: entry('target-group-attributes', {
    option: 'targetGroupAttributes',
    codec: targetGroupAttributes(),
    default: 'proxy_protocol_v2.enabled=false, else what AWS defaults to',
    remark: 'an attribute that is taken out stays as it is; preserve_client_ip.enabled cannot be false for UDP',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  targetGroupAttributesPerPort: entry('target-group-attributes.{port}', {
    option: 'targetGroupAttributesPerPort',
    codec: targetGroupAttributes(true),
    default: 'the value in target-group-attributes',
    since: 'v2.14.0',
    remark: 'wins for its port; an empty value counts as not set',
    source: LBC_FILES.targetGroup,
  }),
  multiClusterTargetGroup: entry('multi-cluster-target-group', {
    option: 'multiClusterTargetGroup',
    codec: flag(),
    default: 'false',
    since: 'v2.10.0',
    remark: 'deleting the Service deletes the target groups for all clusters',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
};

/** Health checks of the targets. */
export const AWS_HEALTH_CHECK = {
  healthCheckProtocol: entry('healthcheck-protocol', {
    option: 'healthCheckProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: anyCase(Object.values(HealthCheckProtocol)),
    default: 'tcp; http for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckPort: entry('healthcheck-port', {
    option: 'healthCheckPort',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: healthCheckPort(),
    default: 'traffic-port; spec.healthCheckNodePort for instance targets with externalTrafficPolicy Local',
    remark: 'the name of a port means its node port, or with ip targets its targetPort, which must be a number',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckPath: entry('healthcheck-path', {
    option: 'healthCheckPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text({ says: 'a path that begins with a slash', matches: /^\/\S*$/, example: '/healthz' }),
    default: '/; /healthz for instance targets with externalTrafficPolicy Local',
    remark: 'ignored with tcp',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckInterval: entry('healthcheck-interval', {
    option: 'healthCheckInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: duration('seconds', 5, 300),
    default: '10',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckTimeout: entry('healthcheck-timeout', {
    option: 'healthCheckTimeout',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: duration('seconds', 2, 120),
    default: '10; 6 for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
  }),
  healthCheckHealthyThreshold: entry('healthcheck-healthy-threshold', {
    option: 'healthCheckHealthyThreshold',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(2, 10),
    default: '3; 2 for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
  }),
  healthCheckUnhealthyThreshold: entry('healthcheck-unhealthy-threshold', {
    option: 'healthCheckUnhealthyThreshold',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(2, 10),
    default: '3; 2 for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
  }),
  healthCheckSuccessCodes: entry('healthcheck-success-codes', {
    option: 'healthCheckSuccessCodes',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text({
      says: 'status codes like 200-399 or 200,204',
      matches: /^\d{3}(-\d{3})?(,\d{3}(-\d{3})?)*$/,
      example: '200-399,404',
    }),
    default: '200-399',
    since: 'v2.4.6',
    remark: 'ignored with tcp',
    source: LBC_FILES.targetGroup,
  }),
};

/** Who may connect: source ranges and security groups. */
export const AWS_SECURITY = {
  sourceRanges: entry('load-balancer-source-ranges', {
    key: SOURCE_RANGES_ANNOTATION,
    option: 'loadBalancerSourceRanges',
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: sparseList(cidr()),
    default: 'everywhere, unless there are prefix lists',
    remark: 'not read where spec.loadBalancerSourceRanges is set; ignored with security-groups; IPv6 needs dualstack',
    source: LBC_FILES.securityGroup,
  }),
  securityGroupPrefixLists: entry('security-group-prefix-lists', {
    option: 'securityGroupPrefixLists',
    codec: sparseList(startingWith('pl-', 'the id of a prefix list')),
    default: 'none',
    since: 'v2.8.0',
    remark: 'ignored with security-groups',
    source: LBC_FILES.securityGroup,
  }),
  securityGroups: entry('security-groups', {
    option: 'securityGroups',
    codec: sparseList(idOrName),
    default: 'one that the controller makes',
    since: 'v2.6.0',
    remark: 'an unknown one is refused; nodes and pods are then opened only with manage-backend-security-group-rules',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  manageBackendSecurityGroupRules: entry('manage-backend-security-group-rules', {
    option: 'manageBackendSecurityGroupRules',
    codec: flag(),
    default:
      'with own security groups the value of the flag --enable-manage-backend-security-group-rules (false); else true',
    since: 'v2.4.0',
    source: LBC_FILES.loadBalancer,
  }),
  disableNlbSg: entry('disable-nlb-sg', {
    option: 'disableNlbSg',
    codec: flag(),
    default: 'false',
    since: 'v2.14.0',
    remark: 'decided at creation for ever; opens the node port to the whole VPC',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  inboundSgRulesOnPrivateLinkTraffic: entry('inbound-sg-rules-on-private-link-traffic', {
    option: 'inboundSgRulesOnPrivateLinkTraffic',
    codec: words('on', 'off'),
    default: "AWS's",
    since: 'v2.8.0',
    remark: 'needs a balancer with security groups',
    source: LBC_FILES.loadBalancer,
  }),
  enableIcmpForPathMtuDiscovery: entry('enable-icmp-for-path-mtu-discovery', {
    option: 'enableIcmpForPathMtuDiscovery',
    codec: words('on', 'off'),
    default: 'off',
    since: 'v2.12.0',
    remark: 'anything but exactly on means off',
    badValue: 'accepted',
    source: LBC_FILES.securityGroup,
  }),
};

/** The annotations of the AWS Load Balancer Controller for Services. */
export const AWS = {
  ...AWS_BALANCER,
  ...AWS_ADDRESSES,
  ...AWS_LISTENER,
  ...AWS_TARGET_GROUP,
  ...AWS_HEALTH_CHECK,
  ...AWS_SECURITY,
};

/** All of them. */
export const AWS_LBC_CATALOGUE = new AnnotationCatalogue([AWS_PREFIX, ACTIONS_PREFIX], Object.values(AWS));
