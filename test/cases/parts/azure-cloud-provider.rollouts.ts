import { Duration } from 'cdk8s';
import { ClientAddress, NodeRemoval, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';
import { basic, multiple, standard } from './azure-cloud-provider.words';

const { LOCAL, CLUSTER } = TrafficPolicy;

export const rollouts: RolloutRow[] = [
  { title: 'the probe takes nodes without a pod out', controller: standard, stops: 15, starts: 15, policy: LOCAL },
  { title: 'so it does of a Basic balancer', controller: basic, stops: 15, starts: 15, policy: LOCAL },
  {
    title: 'a node is in the pool of its own only after half a minute, where there are several balancers',
    controller: multiple,
    stops: 15,
    starts: 45,
    policy: LOCAL,
  },
  {
    title: 'an own probe counts',
    controller: standard,
    wishes: { healthCheck: { interval: Duration.seconds(10), unhealthyThreshold: 4 } },
    stops: 45,
    starts: 45,
    policy: LOCAL,
  },
  {
    title: 'a replaced client address brings policy Cluster, for which nodes must stay',
    controller: standard,
    wishes: { clientAddress: ClientAddress.REPLACE },
    refused: 'rollout.nodeRemoval is not said',
  },
  {
    title: 'which they do where the autoscaler waits',
    controller: standard,
    wishes: { clientAddress: ClientAddress.REPLACE, rollout: { nodeRemoval: NodeRemoval.WAITS_FOR_BALANCER } },
    stops: 5,
    policy: CLUSTER,
  },
];
