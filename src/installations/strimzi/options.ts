import type { Duration, Size } from 'cdk8s';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { NodePool } from '../../contract/node-pool';
import type { PodSpread } from '../../contract/pod-spread';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { StrimziCrds } from './crds';

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
   * Where the images are in the registry.
   *
   * @default strimzi
   */
  readonly imageRepository?: string;

  /**
   * Secrets with which images are pulled: of the operator, and of all pods that it makes, so they must be in the
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
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
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
   * not, the platform must make them, and bind this ServiceAccount to them: another installation of the cluster, or an
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

/**
 * Feature gates of the Strimzi operator. Each exists in some versions only, and an operator that is configured with a gate that it
 * does not know does not start: such a gate is an error.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#ref-operator-cluster-feature-gates-str
 */
export interface StrimziFeatureGates {
  /**
   * `ContinueReconciliationOnManualRollingUpdateFailure`, of 0.45 only: a manual rolling update that fails does not end the
   * reconciliation.
   *
   * @default - as the version has it: on
   */
  readonly continueReconciliationOnManualRollingUpdateFailure?: boolean;

  /**
   * `ServerSideApplyPhase1`, from 0.48 and before 1.2: Services are written with server-side apply, so finalizers,
   * annotations and labels of others survive. It decides what listeners must declare, and becomes part of `version`.
   *
   * @default - as `version` says; else off before 0.51, and on from there
   */
  readonly serverSideApplyPhase1?: boolean;

  /**
   * `UseConnectBuildWithBuildah`, from 0.49: images of Kafka Connect are built with Buildah, not with Kaniko.
   *
   * @default - as the version has it: off before 1.0, and on from there
   */
  readonly useConnectBuildWithBuildah?: boolean;

  /**
   * `UseBackgroundPodDeletion`, from 1.1: pods that roll are deleted in the background.
   *
   * @default - as the version has it: off
   */
  readonly useBackgroundPodDeletion?: boolean;

  /**
   * Gates by name that are not known here, of versions newer than all that are.
   *
   * @default - none
   */
  readonly others?: { [gate: string]: boolean };
}

/**
 * How much the operator says in its log.
 */
export enum StrimziLogLevel {
  /** Errors alone. */
  ERROR = 'ERROR',

  /** Warnings too. */
  WARN = 'WARN',

  /** What it does. */
  INFO = 'INFO',

  /** What helps to find a fault. */
  DEBUG = 'DEBUG',

  /** Everything. */
  TRACE = 'TRACE',
}

/**
 * What the operator's pod may use.
 */
export interface StrimziOperatorResources {
  /**
   * Processors that the scheduler keeps free, such as `200m`.
   *
   * @default 200m
   */
  readonly cpuRequest?: string;

  /**
   * Processors at most.
   *
   * @default 1
   */
  readonly cpuLimit?: string;

  /**
   * Memory, kept free and at most: beyond it the operator is killed. A few dozen clusters need more than the default.
   *
   * @default Size.mebibytes(384)
   */
  readonly memory?: Size;
}

/**
 * Which security contexts the operator gives to the pods that it makes.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#assembly-security-providers-str
 */
export class StrimziPodSecurityProvider {
  /** Pods pass the baseline of Kubernetes' pod security standards. */
  public static readonly BASELINE = new StrimziPodSecurityProvider('baseline');

  /** Pods pass the restricted standard; building images of Kafka Connect with Kaniko does not work then. */
  public static readonly RESTRICTED = new StrimziPodSecurityProvider('restricted');

  /**
   * A provider of your own, which must be on the class path of the operator's image.
   *
   * @param className the full name of the Java class
   */
  public static custom(className: string): StrimziPodSecurityProvider {
    return new StrimziPodSecurityProvider(className);
  }

  private constructor(
    /** As the operator reads it. */
    public readonly provider: string,
  ) {}
}

/**
 * The namespaces whose Kafka resources an operator serves.
 */
export class StrimziWatch {
  /** The namespace of the operator alone. */
  public static ownNamespace(): StrimziWatch {
    return new StrimziWatch(false);
  }

  /**
   * Some namespaces. They must exist before the manifests are applied: the operator's rights are bound in each of them.
   * Its own namespace is not among them unless it is named.
   *
   * @param namespaces at least one
   * @throws when they are no list of strings
   */
  public static namespaces(namespaces: string[]): StrimziWatch {
    if (!Array.isArray(namespaces) || namespaces.some((namespace) => typeof namespace !== 'string')) {
      throw new Error(
        `strimzi: namespaces to watch are ${JSON.stringify(namespaces) ?? 'not set'}, which is not a list of strings; pass their names in a list`,
      );
    }
    return new StrimziWatch(false, [...namespaces]);
  }

  /** All namespaces, also those that are made later. The operator may then do what it does everywhere. */
  public static allNamespaces(): StrimziWatch {
    return new StrimziWatch(true);
  }

  private constructor(
    /** Whether all namespaces are watched. */
    public readonly isAll: boolean,
    private readonly listed?: string[],
  ) {}

  /** Whether it is the namespace of the operator, whatever that is. */
  public get isOwn(): boolean {
    return !this.isAll && this.listed === undefined;
  }

  /** The namespaces that were named; none where all or the operator's own are watched. */
  public get listedNamespaces(): string[] {
    return [...(this.listed ?? [])];
  }
}
