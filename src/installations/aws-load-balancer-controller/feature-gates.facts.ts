/** A feature gate of the controller. */
export interface FeatureGateFact {
  readonly gate: string;
  /** The version that it came with, where 3.3.0 has not got it. */
  readonly since?: readonly number[];
  /** The member of the struct that says it. */
  readonly member: string;
  /** What it is where nobody says it. */
  readonly byDefault: boolean;
  /** What it is in an installation where nobody says it, and it is then written out. */
  readonly installed?: boolean;
}

/** The file that all of them stand in. */
export const FEATURE_GATES_FILE = 'pkg/config/feature_gates.go';

/** The gates of kubernetes-sigs/aws-load-balancer-controller, tags v3.3.0 to v3.5.0. With another one it does not start. */
export const FEATURE_GATES: readonly FeatureGateFact[] = [
  { gate: 'ListenerRulesTagging', member: 'listenerRulesTagging', byDefault: true },
  { gate: 'WeightedTargetGroups', member: 'weightedTargetGroups', byDefault: true },
  // a Service whose type is edited away from LoadBalancer keeps its balancer for ever without it
  { gate: 'ServiceTypeLoadBalancerOnly', member: 'serviceTypeLoadBalancerOnly', byDefault: false, installed: true },
  { gate: 'EndpointsFailOpen', member: 'endpointsFailOpen', byDefault: true },
  { gate: 'EnableServiceController', member: 'enableServiceController', byDefault: true },
  { gate: 'EnableIPTargetType', member: 'enableIpTargetType', byDefault: true },
  { gate: 'EnableRGTAPI', member: 'enableRgtApi', byDefault: false },
  { gate: 'SubnetsClusterTagCheck', member: 'subnetsClusterTagCheck', byDefault: true },
  { gate: 'NLBHealthCheckAdvancedConfig', member: 'nlbHealthCheckAdvancedConfig', byDefault: true },
  { gate: 'NLBSecurityGroup', member: 'nlbSecurityGroup', byDefault: true },
  { gate: 'ALBSingleSubnet', member: 'albSingleSubnet', byDefault: false },
  { gate: 'LBCapacityReservation', member: 'lbCapacityReservation', byDefault: true },
  { gate: 'SubnetDiscoveryByReachability', member: 'subnetDiscoveryByReachability', byDefault: true },
  // where all three are said the controller does not look which CRDs the cluster has: what it does is decided here
  { gate: 'NLBGatewayAPI', member: 'nlbGatewayApi', byDefault: true, installed: false },
  { gate: 'ALBGatewayAPI', member: 'albGatewayApi', byDefault: true, installed: false },
  { gate: 'GatewayListenerSet', member: 'gatewayListenerSet', byDefault: true, installed: false },
  { gate: 'GlobalAcceleratorController', member: 'globalAcceleratorController', byDefault: false },
  { gate: 'EnableTCPUDPListener', member: 'enableTcpUdpListener', byDefault: false },
  { gate: 'EnhancedDefaultBehavior', member: 'enhancedDefaultBehavior', byDefault: false },
  { gate: 'EnableDefaultTagsLowPriority', member: 'enableDefaultTagsLowPriority', byDefault: false },
  { gate: 'ALBTargetControlAgent', member: 'albTargetControlAgent', byDefault: false },
  { gate: 'EnableCertificateManagement', member: 'enableCertificateManagement', byDefault: false },
  { gate: 'IngressPlanAnnotation', member: 'ingressPlanAnnotation', byDefault: false, since: [3, 4, 0] },
];

/** Names that docs/deploy/configurations.md has, and the program has not. */
export const MISPRINTED_GATES: Readonly<Record<string, string>> = {
  NLBHealthCheckAdvancedConfiguration: 'NLBHealthCheckAdvancedConfig',
  EnableTCPUDPListenerType: 'EnableTCPUDPListener',
};
