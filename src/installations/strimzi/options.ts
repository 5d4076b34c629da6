import type { Duration } from 'cdk8s';
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
   * Gates that are not as the release has them, by the operator's name: `{ UseBackgroundPodDeletion: true }`. An operator that is
   * configured with a gate that it does not know does not start: such a gate is an error. `ServerSideApplyPhase1`, from 0.48 and
   * before 1.2, decides whether finalizers, annotations and labels of others survive on Services, and becomes part of `version`.
   *
   * @default - all as the release has them, but for the one that `version` says
   * @see https://strimzi.io/docs/operators/latest/deploying#ref-operator-cluster-feature-gates-str
   */
  readonly featureGates?: { [gate: string]: boolean };

  /**
   * What the operator's pod may use, as a container has it: `{ limits: { memory: '1Gi' }, requests: { memory: '1Gi' } }`. A few dozen
   * clusters need more memory than the default.
   *
   * @default - 200m to 1 of processors, 384Mi of memory
   */
  readonly resources?: { [field: string]: { [resource: string]: string } };

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
   * Variables of the operator that have no prop here, by name: `{ STRIMZI_LOG_LEVEL: 'DEBUG' }`. They replace what the release has,
   * such as the image of the bridge.
   *
   * @default - none
   * @see https://strimzi.io/docs/operators/latest/deploying#ref-operator-cluster-str
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
