import type { Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import { ClientAddress } from '../contract/client-address';
import { IpFamily } from '../contract/ip-family';
import { Confidence, LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { NodeRestriction } from '../contract/node-restriction';
import { PlanDraft } from '../contract/plan-draft';
import type { ControllerKind } from '../rules/controller-kind';
import { annotationsOf, portsOf } from '../rules/service-json';
import { claimsWithoutClass } from './claims';
import { defineKind } from './define-kind';
import { encodeOptions } from './encode-options';
import { HCLOUD, HCLOUD_CATALOGUE, HCLOUD_CONTROLLER, HCLOUD_SOURCE } from './hetzner-cloud.annotations';

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
  /** Terminates HTTPS with a certificate of Hetzner's. */
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
   * The name of the balancer in Hetzner's console. One of that name that exists already is adopted.
   * @default - made from the UID of the Service
   */
  readonly loadBalancerName?: string;
  /**
   * Where the balancer stands (`fsn1`). Read at creation only; moving means a new balancer with new addresses. Not
   * together with `networkZone`.
   * @default - the default of the controller
   */
  readonly location?: string;
  /**
   * The zone in which the balancer stands (`eu-central`). Not together with `location`.
   * @default - the default of the controller
   */
  readonly networkZone?: string;
  /**
   * The size (`lb11`, `lb21`, `lb31`).
   * @default 'lb11'
   */
  readonly type?: string;
  /**
   * How a target is chosen.
   * @default HetznerAlgorithm.ROUND_ROBIN
   */
  readonly algorithmType?: HetznerAlgorithm;
  /**
   * Whether the private address stays out of the status of the Service.
   * @default false
   */
  readonly disablePrivateIngress?: boolean;
  /**
   * Whether the balancer reaches the nodes over the private network.
   * @default false
   */
  readonly usePrivateIp?: boolean;
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
   * The domains of the managed certificate.
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
   * The host name of an HTTP health check.
   * @default - none
   */
  readonly healthCheckHttpDomain?: string;
  /**
   * Whether an HTTPS health check verifies the certificate.
   * @default false
   */
  readonly healthCheckHttpValidateCertificate?: boolean;
  /**
   * Status codes that count as healthy; `2??` means any of 200 to 299.
   * @default - 2?? and 3??
   */
  readonly healthCheckHttpStatusCodes?: string[];
}

/**
 * The Hetzner Cloud controller manager: TCP, HTTP and HTTPS balancers of Hetzner Cloud.
 *
 * It serves Services without a class, through the service controller of Kubernetes, so the finalizer is that of KEP-980.
 * The backend is restricted to a node pool by a selector on the Service.
 *
 * Hetzner has no label for node pools: label the nodes yourself and use `NodePool.labeled`.
 */
export class HetznerCloud implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: ControllerKind = defineKind({
    name: HCLOUD_CONTROLLER,
    facts: {
      product: 'Hetzner Cloud Load Balancer',
      source: HCLOUD_SOURCE,
      confidence: Confidence.SOURCE,
      nodes: 'selector on the Service',
      remark: 'TCP only; the client address survives by proxy protocol only',
    },
    catalogue: HCLOUD_CATALOGUE,
    finalizers: [LOAD_BALANCER_CLEANUP_FINALIZER],
    classes: [],
    claim: claimsWithoutClass,
    installed: () => HetznerCloud.loadBalancer(),
    rules: [
      {
        id: 'hetzner-one-placement',
        severity: 'error',
        says: 'location and network-zone exclude each other',
        source: HCLOUD_SOURCE,
        judge(service) {
          const annotations = annotationsOf(service);
          const location = HCLOUD.location.on(annotations);
          const zone = HCLOUD.networkZone.on(annotations);
          return location && zone
            ? { what: `both location '${location}' and network zone '${zone}' are set`, wayOut: 'keep one', value: zone }
            : undefined;
        },
      },
      {
        id: 'hetzner-tcp-only',
        severity: 'error',
        says: 'ports of another protocol than TCP are left out of the balancer, with an event',
        source: { ...HCLOUD_SOURCE, file: 'internal/hcops/load_balancer.go' },
        judge(service) {
          const odd = portsOf(service).find((port) => (port.protocol ?? 'TCP') !== 'TCP');
          return odd && { what: `port ${odd.port} is ${odd.protocol}`, wayOut: 'balance TCP only', value: odd.protocol };
        },
      },
    ],
  });

  /**
   * A balancer of Hetzner Cloud.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse
   */
  public static loadBalancer(options: HetznerCloudOptions = {}): HetznerCloud {
    return new HetznerCloud(options);
  }

  /** `hcloud-cloud-controller-manager` */
  public readonly name = HCLOUD_CONTROLLER;

  private readonly annotations: Record<string, string>;

  private constructor(options: HetznerCloudOptions) {
    this.annotations = encodeOptions(HCLOUD_CONTROLLER, HCLOUD_CATALOGUE, options);
  }

  /**
   * Answers a request.
   *
   * @param _scope not used: there are no side objects
   * @param request what is wished for
   */
  public bind(_scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(this.name, request, this.annotations);

    if (request.internetFacing) {
      draft.honour(LoadBalancerWish.SCHEME, 'balancers are public by default');
    } else {
      const scheme = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
      draft.annotate(scheme, HCLOUD.disablePublicNetwork, true);
    }
    if (request.trafficPolicy) {
      draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${request.trafficPolicy}`);
    }
    if (request.proxyProtocol !== undefined) {
      draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, HCLOUD.usesProxyProtocol, request.proxyProtocol);
    }
    this.answerClientAddress(draft, request);
    if (request.backendNodes) {
      draft.annotate(LoadBalancerWish.BACKEND_NODES, HCLOUD.nodeSelector, request.backendNodes.labels);
    }
    if (request.ipFamilies) {
      const onlyIpv4 = !request.ipFamilies.includes(IpFamily.IPV6);
      draft.annotate(LoadBalancerWish.IP_FAMILIES, HCLOUD.ipv6Disabled, onlyIpv4);
    }
    this.answerStaticAddresses(draft, request);
    this.answerHealthCheck(draft, request);

    return draft.done({
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      externalTrafficPolicy: request.trafficPolicy,
      ipFamilies: request.ipFamilies,
      nodeRestriction: request.backendNodes ? NodeRestriction.ON_SERVICE : NodeRestriction.NONE,
    });
  }

  private answerClientAddress(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.CLIENT_ADDRESS;
    if (request.clientAddress === ClientAddress.REPLACE) {
      draft.honour(wish, 'the pod sees the balancer');
      return;
    }
    if (request.clientAddress === ClientAddress.PRESERVE) {
      if (request.proxyProtocol === false) {
        draft.refuse(wish, {
          what: 'the client address survives by proxy protocol only, which the request switches off',
          wayOut: 'leave proxyProtocol out, or set it to true',
          value: 'proxyProtocol: false',
        });
        return;
      }
      draft.annotate(wish, HCLOUD.usesProxyProtocol, true);
      draft.warn(wish, 'pod-must-speak-proxy-protocol', {
        what: 'the client address is kept by proxy protocol, which every pod behind this Service must understand',
        wayOut: 'switch it on in the pods, or leave clientAddress out',
      });
    }
  }

  private answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest): void {
    const addresses = request.staticAddresses;
    if (!addresses) {
      return;
    }
    if (request.internetFacing || addresses.length !== 1) {
      draft.refuse(LoadBalancerWish.STATIC_ADDRESSES, {
        what: `the one address that can be fixed is a private IPv4 address, not '${addresses.join(', ')}' of ${request.internetFacing ? 'a public' : 'an internal'} balancer`,
        wayOut: 'fix one private IPv4 address of an internal balancer, or keep a public one by the option loadBalancerName',
        value: addresses.join(', '),
      });
      return;
    }
    draft.annotate(LoadBalancerWish.STATIC_ADDRESSES, HCLOUD.privateIpv4, addresses[0]);
  }

  private answerHealthCheck(draft: PlanDraft, request: LoadBalancerRequest): void {
    const check = request.healthCheck;
    if (!check) {
      return;
    }
    const wish = LoadBalancerWish.HEALTH_CHECK;
    draft.honour(wish, `${check.protocol ?? HetznerProtocol.TCP} health check`);
    if (check.protocol) draft.annotate(wish, HCLOUD.healthCheckProtocol, check.protocol);
    if (check.port !== undefined) draft.annotate(wish, HCLOUD.healthCheckPort, check.port);
    if (check.path !== undefined) draft.annotate(wish, HCLOUD.healthCheckHttpPath, check.path);
    if (check.interval) draft.annotate(wish, HCLOUD.healthCheckInterval, check.interval);
    if (check.timeout) draft.annotate(wish, HCLOUD.healthCheckTimeout, check.timeout);
    if (check.unhealthyThreshold !== undefined) {
      draft.annotate(wish, HCLOUD.healthCheckRetries, check.unhealthyThreshold);
    }
    if (check.healthyThreshold !== undefined) {
      draft.refuse(wish, {
        what: `there is no healthyThreshold, with value ${check.healthyThreshold}`,
        wayOut: 'leave it out; unhealthyThreshold sets the retries',
        value: String(check.healthyThreshold),
      });
    }
  }
}
