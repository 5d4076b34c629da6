import { CUSTOM_PROTOCOL } from './gateway.facts';

/**
 * What a listener of a Gateway expects to receive.
 */
export class GatewayProtocol {
  /** HTTP in plain text. */
  public static readonly HTTP = new GatewayProtocol('HTTP');

  /** HTTP over TLS, which the Gateway terminates. */
  public static readonly HTTPS = new GatewayProtocol('HTTPS');

  /** TLS, routed by the server name in it, terminated or passed through. */
  public static readonly TLS = new GatewayProtocol('TLS');

  /** TCP connections. */
  public static readonly TCP = new GatewayProtocol('TCP');

  /** UDP packets. */
  public static readonly UDP = new GatewayProtocol('UDP');

  /**
   * A protocol that one implementation adds.
   *
   * @param value its name, as a domain with a path (`acme.example/quic`)
   * @throws when it is no such name: those without a domain belong to the Gateway API itself
   */
  public static custom(value: string): GatewayProtocol {
    if (!CUSTOM_PROTOCOL.test(value)) {
      throw new Error(
        `GatewayProtocol.custom: '${value}' is not a domain with a path; write it like acme.example/quic, or use a constant`,
      );
    }
    return new GatewayProtocol(value);
  }

  /**
   * A protocol as a manifest names it, right or wrong, and empty where it names none.
   *
   * @internal
   */
  public static _of(value: unknown): GatewayProtocol {
    return new GatewayProtocol(String(value ?? ''));
  }

  private constructor(
    /** The name as the manifest has it. */
    public readonly value: string,
  ) {}
}
