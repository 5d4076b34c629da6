import type { NodePool } from '../../contract/node-pool';
import type { NodeTaint } from '../../contract/node-taint';
import type { PodSpread } from '../../contract/pod-spread';
import type { AwsClusterIsolation } from '../../identity/aws/aws-cluster-isolation';
import type { AwsIdentity } from '../../identity/aws/aws-identity';
import type { AwsLoadBalancerControllerFeature } from '../../identity/aws/aws-load-balancer-controller-feature';
import type { WebhookCertificate } from '../certificates/webhook-certificate';
import type { AwsLoadBalancerControllerVersion } from './version';

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
   * Feature gates by upstream's name: `{ NLBGatewayAPI: true }`. Some decide balancers:
   *
   * - `NLBGatewayAPI`, `ALBGatewayAPI`: make balancers for Gateways. Need `gatewayApiCrds`: switched on while a kind is missing, the
   *   whole controller exits after two minutes, and Services are served no more.
   * - `ServiceTypeLoadBalancerOnly`: off, a Service that is edited to another type keeps its balancer for ever.
   * - `EnableServiceController`: off, a Service that has the finalizer hangs when it is deleted.
   * - `EnableRGTAPI`: balancers are found in every network of the account, so another cluster of the same name in another VPC loses
   *   its own.
   *
   * With a gate that it does not know the controller does not start: such a gate is an error.
   *
   * @default - those of the version, but ServiceTypeLoadBalancerOnly on and the Gateway API off
   * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/v3.5/deploy/configurations/#feature-gates
   */
  readonly featureGates?: { [gate: string]: boolean };

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
   * Other flags by upstream's name, without dashes: `{ 'default-tags': 'team=edge', 'watch-namespace': 'shop' }`. With a flag that it
   * does not know the controller does not start: such a flag is an error. With `watch-namespace`, a Service for the only
   * installation of the app in another namespace is an error.
   *
   * @default - none
   */
  readonly flags?: { [flag: string]: string };

  /**
   * What each replica may use, as a container has it: `{ requests: { memory: '1Gi' } }`. The caches hold every Service, node, pod
   * and endpoint of the cluster: a limit of memory that is too small for them kills it at each start.
   *
   * @default - 100m of CPU and 200Mi of memory are kept free, and nothing is limited
   */
  readonly resources?: { [field: string]: { [resource: string]: string } };

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
