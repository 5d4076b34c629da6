import { AwsLoadBalancerController } from '../../src/controllers/aws-load-balancer-controller/controller';
import { placesOf } from '../../src/diff/effect';
import { changesIn, documents, type Row, saidOf, service } from './rows';

const AWS = 'service.k8s.aws/resources';
const NLB = 'service.k8s.aws/nlb';
const aws = AwsLoadBalancerController.nlb();
const nothing = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'kafka' } });

interface KafkaLines {
  readonly name?: string;
  readonly listener?: string;
  readonly type?: string;
  readonly pool?: string;
  readonly brokers?: number;
  readonly finalizers?: readonly string[];
  readonly ipFamilies?: readonly string[];
}

function kafka({
  name = 'events',
  listener = 'external',
  type = 'loadbalancer',
  pool = 'brokers',
  brokers = 1,
  finalizers = [AWS],
  ipFamilies,
}: KafkaLines = {}): string {
  const configuration = { class: NLB, ipFamilies, ...(finalizers.length > 0 && { finalizers }) };
  const strimzi = { apiVersion: 'kafka.strimzi.io/v1' };
  const listeners = [
    { name: listener, port: 9094, type, tls: true, ...(type === 'loadbalancer' && { configuration }) },
  ];
  return documents(
    JSON.stringify({
      ...strimzi,
      kind: 'Kafka',
      metadata: { name, namespace: 'kafka' },
      spec: { kafka: { version: '4.1.0', listeners } },
    }),
    JSON.stringify({
      ...strimzi,
      kind: 'KafkaNodePool',
      metadata: { name: pool, namespace: 'kafka', labels: { 'strimzi.io/cluster': name } },
      spec: { replicas: brokers, roles: ['broker'], storage: { type: 'ephemeral' } },
    }),
  );
}

const BOOTSTRAP = 'events-kafka-external-bootstrap';
const selectorOfBootstrap = {
  'strimzi.io/cluster': 'events',
  'strimzi.io/kind': 'Kafka',
  'strimzi.io/name': 'events-kafka',
};
const bootstrap = (name: string) =>
  service({
    name,
    namespace: 'kafka',
    class: NLB,
    finalizers: [AWS],
    spec: { selector: selectorOfBootstrap, ports: [{ name: 'tcp-external', port: 9094, targetPort: 9094 }] },
  });

function gateway(routed: string, listener = 443): string {
  const group = { apiVersion: 'gateway.networking.k8s.io/v1' };
  return documents(
    JSON.stringify({
      ...group,
      kind: 'GatewayClass',
      metadata: { name: 'envoy' },
      spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    }),
    JSON.stringify({
      ...group,
      kind: 'Gateway',
      metadata: { name: 'edge', namespace: 'edge' },
      spec: { gatewayClassName: 'envoy', listeners: [{ name: 'tls', port: listener, protocol: 'TLS' }] },
    }),
    JSON.stringify({
      apiVersion: 'gateway.networking.k8s.io/v1alpha2',
      kind: 'TLSRoute',
      metadata: { name: 'echo', namespace: 'edge' },
      spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name: routed, port: 80 }] }] },
    }),
  );
}

const ENVOY = 'envoy-gateway-system/envoy-edge-edge-';

const ROWS: readonly Row[] = [
  ['nothing changes', kafka(), kafka(), {}, ['kept kafka/events-brokers-0', `kept kafka/${BOOTSTRAP}`]],
  [
    'a cluster goes',
    kafka(),
    nothing,
    {},
    ['deleted kafka/events-brokers-0: metadata.name', `deleted kafka/${BOOTSTRAP}: metadata.name`],
  ],
  [
    'a cluster goes, without prune',
    kafka(),
    nothing,
    { prune: false },
    ['kept kafka/events-brokers-0: metadata.name', `kept kafka/${BOOTSTRAP}: metadata.name`],
  ],
  [
    'a listener is inside the cluster: the operator deletes its Services whether or not anything is pruned',
    kafka(),
    kafka({ type: 'internal' }),
    { prune: false },
    [
      'deleted kafka/events-brokers-0: spec.kafka.listeners[0].type',
      `deleted kafka/${BOOTSTRAP}: spec.kafka.listeners[0].type`,
    ],
  ],
  [
    'a listener is of a type that has Services of its own: type and finalizer go in one write of the operator',
    kafka(),
    kafka({ type: 'nodeport' }),
    { prune: false },
    [
      'orphaned kafka/events-brokers-0: spec.kafka.listeners[0].type',
      `orphaned kafka/${BOOTSTRAP}: spec.kafka.listeners[0].type`,
    ],
  ],
  [
    'a broker goes, and the finalizer is no longer declared',
    kafka({ brokers: 2 }),
    kafka({ finalizers: [] }),
    { before: { versions: { strimzi: '1.2.0' } }, after: { versions: { strimzi: '1.2.0' } } },
    [
      'orphaned kafka/events-brokers-0: spec.kafka.listeners[0].configuration.finalizers',
      'orphaned kafka/events-brokers-1: KafkaNodePool brokers, spec.replicas',
      `orphaned kafka/${BOOTSTRAP}: spec.kafka.listeners[0].configuration.finalizers`,
    ],
  ],
  [
    'a listener is renamed, and the finalizer is no longer declared: the Services that go are not written again',
    kafka(),
    kafka({ listener: 'public', finalizers: [] }),
    {},
    [
      'replaced kafka/events-brokers-0: spec.kafka.listeners[0].name',
      `replaced kafka/${BOOTSTRAP}: spec.kafka.listeners[0].name`,
      'created kafka/events-brokers-public-0: metadata.name',
      'created kafka/events-kafka-public-bootstrap: metadata.name',
    ],
  ],
  [
    'another IP family, as Strimzi 0.45.0 writes it',
    kafka({ ipFamilies: ['IPv4'] }),
    kafka({ ipFamilies: ['IPv6'] }),
    { before: { versions: { strimzi: '0.45.0' } }, after: { versions: { strimzi: '0.45.0' } } },
    [
      'kept kafka/events-brokers-0: spec.kafka.listeners[0].configuration.ipFamilies',
      `kept kafka/${BOOTSTRAP}: spec.kafka.listeners[0].configuration.ipFamilies`,
    ],
  ],
  [
    'another IP family, as Strimzi 1.2.0 writes it',
    kafka({ ipFamilies: ['IPv4'] }),
    kafka({ ipFamilies: ['IPv6'] }),
    { before: { versions: { strimzi: '1.2.0' } }, after: { versions: { strimzi: '1.2.0' } } },
    [
      'refused kafka/events-brokers-0: spec.kafka.listeners[0].configuration.ipFamilies',
      `refused kafka/${BOOTSTRAP}: spec.kafka.listeners[0].configuration.ipFamilies`,
    ],
  ],
  [
    'a listener without a finalizer goes, with an operator that replaces whole objects',
    kafka({ finalizers: [] }),
    kafka({ finalizers: [], type: 'nodeport' }),
    { before: { versions: { strimzi: '0.45.0' } }, after: { versions: { strimzi: '0.45.0' } } },
    [
      'orphaned kafka/events-brokers-0: spec.kafka.listeners[0].type',
      `orphaned kafka/${BOOTSTRAP}: spec.kafka.listeners[0].type`,
    ],
  ],
  [
    'a listener without a finalizer goes, with an operator that applies',
    kafka({ finalizers: [] }),
    kafka({ finalizers: [], type: 'nodeport' }),
    { before: { versions: { strimzi: '1.2.0' } }, after: { versions: { strimzi: '1.2.0' } } },
    [
      'deleted kafka/events-brokers-0: spec.kafka.listeners[0].type',
      `deleted kafka/${BOOTSTRAP}: spec.kafka.listeners[0].type`,
    ],
  ],
  [
    'a broker goes',
    kafka({ brokers: 2 }),
    kafka(),
    {},
    [
      'deleted kafka/events-brokers-1: KafkaNodePool brokers, spec.replicas',
      'kept kafka/events-brokers-0',
      `kept kafka/${BOOTSTRAP}`,
    ],
  ],
  [
    'a listener has another name',
    kafka(),
    kafka({ listener: 'public' }),
    {},
    [
      'replaced kafka/events-brokers-0: spec.kafka.listeners[0].name',
      `replaced kafka/${BOOTSTRAP}: spec.kafka.listeners[0].name`,
      'created kafka/events-brokers-public-0: metadata.name',
      'created kafka/events-kafka-public-bootstrap: metadata.name',
    ],
  ],
  [
    'a pool has another name',
    kafka(),
    kafka({ pool: 'pool' }),
    {},
    [
      'replaced kafka/events-brokers-0: KafkaNodePool brokers, metadata.name',
      'created kafka/events-pool-0: metadata.name',
      `kept kafka/${BOOTSTRAP}`,
    ],
  ],
  [
    'a cluster has another name',
    kafka(),
    kafka({ name: 'orders' }),
    {},
    [
      'replaced kafka/events-brokers-0: metadata.name',
      `replaced kafka/${BOOTSTRAP}: metadata.name`,
      'created kafka/orders-brokers-0: metadata.name',
      'created kafka/orders-kafka-external-bootstrap: metadata.name',
    ],
  ],
  [
    'a listener declares the finalizer no longer',
    kafka(),
    kafka({ finalizers: [] }),
    { before: { versions: { strimzi: '0.45.0' } }, after: { versions: { strimzi: '0.45.0' } } },
    [
      'orphaned kafka/events-brokers-0: spec.kafka.listeners[0].configuration.finalizers',
      `orphaned kafka/${BOOTSTRAP}: spec.kafka.listeners[0].configuration.finalizers`,
    ],
  ],
  [
    'a Service becomes one of a listener, under another name',
    bootstrap('events'),
    kafka(),
    {},
    [
      'replaced kafka/events: metadata.name',
      'created kafka/events-brokers-0: metadata.name',
      `created kafka/${BOOTSTRAP}: metadata.name`,
    ],
  ],
  [
    'a Service becomes one of a listener, under its name',
    bootstrap(BOOTSTRAP),
    kafka(),
    {},
    [`replaced kafka/${BOOTSTRAP}: metadata.name`, 'created kafka/events-brokers-0: metadata.name'],
  ],
  [
    'a Service of a listener becomes one of its own, under its name',
    kafka(),
    documents(kafka({ type: 'internal' }), bootstrap(BOOTSTRAP)),
    { prune: false },
    ['deleted kafka/events-brokers-0: spec.kafka.listeners[0].type', `replaced kafka/${BOOTSTRAP}: metadata.name`],
  ],
  [
    'a Service goes behind a Gateway',
    service({ class: NLB, finalizers: [AWS] }),
    documents(service({ type: 'ClusterIP', finalizers: [AWS] }), gateway('echo')),
    { installed: [aws] },
    ['replaced edge/echo: spec.type', `unknown ${ENVOY}*: metadata.name`],
  ],
  [
    'a cluster has the generated name of a Gateway',
    documents(
      gateway('echo'),
      service({
        name: 'envoy-edge-edge-1a2b3c4d',
        namespace: 'envoy-gateway-system',
        metadata: { uid: 'a' },
        spec: { ports: [{ name: 'port-443', port: 443, protocol: 'TCP' }] },
      }),
    ),
    gateway('echo', 8443),
    { before: { isLive: true } },
    ['interrupted envoy-gateway-system/envoy-edge-edge-*: spec.externalTrafficPolicy'],
  ],
];

test.each(ROWS)('%s', (_, before, after, options, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
});

describe('a controller that a chart installs', () => {
  const chart = (name: string) =>
    JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd' },
      spec: { sources: [{ repoURL: 'https://aws.github.io/eks-charts', chart: 'aws-load-balancer-controller' }] },
    });
  const release = JSON.stringify({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'lbc', namespace: 'kube-system' },
    spec: { chart: { spec: { chart: 'aws-load-balancer-controller' } } },
  });
  const served = service({ class: NLB, finalizers: [AWS] });

  test.each<[string, string, string, Row[3], string[]]>([
    ['goes', documents(chart('lbc'), served), served, {}, ['stuck edge/echo: controllers']],
    ['goes, without prune', documents(chart('lbc'), served), served, { prune: false }, ['kept edge/echo']],
    [
      'is installed otherwise',
      documents(chart('lbc'), served),
      documents(release, served),
      {},
      ['unknown edge/echo: HelmRelease kube-system/lbc, kind'],
    ],
    [
      'is not in the manifests of an application',
      documents(chart('lbc'), served),
      served,
      { before: { isLive: true } },
      ['kept edge/echo'],
    ],
  ])('%s', (_, before, after, options, said) => {
    expect(saidOf(changesIn(before, after, options))).toEqual(said);
  });

  test('what an operator makes is handed over by another listener', () => {
    const remedies = changesIn(documents(chart('lbc'), kafka()), kafka(), {}).map(
      ({ effects: [{ remedy }] }) => remedy,
    );
    expect(new Set(remedies)).toEqual(
      new Set([
        'add another listener first that another controller serves, move clients and DNS to it, take this listener out, wait until its Services are gone, and take aws-load-balancer-controller away last',
      ]),
    );
  });
});

test('the field of a listener has its values, and its line on both sides', () => {
  const change = changesIn(kafka(), kafka({ finalizers: [] }), { writer: 'put' })[0];
  const [cause] = change.effects;
  expect(cause).toMatchObject({ field: 'spec.kafka.listeners[0].configuration.finalizers', from: AWS });
  const { before, after } = placesOf(change, cause);
  const path = ['spec', 'kafka', 'listeners', 0, 'configuration', 'finalizers'];
  expect([before?.path, after?.path]).toEqual([path, path]);
  expect([before?.manifest.object.kind, after?.manifest.object.kind]).toEqual(['Kafka', 'Kafka']);
});

test('what decides that a broker goes has its values', () => {
  const [change] = changesIn(kafka({ brokers: 3 }), kafka({ brokers: 2 }), {});
  expect(change.effects).toMatchObject([{ field: 'KafkaNodePool brokers, spec.replicas', from: '3', to: '2' }]);
});
