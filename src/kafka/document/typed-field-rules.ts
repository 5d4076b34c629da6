import { isMap, type Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { DEFAULT_TYPES, FIELDS_BY_TYPE, LOGGING, LOGGING_PLACES, METRICS } from '../cluster/kafka-cluster.facts';
import { refusedInDocument, surprisingInDocument } from './document-says';
import { at, isSaid, listAt, textAt } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

/** What stands beside a type that does not read it. */
function misplaced(kafka: Json, path: string): Finding[] {
  const map = at(kafka, path);
  if (!isMap(map)) {
    return [];
  }
  const types = FIELDS_BY_TYPE[path];
  const type = typeof map.type === 'string' ? map.type : DEFAULT_TYPES[path];
  if (type === undefined || !Object.hasOwn(types, type)) {
    return [];
  }
  return Object.keys(map).flatMap((field) => {
    const readers = Object.keys(types).filter((other) => types[other].includes(field));
    return readers.length === 0 || readers.includes(type) || !isSaid(map[field])
      ? []
      : [
          {
            what: `${path}.${field} means nothing to type ${type}`,
            remedy: `remove it, or use type ${readers.join(' or ')}`,
            value: field,
          },
        ];
  });
}

/** What a reference to a key of a ConfigMap or Secret lacks. */
function keyFault(kafka: Json, path: string, kind: string): Finding | undefined {
  const without = ['name', 'key'].filter((field) => (textAt(kafka, `${path}.${field}`) ?? '') === '');
  return without.length === 0
    ? undefined
    : {
        what: `${path} has no ${without.join(' and no ')}`,
        remedy: `name the ${kind} and the key in it`,
      };
}

function faults(verdicts: readonly (Finding | undefined)[]): Finding[] {
  return verdicts.filter((verdict) => verdict !== undefined);
}

const METRICS_PLACES = ['spec.kafka.metricsConfig', 'spec.cruiseControl.metricsConfig'];
const CRUISE_CONTROL_METRICS = METRICS_PLACES[1];
const USERS = 'spec.cruiseControl.apiUsers';

/** Parts of a Kafka resource that have a type. */
export const TYPED_FIELD_RULES: readonly DocumentRule[] = [
  surprisingInDocument(
    'kafka-field-type',
    'beside a type stands what it reads',
    'api/src/main/java/io/strimzi/api/kafka/model/kafka/KafkaClusterSpec.java',
    (kafka) => Object.keys(FIELDS_BY_TYPE).flatMap((path) => misplaced(kafka, path)),
  ),
  refusedInDocument(
    'kafka-metrics',
    'the rules of the JMX exporter are where the resource says',
    'metrics/JmxPrometheusExporterModel.java',
    (kafka) =>
      faults(
        METRICS_PLACES.filter((path) => textAt(kafka, `${path}.type`) === METRICS.jmxPrometheusExporter).map((path) =>
          keyFault(kafka, `${path}.valueFrom.configMapKeyRef`, 'ConfigMap'),
        ),
      ),
  ),
  refusedInDocument(
    'kafka-metrics-list',
    'the reporter of Strimzi tells some metrics',
    'metrics/StrimziMetricsReporterModel.java',
    (kafka) =>
      METRICS_PLACES.map((path) => `${path}.values.allowList`)
        .filter((path) => Array.isArray(at(kafka, path)) && listAt(kafka, path).length === 0)
        .map((path) => ({
          what: `${path} is empty`,
          remedy: 'name metrics, or remove it for the list of the operator',
        })),
  ),
  refusedInDocument(
    'kafka-metrics-cruise-control',
    'Cruise Control tells its metrics by the JMX exporter only',
    'CruiseControl.java',
    (kafka) =>
      textAt(kafka, `${CRUISE_CONTROL_METRICS}.type`) === METRICS.strimziMetricsReporter
        ? {
            what: `${CRUISE_CONTROL_METRICS} is of type ${METRICS.strimziMetricsReporter}`,
            remedy: `use type ${METRICS.jmxPrometheusExporter}`,
            value: METRICS.strimziMetricsReporter,
          }
        : undefined,
  ),
  refusedInDocument(
    'kafka-logging',
    'logging of type external is where the resource says',
    'logging/LoggingUtils.java',
    (kafka) =>
      faults(
        LOGGING_PLACES.filter((path) => textAt(kafka, `${path}.type`) === LOGGING.external).map((path) =>
          keyFault(kafka, `${path}.valueFrom.configMapKeyRef`, 'ConfigMap'),
        ),
      ),
  ),
  refusedInDocument(
    'kafka-cruise-control-users',
    "users of Cruise Control's API are where the resource says",
    'cruisecontrol/HashLoginServiceApiCredentials.java',
    (kafka) =>
      isSaid(at(kafka, `${USERS}.valueFrom`))
        ? keyFault(kafka, `${USERS}.valueFrom.secretKeyRef`, 'Secret')
        : undefined,
  ),
];
