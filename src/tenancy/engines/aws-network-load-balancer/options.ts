import type { LoadBalancerScheme } from '../../../contract/load-balancer-scheme';

/**
 * A Network Load Balancer that the AWS Load Balancer Controller makes of a Gateway.
 */
export interface AwsNetworkLoadBalancerEngineOptions {
  /**
   * Who can reach it.
   *
   * @default - internal
   */
  readonly scheme?: LoadBalancerScheme;

  /**
   * The security groups of the balancer, by id or name. The controller's own group gets a rule for each port and range,
   * and where the 61st does not fit, nothing of the whole balancer changes any more: so tenants need groups of yours.
   *
   * @default - one that the controller makes, which only `oneTeam` allows
   */
  readonly securityGroups?: string[];

  /**
   * The clients that may connect to any port, as CIDRs; for the controller's own security group alone.
   *
   * @default - all
   */
  readonly sourceRanges?: string[];

  /**
   * The subnets, by id or name.
   *
   * @default - those that the controller discovers
   */
  readonly subnets?: string[];

  /**
   * Whether pods see the address of the client. Connections of a pod to the shared address that come back to its own node
   * then fail.
   *
   * @default - what AWS does: not for targets by IP
   */
  readonly preserveClientIp?: boolean;

  /**
   * Whether the balancer speaks the PROXY protocol (version 2) to the pods of all tenants.
   *
   * @default false
   */
  readonly proxyProtocol?: boolean;

  /**
   * Further attributes of the balancer.
   *
   * @default - none
   */
  readonly loadBalancerAttributes?: { [key: string]: string };

  /**
   * Tags of the balancer.
   *
   * @default - those that the controller gives
   */
  readonly tags?: { [key: string]: string };

  /**
   * The name of a GatewayClass that exists.
   *
   * @default - one of the name `aws-nlb` is made
   */
  readonly gatewayClassName?: string;
}
