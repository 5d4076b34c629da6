import {
  Annotation,
  AnnotationCatalogue,
  type AnnotationFact,
  type AnyAnnotation,
} from '../../contract/annotation-catalogue';
import { address, cidr, duration, flag, integer, list, oneOf, onlyWord, text } from '../../contract/annotation-codec';
import { plainPairs } from '../../contract/annotation-codecs-lists';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ADDRESS } from '../../contract/own-thing';
import { AWS_PREFIX, ELASTIC_IP, TRAFFIC_PORT } from '../aws/annotations';
import { emitInterval, healthCheckProtocol, ids, internal, targetGroupAttributes } from './codecs';
import { AwsBackendProtocol } from './options';

/** Upstream name of the controller. */
export const AWS_CLOUD_CONTROLLER = 'cloud-provider-aws';

/** Where these facts were read. */
export const AWS_CLOUD_SOURCE: Citation = {
  repository: 'kubernetes/cloud-provider-aws',
  version: 'v1.36.1',
  file: 'pkg/providers/v1/aws.go',
};

/**
 * The minor version that first let a Network Load Balancer have security groups of the user's, where NLBSecurityGroupMode is
 * Managed. 1.35 and 1.36 refuse them, and older ones make the balancer without any.
 * pkg/providers/v1/aws.go and aws_validations.go, tags v1.34.3, v1.35.0 and v1.36.1, and module k8s.io/cloud-provider-aws v1.37.0
 */
export const NLB_SECURITY_GROUPS_SINCE = '1.37';

/** The minor version that first refused them, and further groups; before, they were not read. */
export const NLB_SECURITY_GROUPS_REFUSED_SINCE = '1.35';

/** The minor version that first read attributes of target groups, and refused them for a Classic Load Balancer. */
export const TARGET_GROUP_ATTRIBUTES_SINCE = '1.34';

/** The values of the type annotation by which a Service is left to the AWS Load Balancer Controller. */
export const IMPLEMENTED_ELSEWHERE: readonly string[] = ['external', 'nlb-ip'];

/** The value of the type annotation that makes a Network Load Balancer. */
export const NLB_TYPE = 'nlb';

/** A file of the same version. */
const file = (name: string): Citation => ({ ...AWS_CLOUD_SOURCE, file: name });

/** The files that several facts and rules were read in, beside the source. */
export const AWS_CLOUD_FILES = {
  validations: file('pkg/providers/v1/aws_validations.go'),
  loadBalancer: file('pkg/providers/v1/aws_loadbalancer.go'),
};

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

/** An entry of the catalogue, by its key without the prefix. */
export function awsCloudEntry<T>(name: string, fact: Facts<T>): Annotation<T> {
  const common = { badValue: 'refused', source: AWS_CLOUD_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ key: AWS_PREFIX + name, ...common, ...fact });
}

/** What a change of the health check costs. */
const NEW_GROUP = 'a change makes new target groups of a Network Load Balancer';

/** What a change of the type does to a live balancer; a deletion looks only for the kind that the type then says. */
const OTHER_TYPE = `where a balancer lives the other kind is refused from v1.36 (earlier it left the old balancer behind), ${IMPLEMENTED_ELSEWHERE.join(' and ')} never are; a Service that is deleted with any of them in it loses its finalizer, and its balancer stays as an orphan: put the old type back first`;

/** Which subnet gets which fixed address. */
const ORDER_OF_SUBNETS =
  'one for each subnet, given out in the order in which AWS lists those of the subnets annotation, ids before names, and without it by the names of their zones';

/** The annotations of the AWS cloud provider. */
export const AWS_CLOUD = {
  type: awsCloudEntry('type', {
    codec: text(),
    default: 'a Classic Load Balancer',
    remark: `anything but '${NLB_TYPE}' makes a Classic Load Balancer, but ${IMPLEMENTED_ELSEWHERE.join(' and ')}, which leave the Service to the AWS Load Balancer Controller; ${OTHER_TYPE}`,
    badValue: 'accepted',
  }),
  internal: awsCloudEntry('internal', {
    option: 'loadBalancerInternal',
    wish: LoadBalancerWish.SCHEME,
    codec: internal(),
    default: 'the balancer is public',
    remark:
      "every text but 'false' and the empty one means internal; a Network Load Balancer keeps the scheme it was made with",
    badValue: 'accepted',
  }),
  proxyProtocol: awsCloudEntry('proxy-protocol', {
    option: 'proxyProtocol',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: onlyWord('*'),
    default: 'off',
    remark: 'Classic only; version 1 of the protocol',
  }),
  accessLogEnabled: awsCloudEntry('access-log-enabled', {
    option: 'accessLogEnabled',
    codec: flag(),
    default: 'false',
  }),
  accessLogEmitInterval: awsCloudEntry('access-log-emit-interval', {
    option: 'accessLogEmitInterval',
    codec: emitInterval(),
    default: "AWS's",
    remark: 'Classic only; minutes',
  }),
  accessLogS3BucketName: awsCloudEntry('access-log-s3-bucket-name', {
    option: 'accessLogS3BucketName',
    codec: text(),
    default: 'none',
  }),
  accessLogS3BucketPrefix: awsCloudEntry('access-log-s3-bucket-prefix', {
    option: 'accessLogS3BucketPrefix',
    codec: text(),
    default: 'the root of the bucket',
  }),
  connectionDrainingEnabled: awsCloudEntry('connection-draining-enabled', {
    option: 'connectionDrainingEnabled',
    codec: flag(),
    default: 'false',
    remark: 'Classic only',
  }),
  connectionDrainingTimeout: awsCloudEntry('connection-draining-timeout', {
    option: 'connectionDrainingTimeout',
    codec: duration('seconds', 1, 3600),
    default: '300',
    remark: 'Classic only',
  }),
  connectionIdleTimeout: awsCloudEntry('connection-idle-timeout', {
    option: 'connectionIdleTimeout',
    codec: duration('seconds', 1, 4000),
    default: '60',
    remark: 'Classic only',
  }),
  crossZoneLoadBalancingEnabled: awsCloudEntry('cross-zone-load-balancing-enabled', {
    option: 'crossZoneLoadBalancingEnabled',
    codec: flag(),
    default: 'false',
  }),
  extraSecurityGroups: awsCloudEntry('extra-security-groups', {
    option: 'extraSecurityGroups',
    codec: ids('sg', 'a security group'),
    default: 'none',
    remark: `Classic only; refused for a Network Load Balancer from ${NLB_SECURITY_GROUPS_REFUSED_SINCE} on`,
  }),
  securityGroups: awsCloudEntry('security-groups', {
    option: 'securityGroups',
    codec: ids('sg', 'a security group'),
    default: 'one that the controller makes',
    remark:
      'for a Network Load Balancer from 1.37 on, where NLBSecurityGroupMode is Managed and the balancer was made with groups: elsewhere it is ignored, in 1.35 and 1.36 refused; the rules of these groups are yours; without it, where AWS refuses to create a Classic one, the k8s-elb-* group that the controller made stays behind',
  }),
  sslCert: awsCloudEntry('ssl-cert', {
    option: 'sslCert',
    codec: text({
      says: 'the ARN of one certificate',
      matches: /^arn:[^,\s]+$/,
      example: 'arn:aws:acm:eu-west-1:123456789012:certificate/a',
    }),
    default: 'no TLS',
  }),
  sslPorts: awsCloudEntry('ssl-ports', {
    option: 'sslPorts',
    codec: list(text({ says: "a port by number or name, or '*'", matches: /^(\*|[A-Za-z0-9-]+)$/, example: '443' })),
    default: '*',
    remark: 'a port that the Service does not have is ignored',
    badValue: 'accepted',
  }),
  sslNegotiationPolicy: awsCloudEntry('ssl-negotiation-policy', {
    option: 'sslNegotiationPolicy',
    codec: text(),
    default: 'ELBSecurityPolicy-2016-08',
  }),
  backendProtocol: awsCloudEntry('backend-protocol', {
    option: 'backendProtocol',
    codec: oneOf(Object.values(AwsBackendProtocol)),
    default: 'tcp',
    remark: 'a Network Load Balancer looks for ssl only',
  }),
  additionalResourceTags: awsCloudEntry('additional-resource-tags', {
    option: 'additionalResourceTags',
    codec: plainPairs('key=value, several separated by commas'),
    default: 'none',
    remark:
      'a Network Load Balancer gets them at its creation only; to a Classic one they are added later too, and never taken away',
    source: AWS_CLOUD_FILES.loadBalancer,
    badValue: 'accepted',
  }),
  healthCheckProtocol: awsCloudEntry('healthcheck-protocol', {
    option: 'healthCheckProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: healthCheckProtocol(),
    default: 'TCP; HTTP with traffic policy Local',
    remark: `SSL is for Classic Load Balancers only, which get the text as it is; ${NEW_GROUP}`,
    source: AWS_CLOUD_FILES.loadBalancer,
  }),
  healthCheckPort: awsCloudEntry('healthcheck-port', {
    option: 'healthCheckPort',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text({
      says: `a port number or ${TRAFFIC_PORT}`,
      matches: new RegExp(`^([1-9]\\d{0,4}|${TRAFFIC_PORT})$`),
      example: TRAFFIC_PORT,
    }),
    default: `${TRAFFIC_PORT}; the health check node port with traffic policy Local`,
    remark: `asked by TCP, whatever the protocol of the traffic, so ${TRAFFIC_PORT} does not check UDP; with ClusterServiceLoadBalancerHealthProbeMode = Shared the check of traffic policy Cluster is that of kube-proxy`,
  }),
  healthCheckPath: awsCloudEntry('healthcheck-path', {
    option: 'healthCheckPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text({ says: 'a path like /healthz', matches: /^\//, example: '/healthz' }),
    default: '/; /healthz with traffic policy Local',
  }),
  healthCheckInterval: awsCloudEntry('healthcheck-interval', {
    option: 'healthCheckInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: duration('seconds', 5, 300),
    default: '10; 30 for a Network Load Balancer with traffic policy Cluster',
    remark: NEW_GROUP,
    source: AWS_CLOUD_FILES.loadBalancer,
  }),
  healthCheckTimeout: awsCloudEntry('healthcheck-timeout', {
    option: 'healthCheckTimeout',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: duration('seconds', 2, 60),
    default: '5',
    remark: 'Classic only; a Network Load Balancer has the timeout that AWS defaults to',
    source: AWS_CLOUD_FILES.loadBalancer,
  }),
  healthCheckHealthyThreshold: awsCloudEntry('healthcheck-healthy-threshold', {
    option: 'healthCheckHealthyThreshold',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(2, 10),
    default: '2; 3 for a Network Load Balancer with traffic policy Cluster',
  }),
  healthCheckUnhealthyThreshold: awsCloudEntry('healthcheck-unhealthy-threshold', {
    option: 'healthCheckUnhealthyThreshold',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(2, 10),
    default: '6; for a Network Load Balancer 3, with traffic policy Local 2',
    remark: 'on a Network Load Balancer that exists a change is applied only where the healthy threshold changes too',
    source: AWS_CLOUD_FILES.loadBalancer,
  }),
  targetGroupAttributes: awsCloudEntry('target-group-attributes', {
    option: 'targetGroupAttributes',
    codec: targetGroupAttributes(),
    default: "AWS's",
    since: `v${TARGET_GROUP_ATTRIBUTES_SINCE}.0`,
    remark: 'Network Load Balancers only; taking it out leaves the target groups as they are',
    source: AWS_CLOUD_FILES.validations,
  }),
  eipAllocations: awsCloudEntry('eip-allocations', {
    namesOne: ELASTIC_IP,
    option: 'eipAllocations',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: ids('eipalloc', 'an allocation'),
    default: 'assigned by AWS',
    remark: `public Network Load Balancers only; ${ORDER_OF_SUBNETS}; read at creation only`,
    source: AWS_CLOUD_FILES.loadBalancer,
  }),
  privateIpv4Addresses: awsCloudEntry('private-ipv4-addresses', {
    namesOne: ADDRESS,
    option: 'privateIpv4Addresses',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: list(address(4)),
    default: 'assigned by AWS',
    since: 'v1.35.0',
    remark: `internal Network Load Balancers only; ${ORDER_OF_SUBNETS}; read at creation only`,
    source: AWS_CLOUD_FILES.loadBalancer,
  }),
  sourceRanges: awsCloudEntry('', {
    key: SOURCE_RANGES_ANNOTATION,
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: list(cidr()),
    default: 'everybody',
    remark: 'the older place of spec.loadBalancerSourceRanges, which wins; IPv4 only',
  }),
  subnets: awsCloudEntry('subnets', {
    option: 'subnets',
    codec: list(text()),
    default: 'found by the tags of the subnets',
  }),
  targetNodeLabels: awsCloudEntry('target-node-labels', {
    option: 'targetNodeLabels',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: plainPairs(
      'node labels as key=value, several separated by commas',
      (key, value) => labelKeyFault(key) ?? labelValueFault(value),
    ),
    default: 'every node',
    remark:
      'an empty value matches any value; labels that change on a node are noticed when the Service or the set of nodes changes',
    source: AWS_CLOUD_FILES.loadBalancer,
    badValue: 'accepted',
  }),
};

/** What only a Classic Load Balancer understands. */
export const CLASSIC_ONLY: readonly AnyAnnotation[] = [
  AWS_CLOUD.proxyProtocol,
  AWS_CLOUD.accessLogEmitInterval,
  AWS_CLOUD.connectionDrainingEnabled,
  AWS_CLOUD.connectionDrainingTimeout,
  AWS_CLOUD.connectionIdleTimeout,
  AWS_CLOUD.extraSecurityGroups,
  AWS_CLOUD.healthCheckTimeout,
];

/** What only a Network Load Balancer understands. */
export const NLB_ONLY: readonly AnyAnnotation[] = [
  AWS_CLOUD.targetGroupAttributes,
  AWS_CLOUD.eipAllocations,
  AWS_CLOUD.privateIpv4Addresses,
];

/** All of them. */
export const AWS_CLOUD_CATALOGUE = new AnnotationCatalogue([AWS_PREFIX], Object.values(AWS_CLOUD));
