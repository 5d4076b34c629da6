import { TaintEffect } from '../../src';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../src/contract/load-balancer-model';
import { TrafficPolicy } from '../../src/contract/options';
import { isUnknown } from '../../src/traffic/fraction';
import type { TrafficInput } from '../../src/traffic/input';
import { type Path, pathOf } from '../../src/traffic/path';
import { crossingsOf } from '../../src/traffic/shares';
import { balancer, input, LOCAL, nodes, pods, SERVICE, SERVICE_HEALTH } from './inputs';

function known(more: Partial<TrafficInput> = {}): Path {
  const path = pathOf(input(more));
  if (isUnknown(path)) throw new Error(path.unknown);
  return path;
}

const TO_PODS = balancer({ target: BalancerTarget.POD });

describe('a connection passes', () => {
  test.each<[string, Partial<TrafficInput>, string]>([
    [
      'any node and any pod with policy Cluster',
      {},
      'client → Acme Balancer → node port of one of 3 nodes → kube-proxy → a pod, on that node or another',
    ],
    [
      'a node with a pod with policy Local',
      { service: LOCAL, balancer: balancer({ healthCheck: SERVICE_HEALTH }) },
      'client → Acme Balancer → node port of one of 2 nodes → kube-proxy → a pod of that node',
    ],
    ['no node port to pods', { balancer: TO_PODS }, 'client → Acme Balancer → one of 3 pods'],
    [
      'the node with the address',
      {
        service: LOCAL,
        balancer: balancer({ target: BalancerTarget.NODE_WITH_ADDRESS, choice: BalancerChoice.ONE }),
      },
      'client → Acme Balancer → node n1, which has the address → kube-proxy → a pod of that node',
    ],
  ])('%s', (_, more, way) => {
    expect(
      known(more)
        .hops.map(({ name }) => name)
        .join(' → '),
    ).toBe(way);
  });
});

test('two of three connections take a second hop with policy Cluster on three nodes, and depend on two nodes', () => {
  const { dependsOn, shares } = known();
  expect(shares.secondHop).toEqual({ value: 2 / 3, terms: '2/3' });
  expect(dependsOn.twoNodes).toEqual(shares.secondHop);
  expect(dependsOn.oneNode.value).toBeCloseTo(1 / 3, 12);
});

describe('the address of a client', () => {
  const { SOURCE, NONE, PROXY_PROTOCOL } = ClientAddressMeans;
  test.each<[string, Partial<TrafficInput>, boolean, string | undefined]>([
    ['is lost at the node with policy Cluster', { balancer: balancer({ clientAddress: SOURCE }) }, false, 'node'],
    ['survives with policy Local', { service: LOCAL, balancer: balancer({ clientAddress: SOURCE }) }, true, undefined],
    [
      'is lost at a balancer that connects by itself',
      { balancer: balancer({ clientAddress: NONE }) },
      false,
      'balancer',
    ],
    [
      'survives in a header with any policy',
      { balancer: balancer({ clientAddress: PROXY_PROTOCOL }) },
      true,
      undefined,
    ],
    ['survives to pods as targets', { balancer: TO_PODS }, true, undefined],
  ])('%s', (_, more, survives, lostAt) => {
    const { clientAddress } = known(more);
    expect([clientAddress.survives, clientAddress.lostAt]).toEqual([survives, lostAt]);
  });
});

describe('health checks', () => {
  const seen = (more: Partial<TrafficInput>) =>
    known(more).shares.targets.map(({ name, state, why }) => [name, state, why]);

  test('fail on nodes without a pod with policy Local, as they should', () => {
    const { shares } = known({ service: LOCAL, balancer: balancer({ healthCheck: SERVICE_HEALTH }) });
    expect(shares.targets[2]).toEqual({
      kind: 'node',
      name: 'n3',
      state: 'failing',
      why: 'no ready pod on it, so /healthz answers 503',
      asItShould: true,
    });
  });

  test('of kube-proxy itself do not see that a node has no pod, so its connections are dropped', () => {
    const { shares, notes } = known({
      service: LOCAL,
      balancer: balancer({ healthCheck: { answeredBy: 'kube-proxy', protocol: 'HTTP', port: '10256' } }),
    });
    expect(shares.dropped).toEqual({ value: 1 / 3, terms: '1/3 of connections reach a node without a pod' });
    expect(notes).toEqual([
      'the health check does not ask for pods of the Service, so nodes without one drop their connections',
    ]);
  });

  test('leave out nodes that the balancer does not know', () => {
    const mixed = [
      ...nodes('n1', { excluded: true }),
      ...nodes('n2', { ready: false }),
      ...nodes('n3'),
      ...nodes('n4', { labels: { pool: 'edge' } }),
      ...nodes('n5', {
        labels: { pool: 'edge' },
        taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: TaintEffect.NO_SCHEDULE }],
      }),
    ];
    const check = { answeredBy: 'kube-proxy', protocol: 'HTTP', port: '10256' } as const;
    expect(seen({ nodes: mixed, balancer: balancer({ nodeLabels: { pool: 'edge' }, healthCheck: check }) })).toEqual([
      ['n1', 'left out', 'its label keeps it out of balancers'],
      ['n2', 'left out', 'it has no label pool=edge'],
      ['n3', 'left out', 'it has no label pool=edge'],
      ['n4', 'healthy', undefined],
      ['n5', 'failing', 'the cluster autoscaler is about to delete it'],
    ]);
  });

  test('leave no target where pods are on one pool and the balancer knows another, with policy Local', () => {
    const pools = [...nodes('n1 n2', { labels: { pool: 'one' } }), ...nodes('n3', { labels: { pool: 'two' } })];
    const { shares } = known({
      service: LOCAL,
      nodes: pools,
      balancer: balancer({ nodeLabels: { pool: 'two' }, healthCheck: SERVICE_HEALTH }),
    });
    expect(shares.dropped).toEqual({ value: 1, terms: 'no target is healthy' });
    expect(shares.imbalance).toEqual({ unknown: 'needs a pod that connections arrive at' });
  });
});

describe('zones are left', () => {
  const THREE = { nodes: nodes('a1 b1 c1'), pods: pods('a1 b1 c1') };
  test.each<[string, Partial<TrafficInput>, number, string]>([
    [
      'on both legs with policy Cluster across zones',
      { ...THREE, balancer: balancer({ crossZone: true }) },
      4 / 3,
      '1 − 1/3 to the target + 2/3 to the pod',
    ],
    [
      'behind the node alone without cross-zone',
      { ...THREE, balancer: balancer({ crossZone: false }) },
      2 / 3,
      '0 to the target + 2/3 to the pod',
    ],
    [
      'in front of the target alone with policy Local',
      { ...THREE, service: LOCAL, balancer: balancer({ crossZone: true }) },
      2 / 3,
      '1 − 1/3 to the target + 0 to the pod',
    ],
    [
      'never with policy Local and without cross-zone',
      { ...THREE, service: LOCAL, balancer: balancer({ crossZone: false }) },
      0,
      '0 to the target + 0 to the pod',
    ],
    [
      'never once the second hop stays in its zone',
      {
        ...THREE,
        service: { ...SERVICE, trafficDistribution: 'PreferSameZone' },
        balancer: balancer({ crossZone: false }),
      },
      0,
      '0 to the target + 0 to the pod',
    ],
  ])('%s', (_, more, value, terms) => {
    const crossings = crossingsOf(known(more).shares);
    expect(crossings).toEqual({ value: expect.closeTo(value, 12), terms });
  });

  test.each<[string, Partial<TrafficInput>, string]>([
    ['nodes have none', {}, 'needs the zones of the nodes'],
    ['the balancer is in none', THREE, 'needs the zones of the balancer; Acme Balancer is not known to be in any'],
  ])('nobody knows how often where %s', (_, more, unknown) => {
    expect(crossingsOf(known(more).shares)).toEqual({ unknown });
  });

  test('a balancer that is not in all zones is not known to be in any', () => {
    expect(pathOf(input({ ...THREE, balancer: balancer({ crossZone: true, zones: 2 }) }))).toEqual({
      unknown: "needs the names of the balancer's zones; it is in 2 of 3",
    });
  });
});

describe('a client in the cluster', () => {
  test('never leaves its node for an address that kube-proxy has rules for, whatever the policy', () => {
    const { inCluster } = known({ service: LOCAL, address: 'vip' });
    expect(inCluster.toBalancer).toMatchObject({
      leaves: false,
      why: "kube-proxy of the client's node sends it straight to a pod, which policy Local does not bind",
      fails: { value: 0 },
    });
  });

  test.each<[string, Partial<TrafficInput>, number]>([
    ['is its own target for a third, on one of three nodes', { address: 'host name' }, 1 / 3],
    [
      'is its own target for half, as one of two pods',
      { address: 'proxy', balancer: TO_PODS, pods: pods('n1 n2') },
      1 / 2,
    ],
    [
      'reaches itself where the balancer connects by itself',
      { address: 'host name', balancer: balancer({ clientAddress: ClientAddressMeans.NONE }) },
      0,
    ],
  ])('%s', (_, more, fails) => {
    expect(known(more).inCluster.toBalancer).toMatchObject({ leaves: true, fails: { value: fails } });
  });

  test('needs to know how the balancer is reached', () => {
    expect(known().inCluster.toBalancer).toHaveProperty('unknown');
  });

  test('reaches no cluster IP from a node without a pod with internal policy Local', () => {
    expect(known().inCluster.withoutClusterIp).toEqual([]);
    const service = { ...SERVICE, internalTrafficPolicy: TrafficPolicy.LOCAL };
    expect(known({ service }).inCluster.withoutClusterIp).toEqual(['n3']);
  });
});

test.each<[string, Partial<TrafficInput>, string]>([
  ['to pods', { balancer: TO_PODS }, 'sessionAffinity is kept by kube-proxy, which connections to pods do not pass'],
  ['to nodes', {}, 'each node remembers clients by itself; one that arrives through another node gets another pod'],
])('session affinity %s is less than it seems', (_, more, note) => {
  expect(known({ ...more, service: { ...SERVICE, sessionAffinity: true } }).notes).toEqual([note]);
});

test('a path without nodes says what it needs', () => {
  expect(pathOf(input({ nodes: [] }))).toEqual({ unknown: 'needs the nodes of the cluster; the list is empty' });
});
