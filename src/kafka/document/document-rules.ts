import { reaches } from '../../contract/compare-versions';
import type { Said } from '../../contract/finding';
import { isMap, type Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { LISTENER_DNS_RULES } from '../listener/listener-dns-rules';
import { DROPPED_FROM_TEMPLATES, POOLS_ONLY_SINCE } from '../operator/operator-services.facts';
import { isOldApi } from '../strimzi/served-api';
import { AUTHORIZATION_RULES } from './authorization-rules';
import { CERTIFICATE_RULES } from './certificate-rules';
import { CONFIG_VALUE_RULES } from './config-value-rules';
import { CRUISE_CONTROL_RULES } from './cruise-control-rules';
import { ENTITY_OPERATOR_RULES } from './entity-operator-rules';
import { FIELD_RULES } from './field-rules';
import { forbiddenConfig, isReservedLabel } from './kafka-config';
import {
  AT_MOST_BROKERS,
  AUTHORIZATION_TYPES,
  IGNORED_WITH_POOLS,
  KRAFT_ANNOTATIONS,
  KRAFT_ANNOTATIONS_UNTIL,
  OLD_AUTHORIZATION_TYPES,
  OWN_PREFIX,
  REMOVED_IN_V1,
} from './kafka-config.facts';
import { at, isSaid, kafkaConfigOf, mapAt, shown, templateMetadataOf, textAt } from './kafka-json';
import { about, type DocumentRule, type ListenerContext } from './kafka-rule';
import { MAINTENANCE_WINDOW_RULES } from './maintenance-window-rules';
import { METADATA_VERSION_RULES } from './metadata-version-rules';
import { RACK_AND_QUOTA_RULES } from './rack-and-quota-rules';
import { RELEASE_RULES } from './release-rules';
import { REPLICATION_RULES } from './replication-rules';
import { SERVICE_NAME_RULES } from './service-name-rules';
import { TYPED_FIELD_RULES } from './typed-field-rules';
import { UNSET_REPLICATION_RULES } from './unset-replication-rules';
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

function error(
  id: string,
  says: string,
  source: DocumentRule['source'],
  judge: (kafka: Json, context: ListenerContext) => Said,
): DocumentRule {
  return { id, severity: 'error', says, source, judge };
}

function warning(
  id: string,
  says: string,
  source: DocumentRule['source'],
  judge: (kafka: Json, context: ListenerContext) => Said,
): DocumentRule {
  return { id, severity: 'warning', says, source, judge };
}

/** The entries of the Services' templates: template, field, key and value. */
function templateEntries(kafka: Json): [template: string, field: string, key: string, value: unknown][] {
  return TEMPLATES.flatMap((template) =>
    ['annotations', 'labels'].flatMap((field) =>
      Object.entries(mapAt(templateMetadataOf(kafka, template), field)).map(
        ([key, value]): [string, string, string, unknown] => [template, field, key, value],
      ),
    ),
  );
}

function removedIn(kafka: Json): Finding[] {
  const authorization = textAt(kafka, 'spec.kafka.authorization.type');
  return [
    ...Object.entries(REMOVED_IN_V1)
      .filter(([path]) => isSaid(at(kafka, path)))
      .map(([path, remedy]) => ({ what: `${path} does not exist in API version v1`, remedy, value: path })),
    ...(authorization !== undefined && OLD_AUTHORIZATION_TYPES.includes(authorization)
      ? [
          {
            what: `authorization of type ${authorization} does not exist in API version v1`,
            remedy: 'use authorization of type custom with its authorizer class',
            value: authorization,
          },
        ]
      : []),
  ];
}

/** What a Kafka document says beside its listeners, as far as it decides whether they come to be. */
export const DOCUMENT_RULES: readonly DocumentRule[] = [
  ...UNSET_REPLICATION_RULES,
  ...VERSION_RULES,
  error('kafka-listeners', 'a Kafka resource has a list of listeners', SCHEMA, (kafka) => {
    const listeners = at(kafka, 'spec.kafka.listeners');
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
  }),
  error('kafka-field-removed', 'a Kafka resource in API version v1 has no field of v1beta2', SCHEMA, (kafka) =>
    isOldApi(kafka) ? undefined : removedIn(kafka),
  ),
  warning('kafka-field-ignored', 'what node pools say stands in node pools alone', MODEL, (kafka, { strimzi }) => {
    const isRead = isOldApi(kafka) && strimzi.servesApiVersion(kafka.apiVersion) && reaches(strimzi, POOLS_ONLY_SINCE);
    const ignored = IGNORED_WITH_POOLS.filter((path) => isRead && isSaid(at(kafka, path)));
    return ignored.length === 0
      ? undefined
      : {
          what: `Strimzi ${strimzi.version} runs with KRaft and node pools only, and ignores ${ignored.join(', ')}`,
          remedy: 'remove it, and write replicas and storage of a KafkaNodePool',
          value: ignored.join(', '),
        };
  }),
  error(
    'kafka-kraft-annotations',
    'Strimzi 0.46 and 0.47 are told to run with KRaft and node pools',
    MODEL,
    (kafka, { strimzi }) =>
      reaches(strimzi, POOLS_ONLY_SINCE) && !reaches(strimzi, KRAFT_ANNOTATIONS_UNTIL)
        ? KRAFT_ANNOTATIONS.filter(
            (key) => String(mapAt(kafka, 'metadata.annotations')[key]).toLowerCase() !== 'enabled',
          ).map((key) => ({
            what: `annotation ${key} is not 'enabled', without which Strimzi ${strimzi.version} does not reconcile the cluster`,
            remedy: `write ${key}: enabled, once the cluster runs with KRaft and node pools`,
            value: key,
          }))
        : undefined,
  ),
  ...about('spec.kafka.authorization', [
    error('kafka-authorization-type', 'authorization is of a type that exists', SCHEMA, (kafka) => {
      const type = textAt(kafka, 'spec.kafka.authorization.type');
      return type === undefined || [...AUTHORIZATION_TYPES, ...OLD_AUTHORIZATION_TYPES].includes(type)
        ? undefined
        : {
            what: `spec.kafka.authorization.type is '${type}', which is unknown`,
            remedy: `use one of ${AUTHORIZATION_TYPES.join(', ')}`,
            value: type,
          };
    }),
  ]),
  ...about('metadata.labels', [
    error('kafka-label-reserved', 'labels of a Kafka resource do not begin with strimzi.io', LABELS, (kafka) =>
      Object.keys(mapAt(kafka, 'metadata.labels'))
        .filter(isReservedLabel)
        .map((key) => ({
          what: `metadata.labels has ${key}, with which the operator does not reconcile the resource`,
          remedy: 'use a label of a domain of your own: settings of the operator are annotations',
          value: key,
        })),
    ),
  ]),
  ...about('spec.kafka.template', [
    error('kafka-template-text', 'templates of Services hold texts', SCHEMA, (kafka) =>
      templateEntries(kafka)
        .filter(([, , , value]) => typeof value !== 'string')
        .map(([template, field, key, value]) => ({
          what: `spec.kafka.template.${template}.metadata.${field} has ${key}: ${shown(value)}, no text, so the API server refuses the resource`,
          remedy: 'quote it',
          value: shown(value),
        })),
    ),
    error('kafka-template-reserved', 'templates of Services have no keys of the operator', LABELS, (kafka) =>
      templateEntries(kafka)
        .filter(([, , key]) => key.startsWith(OWN_PREFIX))
        .map(([template, field, key]) => ({
          what: `spec.kafka.template.${template}.metadata.${field} has ${key}, with which the operator does not reconcile the resource`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
    ),
    warning('kafka-template-dropped', 'templates of Services have no keys that the operator drops', LABELS, (kafka) =>
      templateEntries(kafka)
        .filter(([, , key]) => DROPPED_FROM_TEMPLATES.test(key))
        .map(([template, field, key]) => ({
          what: `spec.kafka.template.${template}.metadata.${field} has ${key}, which the operator drops without a word`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
    ),
  ]),
  ...about('spec.kafka.config', [
    warning(
      'kafka-config-forbidden',
      'Kafka is configured by nothing that the operator sets itself',
      MODEL,
      (kafka, { strimzi }) =>
        forbiddenConfig(kafka, Object.keys(kafkaConfigOf(kafka)), strimzi).map((key) => ({
          what: `spec.kafka.config has ${key}, which Strimzi ${strimzi.version} ignores`,
          remedy: 'remove it: listeners, security and storage have fields of their own',
          value: key,
        })),
    ),
    error(
      'kafka-replication',
      'nothing is replicated more often than there are brokers',
      MODEL,
      (kafka, { brokerIds }) =>
        AT_MOST_BROKERS.map((key) => [key, String(kafkaConfigOf(kafka)[key])] as const)
          .filter(([, text]) => brokerIds !== undefined && /^[+-]?\d+$/.test(text) && Number(text) > brokerIds.length)
          .map(([key, text]) => ({
            what: `spec.kafka.config: ${key} is ${text}, and there are ${brokerIds?.length} brokers`,
            remedy: 'write a number that the brokers can hold',
            value: text,
          })),
    ),
    ...REPLICATION_RULES,
  ]),
  ...CONFIG_VALUE_RULES,
  ...SERVICE_NAME_RULES,
  ...LISTENER_DNS_RULES,
  ...RELEASE_RULES,
  ...FIELD_RULES,
  ...TYPED_FIELD_RULES,
  ...about('spec.kafka.metadataVersion', METADATA_VERSION_RULES),
  ...RACK_AND_QUOTA_RULES,
  ...about('spec.kafka.authorization', AUTHORIZATION_RULES),
  ...about('spec.entityOperator', ENTITY_OPERATOR_RULES),
  ...about('spec.cruiseControl', CRUISE_CONTROL_RULES),
  ...CERTIFICATE_RULES,
  ...about('spec.maintenanceTimeWindows', MAINTENANCE_WINDOW_RULES),
];
