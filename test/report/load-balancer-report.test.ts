import { ApiObject, App, Chart, Lazy } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancedService,
  LoadBalancerReport,
  type LoadBalancerReportOptions,
  LoadBalancerScheme,
  MetalLb,
  NlbTargetType,
  StrimziVersion,
  TrafficPolicy,
  TrafficWhatIf,
} from '../../src';

const controller = AwsLoadBalancerController.nlb();
const ports = [{ port: 443 }];

const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});
const clusterObjects = [{ apiVersion: 'v1', kind: 'List', items: [node('n1'), node('n2')] }];

function edge(chart: Chart, replicas = 3): void {
  const selector = { app: 'edge' };
  new ApiObject(chart, 'Pods', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'edge', namespace: 'edge' },
    spec: { replicas, selector: { matchLabels: selector }, template: { metadata: { labels: selector }, spec: {} } },
  });
  new LoadBalancedService(chart, 'Edge', {
    name: 'edge',
    namespace: 'edge',
    controller,
    selector,
    ports,
    trafficPolicy: TrafficPolicy.LOCAL,
    scheme: LoadBalancerScheme.INTERNET_FACING,
  });
}

test('what a controller makes is known by the controller of the app, and not by its Services alone', () => {
  const chart = new Chart(new App(), 'edge');
  const metalLb = MetalLb.layer2({ addressPool: 'edge' });
  new LoadBalancedService(chart, 'Edge', { name: 'edge', controller: metalLb, selector: { app: 'edge' }, ports });
  const text = LoadBalancerReport.of(chart).text();
  expect(text).toContain('default/edge: address of one node (layer 2)');
  expect(text).not.toContain('not known');
});

test.each<[LoadBalancerReportOptions, string]>([
  [{ zones: 1.5 }, 'zones is 1.5, which is not a whole number of 1 or more'],
  [{ gbPerMonth: -2 }, 'gbPerMonth is -2, which is not a number of 0 or more'],
  [{ connections: Number.NaN }, 'connections is NaN, which is not a number of 0 or more'],
  [{ zones: Lazy.any({ produce: () => 3 }) as unknown as number }, 'zones is '],
])('%j is refused', (options, message) => {
  expect(() => LoadBalancerReport.of(new App(), options)).toThrow(`LoadBalancerReport.of: ${message}`);
});

test('the path, the share of each pod and the money of an app, with its terms', () => {
  const chart = new Chart(new App(), 'edge');
  edge(chart);
  const report = LoadBalancerReport.of(chart.node.root, {
    clusterObjects,
    zones: 2,
    region: 'us-east-1',
    whatIf: [TrafficWhatIf.IP, TrafficWhatIf.CLUSTER],
  });
  const text = report.text();
  expect(text).toContain('USD 23.73 = 0.0225 × 730 h + 2 zones × 3.65 public IPv4, traffic not counted');
  expect(text).toContain('edge/edge: Network Load Balancer, internet-facing; policy Local, targets are nodes');
  expect(text).toContain('edge-0 on n1: 25 % = 1/4 = 1/2 through node n1, its own pods × 1/2');
  expect(text).toContain('what if   pods as targets: ');
  expect(JSON.parse(report.json()).paths[0].alternatives.map(({ variant }: { variant: string }) => variant)).toEqual([
    'cluster',
    'ip',
  ]);
  expect(report.markdown()).toContain('```mermaid\nflowchart LR');
  expect(report.html()).toMatch(/^<!doctype html>/i);
});

test('a Kafka listener is as many balancers as its operator will make', () => {
  const chart = new Chart(new App(), 'kafka');
  new ApiObject(chart, 'Kafka', {
    apiVersion: 'kafka.strimzi.io/v1beta2',
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka' },
    spec: { kafka: { version: '3.9.0', replicas: 3, listeners: [] } },
  } as never);
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka: KafkaCluster.fromManifest(chart, { name: 'events', strimzi: StrimziVersion.V0_45 }),
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
    scheme: LoadBalancerScheme.INTERNAL,
  });
  const text = LoadBalancerReport.of(chart, { zones: 3 }).text();
  expect(text).toContain('aws-load-balancer-controller   4           8 %        USD 65.70 = 4 × 0.0225 × 730 h');
});

test('only what is below the scope', () => {
  const app = new App();
  edge(new Chart(app, 'edge'));
  const other = new Chart(app, 'other');
  expect(LoadBalancerReport.of(other).text()).toMatch(/^no load balancers\n/);
  expect(LoadBalancerReport.of(app).text()).toContain('edge/edge');
});

test('a plain Service of an app is reported as far as it is known', () => {
  const chart = new Chart(new App(), 'plain');
  const plain = (name: string, spec: object) =>
    new ApiObject(chart, name, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { type: 'LoadBalancer', ports, ...spec },
    } as never);
  plain('known', { loadBalancerClass: 'service.k8s.aws/nlb' });
  plain('unknown', {});
  const text = LoadBalancerReport.of(chart).text();
  expect(text).toContain('aws-load-balancer-controller (a guess)   1');
  expect(text).toContain('not known: needs a class, or annotations of one controller');
});

test('a controller of a user makes what is not known here', () => {
  const chart = new Chart(new App(), 'own');
  const own = { name: 'acme', bind: () => ({ owner: 'acme', answers: { ports: 'as they are' } }) };
  new LoadBalancedService(chart, 'Own', { controller: own, selector: { app: 'own' }, ports });
  expect(LoadBalancerReport.of(chart).text()).toContain('needs what acme makes of it, which is not known here');
});

test('it changes nothing of what is written, and is as the app is now', () => {
  const app = new App();
  const chart = new Chart(app, 'edge');
  edge(chart);
  const before = app.synthYaml();
  const report = LoadBalancerReport.of(app, { clusterObjects });
  const first = report.text();
  expect(report.text()).toBe(first);
  expect(app.synthYaml()).toBe(before);
  edge(new Chart(app, 'second'), 5);
  expect(report.text()).not.toBe(first);
});

test('options that nothing can be made of are refused', () => {
  expect(() => LoadBalancerReport.of(new App(), { zone: 3 } as never)).toThrow('zone is unknown');
  expect(() => LoadBalancerReport.of({} as never)).toThrow('LoadBalancerReport.of');
});

test('prices are old by a day that is given, and by no clock', () => {
  const chart = new Chart(new App(), 'edge');
  edge(chart);
  expect(LoadBalancerReport.of(chart).text()).not.toContain('more than a year before');
  expect(LoadBalancerReport.of(chart, { date: '2030-01-01' }).text()).toContain('more than a year before 2030-01-01');
});
