/** A flag of the controller. */
export interface FlagFact {
  readonly flag: string;
  /** Where it is defined. */
  readonly file: string;
  /** The prop of the installation that says it. */
  readonly prop?: string;
  /** The version that it came with, where 3.3.0 has not got it. */
  readonly since?: string;
  /** Other parts of the installation depend on what it is by default. */
  readonly fixed?: true;
  /** What it takes, where that is not any text. */
  readonly takes?: FlagValue;
}

/** What a flag takes: a kind of value, or one of some texts. */
export type FlagValue = FlagKind | readonly string[];

/** Kinds of values, by what of Go reads them; `pair`, `security-group` and `throttle` are read by the controller itself. */
export type FlagKind = 'boolean' | 'integer' | 'duration' | 'pairs' | 'pair' | 'security-group' | 'throttle';

/** The flags of kubernetes-sigs/aws-load-balancer-controller, tags v3.3.0 to v3.5.0. With another one it does not start. */
export const FLAGS: readonly FlagFact[] = [
  { flag: 'cluster-name', file: 'pkg/config/controller_config.go', prop: 'clusterName' },
  { flag: 'log-level', file: 'pkg/config/controller_config.go', takes: ['info', 'debug'] },
  { flag: 'kubeconfig', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'aws-region', file: 'pkg/aws/cloud_config.go', prop: 'region' },
  { flag: 'aws-vpc-id', file: 'pkg/aws/cloud_config.go', prop: 'vpcId' },
  { flag: 'aws-vpc-tags', file: 'pkg/aws/cloud_config.go', takes: 'pairs' },
  { flag: 'aws-vpc-tag-key', file: 'pkg/aws/cloud_config.go' },
  { flag: 'aws-api-endpoints', file: 'pkg/aws/cloud_config.go', takes: 'pairs' },
  { flag: 'aws-api-throttle', file: 'pkg/aws/cloud_config.go', takes: 'throttle' },
  { flag: 'aws-max-retries', file: 'pkg/aws/cloud_config.go', takes: 'integer' },
  { flag: 'default-tags', file: 'pkg/config/controller_config.go', takes: 'pairs' },
  { flag: 'external-managed-tags', file: 'pkg/config/controller_config.go' },
  { flag: 'default-target-type', file: 'pkg/config/controller_config.go', takes: ['instance', 'ip'] },
  {
    flag: 'default-load-balancer-scheme',
    file: 'pkg/config/controller_config.go',
    takes: ['internal', 'internet-facing'],
  },
  { flag: 'default-ssl-policy', file: 'pkg/config/controller_config.go' },
  { flag: 'load-balancer-class', file: 'pkg/config/service_config.go', prop: 'loadBalancerClass' },
  { flag: 'ingress-class', file: 'pkg/config/ingress_config.go', prop: 'ingressClassName' },
  { flag: 'watch-namespace', file: 'pkg/config/runtime_config.go' },
  { flag: 'sync-period', file: 'pkg/config/runtime_config.go', takes: 'duration' },
  { flag: 'enable-leader-election', file: 'pkg/config/runtime_config.go', fixed: true, takes: 'boolean' },
  { flag: 'leader-election-id', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'leader-election-namespace', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'metrics-bind-addr', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'health-probe-bind-addr', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'webhook-bind-port', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'webhook-cert-dir', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'webhook-cert-file', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'webhook-key-file', file: 'pkg/config/runtime_config.go', fixed: true },
  { flag: 'kube-ca-pem-filepath', file: 'pkg/config/runtime_config.go' },
  { flag: 'enable-backend-security-group', file: 'pkg/config/controller_config.go', takes: 'boolean' },
  { flag: 'backend-security-group', file: 'pkg/config/controller_config.go', takes: 'security-group' },
  { flag: 'enable-manage-backend-security-group-rules', file: 'pkg/config/controller_config.go', takes: 'boolean' },
  { flag: 'disable-restricted-sg-rules', file: 'pkg/config/controller_config.go', takes: 'boolean' },
  { flag: 'service-target-eni-security-group-tags', file: 'pkg/config/controller_config.go', takes: 'pairs' },
  { flag: 'enable-endpoint-slices', file: 'pkg/config/controller_config.go', takes: 'boolean' },
  { flag: 'max-targets-per-target-group', file: 'pkg/config/controller_config.go', takes: 'integer' },
  { flag: 'targetgroupbinding-requeue-duration', file: 'pkg/config/controller_config.go', takes: 'duration' },
  {
    flag: 'targetgroupbinding-max-exponential-backoff-delay',
    file: 'pkg/config/controller_config.go',
    takes: 'duration',
  },
  {
    flag: 'globalaccelerator-max-exponential-backoff-delay',
    file: 'pkg/config/controller_config.go',
    takes: 'duration',
  },
  { flag: 'lb-stabilization-monitor-interval', file: 'pkg/config/controller_config.go', takes: 'duration' },
  { flag: 'service-max-concurrent-reconciles', file: 'pkg/config/controller_config.go', takes: 'integer' },
  { flag: 'targetgroupbinding-max-concurrent-reconciles', file: 'pkg/config/controller_config.go', takes: 'integer' },
  { flag: 'ingress-max-concurrent-reconciles', file: 'pkg/config/ingress_config.go', takes: 'integer' },
  { flag: 'gateway-class-max-concurrent-reconciles', file: 'pkg/config/controller_config.go', takes: 'integer' },
  { flag: 'alb-gateway-max-concurrent-reconciles', file: 'pkg/config/controller_config.go', takes: 'integer' },
  { flag: 'nlb-gateway-max-concurrent-reconciles', file: 'pkg/config/controller_config.go', takes: 'integer' },
  { flag: 'globalaccelerator-max-concurrent-reconciles', file: 'pkg/config/controller_config.go', takes: 'integer' },
  {
    flag: 'enable-pod-readiness-gate-inject',
    file: 'pkg/inject/pod_readiness/pod_readiness_gate_config.go',
    takes: 'boolean',
  },
  { flag: 'quic-environment-variable-name', file: 'pkg/inject/quic/quic_injection_config.go' },
  { flag: 'enable-shield', file: 'pkg/config/addons_config.go', takes: 'boolean' },
  { flag: 'enable-waf', file: 'pkg/config/addons_config.go', takes: 'boolean' },
  { flag: 'enable-wafv2', file: 'pkg/config/addons_config.go', takes: 'boolean' },
  { flag: 'tolerate-non-existent-backend-service', file: 'pkg/config/ingress_config.go', takes: 'boolean' },
  { flag: 'tolerate-non-existent-backend-action', file: 'pkg/config/ingress_config.go', takes: 'boolean' },
  { flag: 'disable-ingress-class-annotation', file: 'pkg/config/ingress_config.go', takes: 'boolean' },
  { flag: 'disable-ingress-group-name-annotation', file: 'pkg/config/ingress_config.go', takes: 'boolean' },
  { flag: 'allowed-certificate-authority-arns', file: 'pkg/config/ingress_config.go' },
  { flag: 'default-pca-arn', file: 'pkg/config/ingress_config.go' },
  { flag: 'required-secrets-label', file: 'pkg/config/controller_config.go', takes: 'pair', since: '3.5.0' },
  { flag: 'feature-gates', file: 'pkg/config/feature_gates.go', prop: 'featureGates' },
];

/** Flags without a next word. */
export const BOOLEAN_FLAGS: ReadonlySet<string> = new Set(
  FLAGS.filter(({ takes }) => takes === 'boolean').map(({ flag }) => flag),
);

/** Flags that distinguish it from other programs that have the name of a cluster as a flag, under an image of any name. */
export const OWN_FLAGS: readonly string[] = [
  'aws-vpc-id',
  'aws-vpc-tags',
  'ingress-class',
  'load-balancer-class',
  'default-target-type',
  'backend-security-group',
  'enable-shield',
  'enable-waf',
  'enable-wafv2',
];

/** A feature gate of the controller. */
export interface FeatureGateFact {
  readonly gate: string;
  /** The version that it came with, where 3.3.0 has not got it. */
  readonly since?: string;
  /** What it is where it is not set. */
  readonly byDefault: boolean;
  /** What it is in an installation where it is not set, and it is then written out. */
  readonly installed?: boolean;
}

/** The file that all of them are in. */
export const FEATURE_GATES_FILE = 'pkg/config/feature_gates.go';

/** The gates of kubernetes-sigs/aws-load-balancer-controller, tags v3.3.0 to v3.5.0. With another one it does not start. */
export const FEATURE_GATES: readonly FeatureGateFact[] = [
  { gate: 'ListenerRulesTagging', byDefault: true },
  { gate: 'WeightedTargetGroups', byDefault: true },
  // a Service whose type is edited away from LoadBalancer keeps its balancer for ever without it
  { gate: 'ServiceTypeLoadBalancerOnly', byDefault: false, installed: true },
  { gate: 'EndpointsFailOpen', byDefault: true },
  { gate: 'EnableServiceController', byDefault: true },
  { gate: 'EnableIPTargetType', byDefault: true },
  { gate: 'EnableRGTAPI', byDefault: false },
  { gate: 'SubnetsClusterTagCheck', byDefault: true },
  { gate: 'NLBHealthCheckAdvancedConfig', byDefault: true },
  { gate: 'NLBSecurityGroup', byDefault: true },
  { gate: 'ALBSingleSubnet', byDefault: false },
  { gate: 'LBCapacityReservation', byDefault: true },
  { gate: 'SubnetDiscoveryByReachability', byDefault: true },
  // where all three are set the controller does not look which CRDs the cluster has: what it does is decided here
  { gate: 'NLBGatewayAPI', byDefault: true, installed: false },
  { gate: 'ALBGatewayAPI', byDefault: true, installed: false },
  { gate: 'GatewayListenerSet', byDefault: true, installed: false },
  { gate: 'GlobalAcceleratorController', byDefault: false },
  { gate: 'EnableTCPUDPListener', byDefault: false },
  { gate: 'EnhancedDefaultBehavior', byDefault: false },
  { gate: 'EnableDefaultTagsLowPriority', byDefault: false },
  { gate: 'ALBTargetControlAgent', byDefault: false },
  { gate: 'EnableCertificateManagement', byDefault: false },
  { gate: 'IngressPlanAnnotation', byDefault: false, since: '3.4.0' },
];

/** Names that docs/deploy/configurations.md has, and the program has not. */
export const MISPRINTED_GATES: Readonly<Record<string, string>> = {
  NLBHealthCheckAdvancedConfiguration: 'NLBHealthCheckAdvancedConfig',
  EnableTCPUDPListenerType: 'EnableTCPUDPListener',
};
