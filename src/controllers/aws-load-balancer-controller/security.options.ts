/** Options of who may connect: source ranges and security groups. */
export interface NlbSecurityOptions {
  /**
   * The clients that may connect, by the old annotation, which is not read where `spec.loadBalancerSourceRanges` stands.
   * Better wished for by `sourceRanges`.
   * @default - what the request says
   */
  readonly loadBalancerSourceRanges?: string[];
  /**
   * The clients that may connect, by managed prefix lists. Not together with `securityGroups`, which make it void.
   * @default - none
   */
  readonly securityGroupPrefixLists?: string[];
  /**
   * Security groups of your own, by id or by the value of their Name tag, instead of the one that the controller makes.
   * The rules that let the traffic reach nodes and pods are then yours too, unless `manageBackendSecurityGroupRules`.
   * @default - one that the controller makes
   */
  readonly securityGroups?: string[];
  /**
   * Whether the controller opens nodes and pods to the balancer.
   * @default - true with the controller's group, false with your own
   */
  readonly manageBackendSecurityGroupRules?: boolean;
  /**
   * Makes a balancer without security groups; the node ports are then opened to the whole VPC. Cannot be changed for a
   * live balancer: one that was born without can never get one.
   * @default false
   */
  readonly disableNlbSg?: boolean;
  /**
   * Whether the security groups judge traffic that comes by PrivateLink too.
   * @default - AWS's: they do
   */
  readonly inboundSgRulesOnPrivateLinkTraffic?: boolean;
  /**
   * Whether the controller's security group lets in the ICMP messages of path MTU discovery.
   * @default false
   */
  readonly enableIcmpForPathMtuDiscovery?: boolean;
}
