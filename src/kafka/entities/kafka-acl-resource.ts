import type { Json } from '../../contract/json';
import { ACL_PATTERN, ACL_RESOURCE, ACL_WILDCARD } from './entities.facts';

/**
 * What an ACL is about.
 */
export class KafkaAclResource {
  /**
   * One topic.
   *
   * @param name its name in Kafka, `topicName` of a `KafkaTopic`; `*` means all
   */
  public static topic(name: string): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.topic, name, ACL_PATTERN.literal);
  }

  /**
   * All topics whose names begin so, those that will be made later too.
   *
   * @param prefix the beginning of their names; end it with a separator, or `orders` also means `orders-private`
   */
  public static topicsWithPrefix(prefix: string): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.topic, prefix, ACL_PATTERN.prefix);
  }

  /** Every topic, those of Kafka itself too. */
  public static allTopics(): KafkaAclResource {
    return KafkaAclResource.topic(ACL_WILDCARD);
  }

  /**
   * One group of consumers.
   *
   * @param name the `group.id` of its members; `*` means all
   */
  public static group(name: string): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.group, name, ACL_PATTERN.literal);
  }

  /**
   * All groups whose names begin so.
   *
   * @param prefix the beginning of their names
   */
  public static groupsWithPrefix(prefix: string): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.group, prefix, ACL_PATTERN.prefix);
  }

  /** Every group. */
  public static allGroups(): KafkaAclResource {
    return KafkaAclResource.group(ACL_WILDCARD);
  }

  /**
   * One transactional id.
   *
   * @param name the `transactional.id` of a producer; `*` means all
   */
  public static transactionalId(name: string): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.transactionalId, name, ACL_PATTERN.literal);
  }

  /**
   * All transactional ids that begin so, as Kafka Streams makes one for each task.
   *
   * @param prefix the beginning of the ids
   */
  public static transactionalIdsWithPrefix(prefix: string): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.transactionalId, prefix, ACL_PATTERN.prefix);
  }

  /** The cluster itself. */
  public static cluster(): KafkaAclResource {
    return new KafkaAclResource(ACL_RESOURCE.cluster);
  }

  private constructor(
    /** The type as the manifest has it, such as `transactionalId`. */
    public readonly type: string,
    private readonly name?: string,
    private readonly pattern?: string,
  ) {
    if (name === '') {
      throw new Error(
        `strimzi: an ACL on ${type} cannot have an empty name, which Kafka refuses; say a name, or '${ACL_WILDCARD}' for all`,
      );
    }
  }

  /**
   * The `resource` of an ACL.
   *
   * @internal
   */
  public _toJson(): Json {
    return {
      type: this.type,
      ...(this.name !== undefined && { name: this.name, patternType: this.pattern }),
    };
  }
}
