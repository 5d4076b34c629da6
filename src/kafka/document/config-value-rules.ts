import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { refusedInDocument } from './document-says';
import { forbiddenConfig } from './kafka-config';
import { CONFIG_VALUES, type ConfigValue, HIGHEST, LISTENER_LIMITS } from './kafka-config-values.facts';
import { configurationOf, isSaid, kafkaConfigOf, listenersOf, shown, titleOf } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/;

/** What a key takes, where a value is something else. The operator reads numbers and truth values as their texts. */
function takesInstead(key: string, value: unknown, strimzi: StrimziVersion): string | undefined {
  const known = CONFIG_VALUES.get(key);
  const isRight = !known || (typeof value !== 'object' && fits(String(value), known, strimzi));
  return isRight ? undefined : taken(known, strimzi);
}

function fits(text: string, value: ConfigValue, strimzi: StrimziVersion): boolean {
  const { type, words = [], anyCase } = value;
  const { least, most } = limitsOf(value, strimzi);
  switch (type) {
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'word':
      return words.includes(anyCase ? text.toUpperCase() : text);
    case 'list':
      return text
        .trim()
        .split(/ *, */)
        .every((word) => words.includes(word));
    case 'double': {
      const number = Number(text.trim().replace(/[dDfF]$/, ''));
      return DECIMAL.test(text.trim()) && number >= Number(least) && number <= Number(most);
    }
    default: {
      const number = WHOLE.test(text) ? BigInt(text.replace('+', '')) : undefined;
      return number !== undefined && number >= least && number <= most;
    }
  }
}

function limitsOf(value: ConfigValue, strimzi: StrimziVersion): { least: bigint | number; most: bigint | number } {
  const { type, least, most, narrower } = value;
  const highest = type in HIGHEST ? HIGHEST[type as keyof typeof HIGHEST] : Infinity;
  const own = narrower && reaches(strimzi, narrower.since) ? narrower.least : least;
  const lowest = typeof highest === 'bigint' ? -highest - 1n : -highest;
  return { least: own ?? lowest, most: most ?? highest };
}

function taken(value: ConfigValue, strimzi: StrimziVersion): string {
  const { type, words = [] } = value;
  const { least, most } = limitsOf(value, strimzi);
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'word':
      return `one of ${words.join(', ')}`;
    case 'list':
      return `${words.join(', ')}, or several of them with commas between`;
    case 'double':
      return value.most === undefined ? 'a number' : `a number from ${least} to ${most}`;
    default:
      return `a whole number from ${least} to ${most}`;
  }
}

/** The limits of connections that nobody can keep. */
function listenerLimits(kafka: Json): Finding[] {
  return listenersOf(kafka).flatMap((listener) =>
    LISTENER_LIMITS.map((field) => [field, configurationOf(listener)[field]] as const)
      .filter(([, limit]) => Number.isInteger(limit) && (limit as number) < 1)
      .map(([field, limit]) => ({
        what: `${titleOf(listener)}: configuration.${field} is ${limit}, with which no client connects`,
        remedy: 'write a whole number from 1, or remove it',
        value: String(limit),
      })),
  );
}

/** Values of Kafka's own configuration. */
export const CONFIG_VALUE_RULES: readonly DocumentRule[] = [
  {
    ...refusedInDocument(
      'kafka-config-value',
      'Kafka is configured by values that its keys take',
      'KafkaConfiguration.java',
      (kafka, { strimzi }) => {
        const config = kafkaConfigOf(kafka);
        const keys = Object.keys(config).filter((key) => isSaid(config[key]));
        const ignored = forbiddenConfig(kafka, keys, strimzi);
        return keys
          .map((key) => [key, takesInstead(key, config[key], strimzi)] as const)
          .filter(([key, takes]) => takes !== undefined && !ignored.includes(key))
          .map(([key, takes]) => ({
            what: `spec.kafka.config: ${key} is ${shown(config[key])}, with which the operator does not reconcile the cluster`,
            remedy: `write ${takes}`,
            value: shown(config[key]),
          }));
      },
    ),
    on: 'spec.kafka.config',
  },
  {
    id: 'listener-limit',
    severity: 'error',
    says: 'a listener admits connections',
    source: {
      repository: 'apache/kafka',
      version: '4.0.0',
      file: 'core/src/main/scala/kafka/network/SocketServer.scala',
    },
    judge: listenerLimits,
  },
];
