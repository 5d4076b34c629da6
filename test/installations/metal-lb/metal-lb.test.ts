import { ApiObject, type ApiObjectProps, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { type ILoadBalancerController, IpFamily, LoadBalancedService, LoadBalancers, NodePool } from '../../../src';
import { addressRange, overlap } from '../../../src/contract/address-ranges';
import {
  MetalLbAddressPool,
  MetalLbBgpAdvertisement,
  MetalLbLayer2Advertisement,
} from '../../../src/installations/metal-lb/objects';
import { METALLB_KIND_RULES } from '../../../src/installations/metal-lb/rules';
import { all, casesIn, revived } from '../../support/yaml-cases';

const CASES = casesIn(__dirname, 'metal-lb.yaml');

const seen = new Set<string>();

function chartOf(make: (chart: Chart) => void): Chart {
  const chart = new Chart(Testing.app(), 'network');
  make(chart);
  return chart;
}

const objectsOf = (make: (chart: Chart) => void) => Testing.synth(chartOf(make));

function saidOf(make: (chart: Chart) => void): string[] {
  const chart = chartOf(make);
  try {
    Testing.synth(chart);
  } catch (error) {
    const rules = [...(error as Error).message.matchAll(/metallb: .*\(([\w-]+)\)$/gm)].map(([, rule]) => rule);
    for (const rule of rules) {
      seen.add(rule);
    }
    return rules;
  }
  const rules = LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId);
  for (const rule of rules) {
    seen.add(rule);
  }
  return rules.map((rule) => `${rule}?`);
}

const catchAll = (chart: Chart) => new MetalLbLayer2Advertisement(chart, 'All');
const pool = (chart: Chart, id: string, addresses: string[], more = {}) =>
  new MetalLbAddressPool(chart, id, { name: id.toLowerCase(), addresses, ...more });

let written: jest.SpyInstance;
beforeEach(() => {
  written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => written.mockRestore());

describe('ranges of addresses', () => {
  test.each<[string, number]>(CASES.rangesAddresses)('%s', (text, bits) => {
    const range = addressRange(text);
    expect(range).toMatchObject({ bits });
  });

  test.each<string>(CASES.noRange)("no range: '%s'", (text) => expect(typeof addressRange(text)).toBe('string'));

  test.each([
    ['192.0.2.0/28', '192.0.2.15-192.0.2.20', true],
    ['192.0.2.0/28', '192.0.2.16-192.0.2.20', false],
    ['2001:db8::/64', '2001:db8:0:0:ffff::1-2001:db8:0:0:ffff::2', true],
    ['0.0.0.0/0', '::/0', false],
  ])('%s and %s', (one, other, wanted) => {
    const [a, b] = [addressRange(one), addressRange(other)];
    expect(typeof a === 'string' || typeof b === 'string' ? a : [overlap(a, b), overlap(b, a)]).toEqual([
      wanted,
      wanted,
    ]);
  });
});

test('pools', () => {
  const [bare, full] = objectsOf((chart) => {
    new MetalLbAddressPool(chart, 'Bare', { addresses: ['192.0.2.0/28'] });
    new MetalLbAddressPool(chart, 'Full', CASES['full pool']);
    catchAll(chart);
  });
  expect(bare).toMatchObject({ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' });
  expect(bare.metadata).toEqual({ name: expect.stringMatching(/^network-bare-\w+$/), namespace: 'metallb-system' });
  expect(bare.spec).toEqual({ addresses: ['192.0.2.0/28'] });
  expect(full).toEqual(casesIn(__dirname, 'metal-lb.yaml').pools);
});

test('a Service gets the pool, and its advertisement the namespace', () => {
  const objects = objectsOf((chart) => {
    const edge = new MetalLbAddressPool(chart, 'Edge', { addresses: ['192.0.2.0/28'], namespace: 'metal' });
    new LoadBalancedService(chart, 'Echo', {
      controller: edge.layer2(),
      selector: { app: 'echo' },
      ports: [{ port: 443 }],
      backendNodes: NodePool.labeled({ pool: 'edge' }),
    } as ConstructorParameters<typeof LoadBalancedService>[2]);
    expect(edge.bgp({ localPref: 7 }).name).toBe('metallb');
  });
  const [edge, service, advertisement] = ['IPAddressPool', 'Service', 'L2Advertisement'].map((wanted) =>
    objects.find(({ kind }) => kind === wanted),
  );
  expect(service.metadata.annotations['metallb.io/address-pool']).toBe(edge.metadata.name);
  expect(advertisement.metadata.namespace).toBe('metal');
  expect(advertisement.spec.ipAddressPools).toEqual([edge.metadata.name]);
});

test('options that say otherwise than the pool', () => {
  const edge = pool(new Chart(new App(), 'c'), 'Edge', ['192.0.2.0/28']);
  expect(() => edge.layer2({ addressPool: 'other' })).toThrow(
    /c\/Edge\].*addressPool 'other'.*\(pool-controller-mismatch\)/,
  );
  expect(() => edge.bgp({ namespace: 'other' })).toThrow(/namespace 'other'.*\(pool-controller-mismatch\)/);
  expect(edge.layer2({ addressPool: 'edge', namespace: 'metallb-system' }).name).toBe('metallb');
});

const peer = (chart: Chart, namespace = 'metallb-system') =>
  new ApiObject(chart, 'Peer', {
    apiVersion: 'metallb.io/v1beta2',
    kind: 'BGPPeer',
    metadata: { name: 'tor', namespace },
    spec: { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1' },
  } as ApiObjectProps);
const routes = (chart: Chart, props = {}, id = 'Routes') =>
  new MetalLbBgpAdvertisement(chart, id, { name: id.toLowerCase(), ...props });

const patched = (advertisement: MetalLbBgpAdvertisement | MetalLbLayer2Advertisement, at: string, value: unknown) =>
  advertisement.resource.addJsonPatch(JsonPatch.add(at, value));
const preferring = (chart: Chart, ...nodes: readonly object[]) =>
  patched(catchAll(chart), '/spec/preferredNodeSelectors', nodes);

type Make = (chart: Chart) => unknown;

describe('what MetalLB would refuse, or what surprises', () => {
  test.each<[string, Make, string[]]>([
    ...revived(CASES.whatMetallbWould, { all: all({ catchAll, pool, preferring, routes }) }),
    [
      'overlap with one by somebody else',
      (c) => [
        new ApiObject(c, 'Theirs', {
          apiVersion: 'metallb.io/v1beta1',
          kind: 'IPAddressPool',
          metadata: { name: 'theirs', namespace: 'metallb-system' },
          spec: { addresses: ['192.0.2.0/24'] },
        }),
        pool(c, 'Edge', ['192.0.2.0/28']),
        catchAll(c),
      ],
      ['pool-overlap'],
    ],
    [
      'the same addresses in another MetalLB',
      (c) => [
        pool(c, 'Edge', ['192.0.2.0/28']),
        pool(c, 'Other', ['192.0.2.0/28'], { namespace: 'other' }),
        catchAll(c),
        new MetalLbLayer2Advertisement(c, 'Others', { namespace: 'other' }),
      ],
      [],
    ],
    [
      'another is announced',
      (c) => [pool(c, 'Edge', ['192.0.2.0/28']), new MetalLbLayer2Advertisement(c, 'A', { poolNames: ['other'] })],
      ['pool-not-advertised?'],
    ],
    [
      'an interface twice, which MetalLB takes for one',
      (c) => new MetalLbLayer2Advertisement(c, 'A', { interfaces: ['a', 'a'] }),
      [],
    ],
    [
      'a field by another name',
      (c) => [peer(c), routes(c).resource.addJsonPatch(JsonPatch.add('/spec/localPreference', 1))],
      ['metallb-field-unknown?'],
    ],
    [
      'a selector without a key',
      (c) =>
        new MetalLbLayer2Advertisement(c, 'A').resource.addJsonPatch(
          JsonPatch.add('/spec/nodeSelectors', [{ matchExpressions: [{ operator: 'Exists' }] }]),
        ),
      ['metallb-field-missing'],
    ],
    ['a longer path', (c) => patched(routes(c), '/spec/asPathPrepend', 10), []],
    ['a path of eleven more', (c) => patched(routes(c), '/spec/asPathPrepend', 11), ['metallb-field-wrong-type']],
    ['a path of none more', (c) => patched(routes(c), '/spec/asPathPrepend', 0), ['metallb-field-wrong-type']],
    [
      'one path twice',
      (c) => ['Routes', 'Others'].map((id) => patched(routes(c, {}, id), '/spec/asPathPrepend', 3)),
      [],
    ],
    [
      'two paths of selected Services',
      (c) => [routes(c), patched(routes(c, { serviceSelectors: [{ a: 'b' }] }, 'Others'), '/spec/asPathPrepend', 3)],
      [],
    ],
  ])('%s', (_, make, rules) => expect(saidOf((chart) => void make(chart))).toEqual(rules));
});

test('pools of one name in different charts are of different clusters, and of two names an error', () => {
  const second = (name: string) => {
    const chart = chartOf((one) => [pool(one, 'Edge', ['192.0.2.0/28']), catchAll(one)]);
    const other = new Chart(chart.node.root as App, 'other');
    new MetalLbAddressPool(other, 'Pool', { name, addresses: ['192.0.2.0/24'] });
    return other;
  };
  expect(() => Testing.synth(second('edge'))).not.toThrow();
  expect(() => Testing.synth(second('else'))).toThrow(/\(pool-overlap\)/);
});

test('of one name in one chart overlapping pools are an error', () => {
  const twice = (c: Chart) => [
    pool(c, 'Edge', ['192.0.2.0/28']),
    new MetalLbAddressPool(c, 'Again', { name: 'edge', addresses: ['192.0.2.0/24'] }),
    catchAll(c),
  ];
  expect(saidOf(twice)).toContain('pool-overlap');
});

describe('pools and the Services of the app', () => {
  type Options = ConstructorParameters<typeof LoadBalancedService>[2];
  const service = (chart: Chart, controller: ILoadBalancerController, more: object = {}) =>
    new LoadBalancedService(new Chart(chart, 'shop', { namespace: 'shop' }), 'Web', {
      name: 'web',
      controller,
      selector: { app: 'web' },
      ports: [{ port: 443 }],
      ...more,
    } as Options);
  const raw = (chart: Chart, annotations: object) =>
    new ApiObject(chart, 'Raw', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'raw', namespace: 'shop', annotations },
      spec: { type: 'LoadBalancer' },
    } as ApiObjectProps);
  const edge = (chart: Chart, more = {}) => pool(chart, 'Edge', ['192.0.2.0/28'], more);
  const only = (namespaces: string[]) => ({ serviceAllocation: { namespaces } });
  const labels = { serviceAllocation: { serviceSelectors: [{ team: 'web' }] } };

  const running = (chart: Chart, namespace: string) =>
    new ApiObject(chart, 'Controller', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'controller', namespace },
      spec: { template: { spec: { containers: [{ image: 'quay.io/metallb/controller:v0.16.1' }] } } },
    } as ApiObjectProps);

  test.each<[string, Make, string[]]>([
    ...revived(CASES.poolsServicesApp, { all: all({ catchAll, edge, pool, raw, routes, running, service }), only }),
    ['a Service of the pool', (c) => [service(c, edge(c).layer2()), catchAll(c)], []],
    [
      'of a namespace that the pool is not for',
      (c) => [service(c, edge(c, only(['other'])).layer2()), catchAll(c)],
      ['pool-without-matching-address?'],
    ],
    ['of one that it is for', (c) => [service(c, edge(c, only(['other', 'shop'])).layer2()), catchAll(c)], []],
    [
      'of labels that it is not for',
      (c) => [service(c, edge(c, labels).layer2()), catchAll(c)],
      ['pool-without-matching-address?'],
    ],
    [
      'of labels that it is for',
      (c) => [service(c, edge(c, labels).layer2()).service.metadata.addLabel('team', 'web'), catchAll(c)],
      [],
    ],
    [
      'the second of two pools',
      (c) => [edge(c), service(c, pool(c, 'Two', ['192.0.2.32/28']).layer2()), catchAll(c)],
      [],
    ],
    [
      'IPv6 of a pool without such addresses',
      (c) => [service(c, edge(c).layer2(), { ipFamilies: [IpFamily.IPV6] }), catchAll(c)],
      ['pool-without-matching-address?'],
    ],
    [
      'a pool for routers, announced in layer 2',
      (c) => [service(c, edge(c).bgp()), catchAll(c)],
      ['pool-advertisement-mismatch?'],
    ],
    ['a pool for routers, announced to one', (c) => [service(c, edge(c).bgp()), routes(c), peer(c)], []],
  ])('%s', (_, make, rules) => {
    expect(
      saidOf((chart) => void make(chart)).filter(
        (rule) => !rule.startsWith('metallb-') || rule.startsWith('metallb-namespace'),
      ),
    ).toEqual(rules);
  });
});

test('every rule was heard', () => {
  expect(METALLB_KIND_RULES.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
});

test.each<[string, Make, RegExp]>([
  ...revived(CASES.refusedAtOnce, { all: all({ pool, routes }) }),
  [
    'a pool of another namespace',
    (c) => routes(c, { namespace: 'other', pools: [pool(c, 'E', ['192.0.2.0/28'])] }),
    /\(advertisement-namespace-mismatch\)/,
  ],
])('refused at once: %s', (_, make, message) => expect(() => chartOf((chart) => void make(chart))).toThrow(message));
