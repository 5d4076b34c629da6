import { Duration } from 'cdk8s';
import { HealthCheckProtocol, HetznerCloud, NodeRemoval, TrafficPolicy } from '../../../src';
import type { RolloutRow } from '../../support/cases';
import { keys } from './hetzner-cloud.words';

const { LOCAL, CLUSTER } = TrafficPolicy;
const hetzner = () => HetznerCloud.loadBalancer();
const port = { healthCheckNodePort: 32100 };

export const rollouts: RolloutRow[] = [
  {
    title: 'the health check asks kube-proxy at a port that is known',
    controller: hetzner,
    wishes: { rollout: port },
    stops: 50,
    starts: 50,
    policy: LOCAL,
    writes: keys({
      'health-check-port': '32100',
      'health-check-protocol': 'http',
      'health-check-http-path': '/healthz',
    }),
  },
  {
    title: 'a faster health check has pods go sooner',
    controller: hetzner,
    wishes: { rollout: port, healthCheck: { interval: Duration.seconds(3), unhealthyThreshold: 2 } },
    stops: 11,
    starts: 11,
    policy: LOCAL,
  },
  {
    title: 'without the port the check is passed until the pod is gone',
    controller: hetzner,
    refused:
      'its health check asks the node port, which a pod in termination answers until it is gone; set rollout.healthCheckNodePort',
  },
  {
    title: 'another port of the health check knows nothing of pods',
    controller: hetzner,
    wishes: { rollout: port, healthCheck: { port: 10256, protocol: HealthCheckProtocol.HTTP } },
    refused: 'its health check, HTTP to 10256, is passed by a node whose last pod is in termination',
  },
  {
    title: 'an option that checks by TCP contradicts it',
    controller: () => HetznerCloud.loadBalancer({ healthCheckPort: 30443 }),
    wishes: { rollout: port },
    refused: "rollout asks for '32100', but the controller's option healthCheckPort is already '30443'",
  },
  {
    title: 'policy Cluster has no health check of pods, whoever takes nodes',
    controller: hetzner,
    wishes: { trafficPolicy: CLUSTER, rollout: { nodeRemoval: NodeRemoval.WAITS_FOR_BALANCER } },
    refused: 'with externalTrafficPolicy Cluster its health check learns nothing of pods',
  },
];
