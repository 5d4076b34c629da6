import { AwsCloudProvider, AwsLoadBalancerController, HetznerCloud, MetalLb } from '../../src';
import { changesIn, documents, type Row, saidOf, service } from './rows';

// Changes that look harmless and are not, and others that look worse than they are.

const METALLB = { installed: [MetalLb.layer2()] };

test('a renamed Service adopts the balancer of its name', () => {
  const named = (name: string) => service({ name, annotations: { 'load-balancer.hetzner.cloud/name': 'edge' } });
  const changes = changesIn(named('old'), named('new'), { installed: [HetznerCloud.loadBalancer()] });
  expect(saidOf(changes)).toEqual(['replaced edge/old: metadata.name', 'created edge/new: metadata.name']);
});

const AWS = { installed: [AwsLoadBalancerController.nlb(), AwsCloudProvider.classic()] };

const KAFKA = (listener: object) =>
  JSON.stringify({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka' },
    spec: { kafka: { listeners: [{ name: 'external', port: 9094, tls: true, ...listener }] } },
  });
const OWNED = service({
  name: 'events-brokers-0',
  namespace: 'kafka',
  class: 'service.k8s.aws/nlb',
  metadata: { ownerReferences: [{ apiVersion: 'kafka.strimzi.io/v1', kind: 'Kafka', name: 'events', uid: '1' }] },
});

test('an operator deletes what it makes no more, whether anything is pruned or not', () => {
  const said = [true, false, undefined].map((prune) =>
    saidOf(changesIn(OWNED, KAFKA({ type: 'internal' }), { ...AWS, before: { isLive: true }, prune })),
  );
  expect(said).toEqual(Array(3).fill(['deleted kafka/events-brokers-0: metadata.name']));
});

const ofGateways = (kind: string, name: string, spec: object, version = 'v1') =>
  JSON.stringify({
    apiVersion: `gateway.networking.k8s.io/${version}`,
    kind,
    metadata: { name, namespace: 'edge' },
    spec,
  });
const PARAMETERS = { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'p' };
const gateway = (gatewayClassName = 'eg') =>
  ofGateways('Gateway', 'gw', {
    gatewayClassName,
    infrastructure: { parametersRef: PARAMETERS },
    listeners: [{ name: 'tls', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } }],
  });
const CLASS = ofGateways('GatewayClass', 'eg', { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' });
const PROXY = JSON.stringify({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyProxy',
  metadata: { name: 'p', namespace: 'edge' },
  spec: {
    provider: { type: 'Kubernetes', kubernetes: { envoyService: { loadBalancerClass: 'service.k8s.aws/nlb' } } },
  },
});
const ROUTE = ofGateways(
  'TLSRoute',
  'r',
  { parentRefs: [{ name: 'gw' }], rules: [{ backendRefs: [{ name: 'x', port: 1 }] }] },
  'v1alpha2',
);

test.each<[string, string, string]>([
  [
    documents(CLASS, gateway(), PROXY, ROUTE),
    documents(CLASS, gateway(), PROXY),
    'interrupted: TLSRoute r, metadata.name',
  ],
  [documents(CLASS, gateway(), PROXY), documents(CLASS, gateway('other'), PROXY), 'deleted: spec.gatewayClassName'],
  [documents(gateway(), PROXY), documents(gateway('other'), PROXY), 'deleted: spec.gatewayClassName'],
])('a Gateway, case %#', (before, after, said) => {
  const [change, ...others] = saidOf(changesIn(before, after, AWS));
  expect([change.replace(/ envoy-gateway-system\/\S+:/, ':'), others]).toEqual([said, []]);
});

const proxyOf = (ipFamily?: string) =>
  JSON.stringify({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: 'p', namespace: 'edge' },
    spec: { ipFamily, provider: { type: 'Kubernetes' } },
  });

test.each<[string | undefined, string | undefined, string]>([
  [undefined, 'DualStack', 'replaced: EnvoyProxy p, spec.ipFamily'],
  ['IPv4', undefined, 'kept'],
  ['IPv4', 'IPv6', 'unknown: spec.ipFamilies'],
])('the IP family of an EnvoyProxy from %s to %s', (old, now, said) => {
  const [before, after] = [old, now].map((ipFamily) => documents(CLASS, gateway(), proxyOf(ipFamily)));
  const [change] = saidOf(changesIn(before, after, METALLB));
  expect(change.replace(/ envoy-gateway-system\/[^:]+/, '')).toEqual(said);
});

const CLOUD = { installed: [AwsCloudProvider.nlb(), AwsLoadBalancerController.nlb()] };
const WITH_WEBHOOK = { installed: [AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })] };
const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const NLB_CLASS = 'service.k8s.aws/nlb';
const TAKEN_OVER = {
  class: NLB_CLASS,
  finalizers: ['service.k8s.aws/resources'],
  annotations: { [SCHEME]: 'internet-facing' },
};
const IN_CLOUD = { annotations: { [TYPE]: 'nlb' } };

const REFUSED: readonly Row[] = [
  [
    'a class, with all that goes with it',
    service(IN_CLOUD),
    service(TAKEN_OVER),
    CLOUD,
    ['refused edge/echo: spec.loadBalancerClass'],
  ],
  ['no class any more', service(TAKEN_OVER), service(IN_CLOUD), CLOUD, ['refused edge/echo: spec.loadBalancerClass']],
  [
    'another first family and another scheme',
    service({ class: NLB_CLASS, spec: { ipFamilies: ['IPv4'] } }),
    service({ ...TAKEN_OVER, spec: { ipFamilies: ['IPv6'] } }),
    CLOUD,
    ['refused edge/echo: spec.ipFamilies'],
  ],
  [
    'a class that a webhook has given it already',
    service({}),
    service(TAKEN_OVER),
    WITH_WEBHOOK,
    [`replaced edge/echo: ${SCHEME}`],
  ],
];

test.each(REFUSED)('refused: %s', (_, before, after, options, said) => {
  const changes = changesIn(before, after, options);
  expect(saidOf(changes)).toEqual(said);
  expect(changes[0].effects.every(({ outcome }) => outcome === 'refused')).toBe(options !== WITH_WEBHOOK);
});

const brokers = (replicas: number, annotations: object) =>
  JSON.stringify({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'brokers', namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' }, annotations },
    spec: { replicas, roles: ['broker'], storage: { type: 'ephemeral' } },
  });

test('a broker that is named to go first goes', () => {
  const ids = { 'strimzi.io/next-node-ids': '[0-1]' };
  const listener = { type: 'loadbalancer', configuration: { class: 'service.k8s.aws/nlb' } };
  const [before, after] = [brokers(2, ids), brokers(1, { ...ids, 'strimzi.io/remove-node-ids': '[0]' })].map((pool) =>
    documents(KAFKA(listener), pool),
  );
  expect(saidOf(changesIn(before, after, AWS))).toContain(
    'deleted kafka/events-brokers-0: KafkaNodePool brokers, spec.replicas',
  );
});
