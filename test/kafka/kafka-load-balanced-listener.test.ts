import { Include, JsonPatch } from 'cdk8s';
import {
  AwsCloudProvider,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  FinalizerPolicy,
  Gke,
  IpFamily,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancerScheme,
  LoadBalancers,
  NodePool,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, stderrOf, synth, written } from '../support/apps';
import { clusterWith, fileObjects, kafkaWith, manifests } from './clusters';
import {
  CLEANUP,
  DNS,
  listen,
  metalLb,
  nlb,
  type Props,
  present,
  RESOURCES,
  SCHEME,
  writtenListener,
} from './listeners';

const { V0_45, V0_48, V0_49, V0_51, V1_0, V1_1, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const ofEdge = NodePool.labeled({ pool: 'edge' });

const byNode = { advertisedHostTemplate: 'broker-{nodeId}.example.com', externalDns: true };

test.each<[string, StrimziVersion, Props, Json]>([
  [
    'AWS below the templates',
    V0_45,
    {},
    { class: 'service.k8s.aws/nlb', finalizers: [RESOURCES], 'brokers.length': 3, 'brokers.2.broker': 2 },
  ],
  ['AWS with templates', V1_1, {}, { finalizers: [RESOURCES], [`perBrokerAnnotationsTemplate/${SCHEME}`]: 'internal' }],
  [
    'names of brokers below the templates',
    V1_0,
    byNode,
    {
      [`brokers.0.annotations/${DNS}`]: 'broker-0.example.com',
      [`brokers.2.annotations/${DNS}`]: 'broker-2.example.com',
    },
  ],
  [
    'names of brokers by template',
    V1_2,
    byNode,
    { [`perBrokerAnnotationsTemplate/${DNS}`]: 'broker-{nodeId}.example.com', brokers: undefined },
  ],
  [
    'the name of bootstrap',
    V1_2,
    { dnsName: 'kafka.example.com', bootstrapAlternativeNames: ['other.example.com'] },
    {
      [`bootstrap.annotations/${DNS}`]: 'kafka.example.com',
      'bootstrap.alternativeNames': ['other.example.com', 'kafka.example.com'],
      [`perBrokerAnnotationsTemplate/${DNS}`]: undefined,
    },
  ],
  [
    'hosts and ports',
    V1_0,
    { advertisedHostTemplate: '{nodePodName}.example.com', advertisedPortTemplate: '9000 + {nodeId}' },
    { advertisedHostTemplate: '{nodePodName}.example.com', advertisedPortTemplate: '9000 + {nodeId}' },
  ],
  ['no bootstrap', V1_2, { createBootstrapService: false }, { createBootstrapService: false, bootstrap: undefined }],
  [
    'ranges, policy and readiness',
    V0_45,
    {
      controller: metalLb(),
      sourceRanges: ['10.0.0.0/8'],
      trafficPolicy: TrafficPolicy.LOCAL,
      ipFamilies: [IpFamily.IPV4, IpFamily.IPV6],
    },
    {
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      externalTrafficPolicy: 'Local',
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
      finalizers: undefined,
    },
  ],
  ['pods that are not ready', V1_2, { publishNotReadyAddresses: true }, { publishNotReadyAddresses: true }],
  [
    'the cloud provider of AWS',
    V0_48,
    { controller: AwsCloudProvider.nlb() },
    { finalizers: [CLEANUP], class: undefined },
  ],
  ['Azure', V0_51, { controller: AzureCloudProvider.standard() }, { finalizers: [CLEANUP] }],
  ['GKE from 0.51', V0_51, { controller: Gke.passthrough() }, { class: 'networking.gke.io/l4-regional-internal' }],
  [
    'what is left to the controller from 0.51',
    V0_51,
    { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    { finalizers: undefined },
  ],
  [
    'what is left to the controller where the gate is on',
    StrimziVersion.withServerSideApply(V0_49, true),
    { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    { finalizers: undefined },
  ],
  [
    'EKS Auto Mode where its finalizer is declared',
    V0_49,
    { controller: EksAutoMode.nlb({ declareFinalizer: true }) },
    { finalizers: ['service.eks.amazonaws.com/resources'] },
  ],
  ['EKS Auto Mode from 0.51', V0_51, { controller: EksAutoMode.nlb() }, { finalizers: undefined }],
  [
    'a controller of somebody',
    V0_49,
    { controller: CustomController.of({ owner: 'acme', finalizers: ['acme.example/lb'], labels: { acme: 'yes' } }) },
    {
      finalizers: ['acme.example/lb'],
      'bootstrap.labels/acme': 'yes',
      'brokers.0': { broker: 0, labels: { acme: 'yes' } },
    },
  ],
])('a new listener carries the plan: %s', (_, strimzi, props, expected) => {
  const { chart } = listen(props, strimzi);
  let configuration: Json = {};
  stderrOf(() => {
    configuration = writtenListener(chart).configuration ?? {};
  });
  const at = (path: string) => {
    const [dotted, key] = [path.split('/')[0], path.includes('/') ? path.slice(path.indexOf('/') + 1) : undefined];
    const found = dotted.split('.').reduce((json, field) => json?.[field], configuration);
    return key === undefined ? found : found?.[key];
  };
  expect(Object.fromEntries(Object.keys(expected).map((path) => [path, at(path)]))).toEqual(expected);
});

test.each<[string, StrimziVersion, Props, string[]]>([
  [
    'external on 9094',
    V0_49,
    {},
    ['events-kafka-external-bootstrap', 'events-brokers-0', 'events-brokers-1', 'events-brokers-2'],
  ],
  [
    'another port',
    V0_49,
    { port: 9095 },
    [
      'events-kafka-external-bootstrap',
      'events-brokers-external-0',
      'events-brokers-external-1',
      'events-brokers-external-2',
    ],
  ],
  [
    'no bootstrap',
    V0_49,
    { name: 'public', createBootstrapService: false },
    ['events-brokers-public-0', 'events-brokers-public-1', 'events-brokers-public-2'],
  ],
])('the Services of a listener have names: %s', (_, strimzi, props, expected) => {
  const { chart, listener } = listen(props, strimzi);
  expect(listener.serviceNames).toEqual(expected);
  expect(listener.loadBalancers.count).toBe(expected.length);
  expect(LoadBalancers.of(chart).count).toBe(expected.length);
});

test('a listener is planned under its own name, and says nothing on standard error', () => {
  const { chart, listener } = listen({ authentication: { type: 'scram-sha-512' } }, V1_2);
  expect(listener.loadBalancers).toMatchObject({ kind: 'Kafka', name: 'events listener external', namespace: 'kafka' });
  expect(listener.plan.owner).toBe('aws-load-balancer-controller');
  expect(stderrOf(() => synth(chart))).toBe('');
});

test('a shared balancer makes none', () => {
  const controller = CustomController.of({ owner: 'acme', loadBalancers: 0 });
  expect(listen({ controller }).listener.loadBalancers.count).toBe(0);
});

test.each<[string, StrimziVersion, Json, Props, Json]>([
  [
    'fields that are not ours stay',
    V0_49,
    present(
      { maxConnections: 100, brokerCertChainAndKey: { secretName: 'a', certificate: 'b', key: 'c' } },
      { authentication: { type: 'tls' }, networkPolicyPeers: [{ podSelector: {} }] },
    ),
    {},
    {
      port: 9094,
      authentication: { type: 'tls' },
      networkPolicyPeers: [{ podSelector: {} }],
      configuration: { maxConnections: 100, brokerCertChainAndKey: { secretName: 'a', certificate: 'b', key: 'c' } },
    },
  ],
  [
    'what it wishes counts',
    V0_49,
    present({ loadBalancerSourceRanges: ['10.0.0.0/8'], finalizers: [RESOURCES] }),
    {},
    { configuration: { loadBalancerSourceRanges: ['10.0.0.0/8'], finalizers: [RESOURCES] } },
  ],
  [
    'its ranges stay in their order',
    V1_1,
    present({ loadBalancerSourceRanges: ['192.168.0.0/16', '10.0.0.0/8'] }),
    { sourceRanges: ['10.0.0.0/8', '192.168.0.0/16'] },
    { configuration: { loadBalancerSourceRanges: ['192.168.0.0/16', '10.0.0.0/8'] } },
  ],
  [
    'a broker that has annotations of its own gets ours beside them',
    V1_1,
    present({ brokers: [{ broker: 1, advertisedHost: 'one.example.com', annotations: { own: 'yes' } }] }),
    {},
    {
      configuration: {
        brokers: [{ broker: 1, advertisedHost: 'one.example.com', annotations: { own: 'yes', [SCHEME]: 'internal' } }],
        perBrokerAnnotationsTemplate: { [SCHEME]: 'internal' },
      },
    },
  ],
  [
    'brokers that do not agree say it each, with what the template gave them',
    V1_1,
    present({
      brokers: [{ broker: 1, advertisedHost: 'one.example.com' }],
      perBrokerAnnotationsTemplate: { own: '{nodePodName}' },
    }),
    byNode,
    {
      configuration: {
        brokers: [
          {
            broker: 1,
            advertisedHost: 'one.example.com',
            annotations: { own: 'events-brokers-1', [DNS]: 'one.example.com', [SCHEME]: 'internal' },
          },
          { broker: 0, annotations: { own: 'events-brokers-0', [DNS]: 'broker-0.example.com', [SCHEME]: 'internal' } },
          { broker: 2, annotations: { own: 'events-brokers-2', [DNS]: 'broker-2.example.com', [SCHEME]: 'internal' } },
        ],
        perBrokerAnnotationsTemplate: { own: '{nodePodName}' },
      },
    },
  ],
  [
    'names in certificates are added to those that are there',
    V1_1,
    present({ bootstrap: { alternativeNames: ['a.example.com'], loadBalancerIP: '10.0.0.1' } }),
    { bootstrapAlternativeNames: ['b.example.com', 'a.example.com'] },
    {
      configuration: {
        bootstrap: { alternativeNames: ['a.example.com', 'b.example.com'], loadBalancerIP: '10.0.0.1' },
      },
    },
  ],
])('a listener that is there already is adopted: %s', (_, strimzi, listener, props, expected) => {
  const { chart } = listen({ scheme: INTERNAL, port: undefined, ...props }, strimzi, [listener]);
  const said = stderrOf(() => expect(writtenListener(chart)).toMatchObject(expected));
  expect(said.includes('class-on-live-service')).toBe(true);
});

test('the rest of a document comes out equal', () => {
  const strimzi = V1_2;
  const more = {
    metadata: { labels: { team: 'a' } },
    kafka: { config: { 'min.insync.replicas': 2 }, rack: { topologyKey: 'zone' } },
  };
  const internal = { name: 'a', port: 9095, type: 'internal', tls: true };
  const before = clusterWith([internal, present()], strimzi, more);
  const { chart } = listen({ scheme: INTERNAL }, strimzi, [internal, present()], more);
  const strip = (objects: Json[]) =>
    objects.map((object) =>
      object.kind === 'Kafka'
        ? { ...object, spec: { kafka: { ...object.spec.kafka, listeners: object.spec.kafka.listeners.slice(0, 2) } } }
        : object,
    );
  stderrOf(() => expect(JSON.stringify(strip(synth(chart)))).toBe(JSON.stringify(strip(synth(before.chart)))));
});

test('two listeners go into one document, in the order of their construction', () => {
  const { chart, cluster } = listen({ port: 9094 }, V1_2);
  new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
  const { listeners } = written(chart, 'Kafka').spec.kafka;
  expect(listeners.map(({ name }: Json) => name)).toEqual(['plain', 'external', 'vpn']);
  expect(synth(chart).filter(({ kind }) => kind === 'Kafka')).toHaveLength(1);
  expect(LoadBalancers.of(chart).count).toBe(8);
});

test('a patch of the resource is written, with the listener', () => {
  const { chart, cluster } = listen({}, V1_2);
  cluster.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/rack', { topologyKey: 'zone' }));
  expect(written(chart, 'Kafka').spec.kafka).toMatchObject({
    rack: { topologyKey: 'zone' },
    listeners: [{}, { name: 'external' }],
  });
});

test.each<[string, Json, Json, string]>([
  [
    'of bootstrap',
    {
      kafka: { template: { externalBootstrapService: { metadata: { annotations: { [SCHEME]: 'internet-facing' } } } } },
    },
    {},
    "spec.kafka.template.externalBootstrapService overrides it with 'internet-facing' for all listeners",
  ],
  [
    'of brokers',
    { kafka: { template: { perPodService: { metadata: { annotations: { [SCHEME]: 'internet-facing' } } } } } },
    {},
    "spec.kafka.template.perPodService overrides it with 'internet-facing' for all listeners",
  ],
  [
    'of a node pool',
    {},
    { spec: { template: { perPodService: { metadata: { annotations: { [SCHEME]: 'internet-facing' } } } } } },
    "perPodService of KafkaNodePool brokers overrides it with 'internet-facing' for all listeners",
  ],
])('a template %s that beats the listener is refused', (_, more, pool, expected) => {
  expect(errorsOf(listen({}, V1_2, [], more, pool).chart).join('\n')).toContain(expected);
});

test('names of Services that are too long are told', () => {
  const long = { ...kafkaWith([], V1_2), metadata: { name: 'e'.repeat(45) } };
  const { chart, construct } = manifests(long);
  const kafka = KafkaCluster.fromManifest(construct, {
    strimzi: V1_2,
    nodePools: [{ name: 'b', brokerIds: [0, 1, 2] }],
  });
  new KafkaLoadBalancedListener(chart, 'External', { kafka, name: 'external', port: 9094, controller: nlb() });
  expect(errorsOf(chart)).toEqual([
    expect.stringContaining("eeee-kafka-external-bootstrap' is not a valid name for a Service"),
  ]);
  expect(errorsOf(chart)[0]).toContain("kubernetes: the Services of listener 'external': ");
});

test('what not all Services have is told with the name of the Service', () => {
  const wrong = { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-ip-address-type': 'ipv5' } };
  const listener = present({ class: 'service.k8s.aws/nlb', brokers: [{ broker: 1, ...wrong }] });
  const errors = errorsOf(listen({ scheme: INTERNAL }, V1_2, [listener]).chart);
  expect(errors).toEqual([
    expect.stringContaining('Service events-brokers-1: no load balancer is made: annotation service.beta'),
  ]);
});

test('nodes that a side object chooses are reached by labels', () => {
  const { chart } = listen({ controller: metalLb(), backendNodes: ofEdge }, V1_2);
  stderrOf(() => {
    const { bootstrap, perBrokerLabelsTemplate } = writtenListener(chart).configuration;
    const [{ matchLabels }] = written(chart, 'L2Advertisement').spec.serviceSelectors;
    expect([bootstrap.labels, perBrokerLabelsTemplate]).toEqual([matchLabels, matchLabels]);
  });
});

test('the first listener of a document tells what is wrong with the others', () => {
  const { chart, cluster } = listen({}, V1_2, [{ name: 'Wrong', port: 9404, type: 'internal', tls: false }]);
  new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
  const errors = errorsOf(chart).filter((error) => error.includes('9404'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('kafka/External]');
});

test.each<[string, string, unknown]>([
  ['a map of listeners', '/spec/kafka/listeners', { external: { type: 'loadbalancer' } }],
  ['a text for listeners', '/spec/kafka/listeners', 'none'],
  ['a text for the brokers', '/spec/kafka', 'none'],
  ['a list for the whole', '/spec', []],
])('a document without a place for listeners is told once and left as it is: %s', (_, path, value) => {
  const { chart, cluster } = listen({}, V1_2);
  new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
  cluster.kafka.addJsonPatch(JsonPatch.replace(path, value));
  expect(errorsOf(chart).filter((error) => error.includes('listeners'))).toEqual([
    expect.stringMatching(/External\] strimzi: spec\.kafka\.listeners is .*\(kafka-listeners\)$/),
  ]);
});

test('texts where lists must be are told once each where nothing is added to them', () => {
  const bootstrap = { alternativeNames: 'a.example.com' };
  const listener = present({ bootstrap, brokers: 'all', finalizers: RESOURCES }, { authentication: { type: 'tls' } });
  const errors = errorsOf(listen({ scheme: INTERNAL, controller: metalLb() }, V1_2, [listener]).chart);
  expect(errors).toEqual([
    expect.stringContaining("configuration.bootstrap.alternativeNames is 'a.example.com'; write a list of strings"),
    expect.stringContaining("configuration.brokers is 'all'; write a list of maps"),
    expect.stringContaining(`configuration.finalizers is '${RESOURCES}'; write a list of strings`),
  ]);
});

test('a listener that is gone since it was adopted is not made anew', () => {
  const { chart, cluster } = listen({ scheme: INTERNAL }, V1_2, [present({}, { authentication: { type: 'tls' } })]);
  cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1'));
  expect(errorsOf(chart).join('\n')).toContain(
    "Kafka events no longer has the listener 'external' that was adopted, so a new one would lack its authentication and configuration; leave it in the resource, or make this listener after it was taken out (listener-gone)",
  );
});

test('two listeners of one name are one too many', () => {
  const { chart, cluster } = listen({}, V1_2);
  new KafkaLoadBalancedListener(chart, 'Again', { kafka: cluster, name: 'external', port: 9094, controller: nlb() });
  expect(errorsOf(chart).join('\n')).toContain('is made by kafka/External as well');
});

test('a new listener needs a port', () => {
  expect(() => listen({ port: undefined })).toThrow(
    "Kafka events has no listener 'external' yet, and a new one needs a port",
  );
});

test('the wrong finalizer of the first story is harmless beside the right one, which the plan adds, and is told', () => {
  const chart = newChart('kafka');
  const include = new Include(chart, 'Existing', { url: `${__dirname}/manifests/first-story.yaml` });
  const kafka = KafkaCluster.fromManifest(include, { strimzi: V0_49 });
  const listener = { kafka, name: 'external', controller: nlb(), scheme: LoadBalancerScheme.INTERNET_FACING };
  new KafkaLoadBalancedListener(chart, 'External', listener);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toContain(
    'finalizer-of-service-controller',
  );

  kafka.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1/configuration/finalizers/0'));
  const before = fileObjects('first-story.yaml');
  const after = written(chart, 'Kafka');
  expect(after.spec.kafka.listeners[1].configuration.finalizers).toEqual([RESOURCES]);
  expect({ ...after.spec, kafka: { ...after.spec.kafka, listeners: [after.spec.kafka.listeners[0]] } }).toEqual({
    ...before[0].spec,
    kafka: { ...before[0].spec.kafka, listeners: [before[0].spec.kafka.listeners[0]] },
  });
});
