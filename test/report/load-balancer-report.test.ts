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
import { AWS_CLASS, controllers, INTERNET_FACING, linesOf, nodes, objects, pods, reportOn, service } from './reported';

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

// What a report says where something is missing: whoever reads it can do what it asks for, and reads each thing once.

const AWS = controllers('aws-load-balancer-controller');

describe('a Service without a known owner', () => {
  test('the path is short, and the controllers that it may have are listed once', () => {
    const { out } = reportOn(objects(service()));
    expect(out).toContain('  path      unknown: needs controllers in load-balancers.yaml\n');
    expect(out.match(/cloud-provider-azure/g)).toHaveLength(1);
  });

  test('a class that no known controller serves is named: the list of controllers alone would not help', () => {
    const report = reportOn(objects(service('loadBalancerClass: example.com/own')));
    expect(report.out).toContain(
      "unknown   1           -          not known: needs a controller of class 'example.com/own'",
    );
    expect(linesOf(report, 'needs')).toContain(
      "a controller of class 'example.com/own': none that is known here serves it by default; if one of them is installed with it, add its Deployment to the files",
    );
  });

  test('in a folder of several clouds the class names the owner, and annotations make a guess', () => {
    const { out } = reportOn(
      objects(
        service(AWS_CLASS, { name: 'aws' }),
        service('loadBalancerClass: eks.amazonaws.com/nlb', { name: 'auto' }),
        service('loadBalancerClass: networking.gke.io/l4-regional-internal', { name: 'gke' }),
        service('', { name: 'hz', annotations: '{load-balancer.hetzner.cloud/location: fsn1}' }),
      ),
    );
    expect(out).toMatch(/\n {2}aws-load-balancer-controller +1 /);
    expect(out).toMatch(/\n {2}eks-auto-mode +1 /);
    expect(out).toMatch(/\n {2}gke +1 /);
    expect(out).toMatch(/\n {2}hcloud-cloud-controller-manager \(a guess\) +1 /);
    expect(out).not.toContain('unknown   ');
  });
});

test('where one node has no zone, the way is still there, and only the shares are not', () => {
  const report = reportOn({ ...AWS, ...objects(nodes('a1 n1'), pods('a1 n1'), service(AWS_CLASS)) });
  expect(linesOf(report, 'path')[0]).toContain('client → Network Load Balancer → node port');
  expect(linesOf(report, 'shares')).toEqual(['unknown: needs the zone of node n1; other nodes have one']);
});

test('where no node is healthy, nothing is said of what a loss would break', () => {
  const down = objects(nodes('a1 b1', 'False'), pods('a1 b1'), service(AWS_CLASS));
  const report = reportOn({ ...AWS, ...down });
  expect(linesOf(report, 'dropped')).toEqual(['100 % = no target is healthy']);
  expect(linesOf(report, 'today')[0]).toContain('100 % answered by no pod: no target is healthy');
  expect(linesOf(report, 'today')[0]).not.toContain('no second hop');
  expect(linesOf(report, 'path')[0]).toBe('client → Network Load Balancer → none of 2 nodes is healthy');
  for (const label of ['loss', 'depends']) {
    expect(linesOf(report, label)).toEqual([]);
  }
});

test('what is nearly all is not all', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join(' ');
  const report = reportOn({ ...AWS, ...objects(nodes(many(300)), pods(many(300)), service(AWS_CLASS)) });
  expect(linesOf(report, 'today')[0]).toContain('second hop for 99.6 % of connections');
});

test('what is nearly nothing of a quota is not nothing', () => {
  const { out } = reportOn({ ...AWS, ...objects(service(AWS_CLASS)) });
  expect(out).not.toContain(' 0 % of ');
});

test('data to the internet is counted by the option that the report names', () => {
  const files = { ...controllers('cloud-provider-azure'), ...objects(service()) };
  const region = ['--region', 'westeurope', '--gb-per-month', '500'];
  expect(reportOn(files, ...region).out).toContain('(--gb-out-per-month)');
  const counted = reportOn(files, ...region, '--gb-out-per-month', '200');
  expect(counted.code).toBe(0);
  expect(counted.out).not.toContain('data to the internet not counted');
});

describe('a region that is given', () => {
  const node =
    '{apiVersion: v1, kind: Node, metadata: {name: a1, labels: {topology.kubernetes.io/region: eu-west-1, topology.kubernetes.io/zone: eu-west-1a}}}\n';
  const files = {
    ...AWS,
    ...objects(node, service(AWS_CLASS), service(AWS_CLASS, { name: 'other' }).replace('443', '444')),
  };

  test('wins over that of nodes, which is no longer assumed', () => {
    expect(reportOn(files).out).toContain('region eu-west-1, seen in');
    expect(reportOn(files, '--region', 'us-east-1').out).not.toContain('region eu-west-1');
  });

  test('where it has no prices, no saving is made up', () => {
    const known = { 'load-balancers.yaml': `${AWS['load-balancers.yaml']}region: mars\n` };
    expect(reportOn({ ...files, ...known }).out).not.toContain('USD 0.00');
  });

  test('one zone is one zone', () => expect(reportOn(files).out).toContain('a balancer is in the 1 zone of the nodes'));
});

test('files without load balancers need no nodes and pods', () => {
  const { out } = reportOn(objects('{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n'));
  expect(out).toBe('no load balancers\n');
});

test('a pod without connections has the reason', () => {
  const running = pods('a1 b1');
  const report = reportOn({
    ...AWS,
    ...objects(nodes('a1'), nodes('b1', 'False'), running, service(AWS_CLASS, { annotations: INTERNET_FACING })),
  });
  expect(linesOf(report, 'share')[1]).toBe('web-1 on b1: 0 %, its node is not ready');
});

test('what MetalLB announces needs its pool and advertisements, by name', () => {
  const metallb = service('', { annotations: '{metallb.io/address-pool: edge}' });
  const hetzner = service('', { name: 'hz', annotations: '{load-balancer.hetzner.cloud/location: fsn1}' });
  const report = reportOn(objects(metallb, hetzner, service(AWS_CLASS, { name: 'aws' })));
  expect(linesOf(report, 'path').filter((line) => line.startsWith('unknown'))).toEqual([
    'unknown: needs its IPAddressPool, and either L2Advertisements or BGPAdvertisements of it, among the objects',
  ]);
});

test('Services that share an address use one frontend', () => {
  const shared = (name: string, port: number) =>
    service('', { name, annotations: '{service.beta.kubernetes.io/azure-pip-name: edge}' }).replace('443', `${port}`);
  const files = { ...controllers('cloud-provider-azure'), ...objects(shared('one', 80), shared('two', 81)) };
  expect(reportOn(files).out).toContain('Frontend IP configurations per load balancer (1 of 600)');
});
