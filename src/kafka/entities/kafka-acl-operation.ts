/**
 * What a client does with a resource of Kafka. Each type of resource knows some of them: an ACL with another one is kept
 * and means nothing.
 *
 * @see https://kafka.apache.org/documentation/#operations_resources_and_protocols
 */
export enum KafkaAclOperation {
  /** Read records of a topic, or be a member of a group. It includes `DESCRIBE`. */
  READ = 'Read',

  /** Write records to a topic, or use a transactional id. It includes `DESCRIBE`. */
  WRITE = 'Write',

  /** Create a topic; of the cluster: any topic. */
  CREATE = 'Create',

  /** Delete a topic, its records, or a group. */
  DELETE = 'Delete',

  /** Change a topic's partitions; of the cluster: ACLs and where replicas are. It includes `DESCRIBE`. */
  ALTER = 'Alter',

  /** Know that it exists, and where its leaders are. */
  DESCRIBE = 'Describe',

  /** What brokers do among themselves; of the cluster only. */
  CLUSTER_ACTION = 'ClusterAction',

  /** Change the configuration. It includes `DESCRIBE_CONFIGS`. */
  ALTER_CONFIGS = 'AlterConfigs',

  /** Read the configuration. */
  DESCRIBE_CONFIGS = 'DescribeConfigs',

  /** Write idempotently; of the cluster only. From Kafka 2.8 on `WRITE` of a topic is enough. */
  IDEMPOTENT_WRITE = 'IdempotentWrite',

  /** All operations of the resource. */
  ALL = 'All',
}
