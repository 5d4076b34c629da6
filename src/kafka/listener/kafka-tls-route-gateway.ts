import type { IGateway } from '../../gateway/i-gateway';

/**
 * A Gateway that the routes of a Kafka listener attach to.
 */
export interface KafkaTlsRouteGateway {
  /** The Gateway: a `Gateway`, or `Gateway.fromName` or `fromManifest` for one that exists. */
  readonly gateway: IGateway;

  /**
   * The name of the listener of the Gateway.
   *
   * @default - every listener of the Gateway that takes the routes
   */
  readonly sectionName?: string;
}
