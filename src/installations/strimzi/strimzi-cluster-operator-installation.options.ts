import type { Duration } from 'cdk8s';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { NodePool } from '../../contract/node-pool';
import type { PodSpread } from '../../contract/pod-spread';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { StrimziCrds } from './strimzi-crds';
import type { StrimziFeatureGates } from './strimzi-feature-gates';
import type { StrimziLogLevel } from './strimzi-log-level';
import type { StrimziOperatorResources } from './strimzi-operator-resources';
import type { StrimziPodSecurityProvider } from './strimzi-pod-security-provider';
import type { StrimziWatch } from './strimzi-watch';

/**
 * An installation of the Strimzi operator.
 */
export interface StrimziClusterOperatorInstallationProps {
  /**
   * The release. Upgrades go from one minor version to the next ones, and the definitions first; from 0.51 or older to 1.0
   * or newer every resource must be converted to the API version `v1` before.
   *
   * @see https://strimzi.io/docs/operators/latest/deploying#assembly-upgrade-str
   */
  readonly version: StrimziVersion;

  /**
   * The namespaces whose Kafka resources the operator serves: short for `StrimziWatch.namespaces()`. Not together with
   * `watch`.
   *
   * @default - as `watch` says
   */
  readonly watchNamespaces?: string[];

  /**
   * The namespaces whose Kafka resources the operator serves. Two operators that watch one namespace work against each
   * other.
   *
   * @default StrimziWatch.ownNamespace()
   */
  readonly watch?: StrimziWatch;

  /**
   * The namespace of the operator.
   *
   * @default - the one of the chart, which must have one then
   */
  readonly namespace?: string;

  /**
   * The name of the Deployment, of the ServiceAccount and of the ConfigMap, and how the names of bindings begin. The names of
   * the ClusterRoles are fixed: the operator itself refers to them.
   *
   * @default strimzi-cluster-operator
   */
  readonly name?: string;

  /**
   * Labels of all objects beside `app: strimzi`.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };

  /**
   * How many pods of the operator. One works; the others stand by, which needs `leaderElection`.
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Whether a pod works only while it holds a Lease. Without it two pods work against each other, also for a moment while
   * the Deployment rolls.
   *
   * @default true
   */
  readonly leaderElection?: boolean;

  /**
   * Whether a PodDisruptionBudget lets a drain take one pod of the operator at a time. With a single pod it would block
   * every drain of its node.
   *
   * @default false
   */
  readonly podDisruptionBudget?: boolean;

  /**
   * The registry of all images of the release, for a mirror.
   *
   * @default quay.io
   */
  readonly imageRegistry?: string;

  /**
   * Where the images stand in the registry.
   *
   * @default strimzi
   */
  readonly imageRepository?: string;

  /**
   * Secrets with which images are pulled: of the operator, and of all pods that it makes, so they must stand in the
   * namespaces of the Kafkas too.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * How long the operator waits for anything, above all for the addresses of all Services of a Kafka: then it fails and
   * begins again. More brokers behind balancers need more time than the default: a warning about the listeners of a cluster in the
   * same app (`listener-waits-long`) reckons with it.
   *
   * @default Duration.minutes(5)
   */
  readonly operationTimeout?: Duration;

  /**
   * How often every resource is looked at, whether or not it changed: what others have changed in between is put back then.
   *
   * @default Duration.minutes(2)
   */
  readonly fullReconciliationInterval?: Duration;

  /**
   * Gates that are not as the release has them.
   *
   * @default - all as the release has them, but for the one that `version` says
   */
  readonly featureGates?: StrimziFeatureGates;

  /**
   * Whether the operator makes NetworkPolicies for the clusters that it runs.
   *
   * @default true
   */
  readonly networkPolicyGeneration?: boolean;

  /**
   * Whether the operator makes PodDisruptionBudgets for the clusters that it runs.
   *
   * @default true
   */
  readonly podDisruptionBudgetGeneration?: boolean;

  /**
   * Whether topic and user operators may watch another namespace than that of their cluster. Strimzi 1.0.1 or newer; older
   * ones always allow it. A cluster in the same app that asks for it is warned of where it is not (`kafka-watched-namespace`).
   *
   * @default false
   */
  readonly entityOperatorWatchedNamespace?: boolean;

  /**
   * Which security contexts the pods get that the operator makes.
   *
   * @default StrimziPodSecurityProvider.BASELINE
   */
  readonly podSecurityProvider?: StrimziPodSecurityProvider;

  /**
   * Labels of resources that do not reach the objects that are made of them: a regular expression of Java for their keys.
   *
   * @default - labels of `app.kubernetes.io` but `part-of`, and those of Flux's kustomize controller
   */
  readonly labelsExclusionPattern?: string;

  /**
   * What the operator's pod may use.
   *
   * @default - 200m to 1 of processors, 384Mi of memory
   */
  readonly resources?: StrimziOperatorResources;

  /**
   * How much the operator says in its log.
   *
   * @default StrimziLogLevel.INFO
   */
  readonly logLevel?: StrimziLogLevel;

  /**
   * The nodes to which the operator's pods are pinned.
   *
   * @default - wherever there is room
   */
  readonly nodePool?: NodePool;

  /**
   * How several pods of the operator are spread over nodes, and, where it is not `NONE`, as far as possible over zones. Without
   * it one node that is lost may take all of them.
   *
   * @default PodSpread.PREFERRED
   */
  readonly spread?: PodSpread;

  /**
   * Variables of the operator that have no prop here, by name; they replace what the release has, such as the image of the
   * bridge.
   *
   * @default - none
   */
  readonly extraEnv?: { [name: string]: string };

  /**
   * The custom resource definitions of the release. They are checked to be those of `version`.
   *
   * @default - none are written, and a warning says what to apply first
   */
  readonly crds?: StrimziCrds;

  /**
   * Whether objects of the whole cluster are written: ClusterRoles, ClusterRoleBindings and definitions. Where they are
   * not, somebody else must make them, and bind this ServiceAccount to them: another installation of the cluster, or an
   * administrator.
   *
   * @default true
   */
  readonly createClusterScoped?: boolean;

  /**
   * The Kubernetes of the cluster.
   *
   * @default KubernetesVersion.V1_34
   */
  readonly kubernetes?: KubernetesVersion;
}
