/**
 * What a listener of an NLB speaks.
 */
export enum CdkOwnedNlbProtocol {
  /** TCP. */
  TCP = 'TCP',

  /** UDP. */
  UDP = 'UDP',

  /** TCP and UDP on one port. */
  TCP_UDP = 'TCP_UDP',

  /** TLS that ends at the balancer. */
  TLS = 'TLS',
}

/**
 * What a target group holds.
 */
export enum CdkOwnedNlbTargetType {
  /** Addresses of pods. */
  IP = 'ip',

  /** Nodes, at a node port. */
  INSTANCE = 'instance',
}

/**
 * A listener of an NLB, with a target group of its own.
 */
export interface CdkOwnedNlbListener {
  /** The port. */
  readonly port: number;

  /**
   * What it speaks.
   *
   * @default CdkOwnedNlbProtocol.TCP
   */
  readonly protocol?: CdkOwnedNlbProtocol;

  /**
   * What the target group holds. The TargetGroupBinding must say the same.
   *
   * @default CdkOwnedNlbTargetType.IP
   */
  readonly targetType?: CdkOwnedNlbTargetType;

  /**
   * The certificates of a TLS listener; the first is the default one.
   *
   * @default - none
   */
  readonly certificateArns?: string[];

  /**
   * The policy of a TLS listener.
   *
   * @default - the one that AWS chooses
   */
  readonly sslPolicy?: string;

  /**
   * Whether targets see the addresses of clients. Pods that connect to their own balancer fail with it.
   *
   * @default - off for addresses of pods with TCP or TLS, on otherwise
   */
  readonly preserveClientIp?: boolean;

  /**
   * Whether targets learn the addresses of clients by the proxy protocol, which they must understand, and Kafka does not.
   *
   * @default false
   */
  readonly proxyProtocolV2?: boolean;

  /**
   * The port of the health check.
   *
   * @default - that of the target
   */
  readonly healthCheckPort?: number;

  /**
   * The path of a health check by HTTP, with the slash that it begins with.
   *
   * @default - the check is made by TCP
   */
  readonly healthCheckPath?: string;

  /**
   * How long connections to a target may last that is taken out, in seconds, up to 3600.
   *
   * @default 300
   */
  readonly deregistrationDelaySeconds?: number;
}

/**
 * An NLB that AWS CDK makes.
 */
export interface CdkOwnedNlbProps {
  /** The VPC: `vpc.vpcId`. */
  readonly vpcId: string;

  /** The subnets, one of a zone at most. */
  readonly subnetIds: string[];

  /** The listeners: at least one, and 50 at most. */
  readonly listeners: CdkOwnedNlbListener[];

  /**
   * Whether it has public addresses. Another value makes another balancer, with another name.
   *
   * @default false
   */
  readonly internetFacing?: boolean;

  /**
   * The security groups. A balancer that was made without any cannot get one later.
   *
   * @default - none
   */
  readonly securityGroupIds?: string[];

  /**
   * Whether each zone also sends to targets of the others. Without it, a zone without targets drops what reaches it.
   *
   * @default false
   */
  readonly crossZone?: boolean;

  /**
   * Whether AWS refuses to delete it. The stack cannot be deleted then, either.
   *
   * @default false
   */
  readonly deletionProtection?: boolean;

  /**
   * The name of the cluster that may register targets, where its controller may touch nothing else
   * (`AwsClusterIsolation.OWN_RESOURCES`): target groups get its tag.
   *
   * @default - no tag
   */
  readonly clusterName?: string;

  /**
   * The name of the balancer: up to 32 letters, digits and hyphens.
   *
   * @default - made by CloudFormation
   */
  readonly loadBalancerName?: string;
}
