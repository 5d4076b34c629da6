import type { Json } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Finding } from '../../rules/rule';
import { QUOTAS } from '../cluster/kafka-cluster.facts';
import { isReservedLabel } from '../document/kafka-config';
import { OWN_PREFIX } from '../document/kafka-config.facts';
import { at, isSaid, mapAt, shown, textAt } from '../document/kafka-json';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';
import { USER_ACL_RULES } from './acl-rules';
import {
  DROPPED_FROM_SECRETS,
  ENTITY_SOURCES,
  FRACTIONAL_QUOTA,
  KAFKA_USER_KIND,
  LONGEST_COMMON_NAME,
  TLS_EXTERNAL,
  USER_FIELDS,
} from './entities.facts';
import {
  besideKafka,
  type EntityRule,
  refusal,
  refusedByKubernetes,
  surprise,
  unknownFields,
  wholeNumberFault,
  wordFault,
} from './entity-rule';
import { entityRules } from './entity-rules';
import { USER_AUTHENTICATION_RULES } from './user-authentication-rules';
import { hasSecret, secretNameOf } from './user-secret';

const { userSchema, userModel, userMetadata, labels, objectNames, quotas } = ENTITY_SOURCES;

/** The entries of the template of the Secret: field, key and value. */
function secretEntries(user: Json): [field: string, key: string, value: unknown][] {
  return ['labels', 'annotations'].flatMap((field) =>
    Object.entries(mapAt(user, `spec.template.secret.metadata.${field}`)).map(
      ([key, value]): [string, string, unknown] => [field, key, value],
    ),
  );
}

function quotaFault(quota: string, value: unknown): string | undefined {
  if (quota !== FRACTIONAL_QUOTA) {
    return wholeNumberFault(value, 0);
  }
  const isRate = typeof value === 'number' && value >= 0;
  return !isSaid(value) || isRate ? undefined : `is ${shown(value)}, no number from 0`;
}

/** What a KafkaUser says. */
export const KAFKA_USER_RULES: readonly EntityRule[] = [
  ...entityRules(KAFKA_USER_KIND),
  refusal('user-field', 'a user has no field that its schema lacks', userSchema, (user) =>
    unknownFields(user, USER_FIELDS).map((field) => ({
      what: `${field} does not exist, and is dropped without a word unless fields are checked strictly`,
      remedy: `use one of ${USER_FIELDS[field.slice(0, field.lastIndexOf('.'))].join(', ')}`,
      value: field,
    })),
  ),
  refusal('user-label-reserved', 'labels of a user do not begin with strimzi.io', labels, (user) =>
    Object.keys(mapAt(user, 'metadata.labels'))
      .filter(isReservedLabel)
      .map((key) => ({
        what: `metadata.labels has ${key}, with which the operator does not reconcile the user`,
        remedy: 'use a label of a domain of your own',
        value: key,
      })),
  ),
  refusal('user-authentication', 'a user proves who it is by a means that exists', userSchema, (user) => {
    const types = [AUTHENTICATION.tls, TLS_EXTERNAL, AUTHENTICATION.scramSha512];
    const authentication = at(user, 'spec.authentication');
    const type = at(authentication, 'type');
    const fault = isSaid(authentication) && !isSaid(type) ? 'is missing' : wordFault(type, types);
    return fault === undefined
      ? undefined
      : { what: `spec.authentication.type ${fault}`, remedy: `use one of ${types.join(', ')}`, value: shown(type) };
  }),
  refusal('user-tls-name', 'the name of a user with a certificate is short enough for it', userModel, (user) => {
    const name = textAt(user, 'metadata.name') ?? '';
    return name.length <= LONGEST_COMMON_NAME || at(user, 'spec.authentication.type') !== AUTHENTICATION.tls
      ? undefined
      : {
          what: `metadata.name '${name}' has ${name.length} characters, more than the ${LONGEST_COMMON_NAME} of a common name`,
          remedy: 'choose a shorter name, or authentication scram-sha-512',
          value: name,
        };
  }),
  ...USER_AUTHENTICATION_RULES,
  refusal('user-quotas', 'quotas of a user are numbers that the operator can read', userSchema, (user) =>
    USER_FIELDS['spec.quotas']
      .map((quota) => [quota, at(user, `spec.quotas.${quota}`)] as const)
      .map(([quota, value]) => [quota, value, quotaFault(quota, value)] as const)
      .filter(([, , fault]) => fault !== undefined)
      .map(([quota, value, fault]) => ({
        what: `spec.quotas.${quota} ${fault}`,
        remedy: 'write such a number, or remove it for no limit',
        value: shown(value),
      })),
  ),
  surprise(
    'user-quotas-ignored',
    "quotas of a user count where the cluster has Kafka's own",
    quotas,
    besideKafka((user, kafka) =>
      isSaid(at(user, 'spec.quotas')) && at(kafka, 'spec.kafka.quotas.type') === QUOTAS.strimzi
        ? {
            what: `spec.quotas stands beside quotas of type ${QUOTAS.strimzi} in the Kafka resource, which count for all clients together, and alone`,
            remedy: `remove it, or use quotas of type ${QUOTAS.kafka} in the Kafka resource`,
          }
        : undefined,
    ),
  ),
  refusal(
    'user-template',
    "the template of a Secret holds texts, under keys that are not the operator's",
    userMetadata,
    (user) =>
      secretEntries(user).flatMap(([field, key, value]): Finding[] => {
        const where = `spec.template.secret.metadata.${field} has ${key}`;
        if (key.startsWith(OWN_PREFIX)) {
          return [
            {
              what: `${where}, with which the operator does not reconcile the user`,
              remedy: 'use a key of a domain of your own',
              value: key,
            },
          ];
        }
        return typeof value === 'string'
          ? []
          : [
              {
                what: `${where}: ${shown(value)}, no text, so the API server refuses the resource`,
                remedy: 'quote it',
                value: shown(value),
              },
            ];
      }),
  ),
  surprise(
    'user-template-dropped',
    'the template of a Secret has no keys that the operator drops',
    userMetadata,
    (user) =>
      secretEntries(user)
        .filter(([, key]) => key.startsWith(DROPPED_FROM_SECRETS))
        .map(([field, key]) => ({
          what: `spec.template.secret.metadata.${field} has ${key}, which the operator drops without a word`,
          remedy: 'use a key of a domain of your own',
          value: key,
        })),
  ),
  refusedByKubernetes(
    'user-secret-name',
    'the Secret of a user has a name of a Kubernetes object',
    objectNames,
    besideKafka((user, kafka) => {
      const name = textAt(user, 'metadata.name');
      if (name === undefined || dnsNameFault(name) !== undefined || !hasSecret(at(user, 'spec.authentication.type'))) {
        return undefined;
      }
      const secret = secretNameOf(name, kafka);
      const fault = dnsNameFault(secret);
      return fault === undefined
        ? undefined
        : {
            what: `the name of its Secret: ${fault} (lower-case letters, digits, dashes and dots, at most 253)`,
            remedy: 'write another secretPrefix of the userOperator, or a shorter name',
            value: secret,
          };
    }),
  ),
  ...USER_ACL_RULES,
];
