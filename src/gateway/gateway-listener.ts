import type { GatewayAllowedRoutes } from './gateway-allowed-routes';
import type { GatewayProtocol } from './gateway-protocol';
import type { GatewayTlsMode } from './gateway-tls-mode';

/**
 * A Secret of type `kubernetes.io/tls` with a certificate.
 */
export interface GatewayCertificateRef {
  /** The name of the Secret. */
  readonly name: string;

  /**
   * The namespace of the Secret. Another one than that of the Gateway needs a ReferenceGrant there.
   *
   * @default - the one of the Gateway
   */
  readonly namespace?: string;
}

/**
 * A listener of a Gateway: a port, and who may attach routes to it.
 */
export interface GatewayListener {
  /** The name, once in a Gateway: routes attach to it as `sectionName`. */
  readonly name: string;

  /** The port that clients connect to. */
  readonly port: number;

  /** What it expects to receive. */
  readonly protocol: GatewayProtocol;

  /**
   * The host that it serves; `*.example.com` stands for every name below `example.com`, on however many levels. None for
   * TCP and UDP.
   *
   * @default - every host
   */
  readonly hostname?: string;

  /**
   * What happens to TLS. Protocol TLS needs it; HTTPS is always terminated.
   *
   * @default - terminated where there are certificates
   */
  readonly tlsMode?: GatewayTlsMode;

  /**
   * The certificates with which TLS is terminated. What is passed through needs none.
   *
   * @default - none
   */
  readonly certificateRefs?: GatewayCertificateRef[];

  /**
   * Settings of TLS that one implementation understands, with names that begin with its domain.
   *
   * @default - none
   */
  readonly tlsOptions?: { [key: string]: string };

  /**
   * Which routes may attach.
   *
   * @default - those in the namespace of the Gateway, of the kinds that fit the protocol
   */
  readonly allowedRoutes?: GatewayAllowedRoutes;
}
