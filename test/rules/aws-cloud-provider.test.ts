import { App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  HealthCheckProtocol,
  KubernetesVersion,
  LoadBalancedService,
  LoadBalancers,
  type LoadBalancerWishes,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { AWS_CLOUD } from '../../src/controllers/aws-cloud-provider/annotations';
import { service } from '../support/cases';
import { judge } from '../support/judge';

const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
const NLB = { [key('type')]: 'nlb' };

function warningsOf(wishes: LoadBalancerWishes): string[] {
  const chart = new Chart(new App(), 'dns');
  new LoadBalancedService(chart, 'Dns', {
    controller: AwsCloudProvider.nlb(),
    selector: { app: 'dns' },
    ports: [{ port: 53, protocol: PortProtocol.UDP }],
    ...wishes,
  });
  return LoadBalancers.of(chart).warnings.map(({ finding }) => `${finding.what}; ${finding.remedy}`);
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

function sentencesOf(annotations: Record<string, string>, version?: KubernetesVersion): string[] {
  const controller = version ? AwsCloudProvider.nlb({ version }) : AwsCloudProvider.classic();
  const context = { kind: AwsCloudProvider._kind.definition, controller, kubernetes: KubernetesVersion.V1_36 };
  const { errors, warnings } = judge(
    service({}, annotations),
    AwsCloudProvider._kind.definition.rules,
    context,
    controller.name,
  );
  return [...errors, ...warnings].map(({ what, remedy }) => `${what}; ${remedy}`);
}

test('the way out of a type that is none does not orphan a live balancer', () => {
  expect(sentencesOf({ [key('type')]: 'NLB' })).toEqual([
    "type 'NLB' is not 'nlb', so a Classic Load Balancer is made; leave the annotation out for a Classic Load Balancer, or write 'nlb' before one is made: on a live one it leaves the old balancer behind, at once before v1.36, and when the Service is deleted from then on; a live one is handed over as docs/how-to/change-a-controller.md#hand-services-over says",
  ]);
});

test('the remark on the type says when a balancer is orphaned, and what prevents it', () => {
  expect(AWS_CLOUD.type.fact.remark).toContain(
    'a Service that is deleted with any of them in it loses its finalizer, and its balancer stays as an orphan: put the old type back first',
  );
});

test('the way out of too few addresses names the order in which they are given out', () => {
  const annotations = { ...NLB, [key('eip-allocations')]: 'eipalloc-1', [key('subnets')]: 'edge-a,subnet-1' };
  expect(sentencesOf(annotations)).toEqual([
    `${key('eip-allocations')} names 1 for 2 subnets; name as many as subnets, which get them in the order in which AWS lists them, ids before names, and not in that of ${key('subnets')}`,
  ]);
});

test.each<[KubernetesVersion | undefined, Record<string, string>, string]>([
  [
    undefined,
    { ...NLB, [key('extra-security-groups')]: 'sg-1' },
    'is refused for a Network Load Balancer from version 1.35 on, and not read before',
  ],
  [
    KubernetesVersion.V1_35,
    { ...NLB, [key('extra-security-groups')]: 'sg-1' },
    'is refused for a Network Load Balancer;',
  ],
  [
    KubernetesVersion.V1_34,
    { ...NLB, [key('extra-security-groups')]: 'sg-1' },
    'has no effect on a Network Load Balancer;',
  ],
  [
    KubernetesVersion.V1_34,
    { [key('target-group-attributes')]: 'preserve_client_ip.enabled=true' },
    'is refused for a Classic Load Balancer;',
  ],
  [
    KubernetesVersion.V1_33,
    { [key('target-group-attributes')]: 'preserve_client_ip.enabled=true' },
    'has no effect on a Classic Load Balancer;',
  ],
])('version %p and %j: %s', (version, annotations, says) => {
  expect(sentencesOf(annotations, version)).toEqual([expect.stringContaining(says)]);
});
