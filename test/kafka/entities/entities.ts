import { StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { sentenceOf } from '../../../src/contract/sentence';
import type { EntityContext } from '../../../src/kafka/entities/entity-rule';
import type { Judgement } from '../../../src/rules/rule';

/** A row of a table: what is judged, all that is said of it, and what is known beside it. */
export type Mistake = [Json, string[], Partial<EntityContext>?];

const { V1_2 } = StrimziVersion;

/** A finished Kafka document with what topics and users need. */
export function cluster(more: Json = {}): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka' },
    spec: {
      kafka: {
        authorization: { type: 'simple' },
        listeners: [
          { name: 'plain', port: 9092, type: 'internal', tls: false, authentication: { type: 'scram-sha-512' } },
          { name: 'tls', port: 9093, type: 'internal', tls: true, authentication: { type: 'tls' } },
        ],
        ...more.kafka,
      },
      entityOperator: { topicOperator: {}, userOperator: {} },
      ...more.spec,
    },
  };
}

function entity(kind: string, name: string, { metadata, ...more }: Json): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind,
    metadata: { name, namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' }, ...metadata },
    spec: {},
    ...more,
  };
}

/** A topic of it. */
export const topic = (spec: unknown = {}, more: Json = {}) => entity('KafkaTopic', 'orders', { spec, ...more });

/** A user of it. */
export const user = (spec: unknown = {}, more: Json = {}) => entity('KafkaUser', 'alice', { spec, ...more });

/** A user with ACLs. */
export const userWith = (acls: unknown, more: Json = {}) => user({ authorization: { type: 'simple', acls } }, more);

/** Asks for all that is said of a document. */
export function asking(judge: (json: Json, context: EntityContext) => Judgement) {
  return (json: Json, known: Partial<EntityContext> = {}): string[] => {
    const { errors, warnings } = judge(json, { strimzi: V1_2, brokerIds: [0, 1, 2], kafka: cluster(), ...known });
    return [...errors, ...warnings.map((warning) => ({ ...warning, who: `(${warning.who})` }))].map(sentenceOf);
  };
}
