import { App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  HealthCheckProtocol,
  LoadBalancedService,
  LoadBalancers,
  type LoadBalancerWishes,
  PortProtocol,
  TrafficPolicy,
} from '../../src';

/** The warnings of a UDP Service that this library writes. */
function warningsOf(wishes: LoadBalancerWishes): string[] {
  const chart = new Chart(new App(), 'dns');
  new LoadBalancedService(chart, 'Dns', {
    controller: AwsCloudProvider.nlb(),
    selector: { app: 'dns' },
    ports: [{ port: 53, protocol: PortProtocol.UDP }],
    ...wishes,
  });
  return LoadBalancers.of(chart).warnings.map(({ finding }) => `${finding.what}; ${finding.wayOut}`);
}

test('UDP that would be checked by TCP is warned of once, with both ways out', () => {
  expect(warningsOf({})).toEqual([
    'port 53 is UDP, and its health check asks the same node port by TCP, where mostly nothing listens; set externalTrafficPolicy to Local, or service.beta.kubernetes.io/aws-load-balancer-healthcheck-port to one that answers by TCP on every node, such as 10256 of kube-proxy',
  ]);
});

test.each<[string, LoadBalancerWishes]>([
  ['policy Local', { trafficPolicy: TrafficPolicy.LOCAL }],
  ["kube-proxy's own port", { healthCheck: { port: 10256 } }],
  ["kube-proxy's own word", { healthCheck: { protocol: HealthCheckProtocol.HTTP, port: 10256, path: '/healthz' } }],
])('the way out by %s ends the warning', (_, wishes) => {
  expect(warningsOf(wishes).filter((warning) => warning.includes('UDP'))).toEqual([]);
});
