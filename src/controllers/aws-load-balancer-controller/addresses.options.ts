/** Options of the subnets of a balancer, and of its addresses in them. */
export interface NlbAddressOptions {
  /**
   * The subnets of the balancer, by id or by the value of their Name tag: one each zone. Removing a zone cuts its
   * connections. Whether they are public or private nobody looks at: an internal balancer in public subnets works as well
   * as one in private subnets, and a public one in private subnets is never reached.
   * @default - found by tags and route tables; a live balancer keeps its own
   */
  readonly subnets?: string[];
  /**
   * Elastic IPs of a public balancer by allocation id, one each subnet. Better wished for by `staticAddresses`. Say `subnets` as
   * well: where the controller finds another number of them, it makes no balancer.
   * @default - assigned
   */
  readonly eipAllocations?: string[];
  /**
   * Addresses of an internal balancer, one in each subnet. Better wished for by `staticAddresses`.
   * @default - assigned
   */
  readonly privateIpv4Addresses?: string[];
  /**
   * IPv6 addresses of a dual stack balancer, one in each subnet. Better wished for by `staticAddresses`.
   * @default - assigned
   */
  readonly ipv6Addresses?: string[];
  /**
   * Whether each subnet has a prefix for IPv6 source NAT, which UDP on a dual stack balancer needs. Cannot be switched
   * off while there is a UDP listener.
   * @default - true for UDP ports with IPv6, else false
   */
  readonly enablePrefixForIpv6SourceNat?: boolean;
  /**
   * Those prefixes, one each subnet: `auto_assigned`, or a range of length 80 in the subnet.
   * @default - auto_assigned
   */
  readonly sourceNatIpv6Prefixes?: string[];
}
