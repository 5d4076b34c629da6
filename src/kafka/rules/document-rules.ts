import { isMap, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { at, mapAt, shown, templateMetadataOf } from '../document/kafka-json';
import { newerThanFacts, STRIMZI_NEWER_THAN_FACTS, STRIMZI_VULNERABLE, vulnerable } from '../strimzi/release-rules';
import { isRemovedApi } from '../strimzi/served-api';
import type { KafkaContext } from './kafka-context';
import { SERVICE_NAME_RULES } from './service-name-rules';
import { VERSION_RULES } from './version-rules';

const UPSTREAM = { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.0 to 1.2.0' };
const SCHEMA = { ...UPSTREAM, file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml' };

/** The templates whose metadata the operator gives to the Services of all listeners: of bootstrap, and of the brokers. */
const TEMPLATES = ['externalBootstrapService', 'perPodService'];

/** An entry of the metadata of a template. */
interface TemplateEntry {
  readonly where: string;
  readonly key: string;
  readonly value: unknown;
}

function templateEntries(kafka: Json): TemplateEntry[] {
  return TEMPLATES.flatMap((template) =>
    ['annotations', 'labels'].flatMap((field) =>
      Object.entries(mapAt(templateMetadataOf(kafka, template), field)).map(([key, value]) => ({
        where: `spec.kafka.template.${template}.metadata.${field}`,
        key,
        value,
      })),
    ),
  );
}

/** What a Kafka document has beside its listeners, as far as it decides whether they come to be. */
export const DOCUMENT_RULES: readonly Rule<KafkaContext>[] = [
  ...VERSION_RULES,
  {
    id: 'kafka-listeners',
    severity: 'error',
    says: 'a Kafka resource has a list of listeners',
    source: SCHEMA,
    judge(kafka, { isVersionGuessed }) {
      const listeners = at(kafka, 'spec.kafka.listeners');
      if (isVersionGuessed && isMap(listeners) && isRemovedApi(kafka.apiVersion)) {
        return undefined;
      }
      const entries = Array.isArray(listeners) ? listeners : [];
      const odd = entries.findIndex((listener) => !isMap(listener));
      if (entries.length > 0) {
        const what = `spec.kafka.listeners holds ${shown(entries[odd])}, no listener`;
        return odd < 0 ? undefined : { what, remedy: 'remove it', value: shown(entries[odd]) };
      }
      return isMap(listeners)
        ? {
            what: 'spec.kafka.listeners is a map, as in API versions before v1beta2',
            remedy: 'write a list of listeners with name, port, type and tls',
          }
        : { what: 'spec.kafka.listeners is missing or empty', remedy: 'write at least one listener' };
    },
  },
  {
    id: 'kafka-template-text',
    severity: 'error',
    says: 'annotations and labels in templates of Services are strings',
    source: SCHEMA,
    supersedes: ['field-type'],
    on: ['spec.kafka.template'],
    judge: (kafka) =>
      templateEntries(kafka)
        .filter(({ value }) => typeof value !== 'string')
        .map(({ where, key, value }) => ({
          what: `${where} has ${key}: ${shown(value)}, which is not a string, so the API server refuses the resource`,
          remedy: 'quote it',
          value: shown(value),
        })),
  },
  ...SERVICE_NAME_RULES,
  {
    ...STRIMZI_VULNERABLE,
    judge: (_, { strimzi, isVersionGuessed }) => (isVersionGuessed ? undefined : vulnerable(strimzi)),
  },
  {
    ...STRIMZI_NEWER_THAN_FACTS,
    judge: (_, { strimzi, isVersionGuessed }) => (isVersionGuessed ? undefined : newerThanFacts(strimzi)),
  },
];
