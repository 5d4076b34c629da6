import { ClientAddress, Gke, NodeRemoval, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';
import { legacy } from './gke.words';

const { LOCAL, CLUSTER } = TrafficPolicy;
const gke = () => Gke.passthrough();

export const rollouts: RolloutRow[] = [
  {
    title: 'the fixed health check takes nodes without a pod out',
    controller: gke,
    stops: 11,
    starts: 11,
    policy: LOCAL,
  },
  { title: 'that of the older controller takes longer', controller: legacy, stops: 29, starts: 29, policy: LOCAL },
  {
    title: 'nodes that are removed break connections with policy Cluster',
    controller: gke,
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.DOES_NOT_WAIT } },
    refused: 'break with a node that is removed before the balancer knows',
  },
  {
    title: 'a replaced client address brings policy Cluster, which nodes that stay serve',
    controller: gke,
    wishes: { clientAddress: ClientAddress.REPLACE, rollout: { nodeRemoval: NodeRemoval.NONE } },
    stops: 5,
    policy: CLUSTER,
  },
  {
    title: 'a health check node port needs policy Local',
    controller: gke,
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.NONE, healthCheckNodePort: 32100 } },
    refused:
      'rollout.healthCheckNodePort 32100 has no effect with externalTrafficPolicy Cluster; use traffic policy LOCAL',
  },
];
