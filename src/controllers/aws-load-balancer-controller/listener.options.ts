import type { Duration } from 'cdk8s';

/** What TLS listeners speak to the targets. */
export enum NlbBackendProtocol {
  /** TLS again. */
  SSL = 'ssl',
  /** Plain TCP. */
  TCP = 'tcp',
}

/** What TLS listeners negotiate by ALPN. */
export enum NlbAlpnPolicy {
  /** Only HTTP/1. */
  HTTP1_ONLY = 'HTTP1Only',
  /** Only HTTP/2. */
  HTTP2_ONLY = 'HTTP2Only',
  /** HTTP/1 rather than HTTP/2. */
  HTTP2_OPTIONAL = 'HTTP2Optional',
  /** HTTP/2 rather than HTTP/1. */
  HTTP2_PREFERRED = 'HTTP2Preferred',
  /** Nothing. */
  NONE = 'None',
}

/** The protocol of a listener, as it stands in the keys of annotations. */
export enum NlbListenerProtocol {
  /** TCP. */
  TCP = 'TCP',
  /** TLS: a TCP port with a certificate. */
  TLS = 'TLS',
  /** UDP. */
  UDP = 'UDP',
  /** TCP and UDP on one port. */
  TCP_UDP = 'TCP_UDP',
  /** QUIC: a UDP port of `quicEnabledPorts`. */
  QUIC = 'QUIC',
  /** TCP and QUIC on one port. */
  TCP_QUIC = 'TCP_QUIC',
}

/** Attributes of one listener. They are ignored unless port and protocol are those of a listener. */
export interface NlbListenerAttributes {
  /** The protocol of the listener. */
  readonly protocol: NlbListenerProtocol;
  /** The port of the listener. */
  readonly port: number;
  /**
   * How long an idle TCP connection is kept, 60 to 6000 seconds. Not for TLS.
   * @default Duration.seconds(350)
   */
  readonly tcpIdleTimeout?: Duration;
  /**
   * Attributes without a member of their own, by AWS's keys.
   * @default - none
   */
  readonly additional?: { readonly [key: string]: string };
}

/** A target group beside the one of the Service itself: of another Service, or by its ARN. */
export interface NlbForwardTarget {
  /**
   * The ARN of the target group. Not together with `serviceName`.
   * @default - the target group of a Service
   */
  readonly targetGroupArn?: string;
  /**
   * A Service of the same namespace; a port is then needed too.
   * @default - the target group of an ARN
   */
  readonly serviceName?: string;
  /**
   * A port of that Service, by number or name.
   * @default - none
   */
  readonly servicePort?: string;
  /**
   * Whether a TLS listener sends plain TCP to this target group.
   * @default false
   */
  readonly decrypt?: boolean;
  /**
   * The share of this target group, 0 to 999. Needed where there are several.
   * @default - AWS's
   */
  readonly weight?: number;
}

/** How one listener shares its traffic among target groups, for example to move to a new version step by step. */
export interface NlbForwardAction {
  /** The protocol of the listener. */
  readonly protocol: NlbListenerProtocol;
  /** The port of the listener. */
  readonly port: number;
  /** The share of the Service itself, 0 to 999. */
  readonly baseServiceWeight: number;
  /** The others. */
  readonly targetGroups: NlbForwardTarget[];
  /**
   * Whether a client is kept on its target group. Not with TLS.
   * @default false
   */
  readonly stickiness?: boolean;
}

/** Options of listeners: TLS, protocols, and where they forward to. */
export interface NlbListenerOptions {
  /**
   * Certificates by ARN, of ACM or IAM, the default one first: they make listeners of TCP ports speak TLS.
   * @default - no TLS
   */
  readonly sslCert?: string[];
  /**
   * The ports, by name or number, that speak TLS. An unknown one is refused, and `*` is none.
   * @default - all TCP ports, where there is a certificate
   */
  readonly sslPorts?: string[];
  /**
   * The security policy of TLS listeners.
   * @default - the controller's, ELBSecurityPolicy-2016-08 unless its flag says otherwise
   */
  readonly sslNegotiationPolicy?: string;
  /**
   * What TLS listeners speak to the targets.
   * @default NlbBackendProtocol.TCP
   */
  readonly backendProtocol?: NlbBackendProtocol;
  /**
   * What TLS listeners negotiate by ALPN.
   * @default NlbAlpnPolicy.NONE
   */
  readonly alpnPolicy?: NlbAlpnPolicy;
  /**
   * Attributes of single listeners.
   * @default - AWS's
   */
  readonly listenerAttributes?: NlbListenerAttributes[];
  /**
   * Whether a TCP and a UDP port of one number become one listener. Without it one of the two is lost.
   * @default - true for requests with such ports
   */
  readonly enableTcpUdpListener?: boolean;
  /**
   * The UDP ports, by name or number, that speak QUIC. Only with ip targets.
   * @default - none
   */
  readonly quicEnabledPorts?: string[];
  /**
   * Shares the traffic of single listeners among target groups.
   * @default - all traffic goes to the Service
   */
  readonly actions?: NlbForwardAction[];
}
