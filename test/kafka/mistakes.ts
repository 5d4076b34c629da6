import type { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { casesIn } from '../support/yaml-cases';

type Mistake = [wrong: Json, says: string[], strimzi?: StrimziVersion];

const { listeners, documents } = casesIn(__dirname, 'mistakes.yaml');

/** A listener of each cluster. */
export const PLAIN: Json = { name: 'plain', port: 9092, type: 'internal', tls: false };

/** A Kafka resource, with more in `spec.kafka` and in the document. */
export function kafka(more: Json = {}, document: Json = {}): Json {
  const { spec, ...rest } = document;
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events' },
    ...rest,
    spec: { ...spec, kafka: { listeners: [PLAIN], ...more } },
  };
}

/** What differs from a listener that is right, and all that is said of it, after its name. */
export const LISTENER_MISTAKES: Mistake[] = listeners.map(({ of, says, strimzi }: Json) => [of, says, strimzi]);

/** Kafka resources, and all that is said of each. */
export const DOCUMENT_MISTAKES: Mistake[] = documents.map(({ kafka: more, document, says, strimzi }: Json) => [
  kafka(more, document),
  ...[says, strimzi],
]);
