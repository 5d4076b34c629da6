/**
 * Who can reach the load balancer.
 *
 * Nothing is public by accident: where a request names no scheme, every controller makes an internal balancer or
 * reports a problem when it only has public ones. Only where addresses come from pools (MetalLB) the pool decides.
 */
export enum LoadBalancerScheme {
  /** Reachable from the private network of the cluster only. */
  INTERNAL = 'internal',

  /** Reachable from the internet. */
  INTERNET_FACING = 'internet-facing',
}
