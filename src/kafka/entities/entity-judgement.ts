import type { Json } from '../../contract/json';
import type { ObjectJudge } from '../../rules/judged-object';
import { judgementOf } from '../../rules/judgement-of';
import type { Judgement } from '../../rules/rule';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { KafkaDocument } from '../document/kafka-document';
import { OPERATOR } from '../document/kafka-rule';
import type { EntityContext } from './entity-rule';
import { KAFKA_TOPIC_RULES } from './topic-rules';
import { KAFKA_USER_RULES } from './user-rules';

/** Judges a finished KafkaTopic. */
export function judgeTopic(topic: Json, context: EntityContext): Judgement {
  return judgementOf(KAFKA_TOPIC_RULES, OPERATOR, (rule) => rule.judge(topic, context));
}

/** Judges a finished KafkaUser. */
export function judgeUser(user: Json, context: EntityContext): Judgement {
  return judgementOf(KAFKA_USER_RULES, OPERATOR, (rule) => rule.judge(user, context));
}

/** The Kafka document of a cluster as it is now; within one moment of a synth it is rendered once. */
export function documentOf(cluster: IKafkaCluster): Json {
  return KafkaDocument.of(cluster.kafka).now();
}

/** Judges finished objects beside the Kafka document of their cluster, as it is when they are judged. */
export class EntityJudge implements ObjectJudge {
  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly rules: (json: Json, context: EntityContext) => Judgement,
  ) {}

  public judge(json: Json): Judgement {
    const { strimzi, brokerIds } = this.cluster;
    return this.rules(json, { strimzi, brokerIds, kafka: documentOf(this.cluster) });
  }
}
