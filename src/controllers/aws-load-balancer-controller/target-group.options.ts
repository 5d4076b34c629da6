import type { Duration } from 'cdk8s';

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
 * Attributes of target groups. An attribute that is no longer said stays as it is in AWS: say its old value instead.
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

/** Options of target groups: which targets there are, and what they see. */
export interface NlbTargetGroupOptions {
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
   * Sends proxy protocol v2 to every port; only true can be said. Better wished for by `proxyProtocol`.
   * @default - what the request says; else no proxy protocol
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
}
