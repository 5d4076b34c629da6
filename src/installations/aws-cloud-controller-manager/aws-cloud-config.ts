import type { IpFamily } from '../../contract/ip-family';

/**
 * An interface of AWS that the cloud controller manager calls, as its client names itself. Any other spelling, such as `ec2`,
 * is accepted and does nothing.
 */
export enum AwsCalledService {
  /** Instances, networks, security groups, routes. */
  EC2 = 'EC2',

  /** Classic Load Balancers. */
  CLASSIC_LOAD_BALANCING = 'Elastic Load Balancing',

  /** Network Load Balancers. */
  NETWORK_LOAD_BALANCING = 'Elastic Load Balancing v2',

  /** Keys of volumes. */
  KMS = 'KMS',
}

/**
 * Where an interface of AWS is found instead of its public address: one section `ServiceOverride`.
 */
export interface AwsServiceEndpoint {
  /** The interface. */
  readonly awsService: AwsCalledService;

  /** The region that calls are for. One interface can be found elsewhere once for each region. */
  readonly region: string;

  /** The address, with its scheme. */
  readonly url: string;

  /** The region that calls are signed for. */
  readonly signingRegion: string;

  /**
   * The name of the interface that calls are signed for.
   *
   * @default - that of the interface
   */
  readonly signingName?: string;
}

/**
 * The cloud config of the AWS cloud controller manager: a file that it reads when it starts.
 *
 * Much of it is about one limit: a security group has at most 60 rules for what comes in unless AWS raises it, and all nodes
 * are usually in one group. A Network Load Balancer takes a rule for each port and client range of its Service there, a rule
 * for each port and subnet for its health checks unless every client is let in and they use the same port, and one more for
 * packets that are too large. So about 15 ports in 3 zones fill it, and the next Service gets no traffic. A Classic Load
 * Balancer takes one rule, which lets its own group in. The options that change that say so.
 *
 * @see https://github.com/kubernetes/cloud-provider-aws/blob/v1.36.1/pkg/providers/v1/config/config.go
 */
export interface AwsCloudConfig {
  /**
   * Whether no rules are written into the security groups of nodes: none of the 60 is used, and none is removed either. You
   * open the node ports by hand, from the ranges of the clients (Network Load Balancers keep their addresses) and from the
   * subnets of the balancers, for health checks as well.
   *
   * Switched on later, it leaves the rules of living balancers behind, also when these are deleted.
   *
   * @default false
   */
  readonly disableSecurityGroupIngress?: boolean;

  /**
   * The id of a security group that all Classic Load Balancers get, instead of a group each. Its own rules are yours to write:
   * source ranges of Services do nothing. In the group of the nodes all balancers then share one of the 60 rules, and deleting
   * one Service takes that rule away from all others. Use it together with `disableSecurityGroupIngress`.
   *
   * Network Load Balancers do not use it.
   *
   * @default - a group for each Classic Load Balancer
   */
  readonly elbSecurityGroup?: string;

  /**
   * Whether new Network Load Balancers get a security group of their own (`NLBSecurityGroupMode=Managed`), which lets in the
   * source ranges of the Service. A living one cannot get a group later. The rules in the group of the nodes, and how many of
   * the 60 they take, stay as they are. Since version 1.35; from 1.37 on a Service may name groups of your own instead.
   *
   * @default false
   */
  readonly nlbSecurityGroups?: boolean;

  /**
   * Whether Services with traffic policy Cluster ask the kube-proxy of each node whether it is healthy, instead of the pods
   * through every node port. It listens on a port of its own, the same for all Services. Since version 1.33.
   *
   * @default false
   */
  readonly sharedHealthCheck?: boolean;

  /**
   * The port of the shared health check.
   *
   * @default 10256
   */
  readonly sharedHealthCheckPort?: number;

  /**
   * The path of the shared health check.
   *
   * @default '/healthz'
   */
  readonly sharedHealthCheckPath?: string;

  /**
   * The region.
   *
   * @default - asked of the instance that it runs on
   */
  readonly region?: string;

  /**
   * The zone that it runs in.
   *
   * @default - asked of the instance that it runs on
   */
  readonly zone?: string;

  /**
   * The network of the nodes, where the control plane runs elsewhere. It does nothing without a subnet or a role: then the
   * instance that the program runs on is asked.
   *
   * @default - that of the instance that it runs on
   */
  readonly vpcId?: string;

  /**
   * The subnet that stands for the one of the control plane, where that runs elsewhere.
   *
   * @default - that of the instance that it runs on
   */
  readonly subnetId?: string;

  /**
   * The route table that routes are written to.
   *
   * @default - found by the tags of the cluster
   */
  readonly routeTableId?: string;

  /**
   * A role to take before AWS is called, such as one in the account of the nodes.
   *
   * @default - none
   */
  readonly roleArn?: string;

  /**
   * On whose behalf that role is taken, for the conditions `aws:SourceArn` and `aws:SourceAccount` of its trust policy.
   *
   * @default - none
   */
  readonly sourceArn?: string;

  /**
   * The name in the tag `kubernetes.io/cluster/<name>`, by which subnets, security groups and balancers are found.
   *
   * @default - the name of the cluster
   */
  readonly kubernetesClusterId?: string;

  /**
   * The value of the older tag `KubernetesCluster`.
   *
   * @default - the older tag is not looked at
   */
  readonly kubernetesClusterTag?: string;

  /**
   * Which addresses nodes get, in this order.
   *
   * @default [IpFamily.IPV4]
   */
  readonly nodeIpFamilies?: IpFamily[];

  /**
   * Interfaces of AWS that are found elsewhere.
   *
   * @default - none
   */
  readonly endpoints?: AwsServiceEndpoint[];
}
