import type { Duration } from 'cdk8s';
import type { HealthCheckProtocol } from '../../contract/health-check';
import type { KubernetesVersion } from '../../contract/kubernetes-version';

/** What the balancer speaks to the pods. */
export enum AwsBackendProtocol {
  /** HTTP; without a certificate the listener speaks HTTP as well. Classic only. */
  HTTP = 'http',
  /** HTTPS behind an HTTPS listener. Classic only. */
  HTTPS = 'https',
  /** TLS behind a TLS listener. */
  SSL = 'ssl',
  /** Plain TCP. Classic only: a Network Load Balancer does so by itself. */
  TCP = 'tcp',
}

/** The attributes of target groups that the AWS cloud provider passes on; it refuses all others. */
export interface AwsCloudProviderTargetGroupAttributes {
  /**
   * Whether nodes see the address of the client (`preserve_client_ip.enabled`). Cannot be switched off for UDP. Taking
   * it out again leaves the target groups as they are.
   * @default - what AWS defaults to: true for instances
   */
  readonly preserveClientIp?: boolean;
  /**
   * Whether connections begin with a PROXY protocol v2 header (`proxy_protocol_v2.enabled`), which the pods must
   * understand.
   * @default false
   */
  readonly proxyProtocolV2?: boolean;
}

/**
 * Options of the AWS cloud provider that both kinds of balancers have.
 *
 * @see https://cloud-provider-aws.sigs.k8s.io/service_controller/
 */
export interface AwsCloudProviderOptions {
  /**
   * Whether the balancer is internal. The scheme of a request must agree.
   * @default - what the request asks for; else true
   */
  readonly loadBalancerInternal?: boolean;
  /**
   * The subnets, by id or by the value of their Name tag, one for each zone.
   * @default - found by the tags of the subnets
   */
  readonly subnets?: string[];
  /**
   * The certificate of TLS listeners: the ARN of one in ACM or IAM.
   * @default - no TLS
   */
  readonly sslCert?: string;
  /**
   * The ports with TLS, by number or name; `*` means all. Has no effect without `sslCert`.
   * @default - all
   */
  readonly sslPorts?: string[];
  /**
   * The security policy of TLS listeners.
   * @default 'ELBSecurityPolicy-2016-08'
   */
  readonly sslNegotiationPolicy?: string;
  /**
   * What the balancer speaks to the pods. A Network Load Balancer takes `SSL` only, for TLS listeners.
   * @default AwsBackendProtocol.TCP
   */
  readonly backendProtocol?: AwsBackendProtocol;
  /**
   * Whether a node of the balancer sends to targets in all zones. Costs traffic between zones.
   * @default false
   */
  readonly crossZoneLoadBalancingEnabled?: boolean;
  /**
   * Whether access logs are written. Needs `accessLogS3BucketName`.
   * @default false
   */
  readonly accessLogEnabled?: boolean;
  /**
   * The bucket for access logs; its policy must let the balancer write.
   * @default - none
   */
  readonly accessLogS3BucketName?: string;
  /**
   * The folder in that bucket.
   * @default - the root of the bucket
   */
  readonly accessLogS3BucketPrefix?: string;
  /**
   * Tags of the balancer. Neither keys nor values can hold a comma or an equals sign: the controller would cut them off.
   * A Network Load Balancer gets them when it is made, and never again; a Classic one gets added ones later, too, but
   * keeps those that are taken out.
   * @default - those of the controller only
   */
  readonly additionalResourceTags?: { [key: string]: string };
  /**
   * The labels of the nodes that are targets; all must match. An empty value matches any value of the label. A node
   * that is labelled otherwise is not noticed until the Service or the set of nodes changes, or the controller starts
   * anew (kubernetes/cloud-provider v0.36.3, controllers/service/controller.go: shouldSyncUpdatedNode).
   * @default - every node
   */
  readonly targetNodeLabels?: { [key: string]: string };
  /**
   * The protocol of the health check. A change makes new target groups of a Network Load Balancer, as a change of the
   * traffic policy does.
   * @default - TCP; HTTP with traffic policy Local
   */
  readonly healthCheckProtocol?: HealthCheckProtocol;
  /**
   * The port of the health check: a number, or `traffic-port`. Overriding it with traffic policy Local sends traffic to
   * nodes without a pod. It is asked by TCP, for UDP traffic as well, where mostly nothing answers on `traffic-port`.
   * @default - `traffic-port`; the health check node port with traffic policy Local
   */
  readonly healthCheckPort?: string;
  /**
   * The path of an HTTP or HTTPS health check.
   * @default - `/`; `/healthz` with traffic policy Local
   */
  readonly healthCheckPath?: string;
  /**
   * The time between two checks, 5 to 300 seconds. A change makes new target groups of a Network Load Balancer.
   * @default - 10 seconds; 30 for a Network Load Balancer with traffic policy Cluster
   */
  readonly healthCheckInterval?: Duration;
  /**
   * Successes in a row that make a target healthy, 2 to 10.
   * @default - 2; 3 for a Network Load Balancer with traffic policy Cluster
   */
  readonly healthCheckHealthyThreshold?: number;
  /**
   * Failures in a row that take a target out, 2 to 10. On a Network Load Balancer that exists a change is applied only
   * where `healthCheckHealthyThreshold` changes too.
   * @default - 6; for a Network Load Balancer 3, with traffic policy Local 2
   */
  readonly healthCheckUnhealthyThreshold?: number;
}

/** Options of a Network Load Balancer of the AWS cloud provider. */
export interface AwsCloudProviderNlbOptions extends AwsCloudProviderOptions {
  /**
   * Security groups of the balancer, whose rules are yours: the controller writes none into them. From version 1.37 on, where
   * the cloud config says `NLBSecurityGroupMode = Managed`; elsewhere they are ignored, and in 1.35 and 1.36 refused. A
   * balancer that was made without groups cannot get any. Source ranges hold at the nodes as well.
   * @default - one that the controller makes, with `NLBSecurityGroupMode = Managed`; else none
   * @see https://pkg.go.dev/k8s.io/cloud-provider-aws@v1.37.0/pkg/providers/v1
   */
  readonly securityGroups?: string[];
  /**
   * The minor version of the controller, which is that of Kubernetes as a rule.
   * @default - unknown
   */
  readonly version?: KubernetesVersion;
  /**
   * Attributes of the target groups.
   * @default - those of AWS
   */
  readonly targetGroupAttributes?: AwsCloudProviderTargetGroupAttributes;
  /**
   * Allocation ids of elastic IP addresses for a public balancer: as many as it has subnets. Where `subnets` is set,
   * they are given out in the order in which AWS lists those, ids before names, which need not be the order written;
   * where it is not, by the names of the zones. Read at creation only.
   * @default - assigned by AWS
   */
  readonly eipAllocations?: string[];
  /**
   * Private IPv4 addresses for an internal balancer: as many as it has subnets. Where `subnets` is set, they are given
   * out in the order in which AWS lists those, ids before names, which need not be the order written, and an address
   * must lie in the subnet that gets it; where it is not, by the names of the zones. Read at creation only.
   * @default - assigned by AWS
   */
  readonly privateIpv4Addresses?: string[];
}

/** Options of a Classic Load Balancer of the AWS cloud provider. */
export interface AwsCloudProviderClassicOptions extends AwsCloudProviderOptions {
  /**
   * Whether connections begin with a PROXY protocol v1 header, which the pods must understand. There is no value for
   * false: leave it out.
   * @default - off
   */
  readonly proxyProtocol?: boolean;
  /**
   * How often access logs are written: 5 or 60 minutes.
   * @default - what AWS defaults to
   */
  readonly accessLogEmitInterval?: Duration;
  /**
   * Whether a target that leaves may finish its connections.
   * @default false
   */
  readonly connectionDrainingEnabled?: boolean;
  /**
   * How long it may take for that, 1 to 3600 seconds.
   * @default Duration.seconds(300)
   */
  readonly connectionDrainingTimeout?: Duration;
  /**
   * How long an idle connection is kept, 1 to 4000 seconds.
   * @default Duration.seconds(60)
   */
  readonly connectionIdleTimeout?: Duration;
  /**
   * Security groups of the balancer instead of the one that the controller makes; their rules are yours. Without them,
   * a balancer that AWS refuses to create leaves the group `k8s-elb-*` behind that was made for it, even when the
   * Service is deleted.
   * @default - one that the controller makes
   */
  readonly securityGroups?: string[];
  /**
   * Security groups of the balancer beside the one that the controller makes.
   * @default - none
   */
  readonly extraSecurityGroups?: string[];
  /**
   * How long a health check waits for an answer, 2 to 60 seconds. A Network Load Balancer has the timeout that AWS
   * defaults to.
   * @default Duration.seconds(5)
   */
  readonly healthCheckTimeout?: Duration;
}
