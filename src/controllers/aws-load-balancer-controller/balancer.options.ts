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
 * Attributes of the balancer. An attribute that is no longer said stays as it is in AWS: say its old value instead.
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

/** Options of the balancer as a whole. */
export interface NlbBalancerOptions {
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
   * @default - what the request says of families; else IPv4
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
   * The old spelling of `loadBalancerAttributes.accessLogsS3Enabled`. True wins over it; false says nothing.
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
   * it was told is managed elsewhere is refused.
   * @default - none
   */
  readonly additionalResourceTags?: { readonly [key: string]: string };
}
