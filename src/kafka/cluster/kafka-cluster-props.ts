import type { KafkaListener } from '../listener/kafka-listener';
import type { KafkaJvmOptions } from '../nodes/kafka-jvm-options';
import type { KafkaPodTemplate } from '../nodes/kafka-pod-template';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import type { KafkaAuthorization } from './kafka-authorization';
import type { KafkaCertificateAuthorityOptions } from './kafka-certificate-authority-options';
import type { KafkaContainerTemplate } from './kafka-container-template';
import type { KafkaCruiseControlOptions } from './kafka-cruise-control-options';
import type { KafkaEntityOperator } from './kafka-entity-operator';
import type { KafkaExporterOptions } from './kafka-exporter-options';
import type { KafkaLogging } from './kafka-logging';
import type { KafkaMetrics } from './kafka-metrics';
import type { KafkaProbe } from './kafka-probe';
import type { KafkaQuotas } from './kafka-quotas';
import type { KafkaRack } from './kafka-rack';
import type { KafkaTieredStorage } from './kafka-tiered-storage';

/**
 * A Kafka cluster that the Strimzi operator runs.
 */
export interface KafkaClusterProps {
  /**
   * The name of the Kafka resource. The names of pods, Secrets and Services begin with it: a cluster that is renamed is
   * another cluster, without data and with new balancers.
   */
  readonly name: string;

  /**
   * The namespace of the Kafka resource and of all that belongs to it.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * The version of the operator that will read the manifests: it decides the API version, which fields exist, and whether
   * finalizers survive that it has not written itself.
   */
  readonly strimzi: StrimziVersion;

  /**
   * The version of Kafka. Where it is left out, an upgrade of the operator upgrades Kafka as well.
   *
   * @default - the default of the operator
   */
  readonly kafkaVersion?: string;

  /**
   * The version of the metadata of Kafka, such as `4.3-IV0`. It can hardly be lowered again; leave it behind `kafkaVersion`
   * until an upgrade has proved itself.
   *
   * @default - that of the version of Kafka
   */
  readonly metadataVersion?: string;

  /**
   * Listeners without balancers of their own, such as the one of the clients in the cluster. `KafkaLoadBalancedListener` and
   * `KafkaTlsRouteListener` add the others.
   *
   * @default - none
   */
  readonly listeners?: KafkaListener[];

  /**
   * Kafka's own configuration, by key. What the operator sets itself is refused; it would ignore it.
   *
   * @default - as many replicas of topics, offsets and transactions as there are brokers, three at most, and all but one of them
   * in sync; else Kafka's own defaults
   */
  readonly config?: { [key: string]: unknown };

  /**
   * Who may do what.
   *
   * @default - everybody whom a listener lets in may do everything
   */
  readonly authorization?: KafkaAuthorization;

  /**
   * How brokers know their rack, so that replicas of a partition stand in different ones. It spreads no pods.
   *
   * @default - they do not know it
   */
  readonly rack?: KafkaRack;

  /**
   * Metrics of the brokers and controllers.
   *
   * @default - none
   */
  readonly metrics?: KafkaMetrics;

  /**
   * The virtual machine of the nodes. A pool that says something of its own replaces all of it.
   *
   * @default - the operator's
   */
  readonly jvm?: KafkaJvmOptions;

  /**
   * Loggers and their levels.
   *
   * @default - the operator's
   */
  readonly logging?: KafkaLogging;

  /**
   * When a node counts as dead.
   *
   * @default - the operator's
   */
  readonly livenessProbe?: KafkaProbe;

  /**
   * When a node counts as ready.
   *
   * @default - the operator's
   */
  readonly readinessProbe?: KafkaProbe;

  /**
   * What the pods of all pools get. A `KafkaNodePool` adds its own to it.
   *
   * @default - nothing
   */
  readonly podTemplate?: KafkaPodTemplate;

  /**
   * What the container of Kafka gets on the nodes of all pools.
   *
   * @default - nothing
   */
  readonly kafkaContainer?: KafkaContainerTemplate;

  /**
   * Where old segments of topics go that have `remote.storage.enable`.
   *
   * @default - all of a topic stays on the volumes
   */
  readonly tieredStorage?: KafkaTieredStorage;

  /**
   * Limits for clients that have none of their own.
   *
   * @default - no limits
   */
  readonly quotas?: KafkaQuotas;

  /**
   * Who serves KafkaTopic and KafkaUser resources.
   *
   * @default KafkaEntityOperator.both()
   */
  readonly entityOperator?: KafkaEntityOperator;

  /**
   * Cruise Control, which moves partitions between brokers.
   *
   * @default - there is none
   */
  readonly cruiseControl?: KafkaCruiseControlOptions;

  /**
   * The Kafka Exporter, for metrics such as the lag of consumers.
   *
   * @default - there is none
   */
  readonly kafkaExporter?: KafkaExporterOptions;

  /**
   * The authority that signs the certificates of the nodes.
   *
   * @default - the operator makes it; valid for a year, renewed 30 days before its end
   */
  readonly clusterCa?: KafkaCertificateAuthorityOptions;

  /**
   * The authority that signs the certificates of clients.
   *
   * @default - the operator makes it; valid for a year, renewed 30 days before its end
   */
  readonly clientsCa?: KafkaCertificateAuthorityOptions;

  /**
   * When the operator may roll pods for renewed certificates, as cron expressions of Quartz in UTC
   * (`* * 0-1 ? * SUN,MON *`).
   *
   * @default - at any time
   */
  readonly maintenanceTimeWindows?: string[];

  /**
   * Labels of the Kafka resource. They flow to Services and pods: to change one is to roll all pods.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the Kafka resource.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Whether the operator leaves the cluster alone. Listeners that are added meanwhile get no balancers.
   *
   * @default false
   */
  readonly pauseReconciliation?: boolean;
}
