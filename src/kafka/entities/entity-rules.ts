import { reaches } from '../../contract/compare-versions';
import { isMap, type Json } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { at, isSaid, mapAt, shown, textAt } from '../document/kafka-json';
import { CLUSTER_LABEL } from '../operator/operator-services.facts';
import { unservedApi } from '../strimzi/served-api';
import { STRIMZI_GROUP, STRIMZI_OLD_API_UNTIL } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import {
  ENTITY_SOURCES,
  KAFKA_TOPIC_KIND,
  KAFKA_USER_KIND,
  MANAGED_ANNOTATION,
  OLDER_ENTITY_APIS,
  OPERATOR_OF,
} from './entities.facts';
import { besideKafka, type EntityRule, refusal, refusedByKubernetes, surprise } from './entity-rule';

const { topicSchema, userSchema, operators, objectNames } = ENTITY_SOURCES;

/** Whether an operator does anything with an object: topics may say that nobody shall. */
export function isServed(entity: Json): boolean {
  return entity.kind !== KAFKA_TOPIC_KIND || mapAt(entity, 'metadata.annotations')[MANAGED_ANNOTATION] !== 'false';
}

/** Whether an operator reads topics and users of an API version; they have older ones than the other kinds. */
function reads(strimzi: StrimziVersion, apiVersion: unknown): boolean {
  return (
    typeof apiVersion === 'string' &&
    (strimzi.servesApiVersion(apiVersion) ||
      (!reaches(strimzi, STRIMZI_OLD_API_UNTIL) &&
        OLDER_ENTITY_APIS.some((version) => apiVersion === `${STRIMZI_GROUP}/${version}`)))
  );
}

/** What holds for topics and users alike. */
export function entityRules(kind: typeof KAFKA_TOPIC_KIND | typeof KAFKA_USER_KIND): readonly EntityRule[] {
  const { field, title } = OPERATOR_OF[kind];
  const schema = kind === KAFKA_USER_KIND ? userSchema : topicSchema;
  const path = `spec.entityOperator.${field}`;
  return [
    refusal(
      'entity-api-version',
      'the operator serves the API version of topics and users',
      schema,
      ({ apiVersion }, { strimzi }) => (reads(strimzi, apiVersion) ? undefined : unservedApi(apiVersion, strimzi)),
    ),
    refusedByKubernetes('entity-name', 'topics and users have names of Kubernetes objects', objectNames, (entity) => {
      const name = textAt(entity, 'metadata.name');
      const fault = name === undefined ? undefined : dnsNameFault(name);
      return fault === undefined
        ? undefined
        : {
            what: `metadata.name: ${fault} (lower-case letters, digits, dashes and dots, at most 253)`,
            remedy:
              kind === KAFKA_TOPIC_KIND && !isSaid(at(entity, 'spec.topicName'))
                ? `choose such a name, and say topicName: ${name}`
                : 'choose such a name',
            value: name,
          };
    }),
    refusal('entity-spec', 'topics and users have a spec', schema, ({ spec }) =>
      isMap(spec)
        ? undefined
        : {
            what: isSaid(spec) ? `spec is ${shown(spec)}, no map` : 'there is no spec',
            remedy: 'write one: without it nobody serves the resource',
          },
    ),
    refusal('entity-cluster', 'a label tells the cluster of topics and users', operators, (entity, { kafka }) => {
      const label = mapAt(entity, 'metadata.labels')[CLUSTER_LABEL];
      const name = kafka && textAt(kafka, 'metadata.name');
      if (typeof label !== 'string' || label === '') {
        return {
          what: `label ${CLUSTER_LABEL} is ${isSaid(label) ? shown(label) : 'missing'}, so no operator sees the resource`,
          remedy: `write it with the name of the Kafka resource${name === undefined ? '' : `, '${name}'`}`,
        };
      }
      return name === undefined || label === name
        ? undefined
        : {
            what: `label ${CLUSTER_LABEL} is '${label}', and the Kafka resource is '${name}'`,
            remedy: `write '${name}', or take the cluster that the label names`,
            value: label,
          };
    }),
    // an error would forbid an operator of its own, which Strimzi documents
    surprise(
      'entity-operator',
      'the cluster has the operator that serves topics or users',
      operators,
      besideKafka((entity, kafka) =>
        isMap(at(kafka, path)) || !isServed(entity)
          ? undefined
          : {
              what: `the Kafka resource has no ${path}, so nobody serves the resource`,
              remedy: `write one, or run a ${title} of its own for this cluster`,
            },
      ),
    ),
    refusal(
      'entity-namespace',
      'topics and users are in the namespace that the operator of their cluster watches',
      operators,
      besideKafka((entity, kafka) => {
        const own = textAt(entity, 'metadata.namespace');
        const said = textAt(kafka, `${path}.watchedNamespace`);
        const watched = said ?? textAt(kafka, 'metadata.namespace');
        return own === undefined ||
          watched === undefined ||
          own === watched ||
          !isMap(at(kafka, path)) ||
          !isServed(entity)
          ? undefined
          : {
              what:
                `the namespace is '${own}', and the ${title} of the cluster watches ` +
                `${said === undefined ? "that of the Kafka resource, '" : "'"}${watched}'`,
              remedy: `use namespace '${watched}', or say watchedNamespace of the ${field}`,
              value: own,
            };
      }),
    ),
  ];
}
