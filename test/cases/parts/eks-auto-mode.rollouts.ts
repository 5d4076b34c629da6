import { Duration } from 'cdk8s';
import { EksAutoMode, NlbTargetType, NodeRemoval, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';

const { LOCAL, CLUSTER } = TrafficPolicy;
const instance = () => EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE });

export const rollouts: RolloutRow[] = [
  {
    title: 'pods wait for the balancer by a label of its own',
    controller: () => EksAutoMode.nlb(),
    stops: 140,
    labels: { 'eks.amazonaws.com/pod-readiness-gate-inject': 'enabled' },
  },
  {
    title: 'the health check of nodes is not documented, so it must be said',
    controller: instance,
    refused: 'are not documented; set healthCheck.interval and healthCheck.unhealthyThreshold',
  },
  {
    title: 'a health check that is said has nodes without pods left',
    controller: instance,
    wishes: { healthCheck: { interval: Duration.seconds(10), unhealthyThreshold: 2 } },
    stops: 65,
    starts: 25,
    policy: LOCAL,
    warns: 'ends the connections that a node has when its health check fails, so pods finish none; use ip targets',
  },
  {
    title: 'nodes are taken out by its own autoscaler, which breaks policy Cluster',
    controller: instance,
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.DOES_NOT_WAIT } },
    refused: 'break with a node that is removed before the balancer knows',
  },
];
