import type { KafkaLoadBalancedListenerBroker } from './kafka-listener-broker';

/** What no listener can be made of. */
export interface ListenerProps {
  readonly name: string;
  readonly networkPolicyPeers?: readonly unknown[];
  readonly brokers?: readonly KafkaLoadBalancedListenerBroker[];
}

/** Throws where no listener can be made of the props. */
export function checkProps(path: string, { name, networkPolicyPeers, brokers = [] }: ListenerProps): void {
  if (networkPolicyPeers?.length === 0) {
    throw new Error(
      `${path}: listener '${name}' cannot have an empty list of networkPolicyPeers, which opens it to everybody; ` +
        'name the peers, or leave it out',
    );
  }
  const ids = brokers.map(({ brokerId }) => brokerId);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) {
    throw new Error(
      `${path}: listener '${name}' has several entries for broker ${twice} in brokers; make one entry of them`,
    );
  }
}
