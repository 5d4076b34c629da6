import type { Duration } from 'cdk8s';
import type { HealthCheckProtocol } from '../../contract/health-check';
import type { LoadBalancerScheme } from '../../contract/load-balancer-scheme';

/** The annotation by which a Service without a class is claimed. */
export enum AwsLoadBalancerType {
  /** Claims the Service together with a target type. */
  EXTERNAL = 'external',
  /** Claims the Service for ip targets; the old spelling. */
  NLB_IP = 'nlb-ip',
}

/** The address families of a Network Load Balancer. */
export enum NlbIpAddressType {
  /** IPv4 alone. */
  IPV4 = 'ipv4',
  /** Both; every subnet needs an IPv6 range. */
  DUALSTACK = 'dualstack',
}

/** How the name of the balancer is resolved for clients inside AWS. */
export enum NlbClientRoutingPolicy {
  /** Always to the address in the client's own zone. */
  AVAILABILITY_ZONE_AFFINITY = 'availability_zone_affinity',
  /** Mostly to the address in the client's own zone. */
  PARTIAL_AVAILABILITY_ZONE_AFFINITY = 'partial_availability_zone_affinity',
  /** To the address in any zone. */
  ANY_AVAILABILITY_ZONE = 'any_availability_zone',
}

/**
 * Attributes of the balancer. An attribute that is no longer set stays as it is in AWS: set its old value instead.
 *
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_LoadBalancerAttribute.html
 */
export interface NlbAttributes {
  /**
   * Whether the balancer is protected against deletion. While it is, the Service cannot be deleted either: it hangs
   * until this is edited to false.
   * @default false
   */
  readonly deletionProtection?: boolean;
  /**
   * Whether each zone sends to the targets of all zones. AWS charges for traffic between zones.
   * @default false
   */
  readonly crossZone?: boolean;
  /**
   * How clients inside AWS resolve the balancer's name.
   * @default NlbClientRoutingPolicy.ANY_AVAILABILITY_ZONE
   */
  readonly dnsRecordClientRoutingPolicy?: NlbClientRoutingPolicy;
  /**
   * Whether TLS connections are logged to S3; needs a bucket.
   * @default false
   */
  readonly accessLogsS3Enabled?: boolean;
  /**
   * The bucket of the access logs, in the balancer's region.
   * @default - none
   */
  readonly accessLogsS3Bucket?: string;
  /**
   * The prefix of the access logs in their bucket.
   * @default - none
   */
  readonly accessLogsS3Prefix?: string;
  /**
   * Attributes without a member of their own, by AWS's keys. One that AWS does not know leaves a balancer without
   * listeners.
   * @default - none
   */
  readonly additional?: { readonly [key: string]: string };
}

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

/** The protocol of a listener, as it is in the keys of annotations. */
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

/** What a Network Load Balancer sends the traffic to. */
export enum NlbTargetType {
  /**
   * Nodes, at the node port of the Service. Every node is a target unless node labels choose, and kube-proxy forwards
   * to the pods.
   */
  INSTANCE = 'instance',
  /** Pods, at their own address, which must be routable in the VPC. No node lies between, so nodes cannot be chosen. */
  IP = 'ip',
}

/** By what a client is kept on its target. */
export enum NlbStickinessType {
  /** The source address. */
  SOURCE_IP = 'source_ip',
}

/** When the header of proxy protocol v2 is sent. */
export enum NlbProxyHeaderPlacement {
  /** With the first acknowledgement. */
  ON_FIRST_ACK = 'on_first_ack',
  /** With the first acknowledgement that carries data. */
  ON_FIRST_ACK_WITH_PAYLOAD = 'on_first_ack_with_payload',
}

/**
 * Attributes of target groups. An attribute that is no longer set stays as it is in AWS: set its old value instead.
 *
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html
 */
export interface NlbTargetGroupAttributes {
  /**
   * Whether targets see the client's address. Cannot be switched off for UDP. Better wished for by `clientAddress`.
   * @default - true for instance targets and UDP, false for ip targets
   */
  readonly preserveClientIp?: boolean;
  /**
   * Whether connections begin with a header of proxy protocol v2. Better wished for by `proxyProtocol`.
   * @default false
   */
  readonly proxyProtocolV2?: boolean;
  /**
   * When that header is sent.
   * @default NlbProxyHeaderPlacement.ON_FIRST_ACK_WITH_PAYLOAD
   */
  readonly proxyProtocolV2HeaderPlacement?: NlbProxyHeaderPlacement;
  /**
   * How long a removed target may finish its connections, up to an hour.
   * @default Duration.minutes(5)
   */
  readonly deregistrationDelay?: Duration;
  /**
   * Whether connections are closed at the end of that time.
   * @default false
   */
  readonly connectionTerminationOnDeregistration?: boolean;
  /**
   * Whether a client is kept on its target. Not with TLS.
   * @default false
   */
  readonly stickiness?: boolean;
  /**
   * By what a client is kept on its target.
   * @default NlbStickinessType.SOURCE_IP
   */
  readonly stickinessType?: NlbStickinessType;
  /**
   * Whether connections to a target that becomes unhealthy are closed.
   * @default true
   */
  readonly unhealthyConnectionTermination?: boolean;
  /**
   * How long an unhealthy target keeps its connections, where they are not closed; up to 100 hours.
   * @default - none
   */
  readonly unhealthyDrainingInterval?: Duration;
  /**
   * The number of healthy targets below which a zone is taken out of DNS, or `off`.
   * @default '1'
   */
  readonly dnsFailoverMinimumHealthyTargets?: string;
  /**
   * Attributes without a member of their own, by AWS's keys.
   * @default - none
   */
  readonly additional?: { readonly [key: string]: string };
}

/** Attributes of the target group of one port, which win over those of all ports. */
export interface NlbPortTargetGroupAttributes {
  /** The port of the Service. */
  readonly port: number;
  /** What is different for it. */
  readonly attributes: NlbTargetGroupAttributes;
}

/**
 * Options of the AWS Load Balancer Controller for Services.
 *
 * The controller has no validating webhook for Services: at run time a mistake is an event and no balancer. Here it is
 * an error.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/service/annotations/
 */
export interface AwsLoadBalancerControllerNlbOptions {
  /**
   * The name of the balancer, at most 32 characters, unique in account and region: of two Services with one name the second
   * fails, and with equal settings they overwrite each other's listeners. Read at creation only.
   * @default - made from namespace and name of the Service
   */
  readonly loadBalancerName?: string;
  /**
   * Whether the balancer is public, for all requests that do not say it. Changing it replaces the balancer, with a new
   * DNS name.
   * @default LoadBalancerScheme.INTERNAL
   */
  readonly scheme?: LoadBalancerScheme;
  /**
   * The old spelling of `scheme`, for controllers below v2.2: true is internal, false is public. Not together with
   * `scheme`.
   * @default - scheme is written
   */
  readonly loadBalancerInternal?: boolean;
  /**
   * The address families of the balancer. Say DUALSTACK here, and no `ipFamilies`, for a dual stack balancer before a
   * Service of one family.
   * @default - the families of the request; else IPv4
   */
  readonly ipAddressType?: NlbIpAddressType;
  /**
   * Attributes of the balancer.
   * @default - AWS's
   */
  readonly loadBalancerAttributes?: NlbAttributes;
  /**
   * The old spelling of `loadBalancerAttributes.crossZone`, over which it wins.
   * @default - not written
   */
  readonly crossZoneLoadBalancingEnabled?: boolean;
  /**
   * The old spelling of `loadBalancerAttributes.accessLogsS3Enabled`. True wins over it; false counts as unset.
   * @default - not written
   */
  readonly accessLogEnabled?: boolean;
  /**
   * The old spelling of `loadBalancerAttributes.accessLogsS3Bucket`. Read only with `accessLogEnabled`.
   * @default - not written
   */
  readonly accessLogS3BucketName?: string;
  /**
   * The old spelling of `loadBalancerAttributes.accessLogsS3Prefix`. Read only with `accessLogEnabled`.
   * @default - not written
   */
  readonly accessLogS3BucketPrefix?: string;
  /**
   * Load balancer capacity units to reserve; 0 ends a reservation. The controller needs two permissions more for it.
   * @default - none reserved
   */
  readonly minimumLoadBalancerCapacity?: number;
  /**
   * Tags for the balancer, its listeners, target groups and security group. The controller's own tags win, and one that
   * is listed as managed elsewhere is refused.
   * @default - none
   */
  readonly additionalResourceTags?: { readonly [key: string]: string };
  /**
   * The subnets of the balancer, by id or by the value of their Name tag: one each zone. Removing a zone cuts its
   * connections. Whether they are public or private is not checked: an internal balancer in public subnets works as well
   * as one in private subnets, and a public one in private subnets is never reached.
   * @default - found by tags and route tables; a live balancer keeps its own
   */
  readonly subnets?: string[];
  /**
   * Elastic IPs of a public balancer by allocation id, one each subnet. Better wished for by `staticAddresses`. Say `subnets` as
   * well: where the controller finds another number of them, it makes no balancer.
   * @default - assigned
   */
  readonly eipAllocations?: string[];
  /**
   * Addresses of an internal balancer, one in each subnet. Better wished for by `staticAddresses`.
   * @default - assigned
   */
  readonly privateIpv4Addresses?: string[];
  /**
   * IPv6 addresses of a dual stack balancer, one in each subnet. Better wished for by `staticAddresses`.
   * @default - assigned
   */
  readonly ipv6Addresses?: string[];
  /**
   * Whether each subnet has a prefix for IPv6 source NAT, which UDP on a dual stack balancer needs. Cannot be switched
   * off while there is a UDP listener.
   * @default - true for UDP ports with IPv6, else false
   */
  readonly enablePrefixForIpv6SourceNat?: boolean;
  /**
   * Those prefixes, one each subnet: `auto_assigned`, or a range of length 80 in the subnet.
   * @default - auto_assigned
   */
  readonly sourceNatIpv6Prefixes?: string[];
  /**
   * Certificates by ARN, of ACM or IAM, the default one first: they make listeners of TCP ports speak TLS.
   * @default - no TLS
   */
  readonly sslCert?: string[];
  /**
   * The ports, by name or number, that speak TLS. An unknown one is refused, and so is `*`.
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
  /**
   * Whether nodes or pods are targets. Always written, since the default differs between controllers. Changing it
   * replaces the target groups.
   * @default NlbTargetType.INSTANCE
   */
  readonly targetType?: NlbTargetType;
  /**
   * The nodes that are targets: those that carry all of these labels. Ignored by ip targets, so refused with them.
   * Better wished for by `backendNodes`.
   * @default - every node
   */
  readonly targetNodeLabels?: { readonly [key: string]: string };
  /**
   * Sends proxy protocol v2 to every port; only true can be set. Better wished for by `proxyProtocol`.
   * @default - what the request asks for; else no proxy protocol
   */
  readonly proxyProtocol?: boolean;
  /**
   * Sends proxy protocol v2 to these ports of the Service, and to no other. A port that the Service lacks is ignored.
   * @default - none
   */
  readonly proxyProtocolPerTargetGroup?: number[];
  /**
   * Attributes of all target groups.
   * @default - AWS's
   */
  readonly targetGroupAttributes?: NlbTargetGroupAttributes;
  /**
   * Attributes of the target groups of single ports.
   * @default - those of all ports
   */
  readonly targetGroupAttributesPerPort?: NlbPortTargetGroupAttributes[];
  /**
   * Whether controllers of other clusters may register targets in the same target groups. Decide at creation. Deleting
   * the Service deletes the target groups for all.
   * @default false
   */
  readonly multiClusterTargetGroup?: boolean;
  /**
   * The protocol of health checks.
   * @default - TCP; HTTP for instance targets with policy Local
   */
  readonly healthCheckProtocol?: HealthCheckProtocol;
  /**
   * The port of health checks: a number, the name of a port of the Service, or `traffic-port`.
   * @default - the port of the traffic; kube-proxy's own for instance targets with policy Local
   */
  readonly healthCheckPort?: string;
  /**
   * The path of health checks by HTTP and HTTPS; ignored with TCP.
   * @default - `/`; `/healthz` for instance targets with policy Local
   */
  readonly healthCheckPath?: string;
  /**
   * The time between two health checks, 5 to 300 seconds.
   * @default Duration.seconds(10)
   */
  readonly healthCheckInterval?: Duration;
  /**
   * How long a health check waits for an answer, 2 to 120 seconds.
   * @default - 10 seconds; 6 for instance targets with policy Local
   */
  readonly healthCheckTimeout?: Duration;
  /**
   * Successes in a row that make a target healthy, 2 to 10.
   * @default - 3; 2 for instance targets with policy Local
   */
  readonly healthCheckHealthyThreshold?: number;
  /**
   * Failures in a row that take a target out, 2 to 10.
   * @default - 3; 2 for instance targets with policy Local
   */
  readonly healthCheckUnhealthyThreshold?: number;
  /**
   * Status codes that count as healthy: `200-399`, `200,204`. Ignored with TCP.
   * @default '200-399'
   */
  readonly healthCheckSuccessCodes?: string;
  /**
   * The clients that may connect, by the old annotation, which is not read where `spec.loadBalancerSourceRanges` is set.
   * Better wished for by `sourceRanges`.
   * @default - what the request asks for
   */
  readonly loadBalancerSourceRanges?: string[];
  /**
   * The clients that may connect, by managed prefix lists. Not together with `securityGroups`, which make it void.
   * @default - none
   */
  readonly securityGroupPrefixLists?: string[];
  /**
   * Security groups of your own, by id or by the value of their Name tag, instead of the one that the controller makes.
   * The rules that let the traffic reach nodes and pods are then yours too, unless `manageBackendSecurityGroupRules`.
   * @default - one that the controller makes
   */
  readonly securityGroups?: string[];
  /**
   * Whether the controller opens nodes and pods to the balancer.
   * @default - true with the controller's group, false with your own
   */
  readonly manageBackendSecurityGroupRules?: boolean;
  /**
   * Makes a balancer without security groups; the node ports are then opened to the whole VPC. Cannot be changed for a
   * live balancer: one that was born without can never get one.
   * @default false
   */
  readonly disableNlbSg?: boolean;
  /**
   * Whether the security groups apply to traffic that comes by PrivateLink too.
   * @default - AWS's: they do
   */
  readonly inboundSgRulesOnPrivateLinkTraffic?: boolean;
  /**
   * Whether the controller's security group lets in the ICMP messages of path MTU discovery.
   * @default false
   */
  readonly enableIcmpForPathMtuDiscovery?: boolean;
  /**
   * The class that the installed controller serves (its flag `--load-balancer-class`).
   * @default - the vendor's class of NLBs
   */
  readonly loadBalancerClass?: string;
  /**
   * Whether the installed controller's webhook gives its class to every new Service of type LoadBalancer without one.
   * Matters only when the Services of others are read: what is written here names its class.
   * @default false
   */
  readonly serviceMutatorWebhook?: boolean;
  /**
   * Claims Services by this annotation instead of by class. Cloud controllers then keep off too, but add a finalizer of
   * their own first; adding or editing it on a live Service leaves a balancer behind. NLB_IP implies ip targets.
   * @default - by class, and no such annotation
   */
  readonly type?: AwsLoadBalancerType;
}
