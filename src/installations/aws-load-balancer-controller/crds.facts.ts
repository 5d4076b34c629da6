import type { Part } from './objects';

/** The types of fields: those of JSON, lists and maps of them, and types of Kubernetes. */
export type CrdType =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'object'
  | 'int-or-string'
  | '[]string'
  | '[]integer'
  | '[]object'
  | 'map[string]string'
  | 'map[string][]string'
  | 'map[string]quantity'
  | 'metav1.LabelSelector'
  | '[]metav1.Condition';

/** Constraints of a value. */
export interface CrdConstraints {
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
  readonly mapType?: string;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** Rules in CEL. */
  readonly cel?: readonly string[];
}

/** A field by its path; `[]` marks the items of a list. */
export interface CrdField extends CrdConstraints {
  readonly path: string;
  readonly type: CrdType;
  /** Without it the object that it is in is refused. */
  readonly required?: true;
  /** Constraints of each item of a list. */
  readonly items?: CrdConstraints;
}

/** A column of `kubectl get`: name, type, path, and priority where it is not 0. */
export type CrdColumn = readonly [name: string, type: string, jsonPath: string, priority?: number];

/** A version of a kind. */
export interface CrdVersionFact {
  readonly name: string;
  /** Objects are kept in this version. */
  readonly storage?: true;
  /** It has a status that is written apart. */
  readonly status?: true;
  /** What the API server warns its users of. */
  readonly deprecated?: string;
  readonly columns: readonly CrdColumn[];
  /** Its fields; where they are those of another version, that one is named instead. */
  readonly fields?: readonly CrdField[];
  readonly fieldsOf?: string;
}

/** A kind that the controller brings along. */
export interface CrdFact {
  /** The part of the controller that needs it. */
  readonly part: Part;
  /** The file of the controller's repository. */
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly CrdVersionFact[];
}

// The structure of the kinds, without descriptions. Read only when an installation is made.
// kubernetes-sigs/aws-load-balancer-controller, tag v3.5.0; each row names its file

export const CRDS: readonly CrdFact[] = [
  {
    part: 'core',
    file: 'config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml',
    group: 'elbv2.k8s.aws',
    kind: 'TargetGroupBinding',
    plural: 'targetgroupbindings',
    singular: 'targetgroupbinding',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        status: true,
        columns: [
          ['SERVICE-NAME', 'string', '.spec.serviceRef.name'],
          ['SERVICE-PORT', 'string', '.spec.serviceRef.port'],
          ['TARGET-TYPE', 'string', '.spec.targetType'],
          ['ARN', 'string', '.spec.targetGroupARN', 1],
          ['NAME', 'string', '.spec.targetGroupName', 2],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: [
          { path: 'spec', type: 'object' },
          { path: 'spec.assumeRoleExternalId', type: 'string' },
          { path: 'spec.iamRoleArnToAssume', type: 'string' },
          { path: 'spec.multiClusterTargetGroup', type: 'boolean' },
          { path: 'spec.networking', type: 'object' },
          { path: 'spec.networking.ingress', type: '[]object' },
          { path: 'spec.networking.ingress[].from', type: '[]object', required: true },
          { path: 'spec.networking.ingress[].from[].ipBlock', type: 'object' },
          { path: 'spec.networking.ingress[].from[].ipBlock.cidr', type: 'string', required: true },
          { path: 'spec.networking.ingress[].from[].securityGroup', type: 'object' },
          { path: 'spec.networking.ingress[].from[].securityGroup.groupID', type: 'string', required: true },
          { path: 'spec.networking.ingress[].ports', type: '[]object', required: true },
          { path: 'spec.networking.ingress[].ports[].port', type: 'int-or-string' },
          { path: 'spec.networking.ingress[].ports[].protocol', type: 'string', enum: ['TCP', 'UDP'] },
          { path: 'spec.serviceRef', type: 'object', required: true },
          { path: 'spec.serviceRef.name', type: 'string', required: true },
          { path: 'spec.serviceRef.port', type: 'int-or-string', required: true },
          { path: 'spec.targetGroupARN', type: 'string' },
          { path: 'spec.targetGroupName', type: 'string' },
          { path: 'spec.targetType', type: 'string', enum: ['instance', 'ip'] },
          { path: 'status', type: 'object' },
          { path: 'status.observedGeneration', type: 'integer', format: 'int64' },
        ],
      },
      {
        name: 'v1beta1',
        storage: true,
        status: true,
        columns: [
          ['SERVICE-NAME', 'string', '.spec.serviceRef.name'],
          ['SERVICE-PORT', 'string', '.spec.serviceRef.port'],
          ['TARGET-TYPE', 'string', '.spec.targetType'],
          ['ARN', 'string', '.spec.targetGroupARN', 1],
          ['NAME', 'string', '.spec.targetGroupName', 2],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: [
          { path: 'spec', type: 'object' },
          { path: 'spec.assumeRoleExternalId', type: 'string' },
          { path: 'spec.iamRoleArnToAssume', type: 'string' },
          { path: 'spec.ipAddressType', type: 'string', enum: ['ipv4', 'ipv6'] },
          { path: 'spec.multiClusterTargetGroup', type: 'boolean' },
          { path: 'spec.networking', type: 'object' },
          { path: 'spec.networking.ingress', type: '[]object' },
          { path: 'spec.networking.ingress[].from', type: '[]object', required: true },
          { path: 'spec.networking.ingress[].from[].ipBlock', type: 'object' },
          { path: 'spec.networking.ingress[].from[].ipBlock.cidr', type: 'string', required: true },
          { path: 'spec.networking.ingress[].from[].securityGroup', type: 'object' },
          { path: 'spec.networking.ingress[].from[].securityGroup.groupID', type: 'string', required: true },
          { path: 'spec.networking.ingress[].ports', type: '[]object', required: true },
          { path: 'spec.networking.ingress[].ports[].port', type: 'int-or-string' },
          { path: 'spec.networking.ingress[].ports[].protocol', type: 'string', enum: ['TCP', 'UDP'] },
          { path: 'spec.nodeSelector', type: 'metav1.LabelSelector', mapType: 'atomic' },
          { path: 'spec.serviceRef', type: 'object', required: true },
          { path: 'spec.serviceRef.name', type: 'string', required: true },
          { path: 'spec.serviceRef.port', type: 'int-or-string', required: true },
          { path: 'spec.targetGroupARN', type: 'string' },
          { path: 'spec.targetGroupName', type: 'string' },
          {
            path: 'spec.targetGroupProtocol',
            type: 'string',
            enum: ['HTTP', 'HTTPS', 'TCP', 'TLS', 'UDP', 'TCP_UDP', 'QUIC', 'TCP_QUIC'],
          },
          { path: 'spec.targetType', type: 'string', enum: ['instance', 'ip'] },
          { path: 'spec.vpcID', type: 'string' },
          { path: 'status', type: 'object' },
          { path: 'status.conditions', type: '[]metav1.Condition' },
          { path: 'status.observedGeneration', type: 'integer', format: 'int64' },
        ],
      },
    ],
  },
  {
    part: 'ingress',
    file: 'config/crd/bases/elbv2.k8s.aws_ingressclassparams.yaml',
    group: 'elbv2.k8s.aws',
    kind: 'IngressClassParams',
    plural: 'ingressclassparams',
    singular: 'ingressclassparam',
    scope: 'Cluster',
    versions: [
      {
        name: 'v1beta1',
        storage: true,
        columns: [
          ['GROUP-NAME', 'string', '.spec.group.name'],
          ['SCHEME', 'string', '.spec.scheme'],
          ['IP-ADDRESS-TYPE', 'string', '.spec.ipAddressType'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: [
          { path: 'spec', type: 'object', cel: ['!(has(self.prefixListsIDs) && has(self.PrefixListsIDs))'] },
          { path: 'spec.PrefixListsIDs', type: '[]string' },
          { path: 'spec.certificateArn', type: '[]string' },
          { path: 'spec.group', type: 'object' },
          { path: 'spec.group.name', type: 'string', required: true },
          { path: 'spec.inboundCIDRs', type: '[]string' },
          { path: 'spec.ipAddressType', type: 'string', enum: ['ipv4', 'dualstack', 'dualstack-without-public-ipv4'] },
          { path: 'spec.ipamConfiguration', type: 'object' },
          { path: 'spec.ipamConfiguration.ipv4IPAMPoolId', type: 'string' },
          { path: 'spec.listeners', type: '[]object' },
          { path: 'spec.listeners[].listenerAttributes', type: '[]object' },
          { path: 'spec.listeners[].listenerAttributes[].key', type: 'string', required: true },
          { path: 'spec.listeners[].listenerAttributes[].value', type: 'string', required: true },
          { path: 'spec.listeners[].port', type: 'integer', format: 'int32' },
          { path: 'spec.listeners[].protocol', type: 'string' },
          { path: 'spec.loadBalancerAttributes', type: '[]object' },
          { path: 'spec.loadBalancerAttributes[].key', type: 'string', required: true },
          { path: 'spec.loadBalancerAttributes[].value', type: 'string', required: true },
          { path: 'spec.loadBalancerName', type: 'string' },
          { path: 'spec.minimumLoadBalancerCapacity', type: 'object' },
          { path: 'spec.minimumLoadBalancerCapacity.capacityUnits', type: 'integer', required: true, format: 'int32' },
          { path: 'spec.namespaceSelector', type: 'metav1.LabelSelector', mapType: 'atomic' },
          { path: 'spec.prefixListsIDs', type: '[]string' },
          { path: 'spec.scheme', type: 'string', enum: ['internal', 'internet-facing'] },
          { path: 'spec.sslPolicy', type: 'string' },
          { path: 'spec.sslRedirectPort', type: 'string' },
          { path: 'spec.subnets', type: 'object' },
          { path: 'spec.subnets.ids', type: '[]string', minItems: 1, items: { pattern: 'subnet-[0-9a-f]+' } },
          { path: 'spec.subnets.tags', type: 'map[string][]string' },
          { path: 'spec.tags', type: '[]object' },
          { path: 'spec.tags[].key', type: 'string', required: true },
          { path: 'spec.tags[].value', type: 'string', required: true },
          { path: 'spec.targetType', type: 'string', enum: ['instance', 'ip'] },
          { path: 'spec.wafv2AclArn', type: 'string' },
          { path: 'spec.wafv2AclName', type: 'string' },
        ],
      },
    ],
  },
  {
    part: 'alb-target-control',
    file: 'config/crd/bases/elbv2.k8s.aws_albtargetcontrolconfigs.yaml',
    group: 'elbv2.k8s.aws',
    kind: 'ALBTargetControlConfig',
    plural: 'albtargetcontrolconfigs',
    singular: 'albtargetcontrolconfig',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        storage: true,
        columns: [
          ['IMAGE', 'string', '.spec.image'],
          ['DESTINATION', 'string', '.spec.destinationAddress'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: [
          { path: 'spec', type: 'object' },
          { path: 'spec.controlAddress', type: 'string', required: true, pattern: '^.+:[0-9]+$' },
          { path: 'spec.dataAddress', type: 'string', required: true, pattern: '^.+:[0-9]+$' },
          { path: 'spec.destinationAddress', type: 'string', required: true, pattern: '^.+:[0-9]+$' },
          { path: 'spec.image', type: 'string', required: true },
          { path: 'spec.maxConcurrency', type: 'integer', minimum: 0, maximum: 1000, format: 'int32', default: 1 },
          { path: 'spec.protocolVersion', type: 'string', enum: ['HTTP1', 'HTTP2', 'GRPC'] },
          { path: 'spec.resources', type: 'object' },
          { path: 'spec.resources.claims', type: '[]object', listType: 'map', listMapKeys: ['name'] },
          { path: 'spec.resources.claims[].name', type: 'string', required: true },
          { path: 'spec.resources.claims[].request', type: 'string' },
          { path: 'spec.resources.limits', type: 'map[string]quantity' },
          { path: 'spec.resources.requests', type: 'map[string]quantity' },
          { path: 'spec.rustLog', type: 'string', enum: ['debug', 'info', 'error'] },
          { path: 'spec.tlsCertPath', type: 'string' },
          { path: 'spec.tlsKeyPath', type: 'string' },
          { path: 'spec.tlsSecurityPolicy', type: 'string' },
        ],
      },
    ],
  },
  {
    part: 'gateway',
    file: 'config/crd/gateway/gateway.k8s.aws_loadbalancerconfigurations.yaml',
    group: 'gateway.k8s.aws',
    kind: 'LoadBalancerConfiguration',
    plural: 'loadbalancerconfigurations',
    singular: 'loadbalancerconfiguration',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        storage: true,
        status: true,
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fields: [
          { path: 'spec', type: 'object' },
          { path: 'spec.customerOwnedIpv4Pool', type: 'string' },
          { path: 'spec.defaultTargetGroupConfiguration', type: 'object' },
          { path: 'spec.defaultTargetGroupConfiguration.name', type: 'string', required: true },
          { path: 'spec.disableSecurityGroup', type: 'boolean' },
          { path: 'spec.enableICMP', type: 'boolean' },
          { path: 'spec.enforceSecurityGroupInboundRulesOnPrivateLinkTraffic', type: 'string' },
          { path: 'spec.ipAddressType', type: 'string', enum: ['ipv4', 'dualstack', 'dualstack-without-public-ipv4'] },
          { path: 'spec.ipv4IPAMPoolId', type: 'string' },
          { path: 'spec.listenerConfigurations', type: '[]object' },
          {
            path: 'spec.listenerConfigurations[].alpnPolicy',
            type: 'string',
            enum: ['HTTP1Only', 'HTTP2Only', 'HTTP2Optional', 'HTTP2Preferred', 'None'],
            default: 'None',
          },
          { path: 'spec.listenerConfigurations[].certificates', type: '[]string' },
          { path: 'spec.listenerConfigurations[].defaultCertificate', type: 'string' },
          { path: 'spec.listenerConfigurations[].listenerAttributes', type: '[]object' },
          { path: 'spec.listenerConfigurations[].listenerAttributes[].key', type: 'string', required: true },
          { path: 'spec.listenerConfigurations[].listenerAttributes[].value', type: 'string', required: true },
          {
            path: 'spec.listenerConfigurations[].mutualAuthentication',
            type: 'object',
            cel: [
              "!(self.mode == 'verify' && !has(self.trustStore))",
              "!(self.mode != 'verify' && has(self.trustStore))",
              "!(self.mode != 'verify' && has(self.ignoreClientCertificateExpiry))",
              "!(self.mode != 'verify' && has(self.advertiseTrustStoreCaNames))",
            ],
          },
          {
            path: 'spec.listenerConfigurations[].mutualAuthentication.advertiseTrustStoreCaNames',
            type: 'string',
            enum: ['on', 'off'],
          },
          { path: 'spec.listenerConfigurations[].mutualAuthentication.ignoreClientCertificateExpiry', type: 'boolean' },
          {
            path: 'spec.listenerConfigurations[].mutualAuthentication.mode',
            type: 'string',
            required: true,
            enum: ['off', 'passthrough', 'verify'],
          },
          { path: 'spec.listenerConfigurations[].mutualAuthentication.trustStore', type: 'string' },
          {
            path: 'spec.listenerConfigurations[].protocolPort',
            type: 'string',
            required: true,
            pattern:
              '^(HTTP|HTTPS|TLS|TCP|UDP|TCP_UDP)?:(6553[0-5]|655[0-2]\\d|65[0-4]\\d{2}|6[0-4]\\d{3}|[1-5]\\d{4}|[1-9]\\d{0,3})?$',
          },
          { path: 'spec.listenerConfigurations[].quicEnabled', type: 'boolean' },
          { path: 'spec.listenerConfigurations[].sslPolicy', type: 'string' },
          { path: 'spec.listenerConfigurations[].targetGroupStickiness', type: 'boolean' },
          { path: 'spec.loadBalancerAttributes', type: '[]object' },
          { path: 'spec.loadBalancerAttributes[].key', type: 'string', required: true },
          { path: 'spec.loadBalancerAttributes[].value', type: 'string', required: true },
          { path: 'spec.loadBalancerName', type: 'string', minLength: 1, maxLength: 32 },
          { path: 'spec.loadBalancerSubnets', type: '[]object' },
          { path: 'spec.loadBalancerSubnets[].eipAllocation', type: 'string' },
          { path: 'spec.loadBalancerSubnets[].identifier', type: 'string' },
          { path: 'spec.loadBalancerSubnets[].ipv6Allocation', type: 'string' },
          { path: 'spec.loadBalancerSubnets[].privateIPv4Allocation', type: 'string' },
          { path: 'spec.loadBalancerSubnets[].sourceNatIPv6Prefix', type: 'string' },
          { path: 'spec.loadBalancerSubnetsSelector', type: 'map[string][]string' },
          { path: 'spec.manageBackendSecurityGroupRules', type: 'boolean' },
          { path: 'spec.mergingMode', type: 'string', enum: ['prefer-gateway', 'prefer-gateway-class'] },
          { path: 'spec.minimumLoadBalancerCapacity', type: 'object' },
          { path: 'spec.minimumLoadBalancerCapacity.capacityUnits', type: 'integer', required: true, format: 'int32' },
          { path: 'spec.scheme', type: 'string', enum: ['internal', 'internet-facing'] },
          { path: 'spec.securityGroupPrefixes', type: '[]string' },
          { path: 'spec.securityGroups', type: '[]string' },
          { path: 'spec.shieldConfiguration', type: 'object' },
          { path: 'spec.shieldConfiguration.enabled', type: 'boolean' },
          { path: 'spec.sourceRanges', type: '[]string' },
          { path: 'spec.tags', type: 'map[string]string' },
          { path: 'spec.wafV2', type: 'object' },
          { path: 'spec.wafV2.webACL', type: 'string', required: true },
          { path: 'status', type: 'object' },
          { path: 'status.observedGatewayClassConfigurationGeneration', type: 'integer', format: 'int64' },
          { path: 'status.observedGatewayConfigurationGeneration', type: 'integer', format: 'int64' },
        ],
      },
      {
        name: 'v1beta1',
        status: true,
        deprecated: 'gateway.k8s.aws/v1beta1 LoadBalancerConfiguration is deprecated; use gateway.k8s.aws/v1 instead',
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fieldsOf: 'v1',
      },
    ],
  },
  {
    part: 'gateway',
    file: 'config/crd/gateway/gateway.k8s.aws_targetgroupconfigurations.yaml',
    group: 'gateway.k8s.aws',
    kind: 'TargetGroupConfiguration',
    plural: 'targetgroupconfigurations',
    singular: 'targetgroupconfiguration',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        storage: true,
        status: true,
        columns: [
          ['SERVICE-NAME', 'string', '.spec.targetReference.name'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: [
          { path: 'spec', type: 'object' },
          { path: 'spec.defaultConfiguration', type: 'object' },
          { path: 'spec.defaultConfiguration.enableMultiCluster', type: 'boolean' },
          { path: 'spec.defaultConfiguration.healthCheckConfig', type: 'object' },
          { path: 'spec.defaultConfiguration.healthCheckConfig.healthCheckInterval', type: 'integer', format: 'int32' },
          { path: 'spec.defaultConfiguration.healthCheckConfig.healthCheckPath', type: 'string' },
          { path: 'spec.defaultConfiguration.healthCheckConfig.healthCheckPort', type: 'string' },
          {
            path: 'spec.defaultConfiguration.healthCheckConfig.healthCheckProtocol',
            type: 'string',
            enum: ['HTTP', 'HTTPS', 'TCP'],
          },
          { path: 'spec.defaultConfiguration.healthCheckConfig.healthCheckTimeout', type: 'integer', format: 'int32' },
          {
            path: 'spec.defaultConfiguration.healthCheckConfig.healthyThresholdCount',
            type: 'integer',
            format: 'int32',
          },
          { path: 'spec.defaultConfiguration.healthCheckConfig.matcher', type: 'object' },
          { path: 'spec.defaultConfiguration.healthCheckConfig.matcher.grpcCode', type: 'string' },
          { path: 'spec.defaultConfiguration.healthCheckConfig.matcher.httpCode', type: 'string' },
          {
            path: 'spec.defaultConfiguration.healthCheckConfig.unhealthyThresholdCount',
            type: 'integer',
            format: 'int32',
          },
          { path: 'spec.defaultConfiguration.ipAddressType', type: 'string', enum: ['ipv4', 'ipv6'] },
          { path: 'spec.defaultConfiguration.nodeSelector', type: 'metav1.LabelSelector', mapType: 'atomic' },
          {
            path: 'spec.defaultConfiguration.protocol',
            type: 'string',
            enum: ['HTTP', 'HTTPS', 'TCP', 'TLS', 'UDP', 'TCP_UDP'],
          },
          { path: 'spec.defaultConfiguration.protocolVersion', type: 'string', enum: ['HTTP1', 'HTTP2', 'GRPC'] },
          { path: 'spec.defaultConfiguration.tags', type: 'map[string]string' },
          { path: 'spec.defaultConfiguration.targetControlPort', type: 'integer', format: 'int32' },
          { path: 'spec.defaultConfiguration.targetGroupAttributes', type: '[]object' },
          { path: 'spec.defaultConfiguration.targetGroupAttributes[].key', type: 'string', required: true },
          { path: 'spec.defaultConfiguration.targetGroupAttributes[].value', type: 'string', required: true },
          { path: 'spec.defaultConfiguration.targetGroupName', type: 'string' },
          { path: 'spec.defaultConfiguration.targetType', type: 'string', enum: ['instance', 'ip'] },
          { path: 'spec.routeConfigurations', type: '[]object' },
          { path: 'spec.routeConfigurations[].routeIdentifier', type: 'object', required: true },
          { path: 'spec.routeConfigurations[].routeIdentifier.kind', type: 'string' },
          { path: 'spec.routeConfigurations[].routeIdentifier.name', type: 'string' },
          { path: 'spec.routeConfigurations[].routeIdentifier.namespace', type: 'string' },
          { path: 'spec.routeConfigurations[].targetGroupProps', type: 'object', required: true },
          { path: 'spec.routeConfigurations[].targetGroupProps.enableMultiCluster', type: 'boolean' },
          { path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig', type: 'object' },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.healthCheckInterval',
            type: 'integer',
            format: 'int32',
          },
          { path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.healthCheckPath', type: 'string' },
          { path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.healthCheckPort', type: 'string' },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.healthCheckProtocol',
            type: 'string',
            enum: ['HTTP', 'HTTPS', 'TCP'],
          },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.healthCheckTimeout',
            type: 'integer',
            format: 'int32',
          },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.healthyThresholdCount',
            type: 'integer',
            format: 'int32',
          },
          { path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.matcher', type: 'object' },
          { path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.matcher.grpcCode', type: 'string' },
          { path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.matcher.httpCode', type: 'string' },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.healthCheckConfig.unhealthyThresholdCount',
            type: 'integer',
            format: 'int32',
          },
          { path: 'spec.routeConfigurations[].targetGroupProps.ipAddressType', type: 'string', enum: ['ipv4', 'ipv6'] },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.nodeSelector',
            type: 'metav1.LabelSelector',
            mapType: 'atomic',
          },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.protocol',
            type: 'string',
            enum: ['HTTP', 'HTTPS', 'TCP', 'TLS', 'UDP', 'TCP_UDP'],
          },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.protocolVersion',
            type: 'string',
            enum: ['HTTP1', 'HTTP2', 'GRPC'],
          },
          { path: 'spec.routeConfigurations[].targetGroupProps.tags', type: 'map[string]string' },
          { path: 'spec.routeConfigurations[].targetGroupProps.targetControlPort', type: 'integer', format: 'int32' },
          { path: 'spec.routeConfigurations[].targetGroupProps.targetGroupAttributes', type: '[]object' },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.targetGroupAttributes[].key',
            type: 'string',
            required: true,
          },
          {
            path: 'spec.routeConfigurations[].targetGroupProps.targetGroupAttributes[].value',
            type: 'string',
            required: true,
          },
          { path: 'spec.routeConfigurations[].targetGroupProps.targetGroupName', type: 'string' },
          { path: 'spec.routeConfigurations[].targetGroupProps.targetType', type: 'string', enum: ['instance', 'ip'] },
          { path: 'spec.targetReference', type: 'object' },
          { path: 'spec.targetReference.group', type: 'string', default: '' },
          { path: 'spec.targetReference.kind', type: 'string', default: 'Service' },
          { path: 'spec.targetReference.name', type: 'string', required: true },
          { path: 'status', type: 'object' },
          { path: 'status.observedGatewayClassConfigurationGeneration', type: 'integer', format: 'int64' },
          { path: 'status.observedGatewayConfigurationGeneration', type: 'integer', format: 'int64' },
        ],
      },
      {
        name: 'v1beta1',
        status: true,
        deprecated: 'gateway.k8s.aws/v1beta1 TargetGroupConfiguration is deprecated; use gateway.k8s.aws/v1 instead',
        columns: [
          ['SERVICE-NAME', 'string', '.spec.targetReference.name'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fieldsOf: 'v1',
      },
    ],
  },
  {
    part: 'gateway',
    file: 'config/crd/gateway/gateway.k8s.aws_listenerruleconfigurations.yaml',
    group: 'gateway.k8s.aws',
    kind: 'ListenerRuleConfiguration',
    plural: 'listenerruleconfigurations',
    singular: 'listenerruleconfiguration',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        storage: true,
        status: true,
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fields: [
          {
            path: 'spec',
            type: 'object',
            cel: [
              '!has(self.actions) || size(self.actions) > 0',
              "!has(self.actions) || self.actions.all(a, a.type == 'authenticate-oidc' || a.type == 'authenticate-cognito' || a.type == 'jwt-validation' || a.type == 'fixed-response' || a.type == 'forward' || a.type == 'redirect')",
              "!has(self.actions) || size(self.actions.filter(a, a.type == 'authenticate-oidc' || a.type == 'authenticate-cognito' || a.type == 'jwt-validation')) <= 1",
              "!has(self.actions) || size(self.actions.filter(a, a.type == 'fixed-response' || a.type == 'forward' || a.type == 'redirect')) <= 1",
            ],
          },
          {
            path: 'spec.actions',
            type: '[]object',
            minItems: 1,
            maxItems: 2,
            items: {
              cel: [
                "has(self.type) && self.type == 'forward' ? has(self.forwardConfig) : !has(self.forwardConfig)",
                "has(self.type) && self.type == 'redirect' ? has(self.redirectConfig) : !has(self.redirectConfig)",
                "has(self.type) && self.type == 'fixed-response' ? has(self.fixedResponseConfig) : !has(self.fixedResponseConfig)",
                "has(self.type) && self.type == 'authenticate-cognito' ? has(self.authenticateCognitoConfig) : !has(self.authenticateCognitoConfig)",
                "has(self.type) && self.type == 'authenticate-oidc' ? has(self.authenticateOIDCConfig) : !has(self.authenticateOIDCConfig)",
                "has(self.type) && self.type == 'jwt-validation' ? has(self.jwtValidationConfig) : !has(self.jwtValidationConfig)",
              ],
            },
          },
          { path: 'spec.actions[].authenticateCognitoConfig', type: 'object' },
          {
            path: 'spec.actions[].authenticateCognitoConfig.authenticationRequestExtraParams',
            type: 'map[string]string',
            maxProperties: 10,
          },
          {
            path: 'spec.actions[].authenticateCognitoConfig.onUnauthenticatedRequest',
            type: 'string',
            enum: ['deny', 'allow', 'authenticate'],
            default: 'authenticate',
          },
          { path: 'spec.actions[].authenticateCognitoConfig.scope', type: 'string', default: 'openid' },
          {
            path: 'spec.actions[].authenticateCognitoConfig.sessionCookieName',
            type: 'string',
            default: 'AWSELBAuthSessionCookie',
          },
          {
            path: 'spec.actions[].authenticateCognitoConfig.sessionTimeout',
            type: 'integer',
            minimum: 1,
            maximum: 604800,
            format: 'int64',
            default: 604800,
          },
          { path: 'spec.actions[].authenticateCognitoConfig.userPoolArn', type: 'string', required: true },
          { path: 'spec.actions[].authenticateCognitoConfig.userPoolClientId', type: 'string', required: true },
          { path: 'spec.actions[].authenticateCognitoConfig.userPoolDomain', type: 'string', required: true },
          { path: 'spec.actions[].authenticateOIDCConfig', type: 'object' },
          {
            path: 'spec.actions[].authenticateOIDCConfig.authenticationRequestExtraParams',
            type: 'map[string]string',
            maxProperties: 10,
          },
          { path: 'spec.actions[].authenticateOIDCConfig.authorizationEndpoint', type: 'string', required: true },
          { path: 'spec.actions[].authenticateOIDCConfig.issuer', type: 'string', required: true },
          {
            path: 'spec.actions[].authenticateOIDCConfig.onUnauthenticatedRequest',
            type: 'string',
            enum: ['deny', 'allow', 'authenticate'],
            default: 'authenticate',
          },
          { path: 'spec.actions[].authenticateOIDCConfig.scope', type: 'string', default: 'openid' },
          { path: 'spec.actions[].authenticateOIDCConfig.secret', type: 'object', required: true },
          { path: 'spec.actions[].authenticateOIDCConfig.secret.name', type: 'string', required: true },
          {
            path: 'spec.actions[].authenticateOIDCConfig.sessionCookieName',
            type: 'string',
            default: 'AWSELBAuthSessionCookie',
          },
          {
            path: 'spec.actions[].authenticateOIDCConfig.sessionTimeout',
            type: 'integer',
            minimum: 1,
            maximum: 604800,
            format: 'int64',
            default: 604800,
          },
          { path: 'spec.actions[].authenticateOIDCConfig.tokenEndpoint', type: 'string', required: true },
          { path: 'spec.actions[].authenticateOIDCConfig.useExistingClientSecret', type: 'boolean' },
          { path: 'spec.actions[].authenticateOIDCConfig.userInfoEndpoint', type: 'string', required: true },
          { path: 'spec.actions[].fixedResponseConfig', type: 'object' },
          {
            path: 'spec.actions[].fixedResponseConfig.contentType',
            type: 'string',
            enum: ['text/plain', 'text/css', 'text/html', 'application/javascript', 'application/json'],
            default: 'text/plain',
          },
          { path: 'spec.actions[].fixedResponseConfig.messageBody', type: 'string' },
          {
            path: 'spec.actions[].fixedResponseConfig.statusCode',
            type: 'integer',
            required: true,
            format: 'int32',
            cel: ['(self >= 200 && self <= 299) || (self >= 400 && self <= 599)'],
          },
          { path: 'spec.actions[].forwardConfig', type: 'object' },
          { path: 'spec.actions[].forwardConfig.targetGroupStickinessConfig', type: 'object', default: {} },
          {
            path: 'spec.actions[].forwardConfig.targetGroupStickinessConfig.durationSeconds',
            type: 'integer',
            minimum: 1,
            maximum: 604800,
            format: 'int32',
            default: 3600,
          },
          { path: 'spec.actions[].forwardConfig.targetGroupStickinessConfig.enabled', type: 'boolean', default: false },
          { path: 'spec.actions[].jwtValidationConfig', type: 'object' },
          { path: 'spec.actions[].jwtValidationConfig.additionalClaims', type: '[]object' },
          {
            path: 'spec.actions[].jwtValidationConfig.additionalClaims[].format',
            type: 'string',
            required: true,
            enum: ['single-string', 'string-array', 'space-separated-values'],
          },
          {
            path: 'spec.actions[].jwtValidationConfig.additionalClaims[].name',
            type: 'string',
            required: true,
            minLength: 1,
          },
          {
            path: 'spec.actions[].jwtValidationConfig.additionalClaims[].values',
            type: '[]string',
            required: true,
            minItems: 1,
            maxItems: 10,
            items: { maxLength: 256 },
          },
          { path: 'spec.actions[].jwtValidationConfig.issuer', type: 'string', required: true, maxLength: 256 },
          { path: 'spec.actions[].jwtValidationConfig.jwksEndpoint', type: 'string', required: true, maxLength: 256 },
          { path: 'spec.actions[].redirectConfig', type: 'object' },
          { path: 'spec.actions[].redirectConfig.query', type: 'string', default: '#{query}' },
          {
            path: 'spec.actions[].type',
            type: 'string',
            required: true,
            enum: [
              'forward',
              'fixed-response',
              'redirect',
              'authenticate-cognito',
              'authenticate-oidc',
              'jwt-validation',
            ],
          },
          {
            path: 'spec.conditions',
            type: '[]object',
            minItems: 1,
            items: {
              cel: [
                "has(self.field) && self.field == 'source-ip' ? has(self.sourceIPConfig) : !has(self.sourceIPConfig)",
              ],
            },
          },
          { path: 'spec.conditions[].field', type: 'string', required: true, enum: ['source-ip'] },
          { path: 'spec.conditions[].matchIndexes', type: '[]integer' },
          { path: 'spec.conditions[].sourceIPConfig', type: 'object' },
          { path: 'spec.conditions[].sourceIPConfig.values', type: '[]string', required: true, minItems: 1 },
          { path: 'spec.tags', type: 'map[string]string' },
          { path: 'status', type: 'object' },
          { path: 'status.accepted', type: 'boolean' },
          { path: 'status.message', type: 'string' },
          { path: 'status.observedGeneration', type: 'integer', format: 'int64' },
        ],
      },
      {
        name: 'v1beta1',
        status: true,
        deprecated: 'gateway.k8s.aws/v1beta1 ListenerRuleConfiguration is deprecated; use gateway.k8s.aws/v1 instead',
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fieldsOf: 'v1',
      },
    ],
  },
  {
    part: 'global-accelerator',
    file: 'config/crd/aga/aga.k8s.aws_globalaccelerators.yaml',
    group: 'aga.k8s.aws',
    kind: 'GlobalAccelerator',
    plural: 'globalaccelerators',
    singular: 'globalaccelerator',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        storage: true,
        status: true,
        columns: [
          ['ACCELERATOR-NAME', 'string', '.spec.name'],
          ['DNS-NAME', 'string', '.status.dnsName'],
          ['TYPE', 'string', '.spec.type'],
          ['STATUS', 'string', '.status.status'],
          ['ARN', 'string', '.status.acceleratorARN', 1],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: [
          { path: 'spec', type: 'object' },
          { path: 'spec.ipAddressType', type: 'string', enum: ['IPV4', 'DUAL_STACK'], default: 'IPV4' },
          { path: 'spec.ipAddresses', type: '[]string', minItems: 1, maxItems: 2 },
          { path: 'spec.listeners', type: '[]object' },
          { path: 'spec.listeners[].clientAffinity', type: 'string', enum: ['SOURCE_IP', 'NONE'], default: 'NONE' },
          { path: 'spec.listeners[].endpointGroups', type: '[]object' },
          {
            path: 'spec.listeners[].endpointGroups[].endpoints',
            type: '[]object',
            items: {
              cel: [
                "self.type != 'EndpointID' || (has(self.endpointID) && !has(self.name))",
                "self.type == 'EndpointID' || (has(self.name) && !has(self.endpointID))",
              ],
            },
          },
          {
            path: 'spec.listeners[].endpointGroups[].endpoints[].clientIPPreservationEnabled',
            type: 'boolean',
            default: true,
          },
          { path: 'spec.listeners[].endpointGroups[].endpoints[].endpointID', type: 'string', maxLength: 255 },
          { path: 'spec.listeners[].endpointGroups[].endpoints[].name', type: 'string' },
          { path: 'spec.listeners[].endpointGroups[].endpoints[].namespace', type: 'string' },
          {
            path: 'spec.listeners[].endpointGroups[].endpoints[].type',
            type: 'string',
            required: true,
            enum: ['EndpointID', 'Service', 'Ingress', 'Gateway'],
          },
          {
            path: 'spec.listeners[].endpointGroups[].endpoints[].weight',
            type: 'integer',
            minimum: 0,
            maximum: 255,
            format: 'int32',
            default: 128,
          },
          { path: 'spec.listeners[].endpointGroups[].portOverrides', type: '[]object' },
          {
            path: 'spec.listeners[].endpointGroups[].portOverrides[].endpointPort',
            type: 'integer',
            required: true,
            minimum: 1,
            maximum: 65535,
            format: 'int32',
          },
          {
            path: 'spec.listeners[].endpointGroups[].portOverrides[].listenerPort',
            type: 'integer',
            required: true,
            minimum: 1,
            maximum: 65535,
            format: 'int32',
          },
          { path: 'spec.listeners[].endpointGroups[].region', type: 'string', maxLength: 255 },
          {
            path: 'spec.listeners[].endpointGroups[].trafficDialPercentage',
            type: 'integer',
            minimum: 0,
            maximum: 100,
            format: 'int32',
            default: 100,
          },
          {
            path: 'spec.listeners[].portRanges',
            type: '[]object',
            minItems: 1,
            maxItems: 10,
            items: { cel: ['self.fromPort <= self.toPort'] },
          },
          {
            path: 'spec.listeners[].portRanges[].fromPort',
            type: 'integer',
            required: true,
            minimum: 1,
            maximum: 65535,
            format: 'int32',
          },
          {
            path: 'spec.listeners[].portRanges[].toPort',
            type: 'integer',
            required: true,
            minimum: 1,
            maximum: 65535,
            format: 'int32',
          },
          { path: 'spec.listeners[].protocol', type: 'string', enum: ['TCP', 'UDP'] },
          { path: 'spec.name', type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$', minLength: 1, maxLength: 64 },
          { path: 'spec.tags', type: 'map[string]string' },
          { path: 'status', type: 'object' },
          { path: 'status.acceleratorARN', type: 'string' },
          { path: 'status.conditions', type: '[]metav1.Condition' },
          { path: 'status.dnsName', type: 'string' },
          { path: 'status.dualStackDnsName', type: 'string' },
          { path: 'status.ipSets', type: '[]object' },
          { path: 'status.ipSets[].ipAddressFamily', type: 'string' },
          { path: 'status.ipSets[].ipAddresses', type: '[]string' },
          { path: 'status.observedGeneration', type: 'integer', format: 'int64' },
          { path: 'status.status', type: 'string' },
        ],
      },
    ],
  },
];
