/**
 * Feature gates of the AWS Load Balancer Controller. With a name that it does not know it does not start: here there are only
 * names that it knows. Its documentation has two that it does not.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/v3.5/deploy/configurations/#feature-gates
 */
export interface AwsLoadBalancerControllerFeatureGates {
  /**
   * Serves Services of type LoadBalancer alone. Without it, a Service that is claimed by annotation and edited to another type
   * keeps its balancer for ever.
   *
   * @default true
   */
  readonly serviceTypeLoadBalancerOnly?: boolean;

  /**
   * Makes Network Load Balancers for Gateways. Needs `gatewayApiCrds`: switched on while a kind is missing, the whole
   * controller exits after two minutes, and Services are served no more. `permissions` then lets certificates be looked up by
   * host name, for TLS listeners that name none.
   *
   * @default false
   */
  readonly nlbGatewayApi?: boolean;

  /**
   * Makes Application Load Balancers for Gateways. Needs `gatewayApiCrds`.
   *
   * @default false
   */
  readonly albGatewayApi?: boolean;

  /**
   * Listeners of a Gateway in objects of their own. Needs `gatewayApiCrds`.
   *
   * @default - as nlbGatewayApi or albGatewayApi
   */
  readonly gatewayListenerSet?: boolean;

  /**
   * Serves Services at all. Without it a Service that has the finalizer hangs when it is deleted.
   *
   * @default true
   */
  readonly enableServiceController?: boolean;

  /**
   * Pods as targets.
   *
   * @default true
   */
  readonly enableIpTargetType?: boolean;

  /**
   * Security groups for Network Load Balancers. A balancer that was made without any can never get one.
   *
   * @default true
   */
  readonly nlbSecurityGroup?: boolean;

  /**
   * Paths, intervals and timeouts of the health checks of Network Load Balancers.
   *
   * @default true
   */
  readonly nlbHealthCheckAdvancedConfig?: boolean;

  /**
   * One listener for TCP and UDP on one port.
   *
   * @default false
   */
  readonly enableTcpUdpListener?: boolean;

  /**
   * Pods whose readiness is unknown remain targets.
   *
   * @default true
   */
  readonly endpointsFailOpen?: boolean;

  /**
   * Subnets with the tag of another cluster are not found.
   *
   * @default true
   */
  readonly subnetsClusterTagCheck?: boolean;

  /**
   * Subnets are found by whether they reach the internet, beside their tags.
   *
   * @default true
   */
  readonly subnetDiscoveryByReachability?: boolean;

  /**
   * Reserved capacity of balancers.
   *
   * @default true
   */
  readonly lbCapacityReservation?: boolean;

  /**
   * Capacity and client certificates are reset when what asked for them goes.
   *
   * @default false
   */
  readonly enhancedDefaultBehavior?: boolean;

  /**
   * Tags of a Service win over `defaultTags`.
   *
   * @default false
   */
  readonly enableDefaultTagsLowPriority?: boolean;

  /**
   * Tags are read with one call for all, which needs `tag:GetResources`; `permissions` has it then. Balancers are then found in
   * every network of the account: another cluster of the same name in another VPC loses its own.
   *
   * @default false
   */
  readonly enableRgtApi?: boolean;

  /**
   * Tags listeners and rules.
   *
   * @default true
   */
  readonly listenerRulesTagging?: boolean;

  /**
   * Weights between the target groups of a listener.
   *
   * @default true
   */
  readonly weightedTargetGroups?: boolean;

  /**
   * Application Load Balancers in one subnet; the account must be allowed to have such.
   *
   * @default false
   */
  readonly albSingleSubnet?: boolean;

  /**
   * Adds the agent of Target Optimizer to pods of labelled namespaces. While the controller is away, such pods are refused.
   *
   * @default false
   */
  readonly albTargetControlAgent?: boolean;

  /**
   * Makes Global Accelerators. AWS has them in its commercial regions and in the European Sovereign Cloud alone.
   *
   * @default false
   */
  readonly globalAcceleratorController?: boolean;

  /**
   * Requests and deletes certificates for Ingresses; `permissions` allows it then.
   *
   * @default false
   */
  readonly enableCertificateManagement?: boolean;

  /**
   * Writes its plan into an annotation of Ingresses. Needs version 3.4.0.
   *
   * @default false
   */
  readonly ingressPlanAnnotation?: boolean;

  /**
   * Gates of a version newer than 3.5.0, by upstream's name.
   *
   * @default - none
   */
  readonly additional?: { [gate: string]: boolean };
}
