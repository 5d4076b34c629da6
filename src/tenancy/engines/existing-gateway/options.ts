import type { IGateway } from '../../../gateway/i-gateway';

/**
 * A Gateway that exists already, to be shared.
 */
export interface ExistingGatewayEngineOptions {
  /**
   * The Gateway. It must let listeners of the tenants' namespaces attach (`allowedListeners`); say its `controllerName`
   * where it is known, since some controllers keep tenants apart and some do not.
   */
  readonly gateway: IGateway;

  /** Whether its implementation routes TLS by the name of the server. */
  readonly routesBySni: boolean;

  /**
   * Whether tenants may attach HTTPRoutes and GRPCRoutes to the Gateway itself, which then has listeners of HTTP for all.
   *
   * @default false
   */
  readonly httpRoutes?: boolean;

  /**
   * How many listeners it can have.
   *
   * @default 64
   */
  readonly maxListeners?: number;
}
