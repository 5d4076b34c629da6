import { ApiObject, App, Chart } from 'cdk8s';
import {
  AdoptedService,
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  Gateway,
  type GatewayProps,
  GatewayProtocol,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  KafkaLoadBalancedListener,
  type KafkaLoadBalancedListenerProps,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  NodePool,
  NodePools,
  NodepoolPinnedService,
  type PortProtocol,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import { checkInFiles } from '../../src/cli/rule-sets';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { clusterWith, listen } from '../kafka/clusters';
import { errorsOf, newChart, stderrOf, synth } from '../support/apps';
import { revived, table } from '../support/yaml-cases';

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

test.each<[string, object, Record<string, string>, Wishes, string]>(
  revived(table('rules/claimed-twice.yaml', 'Services of an app as they are', { NLB_CLASS, eip }), { node }),
)('a Service that is in an app as it is counts: %s', (_, spec, annotations, wishes, thing) => {
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

test('a Service that nobody plans is not checked against others of its kind', () => {
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
])('across charts %s', (_, wishes, names, expected) => expect(acrossCharts(wishes, names)).toEqual(expected));

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
        /^\[echo\/Existing\/Kafka-0\] kubernetes: node port 30094 of .* is also claimed by Service .* \(echo\/Beside\)/,
      ),
    ]),
  );
});

describe('nodes of the backend', () => {
  const EDGE = NodePool.labeled({ pool: 'edge' });
  const OTHER = NodePool.labeled({ pool: 'other' });
  const instances = { targetType: NlbTargetType.INSTANCE };
  const LOCAL = { trafficPolicy: TrafficPolicy.LOCAL };

  function deployment(chart: Chart, pod: object = {}): ApiObject {
    return new ApiObject(chart, 'Pods', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'echo' },
      spec: {
        selector: { matchLabels: { app: 'echo' } },
        template: { metadata: { labels: { app: 'echo' } }, spec: { containers: [], ...pod } },
      },
    });
  }

  function told(
    controller: ILoadBalancerController,
    pods: (chart: Chart) => ApiObject,
    wishes: object = LOCAL,
  ): string[] {
    const chart = newChart();
    new LoadBalancedService(chart, 'Echo', {
      controller,
      scheme: LoadBalancerScheme.INTERNET_FACING,
      workload: pods(chart),
      ports: [{ port: 443 }],
      ...wishes,
    });
    const ids =
      /\((backend-without-pods|local-policy-without-pool|pods-outside-backend-pool|azure-vm-set-pool-mismatch)\)/g;
    let errors: string[] = [];
    stderrOf(() => {
      errors = errorsOf(chart);
    });
    const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => `(${finding.ruleId})`);
    return [...errors, ...warnings].flatMap((text) => [...text.matchAll(ids)].map(([, id]) => id));
  }

  function daemonSet(chart: Chart, pod: object = {}): ApiObject {
    const { spec } = deployment(new Chart(chart, 'Other'), pod).toJson();
    return new ApiObject(chart, 'Pods', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'each' },
      spec,
    } as never);
  }

  describe('a DaemonSet with policy Local', () => {
    const linux = { nodeSelector: { 'kubernetes.io/os': 'linux' } };
    const byInstances = AwsLoadBalancerController.nlb(instances);
    test.each<[string, ILoadBalancerController, object, string[]]>([['on each node of Linux', byInstances, linux, []]])(
      '%s',
      (_, controller, pod, expected) => {
        expect(told(controller, (chart) => daemonSet(chart, pod))).toEqual(expected);
        const { spec } = deployment(newChart(), pod).toJson();
        const { name } = controller;
        const index = new ManifestIndex(
          [
            { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'each' }, spec },
            {
              apiVersion: 'v1',
              kind: 'Service',
              metadata: { name },
              spec: {
                type: 'LoadBalancer',
                externalTrafficPolicy: 'Local',
                ports: [{ port: 443 }],
                selector: { app: 'echo' },
                ...(controller === byInstances && { loadBalancerClass: 'service.k8s.aws/nlb' }),
              },
            },
          ].map((object, line) => ({ file: 'a.yaml', line, object })),
        );
        const found = index.of('', 'Service').flatMap((one) => checkInFiles(one, { controllers: [controller] }) ?? []);
        const ids = found.flatMap(({ warnings }) => warnings.map(({ ruleId }) => ruleId));
        expect(ids.filter((id) => id === 'local-policy-without-pool')).toEqual(expected);
      },
    );
  });

  const pinnedTo = (pool: NodePool) => (chart: Chart) => {
    const pods = deployment(chart);
    pool.pin(pods);
    return pods;
  };
  const selecting = (labels: object) => (chart: Chart) => deployment(chart, { nodeSelector: labels });

  /** Controllers whose targets are nodes, by how they keep the backend on those with a label of the pool `edge`. */
  const WITH_LABELS: [string, ILoadBalancerController, object][] = [
    [
      'aws-load-balancer-controller',
      AwsLoadBalancerController.nlb({ ...instances, targetNodeLabels: { pool: 'edge' } }),
      LOCAL,
    ],
    ['cloud-provider-aws', AwsCloudProvider.nlb({ targetNodeLabels: { pool: 'edge' } }), LOCAL],
    ['hcloud-cloud-controller-manager', HetznerCloud.loadBalancer({ nodeSelector: 'zone in (a,b),pool=edge' }), LOCAL],
    ['metallb', MetalLb.layer2({ addressPool: 'edge' }), { ...LOCAL, backendNodes: EDGE }],
  ];

  describe.each(WITH_LABELS)(
    'the backend of %s on other nodes than the pods, with policy Local',
    (_, controller, wishes) => {
      test.each<[string, (chart: Chart) => ApiObject, string[]]>([
        ['pods that are pinned elsewhere', pinnedTo(OTHER), ['backend-without-pods']],
        ['pods that select other nodes', selecting({ pool: 'other' }), ['backend-without-pods']],
        ['pods that are pinned there', pinnedTo(EDGE), []],
        ['pods that select by another label', selecting({ disk: 'ssd' }), []],
        ['pods that run anywhere', deployment, []],
      ])('%s', (__, pods, expected) => {
        const ids = told(controller, pods, wishes).filter((id) => id !== 'local-policy-without-pool');
        expect(ids).toEqual(ids.includes('pods-outside-backend-pool') ? ['pods-outside-backend-pool'] : expected);
      });
    },
  );

  test.each<[string, ILoadBalancerController, string[], string[]]>([
    ['instances of EKS Auto Mode', EksAutoMode.nlb(instances), ['local-policy-without-pool'], []],
    ['its pods', EksAutoMode.nlb(), [], []],
    ['MetalLB, where nodes with a pod announce', MetalLb.layer2(), [], []],
  ])('with policy Local every node is a target of %s', (_, controller, anywhere, pinned) => {
    expect(told(controller, deployment)).toEqual(anywhere);
    expect(told(controller, pinnedTo(EDGE))).toEqual(pinned);
  });

  test.each<[string, string, NodePool, string[]]>([
    ['a pool with a name of its own', 'pool-1-availabilitySet-1', NodePool.labeled({ agentpool: 'pool-1' }), []],
    ['a set of another pool', 'system-availabilitySet-1', NodePools.aks('pool1'), ['azure-vm-set-pool-mismatch']],
  ])('the VM set of the backend and the pool of the pods: %s', (_, virtualMachineSet, pool, expected) => {
    expect(
      told(AzureCloudProvider.basic({ virtualMachineSet }), pinnedTo(pool)).filter(
        (id) => id !== 'local-policy-without-pool',
      ),
    ).toEqual(expected);
  });

  test('NodepoolPinnedService tells of a VM set of another pool', () => {
    const chart = newChart();
    new NodepoolPinnedService(chart, 'Echo', {
      controller: AzureCloudProvider.basic({ virtualMachineSet: 'system-availabilitySet-1' }),
      nodePool: NodePools.aks('pool1'),
      workload: deployment(chart),
      ports: [{ port: 443 }],
    });
    const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
    expect(told.map(({ ruleId }) => ruleId)).toContain('azure-vm-set-pool-mismatch');
    expect(told.find(({ ruleId }) => ruleId === 'azure-vm-set-pool-mismatch')?.what).toContain('no other node answers');
  });

  test.each<[string, object, string[]]>([
    ['elsewhere', { nodeAffinity: required('other') }, ['backend-without-pods']],
    ['there', { nodeAffinity: required('edge') }, []],
  ])('brokers that run %s, and a backend by the option of the controller', (_, affinity, expected) => {
    const controller = AwsLoadBalancerController.nlb({ ...instances, targetNodeLabels: { pool: 'edge' } });
    const template = { pod: { affinity } };
    const { chart } = listen({ controller, ...LOCAL }, StrimziVersion.V1_2, [], {}, { spec: { template } });
    stderrOf(() =>
      expect(errorsOf(chart).flatMap((error) => error.match(/backend-without-pods/g) ?? [])).toEqual(expected),
    );
  });

  function required(pool: string): object {
    const nodeSelectorTerms = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: [pool] }] }];
    return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  }
});
