import type { IpFamily } from '../../contract/ip-family';
import type { NodePool } from '../../contract/node-pool';
import type { AwsIdentity } from '../../identity/aws/aws-identity';

/**
 * How the AWS cloud controller manager is installed.
 */
export interface AwsCloudControllerManagerInstallationProps {
  /**
   * The name of the cluster. With the tag `kubernetes.io/cluster/<name>` the program marks what it makes, and finds subnets
   * and security groups; a program that is configured with another name later finds nothing that it made.
   */
  readonly clusterName: string;

  /**
   * Its cloud config. A change starts the pods anew, since the file is read once.
   *
   * @default - the name of the cluster alone; the rest is asked of the instance that it runs on
   */
  readonly cloudConfig?: AwsCloudConfig;

  /**
   * The controllers that run. Leave out `SERVICE` where another controller takes all Services, but only when no Service has
   * its finalizer any more: each would stay in Terminating, and its balancer in AWS.
   *
   * `ROUTE` is off because it fails without `clusterCidr`; the program itself would start it.
   *
   * @default [NODE, NODE_LIFECYCLE, SERVICE]
   */
  readonly controllers?: AwsCloudController[];

  /**
   * The address range of pods, or one of each family: for `ROUTE`. Ranges for nodes are not allocated by this program, whose
   * flag for it does nothing; that is the part of the kube-controller-manager.
   *
   * @default - none
   */
  readonly clusterCidrs?: string[];

  /**
   * How many Services are worked on at a time. With one, a Service waits for all balancers that are made before its own.
   *
   * @default 1
   */
  readonly concurrentServiceSyncs?: number;

  /**
   * Where its permissions in AWS come from.
   *
   * @default AwsIdentity.nodeRole()
   */
  readonly identity?: AwsIdentity;

  /**
   * The version: the minor version of Kubernetes, and a patch. Flags are validated for 1.36 and 1.37 alone; name the version beside
   * an `image` of another one. Before 1.35 it has no `nlbSecurityGroups`, and before 1.33 no `sharedHealthCheck`: it would ignore
   * them in silence, so they are refused.
   *
   * @default '1.36.1'
   */
  readonly version?: string;

  /**
   * The image, where it is not the project's own.
   *
   * @default - `registry.k8s.io/provider-aws/cloud-controller-manager` in that version
   */
  readonly image?: string;

  /**
   * The name of the workload.
   *
   * @default 'aws-cloud-controller-manager'
   */
  readonly name?: string;

  /**
   * How many pods of a Deployment. One works; the others stand by.
   *
   * @default - a DaemonSet: one pod on each of its nodes
   */
  readonly replicas?: number;

  /**
   * The nodes that it runs on. Not a pool whose nodes are made while it is away: until it has seen a node, no pod that does
   * not tolerate that may run there.
   *
   * @default - the nodes of the control plane
   */
  readonly nodePool?: NodePool;

  /**
   * Whether its pods use the network of their node. Without it they need a network plugin that works before the cloud
   * controller manager does, and the metadata of their instance.
   *
   * @default true
   */
  readonly hostNetwork?: boolean;

  /**
   * How much it logs: a number, more of it the higher.
   *
   * @default 2
   */
  readonly logVerbosity?: number;

  /**
   * Flags that have no prop here, by name without dashes before it. The names of the lease cannot be changed: its permissions are
   * for the usual one. `TAGGING` needs `tags` (`team=edge`) and `resources` (`instance`): without them the whole program ends. With `secure-port`, `bind-address` or
   * `authorization-always-allow-paths` the pods have no probes: patch them into `workload`.
   *
   * @default - none
   */
  readonly additionalFlags?: { [flag: string]: string };
}

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

/**
 * A controller in the AWS cloud controller manager.
 */
export enum AwsCloudController {
  /** Reports to Kubernetes addresses, zone and type of each node, and takes the taint off with which nodes begin. */
  NODE = 'cloud-node-controller',

  /** Deletes nodes whose instance is gone. */
  NODE_LIFECYCLE = 'cloud-node-lifecycle-controller',

  /**
   * Makes and deletes the balancers of Services without a class. Without it no controller removes the finalizer that it had put on
   * its Services: they stay in Terminating, and their balancers stay in AWS.
   */
  SERVICE = 'service-lb-controller',

  /** Writes a route to the pods of each node into the route table; for networks without a plugin of AWS. */
  ROUTE = 'node-route-controller',

  /** Puts tags on the instances of nodes: those that the flags `tags` and `resources` name, without which the program ends. */
  TAGGING = 'tagging',
}
