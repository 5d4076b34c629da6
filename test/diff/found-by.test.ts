import { AwsCloudProvider } from '../../src/controllers/aws-cloud-provider/controller';
import { AzureCloudProvider } from '../../src/controllers/azure-cloud-provider/controller';
import { Gke } from '../../src/controllers/gke/controller';
import { HetznerCloud } from '../../src/controllers/hetzner-cloud/controller';
import { changesIn, documents, type Row, saidOf, service } from './rows';

// The type goes, and with it what the owner needs to find its balancer.

const BETA = 'service.beta.kubernetes.io/';
const TYPE = `${BETA}aws-load-balancer-type`;
const GROUP = `${BETA}azure-load-balancer-resource-group`;
const SCHEME = 'networking.gke.io/load-balancer-type';
const OCTAVIA = 'loadbalancer.openstack.org/load-balancer-id';
const aws = { installed: [AwsCloudProvider.nlb()] };
const azure = { installed: [AzureCloudProvider.standard()] };
const gke = { installed: [Gke.passthrough()] };

function typeAway(
  title: string,
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
  options: Row[3],
  said: string,
  more: Parameters<typeof service>[0] = {},
): Row {
  const after = service({ ...more, annotations: to, type: 'ClusterIP', spec: {} });
  return [
    title,
    service({ ...more, annotations: from }),
    after,
    options,
    [`${said.split(':')[0]} edge/echo: ${said.split(': ')[1]}`],
  ];
}

function kafka(type: string, annotations: Readonly<Record<string, string>>): string {
  const listener = { name: 'external', port: 9094, type, tls: true, configuration: { bootstrap: { annotations } } };
  const pool = {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'brokers', namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' } },
    spec: { replicas: 1, roles: ['broker'], storage: { type: 'ephemeral' } },
  };
  const cluster = {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka' },
    spec: { kafka: { version: '4.1.0', listeners: [listener] } },
  };
  return documents(JSON.stringify(cluster), JSON.stringify(pool));
}

function gateway(envoyService: object): string {
  const group = 'gateway.networking.k8s.io/v1';
  const reference = { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'own' };
  const objects = [
    {
      apiVersion: group,
      kind: 'GatewayClass',
      metadata: { name: 'edge' },
      spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    },
    {
      apiVersion: group,
      kind: 'Gateway',
      metadata: { name: 'gw', namespace: 'edge' },
      spec: {
        gatewayClassName: 'edge',
        infrastructure: { parametersRef: reference },
        listeners: [{ name: 'tls', port: 443, protocol: 'TLS' }],
      },
    },
    {
      apiVersion: 'gateway.envoyproxy.io/v1alpha1',
      kind: 'EnvoyProxy',
      metadata: { name: 'own', namespace: 'edge' },
      spec: { provider: { type: 'Kubernetes', kubernetes: { envoyService } } },
    },
    {
      apiVersion: 'gateway.networking.k8s.io/v1alpha2',
      kind: 'TLSRoute',
      metadata: { name: 'db', namespace: 'edge' },
      spec: { parentRefs: [{ name: 'gw' }], rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }] },
    },
  ];
  return documents(...objects.map((object) => JSON.stringify(object)));
}

const NLB = { [TYPE]: 'nlb' };
const ENVOY_SERVICE = 'EnvoyProxy own, spec.provider.kubernetes.envoyService.type';
const LISTENER = 'spec.kafka.listeners[0].type';

const ROWS: readonly Row[] = [
  typeAway('the kind of an NLB', NLB, {}, aws, `orphaned: ${TYPE}`),
  typeAway(
    'the kind of an NLB becomes that of another controller',
    NLB,
    { [TYPE]: 'external' },
    aws,
    `orphaned: ${TYPE}`,
  ),
  typeAway('the kind of a Classic balancer', {}, NLB, aws, `orphaned: ${TYPE}`),
  typeAway('the kind stays', NLB, NLB, aws, 'deleted: spec.type'),
  typeAway('another word for the same kind', {}, { [TYPE]: 'clb' }, aws, 'deleted: spec.type'),
  typeAway(
    'an annotation that finds nothing',
    { ...NLB, [`${BETA}aws-load-balancer-internal`]: 'true' },
    NLB,
    aws,
    'deleted: spec.type',
  ),
  typeAway('the resource group of a public IP', { [GROUP]: 'ips' }, {}, azure, `orphaned: ${GROUP}`),
  typeAway('the same group', { [GROUP]: 'ips' }, { [GROUP]: 'ips' }, azure, 'deleted: spec.type'),
  typeAway('a first group', {}, { [GROUP]: 'ips' }, azure, 'deleted: spec.type'),
  typeAway(
    'a group of an address of ours',
    { [GROUP]: 'ips', [`${BETA}azure-pip-name`]: 'ours' },
    {},
    azure,
    'deleted: spec.type',
  ),
  typeAway(
    'a group of an internal one',
    { [GROUP]: 'ips', [`${BETA}azure-load-balancer-internal`]: 'true' },
    {},
    azure,
    'deleted: spec.type',
  ),
  typeAway(
    'a name that finds nothing',
    { 'load-balancer.hetzner.cloud/name': 'edge' },
    {},
    { installed: [HetznerCloud.loadBalancer()] },
    'deleted: spec.type',
  ),
  [
    'the type of a listener, which keeps the annotation',
    kafka('loadbalancer', NLB),
    kafka('nodeport', NLB),
    { ...aws, before: { versions: { strimzi: '1.2.0' } }, after: { versions: { strimzi: '1.2.0' } } },
    [`deleted kafka/events-brokers-0: ${LISTENER}`, `deleted kafka/events-kafka-external-bootstrap: ${LISTENER}`],
  ],
  [
    'the type of a listener, and its annotation',
    kafka('loadbalancer', NLB),
    kafka('nodeport', {}),
    { ...aws, before: { versions: { strimzi: '1.2.0' } }, after: { versions: { strimzi: '1.2.0' } } },
    [`orphaned kafka/events-kafka-external-bootstrap: ${LISTENER}`, `deleted kafka/events-brokers-0: ${LISTENER}`],
  ],
  [
    'the type of the Service of a Gateway, which keeps the annotation',
    gateway({ annotations: NLB }),
    gateway({ annotations: NLB, type: 'ClusterIP' }),
    aws,
    [`deleted envoy-gateway-system/envoy-edge-gw-*: ${ENVOY_SERVICE}`],
  ],
  [
    'the type of the Service of a Gateway, and its annotation',
    gateway({ annotations: NLB }),
    gateway({ type: 'ClusterIP' }),
    aws,
    [`orphaned envoy-gateway-system/envoy-edge-gw-*: ${ENVOY_SERVICE}`],
  ],
];

test.each(ROWS)('%s', (_, before, after, options, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
});

const BESIDE: readonly (readonly [string, Row])[] = [
  [`unknown ${SCHEME}`, typeAway('the scheme of GKE', { [SCHEME]: 'Internal' }, {}, gke, 'deleted: spec.type')],
  [
    '',
    typeAway('the scheme of GKE, by the newer controller', { [SCHEME]: 'Internal' }, {}, gke, 'deleted: spec.type', {
      finalizers: ['gke.networking.io/l4-ilb-v2'],
    }),
  ],
  [`unknown ${OCTAVIA}`, typeAway('of an owner without rules', { [OCTAVIA]: 'a-b-c' }, {}, {}, 'deleted: spec.type')],
  ['', typeAway('that is no annotation of a balancer', { 'example.com/team': 'a' }, {}, {}, 'deleted: spec.type')],
];

test.each(BESIDE)('what else is not known: %s', (beside, [, before, after, options, said]) => {
  const changes = changesIn(before, after, options);
  expect(saidOf(changes)).toEqual(said);
  const others = changes[0].effects.filter(({ field }) => field !== 'spec.type');
  expect(others.map(({ outcome, field }) => `${outcome} ${field}`).join()).toBe(beside);
});

test('a live Service keeps an annotation that its manifest never had', () => {
  const applied = JSON.stringify({ metadata: { name: 'echo' }, spec: { type: 'LoadBalancer' } });
  const live = service({ annotations: { ...NLB, 'kubectl.kubernetes.io/last-applied-configuration': applied } });
  const said = changesIn(live, service({ type: 'ClusterIP' }), { ...aws, before: { isLive: true } });
  expect(saidOf(said)).toEqual(['deleted edge/echo: spec.type']);
});

describe('a live balancer of another kind than the annotation, of which a change was refused', () => {
  const network = { loadBalancer: { ingress: [{ hostname: 'a1-0f.elb.eu-west-1.amazonaws.com' }] } };
  const classic = { loadBalancer: { ingress: [{ hostname: 'a1-0f.eu-west-1.elb.amazonaws.com' }] } };
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const nothing = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'edge' } });
  const live = { ...aws, before: { isLive: true }, prune: true };

  test.each([
    ['is orphaned with the object', {}, network, nothing, live, 'orphaned edge/echo: metadata.name'],
    [
      'is orphaned with the type',
      {},
      network,
      service({ type: 'ClusterIP', finalizers }),
      live,
      'orphaned edge/echo: spec.type',
    ],
    ['is orphaned as a Classic one', NLB, classic, nothing, live, 'orphaned edge/echo: metadata.name'],
    ['is deleted if the kinds are one', NLB, network, nothing, live, 'deleted edge/echo: metadata.name'],
    ['is deleted if the Classic kinds are one', {}, classic, nothing, live, 'deleted edge/echo: metadata.name'],
    ['is kept without prune', {}, network, nothing, { ...live, prune: false }, 'kept edge/echo: metadata.name'],
  ])('%s', (_, annotations, status, after, options, said) => {
    expect(saidOf(changesIn(service({ annotations, status, finalizers }), after, options))).toEqual([said]);
  });
});
