import { Duration } from 'cdk8s';
import { ClientAddress, NlbTargetType, NodeRemoval, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';
import { key } from './aws.words';
import { ip, nlb } from './aws-load-balancer-controller.words';

const { LOCAL, CLUSTER } = TrafficPolicy;
const GATES = { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' };
const attributes = (text: string) => ({ [key('target-group-attributes')]: text });

export const rollouts: RolloutRow[] = [
  {
    title: 'pods as targets wait for the balancer, and serve on until it has forgotten them',
    controller: ip,
    stops: 140,
    labels: GATES,
    writes: attributes('deregistration_delay.timeout_seconds=170'),
  },
  {
    title: 'what was measured goes before what others measured',
    controller: ip,
    wishes: { rollout: { balancerTime: Duration.seconds(60), drainTime: Duration.seconds(5) } },
    stops: 60,
    labels: GATES,
    writes: attributes('deregistration_delay.timeout_seconds=65'),
  },
  {
    title: 'a longer deregistration delay stays',
    controller: nlb({
      targetType: NlbTargetType.IP,
      targetGroupAttributes: { deregistrationDelay: Duration.minutes(5) },
    }),
    stops: 140,
    labels: GATES,
    writes: attributes('deregistration_delay.timeout_seconds=300'),
  },
  {
    title: 'a shorter deregistration delay is refused with the figures',
    controller: nlb({
      targetType: NlbTargetType.IP,
      targetGroupAttributes: { deregistrationDelay: Duration.seconds(30) },
    }),
    refused:
      "rollout needs 170 s, but the controller's option targetGroupAttributes.deregistrationDelay is already 30 s; leave the option out, or set it to 170 s",
  },
  {
    title: 'a shorter deregistration delay of one port is refused as well',
    controller: nlb({
      targetType: NlbTargetType.IP,
      targetGroupAttributesPerPort: [{ port: 443, attributes: { deregistrationDelay: Duration.seconds(30) } }],
    }),
    refused: 'targetGroupAttributesPerPort 443.deregistrationDelay is already 30 s',
  },
  {
    title: 'nodes are left when they have no pod, by policy Local, and keep their connections',
    controller: nlb(),
    stops: 65,
    starts: 25,
    policy: LOCAL,
    writes: attributes('target_health_state.unhealthy.connection_termination.enabled=false'),
  },
  {
    title: 'nodes may go at any time, where those without a pod have no connections',
    controller: nlb(),
    wishes: { rollout: { nodeRemoval: NodeRemoval.DOES_NOT_WAIT } },
    stops: 65,
    starts: 25,
    policy: LOCAL,
  },
  {
    title: 'an own health check counts',
    controller: nlb(),
    wishes: { healthCheck: { interval: Duration.seconds(5), healthyThreshold: 10 } },
    stops: 55,
    starts: 55,
    policy: LOCAL,
  },
  {
    title: 'a health check that asks the traffic port learns of pods too late',
    controller: nlb({ healthCheckPort: 'traffic-port' }),
    refused: 'is passed by a node whose last pod is in termination',
  },
  {
    title: 'instance targets with policy Cluster break with nodes that an autoscaler takes',
    controller: nlb(),
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.DOES_NOT_WAIT } },
    refused:
      'rollout.nodeRemoval is does-not-wait; leave trafficPolicy and clientAddress REPLACE out, or have nodes leave',
  },
  {
    title: 'where nobody says who takes nodes, nothing is promised of them',
    controller: nlb(),
    wishes: { trafficPolicy: CLUSTER },
    refused: 'rollout.nodeRemoval is not said',
  },
  {
    title: 'an autoscaler that waits for the balancer may take nodes with policy Cluster',
    controller: nlb(),
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.WAITS_FOR_BALANCER } },
    stops: 5,
    policy: CLUSTER,
  },
  {
    title: 'a replaced client address goes with policy Local',
    controller: nlb(),
    wishes: { clientAddress: ClientAddress.REPLACE },
    stops: 65,
    starts: 25,
    policy: LOCAL,
  },
  {
    title: 'a health check node port is for nodes',
    controller: ip,
    wishes: { rollout: { healthCheckNodePort: 32100 } },
    refused: 'rollout.healthCheckNodePort 32100 has no effect with pods as targets',
  },
];
