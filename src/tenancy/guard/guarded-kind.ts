/**
 * A kind of object that tenants may not write.
 */
export interface GuardedKind {
  /** The API group, such as `gateway.networking.k8s.io`. */
  readonly group: string;

  /** The plural that stands in URLs and permissions, such as `gateways`. */
  readonly resource: string;
}
