import type { NodePool } from '../../contract/node-pool';
import type { AwsIdentity } from '../../identity/aws/aws-identity';
import type { AwsCloudConfig } from './aws-cloud-config';
import type { AwsCloudController } from './aws-cloud-controller';

/**
 * How the AWS cloud controller manager is installed.
 */
export interface AwsCloudControllerManagerInstallationProps {
  /**
   * The name of the cluster. With the tag `kubernetes.io/cluster/<name>` the program marks what it makes, and finds subnets
   * and security groups; a program that is told another name later finds nothing that it made.
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
   * The version: the minor version of Kubernetes, and a patch. Flags are judged for 1.36 and 1.37 alone; name the version beside
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
   * How much it tells: a number, more of it the higher.
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
