import type { Duration } from 'cdk8s';
import {
  Annotation,
  AnnotationCatalogue,
  type AnnotationFact,
  type AnyAnnotation,
} from '../contract/annotation-catalogue';
import {
  address,
  type Codec,
  cidr,
  codec,
  duration,
  exactFlag,
  flag,
  integer,
  list,
  oneOf,
  onlyWord,
  text,
} from '../contract/annotation-codec';
import { HealthCheckProtocol } from '../contract/health-check';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../contract/kubernetes.facts';
import { type Fault, labelKeyFault, labelValueFault } from '../contract/kubernetes-syntax';
import { AWS_PREFIX } from './aws.annotations';
import { AwsBackendProtocol, type AwsCloudProviderTargetGroupAttributes } from './aws-cloud-provider.options';

/** Upstream name of the controller. */
export const AWS_CLOUD_CONTROLLER = 'cloud-provider-aws';

/** Where these facts were read. */
export const AWS_CLOUD_SOURCE: Citation = {
  repository: 'kubernetes/cloud-provider-aws',
  version: 'v1.36.1',
  file: 'pkg/providers/v1/aws.go',
};

/** The values of the type annotation by which a Service is left to the AWS Load Balancer Controller. */
export const IMPLEMENTED_ELSEWHERE: readonly string[] = ['external', 'nlb-ip'];

/** The value of the type annotation that makes a Network Load Balancer. */
export const NLB_TYPE = 'nlb';

/** The port of a health check that is the port of the traffic. */
export const TRAFFIC_PORT = 'traffic-port';

function entry<T>(
  name: string,
  fact: Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>,
): Annotation<T> {
  const common = { badValue: 'refused', source: AWS_CLOUD_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ key: AWS_PREFIX + name, ...common, ...fact });
}

/** `key=value` pairs as this controller splits them: at every comma and every equals sign, with no way to escape one. */
function plainPairs(
  says: string,
  faultOf: (key: string, value: string) => Fault = () => undefined,
): Codec<Record<string, string>> {
  return codec(
    says,
    (map) =>
      Object.entries(map)
        .map(([key, value]) => {
          if (/[,=]/.test(key) || /[,=]/.test(value)) {
            throw new Error(`'${key}=${value}' holds a comma or a second '=', where it would be cut off`);
          }
          return `${key}=${value}`;
        })
        .join(','),
    (whole) => {
      const map: Record<string, string> = {};
      for (const part of whole.trim().split(',')) {
        const [key, value, ...rest] = part.trim().split('=');
        if (rest.length > 0) {
          return { fault: `'${part.trim()}' has a second '=', where it is cut off` };
        }
        const fault = key === '' ? `'${part.trim()}' in '${whole}' is not ${says}` : faultOf(key, value ?? '');
        if (fault) {
          return { fault };
        }
        map[key] = value ?? '';
      }
      return { value: map };
    },
  );
}

const PRESERVE_CLIENT_IP = 'preserve_client_ip.enabled';
const PROXY_PROTOCOL_V2 = 'proxy_protocol_v2.enabled';

function targetGroupAttributes(): Codec<AwsCloudProviderTargetGroupAttributes> {
  const says = `${PRESERVE_CLIENT_IP} and ${PROXY_PROTOCOL_V2}, each true or false, such as ${PRESERVE_CLIENT_IP}=true`;
  const pairs = plainPairs(says);
  const truth = exactFlag();
  return codec(
    says,
    ({ preserveClientIp, proxyProtocolV2 }) =>
      [
        ...(preserveClientIp === undefined ? [] : [`${PRESERVE_CLIENT_IP}=${preserveClientIp}`]),
        ...(proxyProtocolV2 === undefined ? [] : [`${PROXY_PROTOCOL_V2}=${proxyProtocolV2}`]),
      ].join(','),
    (whole) => {
      const map = pairs.decode(whole);
      if ('fault' in map) {
        return map;
      }
      const attributes: { preserveClientIp?: boolean; proxyProtocolV2?: boolean } = {};
      for (const [key, value] of Object.entries(map.value)) {
        const read = truth.decode(value);
        if ('fault' in read || (key !== PRESERVE_CLIENT_IP && key !== PROXY_PROTOCOL_V2)) {
          return { fault: `'${key}=${value}' is not ${says}` };
        }
        attributes[key === PRESERVE_CLIENT_IP ? 'preserveClientIp' : 'proxyProtocolV2'] = read.value;
      }
      return { value: attributes };
    },
  );
}

/** The controller does not mind the case. */
function healthCheckProtocol(): Codec<HealthCheckProtocol> {
  const words = oneOf(Object.values(HealthCheckProtocol));
  return codec(words.says, String, (word) => words.decode(word.toLowerCase()));
}

/** Whatever stands there means internal. Old manifests say `0.0.0.0/0`; a text that denies it deserves a word. */
function internal(): Codec<boolean> {
  const says = 'exactly true or false';
  return codec(
    says,
    (value) => {
      if (typeof value !== 'boolean') {
        throw new Error(`'${value}' is not ${says}`);
      }
      return String(value);
    },
    (word) =>
      /^(no?|off|f|0|false)$/i.test(word) && word !== 'false'
        ? { fault: `'${word}' is not exactly 'false'` }
        : { value: word !== 'false' && word !== '' },
  );
}

function emitInterval(): Codec<Duration> {
  const says = '5 or 60 minutes';
  const minutes = duration('minutes', 5, 60);
  return codec(
    says,
    (value) => minutes.encode(value),
    (word) => (word === '5' || word === '60' ? minutes.decode(word) : { fault: `'${word}' is not ${says}` }),
  );
}

const id = (prefix: string, of: string) =>
  list(text({ says: `the id of ${of} like ${prefix}-0123456789abcdef0`, matches: new RegExp(`^${prefix}-\\w+$`) }));

/** The annotations of the AWS cloud provider. */
export const AWS_CLOUD = {
  type: entry('type', {
    codec: text(),
    default: 'a Classic Load Balancer',
    remark: `anything but '${NLB_TYPE}' makes a Classic Load Balancer, but ${IMPLEMENTED_ELSEWHERE.join(' and ')}, which leave the Service to the AWS Load Balancer Controller; a change is refused from v1.36, before it left the old balancer behind`,
    badValue: 'accepted',
  }),
  internal: entry('internal', {
    option: 'internal',
    codec: internal(),
    default: 'the balancer is public',
    remark:
      "every text but 'false' and the empty one means internal; a Network Load Balancer keeps the scheme it was made with",
    badValue: 'accepted',
  }),
  proxyProtocol: entry('proxy-protocol', {
    option: 'proxyProtocol',
    codec: onlyWord('*'),
    default: 'off',
    remark: 'Classic only; version 1 of the protocol',
  }),
  accessLogEnabled: entry('access-log-enabled', { option: 'accessLogEnabled', codec: flag(), default: 'false' }),
  accessLogEmitInterval: entry('access-log-emit-interval', {
    option: 'accessLogEmitInterval',
    codec: emitInterval(),
    default: "AWS's",
    remark: 'Classic only; minutes',
  }),
  accessLogS3BucketName: entry('access-log-s3-bucket-name', {
    option: 'accessLogS3BucketName',
    codec: text(),
    default: 'none',
  }),
  accessLogS3BucketPrefix: entry('access-log-s3-bucket-prefix', {
    option: 'accessLogS3BucketPrefix',
    codec: text(),
    default: 'the root of the bucket',
  }),
  connectionDrainingEnabled: entry('connection-draining-enabled', {
    option: 'connectionDrainingEnabled',
    codec: flag(),
    default: 'false',
    remark: 'Classic only',
  }),
  connectionDrainingTimeout: entry('connection-draining-timeout', {
    option: 'connectionDrainingTimeout',
    codec: duration('seconds', 1, 3600),
    default: '300',
    remark: 'Classic only',
  }),
  connectionIdleTimeout: entry('connection-idle-timeout', {
    option: 'connectionIdleTimeout',
    codec: duration('seconds', 1, 4000),
    default: '60',
    remark: 'Classic only',
  }),
  crossZoneLoadBalancingEnabled: entry('cross-zone-load-balancing-enabled', {
    option: 'crossZoneLoadBalancingEnabled',
    codec: flag(),
    default: 'false',
  }),
  extraSecurityGroups: entry('extra-security-groups', {
    option: 'extraSecurityGroups',
    codec: id('sg', 'a security group'),
    default: 'none',
    remark: 'Classic only; refused for a Network Load Balancer',
  }),
  securityGroups: entry('security-groups', {
    option: 'securityGroups',
    codec: id('sg', 'a security group'),
    default: 'one that the controller makes; for a Network Load Balancer none',
    remark: 'for a Network Load Balancer read only with NLBSecurityGroupMode = Managed',
  }),
  sslCert: entry('ssl-cert', {
    option: 'sslCert',
    codec: text({ says: 'the ARN of one certificate', matches: /^arn:[^,\s]+$/ }),
    default: 'no TLS',
  }),
  sslPorts: entry('ssl-ports', {
    option: 'sslPorts',
    codec: list(text({ says: "a port by number or name, or '*'", matches: /^(\*|[A-Za-z0-9-]+)$/ })),
    default: '*',
    remark: 'a port that the Service does not have is ignored',
    badValue: 'accepted',
  }),
  sslNegotiationPolicy: entry('ssl-negotiation-policy', {
    option: 'sslNegotiationPolicy',
    codec: text(),
    default: 'ELBSecurityPolicy-2016-08',
  }),
  backendProtocol: entry('backend-protocol', {
    option: 'backendProtocol',
    codec: oneOf(Object.values(AwsBackendProtocol)),
    default: 'tcp',
    remark: 'a Network Load Balancer looks for ssl only',
  }),
  additionalResourceTags: entry('additional-resource-tags', {
    option: 'additionalResourceTags',
    codec: plainPairs('key=value, several separated by commas'),
    default: 'none',
    badValue: 'accepted',
  }),
  healthCheckProtocol: entry('healthcheck-protocol', {
    option: 'healthCheckProtocol',
    codec: healthCheckProtocol(),
    default: 'tcp; http with traffic policy Local',
  }),
  healthCheckPort: entry('healthcheck-port', {
    option: 'healthCheckPort',
    codec: text({ says: `a port number or ${TRAFFIC_PORT}`, matches: new RegExp(`^([1-9]\\d{0,4}|${TRAFFIC_PORT})$`) }),
    default: `${TRAFFIC_PORT}; the health check node port with traffic policy Local`,
  }),
  healthCheckPath: entry('healthcheck-path', {
    option: 'healthCheckPath',
    codec: text({ says: 'a path like /healthz', matches: /^\// }),
    default: '/; /healthz with traffic policy Local',
  }),
  healthCheckInterval: entry('healthcheck-interval', {
    option: 'healthCheckInterval',
    codec: duration('seconds', 5, 300),
    default: '10; 30 for a Network Load Balancer with traffic policy Cluster',
  }),
  healthCheckTimeout: entry('healthcheck-timeout', {
    option: 'healthCheckTimeout',
    codec: duration('seconds', 2, 60),
    default: '5; 10 for a Network Load Balancer',
  }),
  healthCheckHealthyThreshold: entry('healthcheck-healthy-threshold', {
    option: 'healthCheckHealthyThreshold',
    codec: integer(2, 10),
    default: '2; 3 for a Network Load Balancer with traffic policy Cluster',
  }),
  healthCheckUnhealthyThreshold: entry('healthcheck-unhealthy-threshold', {
    option: 'healthCheckUnhealthyThreshold',
    codec: integer(2, 10),
    default: '6; for a Network Load Balancer 3, with traffic policy Local 2',
  }),
  targetGroupAttributes: entry('target-group-attributes', {
    option: 'targetGroupAttributes',
    codec: targetGroupAttributes(),
    default: "AWS's",
    remark: 'Network Load Balancers only; taking it out leaves the target groups as they are',
    source: { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/aws_validations.go' },
  }),
  eipAllocations: entry('eip-allocations', {
    option: 'eipAllocations',
    codec: id('eipalloc', 'an allocation'),
    default: 'assigned by AWS',
    remark: 'public Network Load Balancers only; one for each subnet; read at creation only',
    source: { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/aws_loadbalancer.go' },
  }),
  privateIpv4Addresses: entry('private-ipv4-addresses', {
    option: 'privateIpv4Addresses',
    codec: list(address(4)),
    default: 'assigned by AWS',
    remark: 'internal Network Load Balancers only; one for each subnet; read at creation only',
    source: { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/aws_loadbalancer.go' },
  }),
  sourceRanges: entry('', {
    key: SOURCE_RANGES_ANNOTATION,
    codec: list(cidr()),
    default: 'everybody',
    remark: 'the older place of spec.loadBalancerSourceRanges, which wins; IPv4 only',
  }),
  subnets: entry('subnets', { option: 'subnets', codec: list(text()), default: 'found by the tags of the subnets' }),
  targetNodeLabels: entry('target-node-labels', {
    option: 'targetNodeLabels',
    codec: plainPairs(
      'node labels as key=value, several separated by commas',
      (key, value) => labelKeyFault(key) ?? labelValueFault(value),
    ),
    default: 'every node',
    remark: 'an empty value matches any value',
    source: { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/aws_loadbalancer.go' },
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
];

/** What only a Network Load Balancer understands. */
export const NLB_ONLY: readonly AnyAnnotation[] = [
  AWS_CLOUD.targetGroupAttributes,
  AWS_CLOUD.eipAllocations,
  AWS_CLOUD.privateIpv4Addresses,
];

/** All of them. */
export const AWS_CLOUD_CATALOGUE = new AnnotationCatalogue([AWS_PREFIX], Object.values(AWS_CLOUD));
