import type { IGateway } from './i-gateway';

/**
 * A Gateway, or a ListenerSet, that a route attaches to.
 */
export interface GatewayParentRef {
  /** The Gateway, or the ListenerSet. */
  readonly gateway: IGateway;

  /**
   * The name of the listener.
   *
   * @default - every listener that takes the route
   */
  readonly sectionName?: string;
}

/**
 * A Service that a route leads to.
 */
export interface GatewayBackendRef {
  /** The name of the Service. */
  readonly name: string;

  /** The port of the Service. */
  readonly port: number;

  /**
   * The namespace of the Service. Another one than that of the route needs a ReferenceGrant there.
   *
   * @default - the one of the route
   */
  readonly namespace?: string;

  /**
   * Its share of the connections, in proportion to the other backends.
   *
   * @default 1
   */
  readonly weight?: number;
}
