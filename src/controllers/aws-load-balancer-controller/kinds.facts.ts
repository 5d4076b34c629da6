// Kinds of the AWS Load Balancer Controller whose objects are validated here, and written as definitions with an installation.
// kubernetes-sigs/aws-load-balancer-controller v3.5.0: config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml and config/crd/gateway
// for their fields, and the same files of older releases, from v2.2.0 on, for those that are newer or were others, webhooks/elbv2/targetgroupbinding_validator.go for what is refused; that a name is not resolved without the
// webhook was seen running. EKS Auto Mode: Amazon EKS user guide (2024-12)
import type { Citation } from '../../contract/kubernetes.facts';
import {
  BOOLEAN,
  CONDITIONS,
  INT32,
  INT64,
  INTEGER,
  INTEGER_OR_TEXT,
  REQUIRED_TEXT,
  SELECTOR,
  TEXT,
  TEXT_MAP,
  TEXTS,
  TEXTS_MAP,
} from '../../contract/schema/common.facts';
import { listOf, mapOf, oneOf, type SchemaFields } from '../../contract/schema/field';

export const TARGET_GROUP_BINDING_KIND = 'TargetGroupBinding';
export const TARGET_GROUP_BINDING_API_VERSION = 'elbv2.k8s.aws/v1beta1';

/** The same object, as EKS Auto Mode has it. */
export const AUTO_MODE_BINDING_API_VERSION = 'eks.amazonaws.com/v1';

export const VPC_ID = /^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/;
export const SECURITY_GROUP_ID = /^sg-[0-9a-f]{8,17}$/;
export const TARGET_GROUP_ARN = /^arn:aws[a-z-]*:elasticloadbalancing:[a-z0-9-]+:\d{12}:targetgroup\/[^/]+\/[0-9a-f]+$/;

/** The release whose definitions these are. */
export const DEFINITIONS_OF = '3.5.0';

export const BINDING_VALIDATOR: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: `v${DEFINITIONS_OF}`,
  file: 'webhooks/elbv2/targetgroupbinding_validator.go',
};

/** Where the fields of its own kinds were read. */
export function definitionOf(file: string): Citation {
  return { ...BINDING_VALIDATOR, file: `config/crd/${file}` };
}

export const KEYS_AND_VALUES = listOf({ key: REQUIRED_TEXT, value: REQUIRED_TEXT });
export const CAPACITY = mapOf({ capacityUnits: { ...INTEGER, required: true, format: 'int32' } });
export const TARGET_TYPE = oneOf('instance', 'ip');
export const SCHEME = oneOf('internal', 'internet-facing');
export const IP_ADDRESS_TYPE = oneOf('ipv4', 'dualstack', 'dualstack-without-public-ipv4');
const IP_FAMILY = oneOf('ipv4', 'ipv6');

const NETWORKING = mapOf({
  ingress: listOf({
    from: listOf(
      { ipBlock: mapOf({ cidr: REQUIRED_TEXT }), securityGroup: mapOf({ groupID: REQUIRED_TEXT }) },
      { required: true },
    ),
    ports: listOf({ port: INTEGER_OR_TEXT, protocol: oneOf('TCP', 'UDP') }, { required: true }),
  }),
});
const SERVICE_REFERENCE = mapOf(
  { name: REQUIRED_TEXT, port: { ...INTEGER_OR_TEXT, required: true } },
  { required: true },
);

/** By the version of the kind. */
export const TARGET_GROUP_BINDING_FIELDS: Readonly<Record<'v1alpha1' | 'v1beta1', SchemaFields>> = {
  v1alpha1: {
    spec: mapOf({
      assumeRoleExternalId: TEXT,
      iamRoleArnToAssume: TEXT,
      multiClusterTargetGroup: BOOLEAN,
      networking: NETWORKING,
      serviceRef: SERVICE_REFERENCE,
      targetGroupARN: TEXT,
      targetGroupName: TEXT,
      targetType: TARGET_TYPE,
    }),
    status: mapOf({ observedGeneration: INT64 }),
  },
  v1beta1: {
    spec: mapOf({
      assumeRoleExternalId: { ...TEXT, since: '2.12.0' },
      iamRoleArnToAssume: { ...TEXT, since: '2.12.0' },
      ipAddressType: { ...IP_FAMILY, since: '2.3.0' },
      multiClusterTargetGroup: { ...BOOLEAN, since: '2.10.0' },
      networking: NETWORKING,
      nodeSelector: SELECTOR,
      serviceRef: SERVICE_REFERENCE,
      targetGroupARN: TEXT,
      targetGroupName: { ...TEXT, since: '2.11.0' },
      targetGroupProtocol: {
        ...oneOf('HTTP', 'HTTPS', 'TCP', 'TLS', 'UDP', 'TCP_UDP', 'QUIC', 'TCP_QUIC'),
        since: '2.14.0',
        valuesSince: { QUIC: '2.15.0', TCP_QUIC: '2.15.0' },
      },
      targetType: TARGET_TYPE,
      vpcID: { ...TEXT, since: '2.8.0' },
    }),
    status: mapOf({ conditions: CONDITIONS, observedGeneration: INT64 }),
  },
};

const CONFIGURATION_STATUS = mapOf({
  observedGatewayClassConfigurationGeneration: INT64,
  observedGatewayConfigurationGeneration: INT64,
});

/** Of each version of the kind. */
export const LOAD_BALANCER_CONFIGURATION_FIELDS: SchemaFields = {
  spec: mapOf({
    customerOwnedIpv4Pool: TEXT,
    defaultTargetGroupConfiguration: mapOf({ name: REQUIRED_TEXT }, { since: '3.2.0' }),
    disableSecurityGroup: { ...BOOLEAN, since: '2.15.0' },
    enableICMP: BOOLEAN,
    enforceSecurityGroupInboundRulesOnPrivateLinkTraffic: TEXT,
    ipAddressType: IP_ADDRESS_TYPE,
    ipv4IPAMPoolId: TEXT,
    listenerConfigurations: listOf({
      alpnPolicy: { ...oneOf('HTTP1Only', 'HTTP2Only', 'HTTP2Optional', 'HTTP2Preferred', 'None'), default: 'None' },
      certificates: TEXTS,
      defaultCertificate: TEXT,
      listenerAttributes: KEYS_AND_VALUES,
      mutualAuthentication: mapOf(
        {
          advertiseTrustStoreCaNames: oneOf('on', 'off'),
          ignoreClientCertificateExpiry: BOOLEAN,
          mode: { ...oneOf('off', 'passthrough', 'verify'), required: true },
          trustStore: TEXT,
        },
        {
          cel: [
            "!(self.mode == 'verify' && !has(self.trustStore))",
            "!(self.mode != 'verify' && has(self.trustStore))",
            "!(self.mode != 'verify' && has(self.ignoreClientCertificateExpiry))",
            "!(self.mode != 'verify' && has(self.advertiseTrustStoreCaNames))",
          ],
        },
      ),
      protocolPort: {
        ...TEXT,
        required: true,
        pattern:
          /^(HTTP|HTTPS|TLS|TCP|UDP|TCP_UDP)?:(6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3})?$/,
        formerly: {
          ...REQUIRED_TEXT,
          pattern:
            /^(HTTP|HTTPS|TLS|TCP|UDP)?:(6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3})?$/,
          until: '2.17.0',
        },
      },
      quicEnabled: { ...BOOLEAN, since: '2.17.1' },
      sslPolicy: TEXT,
      targetGroupStickiness: { ...BOOLEAN, since: '2.17.0' },
    }),
    loadBalancerAttributes: KEYS_AND_VALUES,
    loadBalancerName: { ...TEXT, atLeast: 1, atMost: 32 },
    loadBalancerSubnets: listOf({
      eipAllocation: TEXT,
      identifier: TEXT,
      ipv6Allocation: TEXT,
      privateIPv4Allocation: TEXT,
      sourceNatIPv6Prefix: TEXT,
    }),
    loadBalancerSubnetsSelector: TEXTS_MAP,
    manageBackendSecurityGroupRules: BOOLEAN,
    mergingMode: oneOf('prefer-gateway', 'prefer-gateway-class'),
    minimumLoadBalancerCapacity: CAPACITY,
    scheme: SCHEME,
    securityGroupPrefixes: TEXTS,
    securityGroups: TEXTS,
    shieldConfiguration: mapOf({ enabled: BOOLEAN }, { since: '2.14.0' }),
    sourceRanges: TEXTS,
    tags: TEXT_MAP,
    wafV2: mapOf({ webACL: REQUIRED_TEXT }, { since: '2.14.0' }),
  }),
  status: CONFIGURATION_STATUS,
};

const TARGET_GROUP: SchemaFields = {
  enableMultiCluster: BOOLEAN,
  healthCheckConfig: mapOf({
    healthCheckInterval: INT32,
    healthCheckPath: TEXT,
    healthCheckPort: TEXT,
    healthCheckProtocol: {
      ...oneOf('HTTP', 'HTTPS', 'TCP'),
      formerly: { ...oneOf('http', 'https', 'tcp'), until: '2.15.0' },
    },
    healthCheckTimeout: INT32,
    healthyThresholdCount: INT32,
    matcher: mapOf({ grpcCode: TEXT, httpCode: TEXT }),
    unhealthyThresholdCount: INT32,
  }),
  ipAddressType: IP_FAMILY,
  nodeSelector: SELECTOR,
  protocol: oneOf('HTTP', 'HTTPS', 'TCP', 'TLS', 'UDP', 'TCP_UDP'),
  protocolVersion: {
    ...oneOf('HTTP1', 'HTTP2', 'GRPC'),
    formerly: { ...oneOf('http1', 'http2', 'grpc'), until: '2.13.3' },
  },
  tags: { ...TEXT_MAP, formerly: { ...KEYS_AND_VALUES, until: '2.13.3' } },
  targetControlPort: { ...INT32, since: '2.16.0' },
  targetGroupAttributes: KEYS_AND_VALUES,
  targetGroupName: TEXT,
  targetType: TARGET_TYPE,
};

const TARGET_REFERENCE = mapOf({
  group: { ...TEXT, default: '' },
  kind: { ...TEXT, default: 'Service' },
  name: REQUIRED_TEXT,
});

/** Of each version of the kind. */
export const TARGET_GROUP_CONFIGURATION_FIELDS: SchemaFields = {
  spec: mapOf({
    defaultConfiguration: mapOf(TARGET_GROUP),
    routeConfigurations: listOf({
      routeIdentifier: mapOf(
        { kind: TEXT, name: TEXT, namespace: TEXT },
        { required: true, formerly: { ...REQUIRED_TEXT, name: 'identifier', until: '2.13.3' } },
      ),
      targetGroupProps: mapOf(TARGET_GROUP, { required: true }),
    }),
    targetReference: { ...TARGET_REFERENCE, formerly: { ...TARGET_REFERENCE, required: true, until: '3.2.0' } },
  }),
  status: CONFIGURATION_STATUS,
};
