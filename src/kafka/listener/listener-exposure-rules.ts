import { isSet, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { at, listAt, textAt } from '../document/kafka-json';
import { ANONYMOUS } from '../strimzi/kafka-cluster.facts';
import { OUTSIDE_TYPES, PLAIN_TEXT_TYPES } from '../strimzi/listener-schema.facts';
import { type ListenerRuleContext, surprising } from './listener-rule';

const SUPER_USERS = 'spec.kafka.authorization.superUsers';

/** Why a client without a name may do everything; undefined if it may not. */
function whyNoClientIsRefused(kafka: Json): string | undefined {
  if (!isSet(at(kafka, 'spec.kafka.authorization'))) {
    return 'spec.kafka.authorization is unset';
  }
  return listAt(kafka, SUPER_USERS).includes(ANONYMOUS) ? `${SUPER_USERS} has ${ANONYMOUS}` : undefined;
}

/** Clients that a listener admits, and what others can read. */
export const LISTENER_EXPOSURE_RULES: readonly Rule<ListenerRuleContext>[] = [
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
  {
    ...surprising(
      'listener-peers',
      'network policy peers of what can be reached from outside admit addresses from outside',
      ({ type, networkPolicyPeers }) => {
        const peers = Array.isArray(networkPolicyPeers) ? networkPolicyPeers : [];
        const admitsAddresses = peers.some((peer) => isSet(at(peer, 'ipBlock')));
        return OUTSIDE_TYPES.includes(type) && peers.length > 0 && !admitsAddresses
          ? {
              what: 'networkPolicyPeers names pods and namespaces only, so what comes through the balancer is dropped where network policies are enforced',
              remedy:
                'add an ipBlock of the clients, or of the balancer and the nodes where they hide the address of the client',
            }
          : undefined;
      },
    ),
    on: ['networkPolicyPeers'],
  },
];
