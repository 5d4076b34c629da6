/**
 * Where a port of a tenant's Service can be reached.
 */
export interface SharedEndpoint {
  /** The namespace of the tenant. */
  readonly tenant: string;

  /** The name of the Service. */
  readonly service: string;

  /** The port of the Service. */
  readonly servicePort: number;

  /** The port at the shared address, which stands in the lock file. */
  readonly port: number;

  /** The name of the balancer, which is the name of its Gateway where it has one. */
  readonly balancer: string;

  /**
   * The DNS name to connect to.
   *
   * @default - the shared load balancer has none: its address is known once it exists
   */
  readonly hostname?: string;
}
