/**
 * What a Gateway does with TLS connections.
 */
export enum GatewayTlsMode {
  /** It decrypts them, with a certificate of its own for the host. */
  TERMINATE = 'Terminate',

  /** It reads the name of the server in them, and passes them to the backend as they are. */
  PASSTHROUGH = 'Passthrough',
}
