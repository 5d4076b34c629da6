import type { Size } from 'cdk8s';
import type { NodePool } from '../../contract/node-pool';
import type { NodeTaint } from '../../contract/node-taint';
import type { PodSpread } from '../../contract/pod-spread';
import type { AwsClusterIsolation } from '../../identity/aws/aws-cluster-isolation';
import type { AwsIdentity } from '../../identity/aws/aws-identity';
import type { AwsLoadBalancerControllerFeature } from '../../identity/aws/aws-load-balancer-controller-feature';
import type { WebhookCertificate } from '../certificates/webhook-certificate';
import type { AwsLoadBalancerControllerVersion } from './version';

/**
 * How much the controller logs.
 */
export enum AwsLoadBalancerControllerLogLevel {
  /** What it does. */
  INFO = 'info',

  /** What it decides, and why. */
  DEBUG = 'debug',
}

/**
 * What becomes of a request while no replica of the controller answers its webhook.
 */
export enum AwsLoadBalancerControllerWebhookFailurePolicy {
  /** It goes ahead as if there were no webhook. */
  IGNORE = 'Ignore',

  /** It is refused. */
  FAIL = 'Fail',
}

/**
 * What each replica of the controller may use.
 */
export interface AwsLoadBalancerControllerResources {
  /**
   * The share of processors that the scheduler keeps free, as Kubernetes writes it.
   *
   * @default '100m'
   */
  readonly cpuRequest?: string;

  /**
   * The share of processors that it may use at most, no less than `cpuRequest`.
   *
   * @default - whatever the node has
   */
  readonly cpuLimit?: string;

  /**
   * The memory that the scheduler keeps free.
   *
   * @default Size.mebibytes(200)
   */
  readonly memoryRequest?: Size;

  /**
   * The memory beyond which it is killed. Its caches hold every Service, node, pod and endpoint of the cluster: a limit that
   * is too small for them kills it at each start, and nothing is served any more.
   *
   * @default - whatever the node has
   */
  readonly memoryLimit?: Size;
}

/**
 * How the AWS Load Balancer Controller is installed.
 */
export interface AwsLoadBalancerControllerInstallationProps {
  /**
   * The name of the cluster, at most 100 characters. It becomes the tag by which the controller finds what is its own: two
   * controllers with one name destroy each other's balancers, and a controller that is renamed orphans all of its balancers.
   */
  readonly clusterName: string;

  /** The region, such as `eu-west-1`. It is always written: asking the metadata service of the node takes a hop too many. */
  readonly region: string;

  /** The network that the nodes are in, such as `vpc-0123456789abcdef0`. It is always written, as the region is. */
  readonly vpcId: string;

  /** How its pods prove to AWS who they are. */
  readonly identity: AwsIdentity;

  /** Where the certificate of its webhooks comes from. */
  readonly certificate: WebhookCertificate;

  /**
   * The version of the controller, 3.3.0 or newer. The kinds that are written are those of 3.5.0, which ran in tests against a
   * real API server: they serve 3.3 and 3.4 as well, and an API server that holds objects of newer kinds refuses older ones. So
   * a rollback changes nothing but the Deployment; shared load balancers on NLBs need 3.5.0. With a version newer than 3.5.0,
   * apply the kinds of that version and leave them out here (`crds: false`), or accept the warning.
   *
   * @default AwsLoadBalancerControllerVersion.V3_5_0
   */
  readonly version?: AwsLoadBalancerControllerVersion;

  /**
   * The name of the Deployment and of the service account, and what other names begin with. A second installation of another
   * name is no second controller: `clusterName` decides.
   *
   * @default 'aws-load-balancer-controller'
   */
  readonly name?: string;

  /**
   * The namespace of the controller. It is not made here.
   *
   * @default - that of the chart, or kube-system
   */
  readonly namespace?: string;

  /**
   * How many replicas. One of them works, the others wait; all answer webhooks.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Whether a PodDisruptionBudget keeps all replicas but one while nodes are drained.
   *
   * @default - with two replicas or more
   */
  readonly disruptionBudget?: boolean;

  /**
   * The image, with its tag or digest: for registries of one's own. A tag must be that of `version`.
   *
   * @default - the vendor's public image of the version
   */
  readonly image?: string;

  /**
   * The class of Services that it serves. Objects of `nlb()` have it by themselves.
   *
   * @default - the vendor's class of NLBs
   */
  readonly loadBalancerClass?: string;

  /**
   * Whether a webhook gives the class to every new Service of type LoadBalancer that has none. It then takes Services that the
   * cloud controller manager would serve; those that this library writes name their class. While the controller is away such
   * Services, and no others, are refused. Needs Kubernetes 1.28: older API servers ask it about every Service.
   *
   * @default false
   * @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchconditions
   */
  readonly serviceMutatorWebhook?: boolean;

  /**
   * What becomes of new Pods in namespaces that are labelled for readiness gates while the controller is away. With `IGNORE`
   * a Pod that is made meanwhile, as when the controller itself is updated, has no gate for the rest of its life, and a rollout
   * goes on before its targets are healthy. With `FAIL` such Pods wait; those of kube-system and of the namespace of the
   * controller never do.
   *
   * @default AwsLoadBalancerControllerWebhookFailurePolicy.IGNORE
   */
  readonly podMutatorFailurePolicy?: AwsLoadBalancerControllerWebhookFailurePolicy;

  /**
   * Serves Services of type LoadBalancer, Gateways and TargetGroupBindings only: no IngressClass, no webhook for Ingresses and
   * their parameters, no calls to WAF and Shield, and `permissions` without what Ingresses need.
   *
   * No version has a switch for its part for Ingresses: it is given a class that no Ingress has (`nlb-only`), unless
   * `ingressClassName` says another one. So an Ingress whose older annotation names the class `alb` is let go, and **a balancer
   * that it has is deleted**. An IngressClass of `ingress.k8s.aws/alb` that is still in the cluster is served, and fails:
   * delete it.
   *
   * @default false
   */
  readonly nlbOnly?: boolean;

  /**
   * What `permissions` allow beside what `nlbOnly` and the feature gates say. With `nlbOnly`, Services that reserve capacity
   * need `LOAD_BALANCER_CAPACITY`.
   *
   * @default - nothing
   */
  readonly policyFeatures?: AwsLoadBalancerControllerFeature[];

  /**
   * How far `permissions` keep the controller to its own cluster.
   *
   * @default AwsClusterIsolation.OWN_CLUSTER
   */
  readonly isolation?: AwsClusterIsolation;

  /**
   * The ARN of the network of the cluster, `vpcId`. With it, `permissions` let rules be written to security groups of this
   * network alone.
   *
   * @default - rules of every security group of the account may be written
   */
  readonly vpcArn?: string;

  /**
   * The name of the IngressClass, and the value of the older annotation on Ingresses. On a running controller a change lets
   * every Ingress go whose annotation has the old value, and deletes its balancer.
   *
   * @default - 'alb', or with `nlbOnly` a name that no Ingress has
   */
  readonly ingressClassName?: string;

  /**
   * Whether the IngressClass is written.
   *
   * @default - unless `nlbOnly`
   */
  readonly ingressClass?: boolean;

  /**
   * Feature gates. One that has a member of its own may not be in `additional` with another value.
   *
   * @default - those of the version, but ServiceTypeLoadBalancerOnly on and the Gateway API off
   */
  readonly featureGates?: AwsLoadBalancerControllerFeatureGates;

  /**
   * The version of the Gateway API whose kinds the cluster has, at least `1.6.0`: a gate of the Gateway API needs them there
   * before the controller starts. Where they are objects of the same app, nothing needs to be set.
   *
   * @default - they are in the app, or no gate needs them
   */
  readonly gatewayApiCrds?: string;

  /**
   * Whether the kinds of the controller are written: TargetGroupBinding, IngressClassParams, and those of its gates. A user who
   * deletes TargetGroupBinding deletes all bindings, and takes the targets out of every target group: where one tool removes
   * the installation, let another one keep them.
   *
   * @default true
   */
  readonly crds?: boolean;

  /**
   * The one namespace that it looks at; webhooks go on for all. Where this is the only installation of the app, a Service for
   * it in another namespace is an error.
   *
   * @default - all of them
   */
  readonly watchNamespace?: string;

  /**
   * Tags of everything that it makes. They win over the tags of a Service, unless a gate says otherwise.
   *
   * @default - none but its own
   */
  readonly defaultTags?: { [key: string]: string };

  /**
   * How much it logs.
   *
   * @default AwsLoadBalancerControllerLogLevel.INFO
   */
  readonly logLevel?: AwsLoadBalancerControllerLogLevel;

  /**
   * Other flags by upstream's name, without dashes: `{ 'sync-period': '1h' }`.
   *
   * @default - none
   */
  readonly additionalFlags?: { [flag: string]: string };

  /**
   * What each replica may use.
   *
   * @default - 100m of CPU and 200Mi of memory are kept free, and nothing is limited
   */
  readonly resources?: AwsLoadBalancerControllerResources;

  /**
   * The priority of its pods.
   *
   * @default 'system-cluster-critical'
   */
  readonly priorityClassName?: string;

  /**
   * The nodes that its pods are pinned to: required node affinity, and tolerations for the taints of the pool.
   *
   * @default - wherever there is room
   */
  readonly nodePool?: NodePool;

  /**
   * Taints that its pods tolerate beside those of the pool.
   *
   * @default - none
   */
  readonly tolerations?: NodeTaint[];

  /**
   * Whether its pods use the network of their nodes. The API server must reach port 9443 of the pods, or every webhook fails:
   * where a managed control plane does not reach the overlay network of the pods, as on EKS with another CNI than AWS's, set
   * this, and let the security group of the nodes accept 9443 from the control plane. The ports 8080, 9443 and 61779 are
   * then taken on each of these nodes: one replica per node, and an update wants a node more than there are replicas.
   *
   * @default false
   */
  readonly hostNetwork?: boolean;

  /**
   * How its pods are spread over nodes.
   *
   * @default - on different nodes where that is possible
   */
  readonly spread?: PodSpread;
}

/**
 * Feature gates of the AWS Load Balancer Controller. With a name that it does not know it does not start: here there are only
 * names that it knows. Its documentation has two that it does not.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/v3.5/deploy/configurations/#feature-gates
 */
export interface AwsLoadBalancerControllerFeatureGates {
  /**
   * Serves Services of type LoadBalancer alone. Without it, a Service that is claimed by annotation and edited to another type
   * keeps its balancer for ever.
   *
   * @default true
   */
  readonly serviceTypeLoadBalancerOnly?: boolean;

  /**
   * Makes Network Load Balancers for Gateways. Needs `gatewayApiCrds`: switched on while a kind is missing, the whole
   * controller exits after two minutes, and Services are served no more. `permissions` then lets certificates be looked up by
   * host name, for TLS listeners that name none.
   *
   * @default false
   */
  readonly nlbGatewayApi?: boolean;

  /**
   * Makes Application Load Balancers for Gateways. Needs `gatewayApiCrds`.
   *
   * @default false
   */
  readonly albGatewayApi?: boolean;

  /**
   * Listeners of a Gateway in objects of their own. Needs `gatewayApiCrds`.
   *
   * @default - as nlbGatewayApi or albGatewayApi
   */
  readonly gatewayListenerSet?: boolean;

  /**
   * Serves Services at all. Without it a Service that has the finalizer hangs when it is deleted.
   *
   * @default true
   */
  readonly enableServiceController?: boolean;

  /**
   * Pods as targets.
   *
   * @default true
   */
  readonly enableIpTargetType?: boolean;

  /**
   * Security groups for Network Load Balancers. A balancer that was made without any can never get one.
   *
   * @default true
   */
  readonly nlbSecurityGroup?: boolean;

  /**
   * Paths, intervals and timeouts of the health checks of Network Load Balancers.
   *
   * @default true
   */
  readonly nlbHealthCheckAdvancedConfig?: boolean;

  /**
   * One listener for TCP and UDP on one port.
   *
   * @default false
   */
  readonly enableTcpUdpListener?: boolean;

  /**
   * Pods whose readiness is unknown remain targets.
   *
   * @default true
   */
  readonly endpointsFailOpen?: boolean;

  /**
   * Subnets with the tag of another cluster are not found.
   *
   * @default true
   */
  readonly subnetsClusterTagCheck?: boolean;

  /**
   * Subnets are found by whether they reach the internet, beside their tags.
   *
   * @default true
   */
  readonly subnetDiscoveryByReachability?: boolean;

  /**
   * Reserved capacity of balancers.
   *
   * @default true
   */
  readonly lbCapacityReservation?: boolean;

  /**
   * Capacity and client certificates are reset when what asked for them goes.
   *
   * @default false
   */
  readonly enhancedDefaultBehavior?: boolean;

  /**
   * Tags of a Service win over `defaultTags`.
   *
   * @default false
   */
  readonly enableDefaultTagsLowPriority?: boolean;

  /**
   * Tags are read with one call for all, which needs `tag:GetResources`; `permissions` has it then. Balancers are then found in
   * every network of the account: another cluster of the same name in another VPC loses its own.
   *
   * @default false
   */
  readonly enableRgtApi?: boolean;

  /**
   * Tags listeners and rules.
   *
   * @default true
   */
  readonly listenerRulesTagging?: boolean;

  /**
   * Weights between the target groups of a listener.
   *
   * @default true
   */
  readonly weightedTargetGroups?: boolean;

  /**
   * Application Load Balancers in one subnet; the account must be allowed to have such.
   *
   * @default false
   */
  readonly albSingleSubnet?: boolean;

  /**
   * Adds the agent of Target Optimizer to pods of labelled namespaces. While the controller is away, such pods are refused.
   *
   * @default false
   */
  readonly albTargetControlAgent?: boolean;

  /**
   * Makes Global Accelerators. AWS has them in its commercial regions and in the European Sovereign Cloud alone.
   *
   * @default false
   */
  readonly globalAcceleratorController?: boolean;

  /**
   * Requests and deletes certificates for Ingresses; `permissions` allows it then.
   *
   * @default false
   */
  readonly enableCertificateManagement?: boolean;

  /**
   * Writes its plan into an annotation of Ingresses. Needs version 3.4.0.
   *
   * @default false
   */
  readonly ingressPlanAnnotation?: boolean;

  /**
   * Gates of a version newer than 3.5.0, by upstream's name.
   *
   * @default - none
   */
  readonly additional?: { [gate: string]: boolean };
}
