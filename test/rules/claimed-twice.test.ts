import { ApiObject, App, Chart } from 'cdk8s';
import {
  AdoptedService,
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  CustomController,
  Gateway,
  type GatewayProps,
  GatewayProtocol,
  Gke,
  HetznerCloud,
  KafkaLoadBalancedListener,
  type KafkaLoadBalancedListenerProps,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  NodePool,
  NodepoolPinnedService,
  type PortProtocol,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import { clusterWith } from '../kafka/clusters';
import { errorsOf, newChart, stderrOf, synth } from '../support/apps';

type Wishes = Partial<LoadBalancedServiceProps> & Pick<LoadBalancedServiceProps, 'controller'>;

const PUBLIC = { scheme: LoadBalancerScheme.INTERNET_FACING };
const EIP = 'eipalloc-0123456789abcdef0';
const SUBNETS = { subnets: ['subnet-0123456789abcdef0'] };
const DNS = 'external-dns.kubernetes.io/hostname';

const nlb = AwsLoadBalancerController.nlb;
const eip = { ...PUBLIC, controller: nlb(SUBNETS), staticAddresses: [EIP] };
const azure = { ...PUBLIC, controller: AzureCloudProvider.standard().shared('20.1.2.3') };
const metalLb = (key?: string) => {
  const controller = MetalLb.layer2({ addressPool: 'edge' });
  return { controller: key ? controller.shared(key) : controller, staticAddresses: ['10.0.0.9'] };
};
const node = (nodePort: number, port = 443): Wishes => ({
  controller: HetznerCloud.loadBalancer(),
  ports: [{ port, nodePort }],
});
const named = (controller: Wishes['controller']): Wishes => ({ controller, dnsName: 'x.example.com' });

function service(chart: Chart, id: string, wishes: Wishes): void {
  new LoadBalancedService(chart, id, { ports: [{ port: 443 }], selector: { app: 'echo' }, ...wishes });
}

function between(one: Wishes, other: Wishes): string[] {
  const chart = newChart();
  service(chart, 'One', one);
  service(chart, 'Other', other);
  let errors: string[] = [];
  stderrOf(() => {
    errors = errorsOf(chart);
  });
  return errors;
}

const onPort = (port: number, protocol?: PortProtocol): Pick<LoadBalancedServiceProps, 'ports'> => ({
  ports: [{ port, protocol }],
});

test.each<[string, Wishes, Wishes, string]>([
  [
    'one of two controllers of AWS',
    eip,
    { ...PUBLIC, controller: AwsCloudProvider.nlb({ ...SUBNETS, eipAllocations: [EIP] }) },
    `Elastic IP ${EIP}`,
  ],
  ['a port of an address of Azure', azure, azure, 'port 443/TCP of address 20.1.2.3'],
  [
    'a public IP of Azure by its name',
    { ...PUBLIC, controller: AzureCloudProvider.standard().shared('edge') },
    { ...PUBLIC, controller: AzureCloudProvider.standard({ pipName: 'edge' }) },
    'port 443/TCP of public IP edge',
  ],
  [
    'an address of GKE',
    { ...PUBLIC, controller: Gke.passthrough(), staticAddresses: ['edge'] },
    { ...PUBLIC, controller: Gke.passthrough(), staticAddresses: ['edge'] },
    'port 443/TCP of reserved address edge',
  ],
  [
    'one with policy Local and two sets of pods',
    { ...metalLb('a'), trafficPolicy: TrafficPolicy.LOCAL },
    { ...metalLb('a'), ...onPort(53), trafficPolicy: TrafficPolicy.LOCAL, selector: { app: 'dns' } },
    'address 10.0.0.9',
  ],
  ['a name in DNS', named(nlb()), named(nlb()), 'DNS name x.example.com'],
])('two Services of a chart cannot both have %s', (_, one, other, thing) => {
  expect(between(one, other)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^\\[echo/Other\\] \\S+: ${thing} of Service \\S+ is also claimed by Service \\S+ \\(echo/One\\): .*\\(exclusive-resource-conflict\\)$`,
      ),
    ),
  ]);
});

test.each<[string, Wishes, Wishes]>([
  ['ports of one address of MetalLB', metalLb('key'), { ...metalLb('key'), ...onPort(80) }],
])('they can have %s', (_, one, other) => {
  expect(between(one, other).filter((error) => error.includes('exclusive-resource-conflict'))).toEqual([]);
});

test('a set-identifier tells records of one name apart', () => {
  const of = (id: string) => {
    const plan: LoadBalancerPlan = {
      owner: 'mine',
      loadBalancerClass: 'example.com/mine',
      annotations: { [DNS]: 'x.example.com', 'external-dns.kubernetes.io/set-identifier': id },
    };
    return { controller: CustomController.of(plan) };
  };
  expect(between(of('blue'), of('green'))).toEqual([]);
  expect(between(of('blue'), of('blue'))).toHaveLength(1);
});

function plain(chart: Chart, id: string, spec: object, annotations: Record<string, string> = {}): ApiObject {
  return new ApiObject(chart, id, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: id.toLowerCase(), annotations },
    spec: { selector: { app: 'echo' }, ...spec },
  });
}

const NLB_CLASS = { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb', ports: [{ port: 443 }] };
const EIP_KEY = 'service.beta.kubernetes.io/aws-load-balancer-eip-allocations';
const pods = (chart: Chart) =>
  new ApiObject(chart, 'Pods', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'echo' },
    spec: {
      selector: { matchLabels: { app: 'echo' } },
      template: { metadata: { labels: { app: 'echo' } }, spec: { containers: [] } },
    },
  });

const gateway = (chart: Chart, props: Partial<GatewayProps>) =>
  new Gateway(chart, 'Host', {
    gatewayClassName: 'envoy',
    listeners: [{ name: 'tcp', port: 443, protocol: GatewayProtocol.TCP }],
    ...props,
  });

const kafka = (chart: Chart, listener: Partial<KafkaLoadBalancedListenerProps>) => {
  const { cluster } = clusterWith([], StrimziVersion.V1_2, {}, {}, chart);
  const base = { kafka: cluster, name: 'external', port: 9094, controller: nlb(), ...PUBLIC };
  new KafkaLoadBalancedListener(chart, 'Host', { ...base, ...listener });
};

/** Every host that makes Services, each with a name, an address or a port that a Service beside it has as well. */
const HOSTS: Record<string, [(chart: Chart) => void, Wishes]> = {
  NodepoolPinnedService: [
    (chart) => {
      const nodePool = NodePool.labeled({ pool: 'edge' });
      const controller = HetznerCloud.loadBalancer();
      new NodepoolPinnedService(chart, 'Host', {
        controller,
        nodePool,
        workload: pods(chart),
        ports: [{ port: 443, nodePort: 30443 }],
      });
    },
    node(30443),
  ],
  AdoptedService: [
    (chart) => {
      const manifest = plain(chart, 'Manifest', { type: 'LoadBalancer', ports: [{ port: 443, nodePort: 30443 }] });
      new AdoptedService(chart, 'Host', { ...PUBLIC, controller: HetznerCloud.loadBalancer(), service: manifest });
    },
    node(30443),
  ],
  SharedLoadBalancer: [
    (chart) => {
      new SharedLoadBalancer(chart, 'Host', {
        namespace: 'edge',
        hostname: 'x.example.com',
        engine: SharedLoadBalancerEngine.envoyGateway({ controller: nlb() }),
      });
    },
    named(nlb()),
  ],
  'bootstrap of Kafka': [(chart) => kafka(chart, { dnsName: 'x.example.com' }), named(nlb())],
  'broker of Kafka': [
    (chart) => kafka(chart, { brokers: [{ brokerId: 1, annotations: { [DNS]: 'x.example.com' } }] }),
    named(nlb()),
  ],
  'broker of Kafka, by its node port,': [
    (chart) => kafka(chart, { controller: HetznerCloud.loadBalancer(), brokers: [{ brokerId: 1, nodePort: 30443 }] }),
    node(30443),
  ],
  'Gateway, by its infrastructure,': [
    (chart) => gateway(chart, { infrastructureAnnotations: { [DNS]: 'x.example.com' } }),
    named(nlb()),
  ],
  'Gateway, by its address,': [(chart) => gateway(chart, { addresses: [{ value: '20.1.2.3' }] }), azure],
};

test.each(Object.entries(HOSTS))('what a %s makes fights with a Service beside it', (_, [host, wishes]) => {
  const chart = newChart();
  service(chart, 'Beside', wishes);
  host(chart);
  let errors: string[] = [];
  stderrOf(() => {
    errors = errorsOf(chart);
  });
  expect(errors.filter((error) => error.includes('exclusive-resource-conflict'))).toEqual([
    expect.stringMatching(/^\[echo\/Host.*\(echo\/Beside\): /),
  ]);
});

test.each<[string, object, Record<string, string>, Wishes, string]>([
  ['with the class of its owner', NLB_CLASS, { [EIP_KEY]: EIP }, eip, `Elastic IP ${EIP}`],
  ['with a node port', { type: 'NodePort', ports: [{ port: 1, nodePort: 30443 }] }, {}, node(30443), 'node port 30443'],
  [
    'with a health check port',
    { ...NLB_CLASS, externalTrafficPolicy: 'Local', healthCheckNodePort: 30443 },
    {},
    node(30443),
    'node port 30443',
  ],
])('a Service that is in an app as it is counts: %s', (_, spec, annotations, wishes, thing) => {
  for (const isFirst of [true, false]) {
    const chart = newChart();
    const add = [() => plain(chart, 'Plain', spec, annotations), () => service(chart, 'Ours', wishes)];
    for (const one of isFirst ? add : add.reverse()) {
      one();
    }
    stderrOf(() =>
      expect(errorsOf(chart)).toEqual([
        expect.stringMatching(new RegExp(`^\\[echo/Ours\\] .*${thing} .*\\(echo/Plain\\): `)),
      ]),
    );
  }
});

test('a Service that nobody plans is not judged against others of its kind', () => {
  const chart = newChart();
  for (const id of ['One', 'Other']) {
    plain(chart, id, { type: 'NodePort', ports: [{ port: 1, nodePort: 30443 }] });
  }
  service(chart, 'Ours', node(30444));
  expect(stderrOf(() => synth(chart))).toBe('');
});

function acrossCharts(wishes: Wishes, names: [string, string]): string[] {
  const app = new App();
  const charts = ['a', 'b'].map((id, i) => {
    const chart = new Chart(app, id, { namespace: 'echo' });
    service(chart, 'Echo', { ...wishes, name: names[i] });
    return chart;
  });
  const told = stderrOf(() => synth(charts[0]));
  const listed = LoadBalancers.of(app).warnings.map(({ path, finding }) => `[${path}] ${finding.ruleId}`);
  expect(listed.filter((line) => line.endsWith('exclusive-resource-conflict-across-charts')).length > 0).toBe(
    told.includes('exclusive-resource-conflict-across-charts'),
  );
  return listed.filter((line) => line.includes('exclusive-resource-conflict'));
}

test.each<[string, Wishes, [string, string], string[]]>([
  ['an Elastic IP is told', eip, ['echo', 'echo'], ['[b/Echo] exclusive-resource-conflict-across-charts']],
  ['a name in DNS is told', named(nlb()), ['echo', 'echo'], ['[b/Echo] exclusive-resource-conflict-across-charts']],
  ['a node port is told', node(30443), ['one', 'other'], ['[b/Echo] exclusive-resource-conflict-across-charts']],
  ['a node port of namesakes is of two clusters', node(30443), ['echo', 'echo'], []],
])('across charts %s', (_, wishes, names, expected) => {
  expect(acrossCharts(wishes, names)).toEqual(expected);
});

test('of three charts with two clusters, those of one chart are an error', () => {
  const app = new App();
  const [dev, prod] = ['dev', 'prod'].map((id) => new Chart(app, id, { namespace: 'echo' }));
  service(dev, 'Echo', { ...node(30443), name: 'echo' });
  service(prod, 'Echo', { ...node(30443), name: 'echo' });
  service(prod, 'Dns', { ...node(30443), name: 'dns' });
  expect(() => stderrOf(() => synth(prod))).toThrow(/\[prod\/Dns\].*\(prod\/Echo\): .*\(exclusive-resource-conflict\)/);
});

test.each<[string, object]>([
  ['loadbalancer', { bootstrap: { nodePort: 30094 } }],
  ['nodeport', { brokers: [{ broker: 1, nodePort: 30094 }] }],
])('a listener of type %s that no construct plans counts', (type, configuration) => {
  const chart = newChart();
  service(chart, 'Beside', node(30094));
  const tls = { tls: true, authentication: { type: 'tls' } };
  const listeners = [{ name: 'other', port: 9095, type, ...tls, configuration }];
  const { cluster } = clusterWith(listeners, StrimziVersion.V1_2, {}, {}, chart);
  const base = { kafka: cluster, name: 'mine', port: 9099, controller: nlb(), ...PUBLIC };
  new KafkaLoadBalancedListener(chart, 'Host', base);
  stderrOf(() =>
    expect(errorsOf(chart)).toEqual([
      expect.stringMatching(
        /^\[echo\/Host\] kubernetes: node port 30094 of .* is also claimed by Service .* \(echo\/Beside\)/,
      ),
    ]),
  );
});
