import { MetalLb, NodeRemoval, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';

const { LOCAL, CLUSTER } = TrafficPolicy;
const layer2 = () => MetalLb.layer2();
const bgp = () => MetalLb.bgp();
const stays = { rollout: { nodeRemoval: NodeRemoval.WAITS_FOR_BALANCER } };

export const rollouts: RolloutRow[] = [
  { title: 'any node passes connections on, where nodes stay', controller: layer2, wishes: stays, stops: 5 },
  {
    title: 'so it does with BGP',
    controller: bgp,
    wishes: { ...stays, trafficPolicy: CLUSTER },
    stops: 5,
    policy: CLUSTER,
  },
  {
    title: 'a node that goes takes its announcement along',
    controller: bgp,
    refused: 'have nodes leave the balancer first, and say so: rollout.nodeRemoval WAITS_FOR_BALANCER',
  },
  {
    title: 'with policy Local a node announces its last pod until that is gone',
    controller: layer2,
    wishes: { ...stays, trafficPolicy: LOCAL },
    refused: 'with policy Local it learns that a node has no pod only once the pod is gone',
  },
];
