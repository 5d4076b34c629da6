import '../../src';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Include } from 'cdk8s';
import { AwsCloudProvider, AwsLoadBalancerController, HetznerCloud, MetalLb } from '../../src';
import { Gke } from '../../src/controllers/gke/controller';
import { diffText, publicChange } from '../../src/diff/app/sides-of-app';
import { duplicatesOf, pairBalancers } from '../../src/diff/pairs';
import type { Side } from '../../src/diff/side';
import { manifestObjectsIn, nodePoolsAmong } from '../../src/kafka/operator/node-pools';
import { CONTROLLERS, changesIn, documents, type Row, readCases, type ServiceLines, saidOf, service } from './rows';

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

test.each<[string, string, string]>([
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

interface Case {
  readonly case: string;
  /** One or several of `CONTROLLERS`. */
  readonly owner: string | readonly string[];
  readonly from?: ServiceLines;
  readonly to?: ServiceLines;
  readonly says: string;
}

const ROWS = readCases<{ readonly cases: readonly Case[] }>('opened.yaml').cases.flatMap((one) =>
  typeof one.owner === 'string'
    ? [[one.case, one.owner, one] as const]
    : one.owner.map((owner) => [`${owner}: ${one.case}`, owner, one] as const),
);

test.each(ROWS)('%s', (_, owner, { from, to, says }) => {
  const changes = changesIn(service(from), service(to), { installed: [CONTROLLERS[owner]] });
  const text = diffText(changes.map(publicChange), []);
  expect(text).toMatch(new RegExp(says));
});

describe('found by', () => {
  // The type goes, and with it what the owner needs to find its balancer.

  const BETA = 'service.beta.kubernetes.io/';
  const TYPE = `${BETA}aws-load-balancer-type`;
  const SCHEME = 'networking.gke.io/load-balancer-type';
  const OCTAVIA = 'loadbalancer.openstack.org/load-balancer-id';
  const aws = { installed: [AwsCloudProvider.nlb()] };
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

  const NLB = { [TYPE]: 'nlb' };

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
});

// What there are many of is looked at a few times each, and not once for each of the others.

const MANY = 60;
const many = <T>(make: (i: number) => T) => Array.from({ length: MANY }, (_, i) => make(i));

function sideOf(ids: readonly string[]): Side {
  const balancers = ids.map((id, i) => {
    const [namespace, name] = id.split('/');
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name },
      spec: { type: 'LoadBalancer', ports: [{ port: i + 1 }], selector: { app: `${id}${i}` } },
    };
    return { id, title: id, service, owner: undefined, written: { file: 'a.yaml', line: i + 1, object: service } };
  });
  return { balancers, manifests: [], controllers: [] } as unknown as Side;
}

test('balancers of one id are each made a text once', () => {
  const stringify = jest.spyOn(JSON, 'stringify');
  const namesakes = duplicatesOf(sideOf(many(() => 'edge/echo')));
  const calls = stringify.mock.calls.length;
  stringify.mockRestore();
  expect(namesakes.get('edge/echo')?.[0].all).toHaveLength(MANY);
  expect(calls).toBeLessThanOrEqual(MANY);
});

test('a name that is generated is not compared with each one that has an end', () => {
  const before = sideOf(many((i) => `edge/s${i}-*`));
  const after = sideOf(many((i) => `edge/s${i}-x7k2p`));
  const startsWith = jest.spyOn(String.prototype, 'startsWith');
  const pairs = pairBalancers(before, after);
  const calls = startsWith.mock.calls.length;
  startsWith.mockRestore();
  expect(pairs.map((pair) => [pair.before?.id, pair.after?.id])).toEqual(
    many((i) => [`edge/s${i}-*`, `edge/s${i}-x7k2p`]),
  );
  expect(calls).toBeLessThan(10 * MANY);
});

test('node pools of one cluster are each rendered once, and have the ids that no other one has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'many-'));
  const url = join(folder, 'pools.yaml');
  const pools = many((i) => ({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: {
      name: `p${i}`,
      namespace: 'edge',
      labels: { 'strimzi.io/cluster': 'k' },
      annotations: { 'strimzi.io/next-node-ids': `[${i}, ${MANY + i}, ${2 * MANY + i}]` },
    },
    spec: { replicas: 2, roles: ['broker'], storage: { type: 'ephemeral' } },
    status: { nodeIds: [(i + 1) % MANY] },
  }));
  writeFileSync(url, pools.map((pool) => JSON.stringify(pool)).join('\n---\n'));
  const objects = manifestObjectsIn(new Include(new Chart(new App(), 'c'), 'pools', { url }));
  const toJson = jest.spyOn(ApiObject.prototype, 'toJson');
  const found = nodePoolsAmong(objects, 'k', 'edge');
  const calls = toJson.mock.calls.length;
  toJson.mockRestore();
  expect(found.pools.map(({ ids }) => ids)).toEqual(many((i) => [(i + 1) % MANY, MANY + i]));
  expect(calls).toBeLessThanOrEqual(2 * MANY);
});
