import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { judgeObject } from '../../rules/judge-object';
import { judgeProps } from '../../rules/judge-props';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { CLUSTER_LABEL } from '../operator/operator-services.facts';
import { KAFKA_TOPIC_KIND, MANAGED_ANNOTATION } from './entities.facts';
import { EntityJudge, judgeTopic } from './entity-judgement';

/**
 * A topic of a Kafka cluster.
 */
export interface KafkaTopicProps {
  /** The cluster that holds the topic. Its Kafka resource needs an `entityOperator` with a `topicOperator`. */
  readonly kafka: IKafkaCluster;

  /** The name of the KafkaTopic resource, and of the topic unless `topicName` says another one. */
  readonly name: string;

  /**
   * The name of the topic in Kafka, where it is no name of a Kubernetes object, such as `Orders_v1`. The operator refuses
   * to change it later: make a new KafkaTopic, and copy the records.
   *
   * @default - `name`
   */
  readonly topicName?: string;

  /**
   * The number of partitions. It can grow, and never shrink; where records have keys, those of one key stand in another
   * partition after it grew.
   *
   * @default - `num.partitions` of the cluster
   */
  readonly partitions?: number;

  /**
   * The number of copies of each partition, each on another broker. The operator changes it later only with the help of
   * Cruise Control: without `cruiseControl` in the Kafka resource, a change is refused in the status of the topic.
   *
   * @default - `default.replication.factor` of the cluster
   */
  readonly replicas?: number;

  /**
   * Kafka's own options of the topic, such as `retention.ms` or `min.insync.replicas`. Those that somebody else sets on the
   * topic are taken away by the operator.
   *
   * @default - the defaults of the cluster
   */
  readonly config?: { [key: string]: unknown };

  /**
   * Labels of the resource, beside the one that names the cluster.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the resource.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * The namespace of the resource: the one that the Topic Operator of the cluster watches.
   *
   * @default - the namespace of the Kafka resource
   */
  readonly namespace?: string;

  /**
   * Whether the operator manages the topic. Without it, deleting the resource leaves the topic and its records in Kafka:
   * set it to false, apply, and only then delete the resource.
   *
   * @default true
   */
  readonly managed?: boolean;
}

/**
 * A topic that the Topic Operator of Strimzi makes in Kafka.
 *
 * Deleting it deletes the records. The operator puts the finalizer `strimzi.io/topic-operator` on every topic that it
 * manages, and alone removes it: whoever deletes the Kafka resource or the namespace before the topics leaves them, and the
 * namespace, in Terminating until somebody removes the finalizers by hand.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying.html#using-the-topic-operator-str
 */
export class KafkaTopic extends Construct {
  /** The KafkaTopic resource, for patches and dependencies. */
  public readonly topic: ApiObject;

  /** The name of the topic in Kafka, for clients and ACLs. */
  public readonly topicName: string;

  /**
   * A topic of a Kafka cluster.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   */
  public constructor(scope: Construct, id: string, props: KafkaTopicProps) {
    judgeProps(scope, id, 'KafkaTopicProps', props);
    super(scope, id);
    const { kafka, name, topicName, partitions, replicas, config, labels, annotations, managed } = props;
    this.topicName = topicName ?? name;
    this.topic = new ApiObject(this, 'Resource', {
      apiVersion: kafka.strimzi.apiVersion,
      kind: KAFKA_TOPIC_KIND,
      metadata: {
        name,
        namespace: props.namespace ?? kafka.namespace,
        labels: { ...labels, [CLUSTER_LABEL]: kafka.clusterName },
        annotations: managed === false ? { ...annotations, [MANAGED_ANNOTATION]: 'false' } : annotations,
      },
      spec: {
        ...(topicName !== undefined && topicName !== name && { topicName }),
        partitions,
        replicas,
        config,
      },
    });
    judgeObject(this, this.topic, new EntityJudge(kafka, judgeTopic));
  }
}
