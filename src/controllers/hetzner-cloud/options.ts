import type { Duration } from 'cdk8s';

/** How a Hetzner balancer chooses a target. */
export enum HetznerAlgorithm {
  /** One after the other. */
  ROUND_ROBIN = 'round_robin',
  /** The one with the fewest connections. */
  LEAST_CONNECTIONS = 'least_connections',
}

/** What a Hetzner balancer speaks. */
export enum HetznerProtocol {
  /** Passes bytes through. */
  TCP = 'tcp',
  /** Terminates HTTP. */
  HTTP = 'http',
  /** Terminates HTTPS with a certificate that is uploaded to Hetzner or managed there. */
  HTTPS = 'https',
}

/** Where the certificate of an HTTPS balancer comes from. */
export enum HetznerCertificateType {
  /** Uploaded to Hetzner before. */
  UPLOADED = 'uploaded',
  /** Made and renewed by Hetzner. */
  MANAGED = 'managed',
}

/**
 * Options of the Hetzner Cloud controller manager.
 *
 * @see https://github.com/hetznercloud/hcloud-cloud-controller-manager/blob/main/docs/reference/load_balancer_annotations.md
 */
export interface HetznerCloudOptions {
  /**
   * The name of the balancer in Hetzner's console. One of that name that exists already is adopted, which keeps its
   * public addresses; two Services of the same name take it from each other.
   * @default - made from the UID of the Service
   */
  readonly loadBalancerName?: string;
  /**
   * Where the balancer is (`fsn1`). Read at creation only; moving means a new balancer with new addresses. Not
   * together with `networkZone`; empty, it resets the controller's default location, so that `networkZone` counts.
   * @default - the default of the controller; where it has none, either this or `networkZone` is needed
   */
  readonly location?: string;
  /**
   * The zone in which the balancer is (`eu-central`). Read at creation only. Not together with `location`, and
   * ignored where the controller has a default location.
   * @default - the default of the controller
   */
  readonly networkZone?: string;
  /**
   * The size (`lb11`, `lb21`, `lb31`).
   * @default - the default of the controller, else lb11
   */
  readonly type?: string;
  /**
   * How a target is chosen.
   * @default HetznerAlgorithm.ROUND_ROBIN
   */
  readonly algorithmType?: HetznerAlgorithm;
  /**
   * Whether the balancer has no public interface. The scheme of the request says the same in neutral terms.
   * @default - true unless the request asks for an internet-facing balancer
   */
  readonly disablePublicNetwork?: boolean;
  /**
   * Whether the private address stays out of the status of the Service.
   * @default - the default of the controller
   */
  readonly disablePrivateIngress?: boolean;
  /**
   * Whether the balancer reaches the nodes over the private network. Hetzner switches the public interface off only
   * when it does.
   * @default - true for an internal balancer, else the default of the controller
   */
  readonly usePrivateIp?: boolean;
  /**
   * The address of the balancer in the private network. Changing it detaches the balancer from the network for a moment.
   * @default - assigned by Hetzner
   */
  readonly privateIpv4?: string;
  /**
   * The subnet of the balancer, as CIDR; it must exist already.
   * @default - the default of the controller
   */
  readonly privateSubnetIpRange?: string;
  /**
   * Reverse DNS of the IPv4 address.
   * @default - none
   */
  readonly ipv4Rdns?: string;
  /**
   * Reverse DNS of the IPv6 address.
   * @default - none
   */
  readonly ipv6Rdns?: string;
  /**
   * Whether the IPv6 address stays out of the status of the Service, and so out of external-dns. The balancer keeps it.
   * @default - what the address families of the request say, else the default of the controller
   */
  readonly ipv6Disabled?: boolean;
  /**
   * A name to publish in the status of the Service instead of the addresses. In-cluster clients then go through the
   * balancer, as they must with proxy protocol.
   * @default - the addresses
   */
  readonly hostname?: string;
  /**
   * What the balancer speaks.
   * @default HetznerProtocol.TCP
   */
  readonly protocol?: HetznerProtocol;
  /**
   * Which nodes are targets, as a label selector in the syntax of kubectl (`pool in (edge,web)`). A selector without a
   * match leaves the balancer without targets.
   * @default - the labels of the request's `backendNodes`, else every node
   */
  readonly nodeSelector?: string;
  /**
   * Whether the balancer speaks the PROXY protocol to the pods, which must understand it.
   * @default - what the request says, else the default of the controller
   */
  readonly usesProxyProtocol?: boolean;
  /**
   * The name of the cookie for sticky sessions.
   * @default - Hetzner's
   */
  readonly httpCookieName?: string;
  /**
   * The life of that cookie.
   * @default - Hetzner's
   */
  readonly httpCookieLifetime?: Duration;
  /**
   * How long an idle HTTP connection is kept, 30 to 300 seconds.
   * @default - Hetzner's
   */
  readonly httpTimeoutIdle?: Duration;
  /**
   * Where the certificate comes from.
   * @default HetznerCertificateType.UPLOADED
   */
  readonly certificateType?: HetznerCertificateType;
  /**
   * Uploaded certificates, by id or name.
   * @default - none
   */
  readonly httpCertificates?: string[];
  /**
   * The name of the managed certificate.
   * @default - generated
   */
  readonly httpManagedCertificateName?: string;
  /**
   * The domains of the managed certificate; needed with `HetznerCertificateType.MANAGED`.
   * @default - none
   */
  readonly httpManagedCertificateDomains?: string[];
  /**
   * Whether HTTP is redirected to HTTPS.
   * @default false
   */
  readonly httpRedirectHttp?: boolean;
  /**
   * Whether a cookie keeps a client on its target.
   * @default false
   */
  readonly httpStickySessions?: boolean;
  /**
   * The protocol of the health check.
   * @default - tcp; with any other option of the health check, the protocol of the balancer
   */
  readonly healthCheckProtocol?: HetznerProtocol;
  /**
   * The port of the health check, one for all ports of the Service. With traffic policy Local only a check of the node
   * port keeps nodes without pods out.
   * @default - the node port that carries the traffic
   */
  readonly healthCheckPort?: number;
  /**
   * The time between two health checks.
   * @default - the default of the controller, else 15 seconds
   */
  readonly healthCheckInterval?: Duration;
  /**
   * How long a health check waits for an answer.
   * @default - the default of the controller, else 10 seconds
   */
  readonly healthCheckTimeout?: Duration;
  /**
   * Failures in a row that take a node out.
   * @default - the default of the controller, else 3
   */
  readonly healthCheckRetries?: number;
  /**
   * The path of an HTTP health check; ignored by a TCP check.
   * @default '/'
   */
  readonly healthCheckHttpPath?: string;
  /**
   * The host name of an HTTP health check; ignored by a TCP check.
   * @default - none
   */
  readonly healthCheckHttpDomain?: string;
  /**
   * Whether an HTTPS health check verifies the certificate; ignored by a TCP check.
   * @default false
   */
  readonly healthCheckHttpValidateCertificate?: boolean;
  /**
   * Status codes that count as healthy; `2??` means any of 200 to 299. Ignored by a TCP check.
   * @default - 2?? and 3??
   */
  readonly healthCheckHttpStatusCodes?: string[];
}
