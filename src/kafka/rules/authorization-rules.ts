import { isSet, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { at, kafkaConfigOf, listAt, listenersOf, textAt } from '../document/kafka-json';
import { ALLOW_WITHOUT_LIST, ANONYMOUS, AUTHORIZATION, USER_PREFIX } from '../strimzi/kafka-cluster.facts';
import { AUTHORIZATION_TYPES, OLD_AUTHORIZATION_TYPES } from '../strimzi/kafka-config.facts';
import { isOldApi } from '../strimzi/served-api';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';
import type { KafkaContext } from './kafka-context';

const TYPE = 'spec.kafka.authorization.type';
const SUPER_USERS = 'spec.kafka.authorization.superUsers';
const ON = ['spec.kafka.authorization'];

const SCHEMA = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '0.45.0 to 1.2.0',
  file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml',
};
const CONFIGURATION_BUILDER = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaBrokerConfigurationBuilder.java',
};

function superUsersOf(kafka: Json): string[] {
  return listAt(kafka, SUPER_USERS).filter((name): name is string => typeof name === 'string');
}

/** Why a client that has no name may do everything, where it may. */
export function whyNoClientIsRefused(kafka: Json): string | undefined {
  if (!isSet(at(kafka, 'spec.kafka.authorization'))) {
    return 'spec.kafka.authorization is unset';
  }
  return superUsersOf(kafka).includes(ANONYMOUS) ? `${SUPER_USERS} has ${ANONYMOUS}` : undefined;
}

/** How clients of any listener prove who they are. */
function authenticationsOf(kafka: Json): string[] {
  const types = listenersOf(kafka).map((listener) => textAt(listener, 'authentication.type'));
  return [...new Set(types.filter((type) => type !== undefined))];
}

/** Why no client that can connect has this name. */
function nameFault(name: string, authentications: readonly string[]): string | undefined {
  const isOnly = (type: string) => authentications.length === 1 && authentications[0] === type;
  if (isOnly(AUTHENTICATION.tls) && !name.includes('=')) {
    return 'every client proves itself by a certificate, whose name begins with CN=';
  }
  return isOnly(AUTHENTICATION.scramSha512) && name.startsWith('CN=')
    ? 'every client proves itself by a password, under its bare name'
    : undefined;
}

/** Who may do what. */
export const AUTHORIZATION_RULES: readonly Rule<KafkaContext>[] = [
  {
    id: 'kafka-authorization-type',
    severity: 'error',
    says: 'authorization is of a type that the API version has',
    source: SCHEMA,
    on: ON,
    judge(kafka) {
      const type = textAt(kafka, TYPE);
      const isOfOldApi = type !== undefined && OLD_AUTHORIZATION_TYPES.includes(type);
      if (type === undefined || AUTHORIZATION_TYPES.includes(type) || (isOfOldApi && isOldApi(kafka))) {
        return undefined;
      }
      return {
        what: `${TYPE} is '${type}', which ${isOfOldApi ? 'API version v1 does not have' : 'is unknown'}`,
        remedy: isOfOldApi
          ? 'use type custom with its authorizerClass'
          : `use one of ${AUTHORIZATION_TYPES.join(', ')}`,
        value: type,
      };
    },
  },
  {
    id: 'kafka-authorization-anonymous',
    severity: 'warning',
    says: 'authorization by access lists goes with a listener that knows its clients',
    source: CONFIGURATION_BUILDER,
    on: ON,
    judge: (kafka) =>
      textAt(kafka, TYPE) === AUTHORIZATION.simple &&
      listenersOf(kafka).length > 0 &&
      authenticationsOf(kafka).length === 0 &&
      !superUsersOf(kafka).includes(ANONYMOUS) &&
      String(kafkaConfigOf(kafka)[ALLOW_WITHOUT_LIST]) !== 'true'
        ? {
            what: `spec.kafka.authorization is of type simple, and no listener has authentication, so every client is ${ANONYMOUS} and may do nothing`,
            remedy: 'write authentication of a listener, or remove the authorization',
            value: AUTHORIZATION.simple,
          }
        : undefined,
  },
  {
    id: 'kafka-authorizer-class',
    severity: 'error',
    says: 'authorization of type custom names its authorizer',
    source: CONFIGURATION_BUILDER,
    on: ON,
    judge: (kafka) =>
      textAt(kafka, TYPE) === AUTHORIZATION.custom &&
      (textAt(kafka, 'spec.kafka.authorization.authorizerClass') ?? '') === ''
        ? {
            what: 'spec.kafka.authorization is of type custom and has no authorizerClass, so no broker starts',
            remedy: 'name the class of the authorizer',
          }
        : undefined,
  },
  {
    id: 'kafka-super-user-prefix',
    severity: 'warning',
    says: 'super users are named without the prefix that the operator adds',
    source: CONFIGURATION_BUILDER,
    on: ON,
    judge: (kafka) =>
      superUsersOf(kafka)
        .filter((name) => name === '' || name.startsWith(USER_PREFIX))
        .map((name) => ({
          what: `${SUPER_USERS} has '${name}', of which the operator makes '${USER_PREFIX}${name}', the name of no client`,
          remedy: name === '' ? 'remove it' : `write ${name.slice(USER_PREFIX.length)}`,
          value: name,
        })),
  },
  {
    id: 'kafka-super-user-name',
    severity: 'warning',
    says: 'one super user at least has a name that a client can have',
    source: CONFIGURATION_BUILDER,
    on: ON,
    judge(kafka) {
      const names = superUsersOf(kafka).filter((name) => name !== '' && !name.startsWith(USER_PREFIX));
      const odd = names
        .map((name) => ({ name, fault: nameFault(name, authenticationsOf(kafka)) }))
        .filter(({ fault }) => fault !== undefined);
      // names of both kinds are there together where people want to be sure
      return odd.length < names.length
        ? undefined
        : odd.map(({ name, fault }) => ({
            what: `${SUPER_USERS} has '${name}', and ${fault}`,
            remedy: name.startsWith('CN=') ? `write ${name.slice('CN='.length)}` : `write CN=${name}`,
            value: name,
          }));
    },
  },
];
