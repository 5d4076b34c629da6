import { isMap, type Json } from '../../contract/json';
import { at, isSaid, kafkaConfigOf, mapAt, shown, textAt } from '../document/kafka-json';
import {
  ENTITY_SOURCES,
  KAFKA_DEFAULT_REPLICAS,
  KAFKA_TOPIC_KIND,
  LONGEST_TOPIC_NAME,
  MIN_INSYNC_CONFIG,
  MOST_REPLICAS,
  REPLICATION_CONFIG,
  TOPIC_FIELDS,
  TOPIC_NAME,
} from './entities.facts';
import { type EntityContext, type EntityRule, refusal, surprise, unknownFields, wholeNumberFault } from './entity-rule';
import { entityRules, isServed } from './entity-rules';

const { topicSchema, topicConfig, topicNames, topicReplicas, minInsync } = ENTITY_SOURCES;

function nameFault(name: string): string | undefined {
  if (name === '.' || name === '..') {
    return 'is one that Kafka keeps for itself';
  }
  if (name.length > LONGEST_TOPIC_NAME) {
    return `has ${name.length} characters, more than ${LONGEST_TOPIC_NAME}`;
  }
  return TOPIC_NAME.test(name) ? undefined : 'is no name of a topic (letters, digits, dots, underscores, dashes)';
}

/** A whole number, also where it stands as text, as Kafka reads it. */
function numberIn(value: unknown): number | undefined {
  return /^\d+$/.test(String(value)) ? Number(value) : undefined;
}

/** A number that the topic says, or else the cluster, or else Kafka. */
function valueFor(own: unknown, kafka: Json | undefined, key: string): { value?: number; from: string } {
  if (isSaid(own)) {
    return { value: numberIn(own), from: '' };
  }
  const said = kafka && kafkaConfigOf(kafka)[key];
  if (isSaid(said)) {
    return { value: numberIn(said), from: ` (the cluster's ${key})` };
  }
  return { value: kafka && KAFKA_DEFAULT_REPLICAS, from: " (Kafka's default)" };
}

/** What the Topic Operator writes as text: no maps, and nothing within lists but the same. */
function isConfigValue(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isConfigValue) : !isMap(value);
}

function insyncVerdict(topic: Json, { kafka }: EntityContext) {
  const ownReplicas = at(topic, 'spec.replicas');
  const ownInsync = mapAt(topic, 'spec.config')[MIN_INSYNC_CONFIG];
  if (!isServed(topic) || (!isSaid(ownReplicas) && !isSaid(ownInsync))) {
    return undefined;
  }
  const replicas = valueFor(ownReplicas, kafka, REPLICATION_CONFIG);
  const insync = valueFor(ownInsync, kafka, MIN_INSYNC_CONFIG);
  return replicas.value === undefined || insync.value === undefined || insync.value <= replicas.value
    ? undefined
    : {
        what: `${MIN_INSYNC_CONFIG} is ${insync.value}${insync.from}, and replicas is ${replicas.value}${replicas.from}, which is what Kafka counts it as: with the first broker that is lost, whoever writes with acks=all is refused`,
        remedy: 'write more replicas, or a smaller number in config',
        value: String(insync.value),
      };
}

/** What a KafkaTopic says. */
export const KAFKA_TOPIC_RULES: readonly EntityRule[] = [
  ...entityRules(KAFKA_TOPIC_KIND),
  refusal('topic-field', 'a topic has no field that its schema lacks', topicSchema, (topic) =>
    unknownFields(topic, TOPIC_FIELDS).map((field) => ({
      what: `${field} does not exist, and is dropped without a word unless fields are checked strictly`,
      remedy: `use one of ${TOPIC_FIELDS.spec.join(', ')}; options of Kafka stand in config`,
      value: field,
    })),
  ),
  refusal('topic-name', 'the name of a topic is one that Kafka takes', topicNames, (topic) => {
    const said = at(topic, 'spec.topicName');
    const name = said ?? textAt(topic, 'metadata.name');
    const fault = typeof name === 'string' ? nameFault(name) : said === undefined ? undefined : 'is no text';
    return fault === undefined
      ? undefined
      : {
          what: `the name of the topic is ${shown(name)}, which ${fault}`,
          remedy: isSaid(said) ? 'write another topicName' : 'say topicName',
          value: shown(name),
        };
  }),
  refusal('topic-count', 'a topic has whole numbers of partitions and replicas', topicSchema, (topic) =>
    [
      ['partitions', wholeNumberFault(at(topic, 'spec.partitions'), 1)],
      ['replicas', wholeNumberFault(at(topic, 'spec.replicas'), 1, MOST_REPLICAS)],
    ]
      .filter(([, fault]) => fault !== undefined)
      .map(([field, fault]) => ({
        what: `spec.${field} ${fault}`,
        remedy: 'write such a number, or remove it for the default of the cluster',
        value: shown(at(topic, `spec.${field}`)),
      })),
  ),
  refusal(
    'topic-config',
    'options of a topic are texts, numbers, booleans, or lists of these',
    topicConfig,
    (topic) => {
      const config = at(topic, 'spec.config');
      if (isSaid(config) && !isMap(config)) {
        return {
          what: `spec.config is ${shown(config)}, no map`,
          remedy: 'write options by name',
          value: shown(config),
        };
      }
      return Object.entries(mapAt(topic, 'spec.config'))
        .filter(([, value]) => !isConfigValue(value))
        .map(([key, value]) => ({
          what: `spec.config has ${key}: ${shown(value)}, a map`,
          remedy: 'write a text, a number, a boolean, or a list of these',
          value: shown(value),
        }));
    },
  ),
  refusal(
    'topic-replicas',
    'a topic has at most as many replicas as there are brokers',
    topicReplicas,
    (topic, context) => {
      const brokers = context.brokerIds?.length;
      const replicas = at(topic, 'spec.replicas');
      return brokers === undefined || !Number.isInteger(replicas) || (replicas as number) <= brokers || !isServed(topic)
        ? undefined
        : {
            what: `spec.replicas is ${replicas}, and there are ${brokers} brokers`,
            remedy: 'write a number that the brokers can hold',
            value: String(replicas),
          };
    },
  ),
  surprise('topic-min-insync', 'as many replicas of a topic can be in sync as must be', minInsync, insyncVerdict),
];
