import { AwsCloudProvider, AwsLoadBalancerController, AzureCloudProvider, Gke, HetznerCloud, MetalLb } from '../../src';
import { changesIn, documents, type Row, saidOf, service } from './rows';

// Changes that look harmless and are not, and others that look worse than they are.

const METALLB = { installed: [MetalLb.layer2()] };
const ECHO = service();
const IN_POOL = service({ annotations: { 'metallb.io/address-pool': 'edge' } });
const AT_9 = service({ annotations: { 'metallb.io/loadBalancerIPs': '10.0.0.9' } });

function ofMetalLb(kind: string, name: string, spec: object = {}): string {
  const metadata = { name, namespace: 'metallb-system' };
  return JSON.stringify({ apiVersion: 'metallb.io/v1beta1', kind, metadata, spec });
}

const pool = (addresses = '10.0.0.0/24', name = 'edge', more: object = {}) =>
  ofMetalLb('IPAddressPool', name, { addresses: [addresses], ...more });
const announced = (spec: object = {}, name = 'all') => ofMetalLb('L2Advertisement', name, spec);
const OF_TIER = { matchLabels: { tier: 'edge' } };
const labelled = (tier: string) => service({ metadata: { labels: { tier } } });
const POOL = pool();
const ALL = announced();

const cloudConfig = (settings: object) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'azure-cloud-provider', namespace: 'kube-system' } },
    stringData: { 'cloud-config': JSON.stringify(settings) },
  });

/** Pools and advertisements are no part of a Service, and its address hangs on them; so does what tells a controller of its cloud. */
const BESIDE: readonly Row[] = [
  [
    'another group, as the controller is told of its cloud',
    documents(ECHO, cloudConfig({ resourceGroup: 'a' })),
    documents(ECHO, cloudConfig({ resourceGroup: 'b' })),
    { installed: [AzureCloudProvider.standard()] },
    ['unknown edge/echo: Secret kube-system/azure-cloud-provider, data.cloud-config.resourceGroup'],
  ],
  [
    'other addresses in the only pool',
    documents(ECHO, POOL, ALL),
    documents(ECHO, pool('10.1.0.0/24'), ALL),
    METALLB,
    ['replaced edge/echo: IPAddressPool metallb-system/edge, spec.addresses'],
  ],
  [
    'more addresses',
    documents(ECHO, POOL),
    documents(ECHO, POOL, pool('10.1.0.0/24', 'b')),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'the pool is gone',
    documents(ECHO, POOL, ALL),
    documents(ECHO, ALL),
    METALLB,
    ['replaced edge/echo: IPAddressPool metallb-system/edge'],
  ],
  [
    'the pool is gone, and nothing is pruned',
    documents(ECHO, POOL),
    ECHO,
    { ...METALLB, prune: false },
    ['kept edge/echo'],
  ],
  [
    'the pool has another name',
    documents(ECHO, POOL),
    documents(ECHO, pool('10.0.0.0/24', 'b')),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'the pool that the Service names has another name',
    documents(IN_POOL, POOL),
    documents(IN_POOL, pool('10.0.0.0/24', 'b')),
    METALLB,
    ['replaced edge/echo: IPAddressPool metallb-system/edge'],
  ],
  [
    'a pool that the Service does not name',
    documents(IN_POOL, POOL, pool('10.1.0.0/24', 'b')),
    documents(IN_POOL, POOL, pool('10.2.0.0/24', 'b')),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'one of two pools',
    documents(ECHO, POOL, pool('10.1.0.0/24', 'b')),
    documents(ECHO, POOL, pool('10.2.0.0/24', 'b')),
    METALLB,
    ['unknown edge/echo: IPAddressPool metallb-system/b, spec.addresses'],
  ],
  [
    'a part of the pool without the address of the Service',
    documents(AT_9, POOL),
    documents(AT_9, pool('10.0.0.0-10.0.0.100')),
    METALLB,
    ['kept edge/echo'],
  ],
  ...(
    [
      ['a range that is widened', '10.0.0.10-10.0.0.20', '10.0.0.10-10.0.0.30', 'kept edge/echo'],
      ['a range as a network', '10.0.0.0-10.0.0.255', '10.0.0.0/24', 'kept edge/echo'],
      ['a network as its parts', '10.0.0.0/24', '10.0.0.128/25,10.0.0.0-10.0.0.127', 'kept edge/echo'],
      ['a network of IPv6 in a wider one', '2001:db8::/112', '2001:DB8:0::/64', 'kept edge/echo'],
      [
        'a gap in it',
        '10.0.0.0/24',
        '10.0.0.0/25,10.0.0.192/26',
        'unknown edge/echo: IPAddressPool metallb-system/edge, spec.addresses',
      ],
      [
        'a range that is cut',
        '10.0.0.10-10.0.0.30',
        '10.0.0.10-10.0.0.20',
        'unknown edge/echo: IPAddressPool metallb-system/edge, spec.addresses',
      ],
    ] as const
  ).map(([title, old, now, said]): Row => {
    const [one, other] = [old, now].map((text) => ofMetalLb('IPAddressPool', 'edge', { addresses: text.split(',') }));
    return [title, documents(ECHO, one), documents(ECHO, other), METALLB, [said]];
  }),
  [
    'a pool that gives no more by itself',
    documents(ECHO, POOL, ALL),
    documents(ECHO, pool(undefined, undefined, { autoAssign: false }), ALL),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'one of two advertisements that name the pool',
    documents(ECHO, POOL, announced({ ipAddressPools: ['edge'] }), announced({ ipAddressPools: ['edge', 'b'] }, 'b')),
    documents(ECHO, POOL, announced({ ipAddressPools: ['edge'] })),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'the only advertisement that names the only pool',
    documents(ECHO, POOL, announced({ ipAddressPools: ['edge'] })),
    documents(ECHO, POOL),
    METALLB,
    ['interrupted edge/echo: L2Advertisement metallb-system/all'],
  ],
  [
    'one of two advertisements, and the other is for some nodes',
    documents(ECHO, POOL, ALL, announced({ nodeSelectors: [{ matchLabels: { a: 'b' } }] }, 'b')),
    documents(ECHO, POOL, announced({ nodeSelectors: [{ matchLabels: { a: 'b' } }] }, 'b')),
    METALLB,
    ['interrupted edge/echo: L2Advertisement metallb-system/all'],
  ],
  [
    'a part of the pool with the address of the Service',
    documents(AT_9, POOL),
    documents(AT_9, pool('10.0.0.100-10.0.0.200')),
    METALLB,
    ['replaced edge/echo: IPAddressPool metallb-system/edge, spec.addresses'],
  ],
  [
    'the live address is in the part',
    documents(service({ status: { loadBalancer: { ingress: [{ ip: '10.0.0.150' }] } } }), POOL),
    documents(ECHO, pool('10.0.0.100-10.0.0.200')),
    { ...METALLB, before: { isLive: true } },
    ['kept edge/echo'],
  ],
  [
    'the only advertisement is gone',
    documents(ECHO, POOL, ALL),
    documents(ECHO, POOL),
    METALLB,
    ['interrupted edge/echo: L2Advertisement metallb-system/all'],
  ],
  [
    'one of two advertisements is gone',
    documents(ECHO, POOL, ALL, announced({}, 'b')),
    documents(ECHO, POOL, ALL),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'an advertisement of all pools is for another one',
    documents(ECHO, POOL, ALL),
    documents(ECHO, POOL, announced({ ipAddressPools: ['b'] })),
    METALLB,
    ['interrupted edge/echo: L2Advertisement metallb-system/all, spec.ipAddressPools'],
  ],
  [
    'an advertisement of all pools is for the only one',
    documents(ECHO, POOL, ALL),
    documents(ECHO, POOL, announced({ ipAddressPools: ['edge'] })),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'an advertisement is for some Services',
    documents(ECHO, POOL, ALL),
    documents(ECHO, POOL, announced({ serviceSelectors: [{ matchLabels: { a: 'b' } }] })),
    METALLB,
    ['interrupted edge/echo: L2Advertisement metallb-system/all, spec.serviceSelectors'],
  ],
  ...[
    ['a pool', [pool('10.0.0.0/24', 'edge', { serviceAllocation: { serviceSelectors: [OF_TIER] } }), ALL], 'replaced'],
    [
      'one of two pools',
      [pool('10.0.0.0/24', 'edge', { serviceAllocation: { serviceSelectors: [OF_TIER] } }), pool('10.1.0.0/24', 'b')],
      'unknown',
    ],
    ['the only advertisement', [POOL, announced({ serviceSelectors: [OF_TIER] })], 'interrupted'],
    ['one of two advertisements', [POOL, ALL, announced({ serviceSelectors: [OF_TIER] }, 'b')], undefined],
  ].map(([what, beside, outcome]): Row => {
    const [before, after] = ['edge', 'other'].map((tier) => documents(labelled(tier), ...(beside as string[])));
    const said = outcome ? `${outcome} edge/echo: metadata.labels` : 'kept edge/echo';
    return [`labels that ${what} selects by`, before, after, METALLB, [said]];
  }),
  [
    'an advertisement of another pool is gone',
    documents(IN_POOL, POOL, announced({ ipAddressPools: ['edge'] }), announced({ ipAddressPools: ['b'] }, 'b')),
    documents(IN_POOL, POOL, announced({ ipAddressPools: ['edge'] })),
    METALLB,
    ['kept edge/echo'],
  ],
];

test('a renamed Service adopts the balancer of its name', () => {
  const named = (name: string) => service({ name, annotations: { 'load-balancer.hetzner.cloud/name': 'edge' } });
  const changes = changesIn(named('old'), named('new'), { installed: [HetznerCloud.loadBalancer()] });
  expect(saidOf(changes)).toEqual(['replaced edge/old: metadata.name', 'created edge/new: metadata.name']);
});

describe('objects beside a Service', () => {
  test.each(BESIDE)('%s', (_, before, after, options, said) => {
    expect(saidOf(changesIn(before, after, options))).toEqual(said);
  });
});

const AWS = { installed: [AwsLoadBalancerController.nlb(), AwsCloudProvider.classic()] };
const FORCE = { 'kustomize.toolkit.fluxcd.io/force': 'enabled' };
const ARGO = { 'argocd.argoproj.io/sync-options': 'Prune=false,Force=true' };
const nlb = (annotations: Readonly<Record<string, string>>, more: object = {}) =>
  service({ class: 'service.k8s.aws/nlb', annotations, ...more });
const auto = (annotations: Readonly<Record<string, string>>) =>
  service({ class: 'eks.amazonaws.com/nlb', annotations });

/** Tools that delete a Service which the API server does not update lose its address where others lose nothing. */
const FORCED: readonly Row[] = [
  ['a refused class', nlb({}), auto({}), AWS, ['refused edge/echo: spec.loadBalancerClass']],
  ['a refused class by force of Flux', nlb(FORCE), auto(FORCE), AWS, ['replaced edge/echo: spec.loadBalancerClass']],
  ['a refused class by force of Argo CD', nlb(ARGO), auto(ARGO), AWS, ['replaced edge/echo: spec.loadBalancerClass']],
  [
    'another cluster address by force',
    nlb(FORCE, { spec: { clusterIP: '10.0.0.1' } }),
    nlb(FORCE, { spec: { clusterIP: '10.0.0.2' } }),
    AWS,
    ['replaced edge/echo: spec.clusterIP'],
  ],
  [
    'nothing that is refused',
    nlb(FORCE),
    nlb(FORCE, { selector: 'other' }),
    AWS,
    ['interrupted edge/echo: spec.selector'],
  ],
  [
    'what a controller refuses is deleted by nobody',
    nlb(FORCE),
    nlb({ ...FORCE, 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'public' }),
    AWS,
    ['refused edge/echo: service.beta.kubernetes.io/aws-load-balancer-scheme'],
  ],
  [
    'always made again by Argo CD',
    nlb({ 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' }),
    nlb({ 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true', note: 'b' }),
    AWS,
    ['replaced edge/echo: argocd.argoproj.io/sync-options'],
  ],
  [
    'a hook of Helm',
    nlb({ 'helm.sh/hook': 'pre-install,pre-upgrade' }),
    nlb({ 'helm.sh/hook': 'pre-install,pre-upgrade', note: 'b' }),
    AWS,
    ['replaced edge/echo: helm.sh/hook'],
  ],
  [
    'a hook of Helm that is made once',
    nlb({ 'helm.sh/hook': 'post-install' }),
    nlb({ 'helm.sh/hook': 'post-install', note: 'b' }),
    AWS,
    ['kept edge/echo'],
  ],
];

test.each(FORCED)('by force: %s', (_, before, after, options, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
});

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

const AZURE = { installed: [AzureCloudProvider.standard()] };
const IPV4 = 'service.beta.kubernetes.io/azure-load-balancer-ipv4';
const INTERNAL = 'service.beta.kubernetes.io/azure-load-balancer-internal';
const GKE = { installed: [Gke.passthrough()] };
const NAMES = 'networking.gke.io/load-balancer-ip-addresses';
const FIELD = 'spec.loadBalancerIP';
const LIVE_AT_9 = service({ status: { loadBalancer: { ingress: [{ ip: '10.0.0.9' }] } } });
const FIELD_9 = service({ spec: { loadBalancerIP: '10.0.0.9' } });

const ADDRESSES: readonly Row[] = [
  ['a field that becomes an annotation', FIELD_9, AT_9, METALLB, ['kept edge/echo: spec.loadBalancerIP']],
  ['an annotation that becomes a field', AT_9, FIELD_9, METALLB, ['kept edge/echo: spec.loadBalancerIP']],
  [
    'the address that it has',
    LIVE_AT_9,
    AT_9,
    { ...METALLB, before: { isLive: true } },
    ['kept edge/echo: metallb.io/loadBalancerIPs'],
  ],
  [
    'another one than it has',
    service({ status: { loadBalancer: { ingress: [{ ip: '10.0.0.8' }] } } }),
    AT_9,
    { ...METALLB, before: { isLive: true } },
    ['replaced edge/echo: metallb.io/loadBalancerIPs'],
  ],
  ['one of its own choice', ECHO, AT_9, METALLB, ['replaced edge/echo: metallb.io/loadBalancerIPs']],
  [
    'the same on Azure',
    service({ annotations: { [INTERNAL]: 'true' }, spec: { loadBalancerIP: '10.0.0.9' } }),
    service({ annotations: { [INTERNAL]: 'true', [IPV4]: '10.0.0.9' } }),
    AZURE,
    ['kept edge/echo: spec.loadBalancerIP'],
  ],
  [
    'another one on Azure',
    FIELD_9,
    service({ annotations: { [IPV4]: '10.0.0.8' } }),
    AZURE,
    ['replaced edge/echo: spec.loadBalancerIP'],
  ],
  [
    'the one that it has on Azure',
    service({ annotations: { [INTERNAL]: 'true' }, status: { loadBalancer: { ingress: [{ ip: '10.0.0.9' }] } } }),
    service({ annotations: { [INTERNAL]: 'true', [IPV4]: '10.0.0.9' } }),
    { ...AZURE, before: { isLive: true } },
    [`kept edge/echo: ${IPV4}`],
  ],
  [
    'none any more on Azure',
    service({ annotations: { [IPV4]: '10.0.0.9' } }),
    ECHO,
    AZURE,
    [`replaced edge/echo: ${IPV4}`],
  ],
  [
    'none any more on an internal balancer of Azure',
    service({ annotations: { [IPV4]: '10.0.0.9', [INTERNAL]: 'true' } }),
    service({ annotations: { [INTERNAL]: 'true' } }),
    AZURE,
    [`kept edge/echo: ${IPV4}`],
  ],
  [
    'the one that it has on GKE',
    LIVE_AT_9,
    FIELD_9,
    { ...GKE, before: { isLive: true } },
    [`kept edge/echo: ${FIELD}`],
  ],
  ['one of its own choice on GKE', ECHO, FIELD_9, GKE, [`replaced edge/echo: ${FIELD}`]],
  ['none any more on GKE', service({ annotations: { [NAMES]: 'edge' } }), ECHO, GKE, [`kept edge/echo: ${NAMES}`]],
];

test.each(ADDRESSES)('an address: %s', (_, before, after, options, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
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

const ports = (...all: readonly (readonly [name: string, port: number, targetPort: number])[]) =>
  service({ spec: { ports: all.map(([name, port, targetPort]) => ({ name, port, targetPort })) } });

const PORTS: readonly Row[] = [
  [
    'two that swap their names',
    ports(['a', 443, 8443], ['b', 80, 8080]),
    ports(['b', 443, 8443], ['a', 80, 8080]),
    METALLB,
    ['kept edge/echo: spec.ports[0].name'],
  ],
  [
    'two that swap their targets',
    ports(['a', 443, 8443], ['b', 80, 8080]),
    ports(['a', 443, 8080], ['b', 80, 8443]),
    METALLB,
    ['interrupted edge/echo: spec.ports[0].targetPort'],
  ],
  [
    'another number',
    ports(['a', 443, 8443]),
    ports(['a', 444, 8443]),
    METALLB,
    ['interrupted edge/echo: spec.ports[0].port'],
  ],
];

test.each(PORTS)('ports: %s', (_, before, after, options, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
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
