import { isSet, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { forbiddenListenerConfig } from '../document/kafka-config';
import { at, listAt, mapAt, textAt } from '../document/kafka-json';
import { ANONYMOUS } from '../strimzi/kafka-cluster.facts';
import { OUTSIDE_TYPES, PLAIN_TEXT_TYPES, TLS_TYPES } from '../strimzi/listener-schema.facts';
import { type ListenerRuleContext, refusedByOperator, surprising } from './listener-rule';

const SUPER_USERS = 'spec.kafka.authorization.superUsers';

/** Why a client without a name may do everything; undefined if it may not. */
function whyNoClientIsRefused(kafka: Json): string | undefined {
  if (!isSet(at(kafka, 'spec.kafka.authorization'))) {
    return 'spec.kafka.authorization is unset';
  }
  return listAt(kafka, SUPER_USERS).includes(ANONYMOUS) ? `${SUPER_USERS} has ${ANONYMOUS}` : undefined;
}

const CERTIFICATE = 'configuration.brokerCertChainAndKey';

/** TLS and authentication of listeners. */
export const LISTENER_TLS_RULES: readonly Rule<ListenerRuleContext>[] = [
  refusedByOperator('listener-tls-required', 'listeners of type route and ingress use TLS', ({ type, tls }) =>
    TLS_TYPES.includes(type) && tls === false
      ? { what: `a listener of type ${type} has tls: false`, remedy: 'set tls: true', value: 'false' }
      : undefined,
  ),
  refusedByOperator(
    'listener-tls-authentication',
    'clients prove themselves by certificates over TLS only',
    (listener) =>
      listener.tls === false && textAt(listener, 'authentication.type') === 'tls'
        ? {
            what: 'authentication is of type tls, and tls is false',
            remedy: 'set tls: true, or use another type of authentication',
            value: 'tls',
          }
        : undefined,
  ),
  refusedByOperator('listener-certificate-tls', 'a listener has a certificate of its own over TLS only', (listener) =>
    listener.tls === false && isSet(at(listener, CERTIFICATE))
      ? { what: 'it has brokerCertChainAndKey, and tls is false', remedy: 'set tls: true, or remove the certificate' }
      : undefined,
  ),
  refusedByOperator(
    'listener-certificate-empty',
    'a certificate of its own names a secret and two keys in it',
    (listener) =>
      Object.entries(mapAt(listener, CERTIFICATE))
        .filter(([key, value]) => ['secretName', 'certificate', 'key'].includes(key) && value === '')
        .map(([key]) => ({
          what: `brokerCertChainAndKey.${key} is empty`,
          remedy: 'name the secret, and the keys of the certificate chain and of the private key in it',
          value: '',
        })),
  ),
  surprising('listener-plain-text', 'what can be reached from outside takes no passwords without TLS', (listener) => {
    const type = textAt(listener, 'authentication.type');
    return PLAIN_TEXT_TYPES.includes(listener.type) && listener.tls === false && type !== undefined && type !== 'tls'
      ? {
          what: `clients of a listener of type ${listener.type} prove themselves by ${type}, and tls is false, so the exchange and every message can be read on the way`,
          remedy: 'set tls: true, or acknowledge it where something else encrypts',
          value: type,
        }
      : undefined;
  }),
  surprising(
    'listener-open-to-all',
    'what can be reached from outside asks for authentication or authorization',
    (listener, { kafka }) => {
      const why = whyNoClientIsRefused(kafka);
      return OUTSIDE_TYPES.includes(listener.type) &&
        textAt(listener, 'authentication.type') === undefined &&
        why !== undefined
        ? {
            what: `a listener of type ${listener.type} has no authentication, and ${why}, so every client that reaches it can read and write every topic`,
            remedy: 'write authentication, or acknowledge it where only those reach it who may',
          }
        : undefined;
    },
  ),
  surprising(
    'listener-config-ignored',
    'authentication of type custom sets nothing that the operator sets itself',
    (listener, { strimzi }) =>
      Object.keys(mapAt(listener, 'authentication.listenerConfig'))
        .filter((key) => forbiddenListenerConfig(key, strimzi))
        .map((key) => ({
          what: `authentication.listenerConfig has ${key}, which Strimzi ${strimzi.version} ignores`,
          remedy: 'remove it: keys and certificates come from brokerCertChainAndKey and the CAs',
          value: key,
        })),
  ),
  surprising(
    'listener-authentication-field',
    'sasl and listenerConfig belong to authentication of type custom',
    (listener) => {
      const type = textAt(listener, 'authentication.type');
      return type === 'tls' || type === 'scram-sha-512'
        ? Object.keys(mapAt(listener, 'authentication'))
            .filter((key) => key !== 'type')
            .map((key) => ({
              what: `authentication.${key} means nothing to type ${type}`,
              remedy: 'remove it, or use authentication of type custom',
              value: key,
            }))
        : undefined;
    },
  ),
];
