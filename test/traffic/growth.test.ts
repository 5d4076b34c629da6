import { BalancerChoice, type BalancerLimit, BalancerTarget } from '../../src/contract/made-balancer';
import { isUnknown } from '../../src/traffic/figure';
import { type GrowthOfService, growthOf } from '../../src/traffic/growth';
import { lossOfNode, lossOfZone } from '../../src/traffic/loss';
import { IPTABLES_BASE, ruleCountsOf } from '../../src/traffic/rule-counts';
import type { TrafficInput } from '../../src/traffic/traffic-input';
import { balancer, input, LOCAL, nodes, pods, SERVICE, SERVICE_HEALTH } from './inputs';

const SOURCE = { repository: 'acme/balancer', version: 'v1', file: 'limits.md' };

function limit(counts: BalancerLimit['counts'], number: number, each?: number): BalancerLimit {
  return { counts, name: `${counts} of a balancer`, limit: number, ...(each ? { each } : {}), source: SOURCE };
}

function known(more: Partial<TrafficInput>): GrowthOfService {
  const growth = growthOf(input(more));
  if (isUnknown(growth)) {
    throw new Error(growth.unknown);
  }
  return growth;
}

describe('rules of kube-proxy', () => {
  // its own counts less the external address and, for the first column, what it has without Services:
  // kubernetes/kubernetes v1.36.3, pkg/proxy/iptables/number_generated_rules_test.go
  test.each([
    [1, 17, 5],
    [2, 20, 5],
    [10, 44, 5],
  ])('in iptables mode for %i pods, an address and a range are %i of nat and %i of filter', (count, nat, filter) => {
    const { iptables } = ruleCountsOf({ service: { ...SERVICE, sourceRanges: 1 }, pods: count, localPods: 0, vips: 1 });
    expect([iptables.nat + IPTABLES_BASE.nat, iptables.filter + IPTABLES_BASE.filter]).toEqual([nat, filter]);
  });

  test.each([
    [1, 10, 4],
    [2, 13, 4],
    [10, 37, 4],
  ])('in iptables mode for %i pods behind a cluster IP are %i of nat and %i of filter', (count, nat, filter) => {
    const { iptables } = ruleCountsOf({
      service: { ...SERVICE, type: 'ClusterIP' },
      pods: count,
      localPods: 0,
      vips: 0,
    });
    expect([iptables.nat + IPTABLES_BASE.nat, iptables.filter + IPTABLES_BASE.filter]).toEqual([nat, filter]);
  });

  test('in nftables mode grow with no pod, but their elements do', () => {
    const counts = [100, 500, 10_000].map((count) =>
      ruleCountsOf({ service: SERVICE, pods: count, localPods: 0, vips: 0 }),
    );
    expect(counts.map(({ nftables }) => nftables)).toEqual([
      { rules: 3, elements: 103 },
      { rules: 3, elements: 503 },
      { rules: 3, elements: 10_003 },
    ]);
  });

  test('are one of the filter in place of those of the cluster IP, where policy Local inside finds no pod on the node', () => {
    const service = { ...SERVICE, internalTrafficPolicy: LOCAL.externalTrafficPolicy, ports: 2 };
    const [without, one] = [0, 1].map((localPods) => ruleCountsOf({ service, pods: 4, localPods, vips: 0 }).iptables);
    expect(without.filter - one.filter).toBe(2);
    // and the one that leads to the pod
    expect(one.nat - without.nat).toBe(2 * (2 + 1));
  });

  test('one cluster IP is in the set of cluster IPs, however many ports there are', () => {
    const elements = [1, 2, 3].map(
      (ports) => ruleCountsOf({ service: { ...SERVICE, ports }, pods: 4, localPods: 0, vips: 0 }).nftables.elements,
    );
    expect(elements).toEqual([7, 13, 19]);
  });

  test('grow with ports, and with session affinity', () => {
    const subject = { pods: 10, localPods: 2, vips: 0 };
    const plain = ruleCountsOf({ ...subject, service: LOCAL });
    expect(ruleCountsOf({ ...subject, service: { ...LOCAL, ports: 3 } }).iptables.nat).toBe(3 * plain.iptables.nat);
    const sticky = ruleCountsOf({ ...subject, service: { ...LOCAL, sessionAffinity: true } });
    expect(sticky.iptables.nat).toBe(plain.iptables.nat + 12);
    expect(sticky.nftables.rules).toBe(plain.nftables.rules + 32);
  });
});

describe('as pods grow', () => {
  test('the entries of a node count arriving and ending connections with policy Cluster, and those that do both once', () => {
    const { steps } = known({});
    expect(steps.map(({ pods: count, nodes: on, entries }) => [count, on, entries.value])).toEqual([
      [100, 3, 5556],
      [500, 5, 18_000],
      [10_000, 91, 21_858],
    ]);
    expect(steps[1]?.entries.terms).toBe('50000 connections × (1/5 arriving + 1/5 ending − 1/25 both)');
  });

  test('each connection is on one node alone with policy Local, and with pods as targets', () => {
    const on = (more: Partial<TrafficInput>) => known(more).steps.map(({ entries }) => entries.value);
    expect(on({ service: LOCAL })).toEqual([3334, 10_000, 10_990]);
    expect(on({ balancer: balancer({ target: BalancerTarget.POD }) })).toEqual([3334, 10_000, 10_990]);
  });

  test('one node with the address has an entry for every connection, and is full first', () => {
    const one = balancer({ target: BalancerTarget.NODE_WITH_ADDRESS, choice: BalancerChoice.ONE });
    const { steps } = known({ balancer: one });
    expect(steps.map(({ entries, isFull }) => [entries.value, isFull])).toEqual([
      [10_000, false],
      [50_000, false],
      [1_000_000, true],
    ]);
    expect(steps[0]?.place).toEqual({ value: 131_072, terms: '32768 × 4 cores, at least 131072' });
  });

  test('the limit that is met first is named, in nodes or in pods', () => {
    const limits = [limit('targets', 200), limit('rules', 60, 2), limit('listeners', 50)];
    const { first, limits: all, steps } = known({ balancer: balancer({ limits }) });
    expect(first).toMatchObject({ of: 'nodes', at: { value: 30, terms: '60 ÷ 2 each' } });
    expect(all.map(({ of, at }) => [of, at.value])).toEqual([
      ['nodes', 30],
      ['nodes', 200],
      ['ports', 50],
    ]);
    expect(steps.map(({ beyond }) => beyond.map(({ name }) => name))).toEqual([[], [], ['rules of a balancer']]);
    const toPods = known({ balancer: balancer({ limits, target: BalancerTarget.POD }) });
    expect(toPods.first).toMatchObject({ of: 'pods', at: { value: 30 } });
  });

  test('of no controller needs it', () => {
    const unknown = 'needs the controller that serves Service shop/edge';
    expect(growthOf(input({ balancer: undefined }))).toEqual({ unknown });
  });
});

describe('the loss', () => {
  test('of a node takes what arrives through it and what ends in it, policy Cluster', () => {
    expect(lossOfNode(input(), 'n2')).toMatchObject({
      lost: 'node n2',
      pods: ['pod-1', 'pod-2'],
      through: { value: 1 / 3 },
      ending: { value: 2 / 3 },
      // 1/3 + 2/3 − 1/3 × 2/3
      broken: { value: expect.closeTo(7 / 9, 12) },
      after: { pods: [{ name: 'pod-0', share: 1 }] },
    });
  });

  test('of a node without a pod takes connections of pods elsewhere, policy Cluster', () => {
    expect(lossOfNode(input(), 'n3')).toMatchObject({
      pods: [],
      broken: { value: 1 / 3 },
      ending: { value: 0 },
      after: { secondHop: { value: 1 / 2 } },
    });
  });

  test('of a node without a pod takes nothing, policy Local', () => {
    const local = {
      service: LOCAL,
      balancer: balancer({ healthCheck: { ...SERVICE_HEALTH, interval: 10, failures: 2 } }),
    };
    expect(lossOfNode(input(local), 'n3')).toMatchObject({
      broken: { value: 0 },
      unnoticed: { value: 20, terms: '2 failures × 10 s' },
    });
  });

  test('of the last node leaves words', () => {
    expect(lossOfNode(input({ nodes: nodes('n1'), pods: pods('n1') }), 'n1')).toMatchObject({
      broken: { value: 1 },
      unnoticed: { unknown: 'needs the interval and the failures of the health check' },
      after: { unknown: 'needs the nodes of the cluster; the list is empty' },
    });
  });

  const ZONES = { nodes: nodes('a1 b1 b2'), pods: pods('a1 b1 b2') };

  test('of a zone takes its nodes', () => {
    const apart = { ...ZONES, service: LOCAL, balancer: balancer({ crossZone: false }) };
    expect(lossOfZone(input(apart), 'b')).toMatchObject({
      pods: ['pod-1', 'pod-2'],
      broken: { value: 1 / 2 },
      after: { pods: [{ share: 1 }] },
    });
  });

  test('of a zone takes also the clients that found the balancer in it, across zones', () => {
    const across = { ...ZONES, service: LOCAL, balancer: balancer({ crossZone: true }), balancerZones: ['a', 'b'] };
    const loss = lossOfZone(input(across), 'b');
    expect(loss).toMatchObject({
      broken: { value: expect.closeTo(1 - (1 / 2) * (1 / 3), 12), terms: '1 − (1 − 1/2 of the balancer) × (1 − 2/3)' },
      after: { pods: [{ share: 1 }] },
    });
  });

  test.each([
    ['an unlisted node', lossOfNode(input(), 'n9'), 'needs node n9 in the list of nodes'],
    ['an unlisted zone', lossOfZone(input(), 'z'), 'needs a node in zone z'],
    [
      'a node of no cluster',
      lossOfNode(input({ nodes: [] }), 'n1'),
      'needs the nodes of the cluster; the list is empty',
    ],
    [
      'a zone of no cluster',
      lossOfZone(input({ nodes: [] }), 'z'),
      'needs the nodes of the cluster; the list is empty',
    ],
  ])('of %s: what is needed is said', (_, loss, unknown) => {
    expect(loss).toEqual({ unknown });
  });
});
