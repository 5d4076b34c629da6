import { Duration } from 'cdk8s';
import { AwsCloudProvider, KubernetesVersion, NodeRemoval, PortProtocol, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';
import { key } from './aws.words';
import { classic, nlb } from './aws-cloud-provider.words';

const { LOCAL, CLUSTER } = TrafficPolicy;

export const rollouts: RolloutRow[] = [
  {
    title: 'a Network Load Balancer leaves nodes without a pod',
    controller: nlb,
    stops: 65,
    starts: 25,
    policy: LOCAL,
    warns: 'ends the connections that a node has when its health check fails, so pods finish none',
  },
  {
    title: 'of UDP there is nothing to end',
    controller: nlb,
    wishes: { ports: [{ port: 53, protocol: PortProtocol.UDP }] },
    stops: 65,
    starts: 25,
    policy: LOCAL,
  },
  {
    title: 'a Classic Load Balancer takes a minute, and drains connections as long as pods live',
    controller: classic,
    stops: 65,
    starts: 65,
    policy: LOCAL,
    writes: { [key('connection-draining-enabled')]: 'true', [key('connection-draining-timeout')]: '95' },
  },
  {
    title: 'a shorter draining of connections is refused with the figures',
    controller: () =>
      AwsCloudProvider.classic({ connectionDrainingEnabled: true, connectionDrainingTimeout: Duration.seconds(10) }),
    refused: "rollout needs 95 s, but the controller's option connectionDrainingTimeout is already 10 s",
  },
  {
    title: 'a longer draining of connections stays',
    controller: () => AwsCloudProvider.classic({ connectionDrainingTimeout: Duration.minutes(10) }),
    stops: 65,
    starts: 65,
    policy: LOCAL,
    writes: { [key('connection-draining-timeout')]: '600' },
  },
  {
    title: 'connections that are not drained are refused',
    controller: () => AwsCloudProvider.classic({ connectionDrainingEnabled: false }),
    refused: "rollout asks for 'true', but the controller's option connectionDrainingEnabled is already 'false'",
  },
  {
    title: 'nodes that are removed break connections with policy Cluster',
    controller: nlb,
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.DOES_NOT_WAIT } },
    refused: 'break with a node that is removed before the balancer knows',
  },
  {
    title: 'nodes that stay do not',
    controller: nlb,
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.NONE } },
    stops: 5,
    policy: CLUSTER,
  },
  {
    title: 'nodes of an old Kubernetes drop connections',
    controller: nlb,
    wishes: { kubernetes: KubernetesVersion.of('1.25') },
    refused: 'nodes of Kubernetes 1.25 drop connections when their last pod begins to terminate; use Kubernetes 1.26',
  },
];
