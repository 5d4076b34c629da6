import { isSet } from '../../contract/json';
import { cidrFault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { at, listAt, mapAt } from '../document/kafka-json';
import { OUTSIDE_TYPES } from '../strimzi/listener-schema.facts';
import { faults, type ListenerRuleContext, refusedInMidReconcile, surprising } from './listener-rule';

/** Who may reach a listener. */
export const LISTENER_PEER_RULES: readonly Rule<ListenerRuleContext>[] = [
  surprising(
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
  refusedInMidReconcile(
    'listener-peer-range',
    'address blocks of network policy peers are CIDRs',
    ({ networkPolicyPeers }) =>
      faults(
        (Array.isArray(networkPolicyPeers) ? networkPolicyPeers : [])
          .map((peer) => mapAt(peer, 'ipBlock'))
          .flatMap((block) => [...(isSet(block.cidr) ? [block.cidr] : []), ...listAt(block, 'except')])
          .map((range) => ['networkPolicyPeers', cidrFault(String(range))]),
        'write address/length',
      ),
  ),
];
