import type { Duration, Size } from 'cdk8s';
import type { KafkaDnsPolicy } from './kafka-dns-policy';

/**
 * What the pods of Kafka have beside their containers. The template of a node pool replaces the one of the Kafka resource
 * as a whole, so that whatever shall stand in both is written in both; below Strimzi 0.49 any template of a pool replaces
 * all templates of the Kafka resource that pools know.
 *
 * There is no node selector: that is node affinity.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-PodTemplate-reference
 */
export interface KafkaPodTemplate {
  /**
   * Labels of the pods. The operator refuses keys that begin with `strimzi.io/`, and drops those of `app.kubernetes.io/`.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the pods. The same keys are refused and dropped.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * The affinity, as a pod has it.
   *
   * @default - none: the operator spreads nothing by itself
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly affinity?: any;

  /**
   * The tolerations, as a pod has them.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly tolerations?: any[];

  /**
   * How pods are spread over nodes and zones, as a pod has it. Mind the label selector: without one nothing is spread.
   *
   * @default - none: the operator spreads nothing by itself
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly topologySpreadConstraints?: any[];

  /**
   * The name of the priority class.
   *
   * @default - that of the Kubernetes cluster
   */
  readonly priorityClassName?: string;

  /**
   * The name of the scheduler.
   *
   * @default - that of the Kubernetes cluster
   */
  readonly schedulerName?: string;

  /**
   * Entries of the file of hosts, as a pod has them.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly hostAliases?: any[];

  /**
   * Whom the pods ask for addresses. Strimzi 0.46 or newer.
   *
   * @default KafkaDnsPolicy.CLUSTER_FIRST
   */
  readonly dnsPolicy?: KafkaDnsPolicy;

  /**
   * Name servers, search domains and options, as a pod has them. Strimzi 0.46 or newer.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly dnsConfig?: any;

  /**
   * The security context of the pod.
   *
   * @default - what the security provider of the operator says
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly securityContext?: any;

  /**
   * Names of the Secrets for pulling images. They replace those that the installation of the operator names.
   *
   * @default - those of the operator
   */
  readonly imagePullSecrets?: string[];

  /**
   * How long a node may take to stop: a broker with many partitions takes minutes to hand them over, and recovers for
   * longer when it is killed. Whole seconds.
   *
   * @default Duration.seconds(30)
   */
  readonly terminationGracePeriod?: Duration;

  /**
   * Whether pods get environment variables about the Services of their namespace.
   *
   * @default true
   */
  readonly enableServiceLinks?: boolean;

  /**
   * How much `/tmp` holds: it is memory of the pod. Compression libraries unpack themselves there.
   *
   * @default Size.mebibytes(5)
   */
  readonly tmpDirSizeLimit?: Size;

  /**
   * Volumes beside those of Kafka's data, each with a name and one of `secret`, `configMap`, `emptyDir`,
   * `persistentVolumeClaim`, `csi`, or from Strimzi 0.47 on `image`. Containers mount them below `/mnt`.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a pod takes, of any version of Kubernetes
  readonly volumes?: any[];

  /**
   * Volumes whose Secret, ConfigMap or claim differs from pod to pod, by `{nodeId}` and `{nodePodName}` in its name.
   * Strimzi 1.2 or newer.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: what the operator takes, of any version
  readonly templatedVolumes?: any[];

  /**
   * Whether the pods use the users of the machine, and not their own. Strimzi 0.50 or newer.
   *
   * @default true
   */
  readonly hostUsers?: boolean;
}
