import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import { ACL_TYPE } from './entities.facts';
import { KafkaAclOperation } from './kafka-acl-operation';
import { KafkaAclResource } from './kafka-acl-resource';

/**
 * For which clients an ACL holds.
 */
export interface KafkaAclOptions {
  /**
   * The IP address of the client as the broker sees it: behind a balancer that hides it, that is the one of a node or of
   * the balancer. Kafka knows neither names of hosts nor ranges here.
   *
   * @default - any address
   */
  readonly host?: string;
}

/**
 * How a producer writes.
 */
export interface KafkaProducerAclOptions extends KafkaAclOptions {
  /**
   * The `transactional.id` of the producer.
   *
   * @default - it writes without transactions
   */
  readonly transactionalId?: string;
}

/**
 * What a user may do, or may not do, with a resource of Kafka. A cluster with authorization denies whatever no ACL allows,
 * and a deny wins over every allow.
 */
export class KafkaAcl {
  /**
   * Allows operations.
   *
   * @param resource what it is about
   * @param operations what the user may do with it
   * @param options for which clients it holds
   * @throws when there is no operation
   */
  public static allow(
    resource: KafkaAclResource,
    operations: KafkaAclOperation[],
    options: KafkaAclOptions = {},
  ): KafkaAcl {
    refuseWrongProps('KafkaAcl.allow', 'KafkaAclOptions', options);
    return new KafkaAcl(ACL_TYPE.allow, resource, operations, options);
  }

  /**
   * Denies operations, whoever allows them.
   *
   * @param resource what it is about
   * @param operations what the user may not do with it
   * @param options for which clients it holds
   * @throws when there is no operation
   */
  public static deny(
    resource: KafkaAclResource,
    operations: KafkaAclOperation[],
    options: KafkaAclOptions = {},
  ): KafkaAcl {
    refuseWrongProps('KafkaAcl.deny', 'KafkaAclOptions', options);
    return new KafkaAcl(ACL_TYPE.deny, resource, operations, options);
  }

  /**
   * What a producer of one topic needs. Not to create it: a topic that a producer creates by the way has the number of
   * partitions and replicas of the cluster's defaults, and not those of its KafkaTopic.
   *
   * @param topic the name of the topic in Kafka
   * @param options how it writes, and for which clients it holds
   */
  public static producerOf(topic: string, options: KafkaProducerAclOptions = {}): KafkaAcl[] {
    refuseWrongProps('KafkaAcl.producerOf', 'KafkaProducerAclOptions', options);
    const { transactionalId, ...rest } = options;
    const writes = [KafkaAclOperation.DESCRIBE, KafkaAclOperation.WRITE];
    return [
      KafkaAcl.allow(KafkaAclResource.topic(topic), writes, rest),
      ...(transactionalId === undefined
        ? []
        : [KafkaAcl.allow(KafkaAclResource.transactionalId(transactionalId), writes, rest)]),
    ];
  }

  /**
   * What a consumer of one topic needs, as a member of one group.
   *
   * @param topic the name of the topic in Kafka
   * @param group the `group.id` of the consumer
   * @param options for which clients it holds
   */
  public static consumerOf(topic: string, group: string, options: KafkaAclOptions = {}): KafkaAcl[] {
    refuseWrongProps('KafkaAcl.consumerOf', 'KafkaAclOptions', options);
    const { DESCRIBE, READ } = KafkaAclOperation;
    return [
      KafkaAcl.allow(KafkaAclResource.topic(topic), [DESCRIBE, READ], options),
      KafkaAcl.allow(KafkaAclResource.group(group), [READ], options),
    ];
  }

  private constructor(
    /** `allow` or `deny`. */
    public readonly type: string,
    private readonly resource: KafkaAclResource,
    private readonly operations: readonly KafkaAclOperation[],
    private readonly options: KafkaAclOptions,
  ) {
    if (operations.length === 0) {
      throw new Error(
        `strimzi: an ACL on ${resource.type} cannot ${type} no operation at all; say at least one KafkaAclOperation`,
      );
    }
  }

  /**
   * The entry of `spec.authorization.acls`.
   *
   * @internal
   */
  public _toJson(): Json {
    const { host } = this.options;
    return {
      type: this.type,
      resource: this.resource._toJson(),
      operations: [...this.operations],
      ...(host !== undefined && { host }),
    };
  }
}
