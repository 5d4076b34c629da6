import { reaches } from '../../contract/compare-versions';
import { isMap, isSet, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { unservedFields } from '../document/field-names';
import { isReservedLabel, listenerConfig } from '../document/kafka-config';
import {
  at,
  configurationOf,
  kafkaConfigOf,
  listenersOf,
  mapAt,
  shown,
  templateMetadataOf,
  titleOf,
} from '../document/kafka-json';
import {
  IGNORED_WITH_POOLS,
  KRAFT_ANNOTATIONS,
  KRAFT_ANNOTATIONS_UNTIL,
  LISTENER_LIMITS,
  OWN_PREFIX,
} from '../strimzi/kafka-config.facts';
import { DROPPED_FROM_TEMPLATES, POOLS_ONLY_SINCE } from '../strimzi/operator-services.facts';
import { newerThanFacts, STRIMZI_NEWER_THAN_FACTS, STRIMZI_VULNERABLE, vulnerable } from '../strimzi/release-rules';
import { isOldApi, isRemovedApi } from '../strimzi/served-api';
import type { KafkaContext } from './kafka-context';
import { SERVICE_NAME_RULES } from './service-name-rules';
import { VERSION_RULES } from './version-rules';

const UPSTREAM = { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.0 to 1.2.0' };
const SCHEMA = { ...UPSTREAM, file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml' };
const MODEL = {
  ...UPSTREAM,
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java',
};
const LABELS = { ...UPSTREAM, file: 'operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java' };

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
    id: 'kafka-field-unknown',
    severity: 'warning',
    says: 'a Kafka resource has only fields that its version of Strimzi has',
    source: SCHEMA,
    judge: (kafka, { strimzi }) => unservedFields('Kafka', kafka, strimzi),
  },
  {
    id: 'kafka-field-ignored',
    severity: 'warning',
    says: 'what node pools decide is in node pools alone',
    source: MODEL,
    on: IGNORED_WITH_POOLS,
    judge(kafka, { strimzi }) {
      const isRead =
        isOldApi(kafka) && strimzi.servesApiVersion(kafka.apiVersion) && reaches(strimzi, POOLS_ONLY_SINCE);
      const ignored = IGNORED_WITH_POOLS.filter((path) => isRead && isSet(at(kafka, path)));
      return ignored.length === 0
        ? undefined
        : {
            what: `Strimzi ${strimzi.version} runs with KRaft and node pools only, and ignores ${ignored.join(', ')}`,
            remedy: 'remove it, and write replicas and storage of a KafkaNodePool',
            value: ignored.join(', '),
          };
    },
  },
  {
    id: 'kafka-kraft-annotations',
    severity: 'error',
    says: 'for Strimzi 0.46 and 0.47 annotations enable KRaft and node pools',
    source: MODEL,
    judge: (kafka, { strimzi }) =>
      reaches(strimzi, POOLS_ONLY_SINCE) && !reaches(strimzi, KRAFT_ANNOTATIONS_UNTIL)
        ? KRAFT_ANNOTATIONS.filter(
            (key) => String(mapAt(kafka, 'metadata.annotations')[key]).toLowerCase() !== 'enabled',
          ).map((key) => ({
            what: `annotation ${key} is not 'enabled', without which Strimzi ${strimzi.version} does not reconcile the cluster`,
            remedy: `write ${key}: enabled, once the cluster runs with KRaft and node pools`,
            value: key,
          }))
        : undefined,
  },
  {
    id: 'kafka-label-reserved',
    severity: 'error',
    says: 'labels of a Kafka resource do not begin with strimzi.io',
    source: LABELS,
    on: ['metadata.labels'],
    judge: (kafka) =>
      Object.keys(mapAt(kafka, 'metadata.labels'))
        .filter(isReservedLabel)
        .map((key) => ({
          what: `metadata.labels has ${key}, with which the operator does not reconcile the resource`,
          remedy: 'use a label of a domain of your own: settings of the operator are annotations',
          value: key,
        })),
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
  {
    id: 'kafka-template-reserved',
    severity: 'error',
    says: 'templates of Services have no keys of the operator',
    source: LABELS,
    on: ['spec.kafka.template'],
    judge: (kafka) =>
      templateEntries(kafka)
        .filter(({ key }) => key.startsWith(OWN_PREFIX))
        .map(({ where, key }) => ({
          what: `${where} has ${key}, with which the operator does not reconcile the resource`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
  },
  {
    id: 'kafka-template-dropped',
    severity: 'warning',
    says: 'templates of Services have no keys that the operator drops',
    source: LABELS,
    on: ['spec.kafka.template'],
    judge: (kafka) =>
      templateEntries(kafka)
        .filter(({ key }) => DROPPED_FROM_TEMPLATES.test(key))
        .map(({ where, key }) => ({
          what: `${where} has ${key}, which the operator drops silently`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
  },
  {
    id: 'kafka-config-forbidden',
    severity: 'warning',
    says: 'listeners and their advertised addresses are no part of spec.kafka.config',
    source: MODEL,
    on: ['spec.kafka.config'],
    judge: (kafka, { strimzi }) =>
      listenerConfig(kafka, Object.keys(kafkaConfigOf(kafka))).map((key) => ({
        what: `spec.kafka.config has ${key}, which Strimzi ${strimzi.version} ignores`,
        remedy: 'remove it, and use the fields of spec.kafka.listeners',
        value: key,
      })),
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
    on: ['spec.kafka.listeners'],
    judge: (kafka) =>
      listenersOf(kafka).flatMap((listener) =>
        LISTENER_LIMITS.map((field) => [field, configurationOf(listener)[field]] as const)
          .filter(([, limit]) => Number.isInteger(limit) && (limit as number) < 1)
          .map(([field, limit]) => ({
            what: `${titleOf(listener)}: configuration.${field} is ${limit}, with which no client connects`,
            remedy: 'write a whole number from 1, or remove it',
            value: String(limit),
          })),
      ),
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
