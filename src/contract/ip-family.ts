/**
 * An address family of the Service and of its load balancer (`spec.ipFamilies`).
 */
export enum IpFamily {
  /** IPv4. */
  IPV4 = 'IPv4',

  /** IPv6. */
  IPV6 = 'IPv6',
}
