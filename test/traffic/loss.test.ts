import * as fc from 'fast-check';
import { BalancerChoice, BalancerTarget } from '../../src/contract/load-balancer-model';
import { TrafficPolicy } from '../../src/contract/options';
import { isUnknown } from '../../src/traffic/fraction';
import { alternativeInWords, sharesInWords, todayInWords } from '../../src/traffic/in-words';
import type { TrafficInput, TrafficNode, TrafficPod } from '../../src/traffic/input';
import { pathOf } from '../../src/traffic/path';
import { type Shares, sharesOf } from '../../src/traffic/shares';
import { type Alternatives, lossOf, type Variant, whatIf } from '../../src/traffic/what-if';
import { tries } from '../support/random';
import { casesIn, table } from '../support/yaml-cases';
import { balancer, input, LOCAL, nodes, pods, SERVICE, SERVICE_HEALTH } from './inputs';

describe('the loss', () => {
  test('of a node takes what arrives through it and what ends in it, policy Cluster', () => {
    expect(lossOf(input(), 'node', 'n2')).toMatchObject({
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
    expect(lossOf(input(), 'node', 'n3')).toMatchObject({
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
    expect(lossOf(input(local), 'node', 'n3')).toMatchObject({
      broken: { value: 0 },
      unnoticed: { value: 20, terms: '2 failures × 10 s' },
    });
  });

  test('of the last node leaves words', () => {
    expect(lossOf(input({ nodes: nodes('n1'), pods: pods('n1') }), 'node', 'n1')).toMatchObject({
      broken: { value: 1 },
      unnoticed: { unknown: 'needs the interval and the failures of the health check' },
      after: { unknown: 'needs the nodes of the cluster; the list is empty' },
    });
  });

  const ZONES = { nodes: nodes('a1 b1 b2'), pods: pods('a1 b1 b2') };

  test('of a zone takes its nodes', () => {
    const apart = { ...ZONES, service: LOCAL, balancer: balancer({ crossZone: false }) };
    expect(lossOf(input(apart), 'zone', 'b')).toMatchObject({
      pods: ['pod-1', 'pod-2'],
      broken: { value: 1 / 2 },
      after: { pods: [{ share: 1 }] },
    });
  });

  test('of a zone takes also the clients that found the balancer in it, across zones', () => {
    const across = { ...ZONES, service: LOCAL, balancer: balancer({ crossZone: true }) };
    const loss = lossOf(input(across), 'zone', 'b');
    expect(loss).toMatchObject({
      broken: { value: expect.closeTo(1 - (1 / 2) * (1 / 3), 12), terms: '1 − (1 − 1/2 of the balancer) × (1 − 2/3)' },
      after: { pods: [{ share: 1 }] },
    });
  });

  test.each([
    ['an unlisted node', lossOf(input(), 'node', 'n9'), 'needs node n9 in the list of nodes'],
    ['an unlisted zone', lossOf(input(), 'zone', 'z'), 'needs a node in zone z'],
    [
      'a node of no cluster',
      lossOf(input({ nodes: [] }), 'node', 'n1'),
      'needs the nodes of the cluster; the list is empty',
    ],
    [
      'a zone of no cluster',
      lossOf(input({ nodes: [] }), 'zone', 'z'),
      'needs the nodes of the cluster; the list is empty',
    ],
  ])('of %s: what is needed is said', (_, loss, unknown) => expect(loss).toEqual({ unknown }));
});

/** The shares of an input that has some. */
function known(more: Partial<TrafficInput> = {}): Shares {
  const shares = sharesOf(input(more));
  if (isUnknown(shares)) throw new Error(shares.unknown);
  return shares;
}

const percents = ({ pods: shares }: Shares) => shares.map(({ share }) => Math.round(share * 1000) / 10);

describe('pods have', () => {
  const local = { service: LOCAL, balancer: balancer({ healthCheck: SERVICE_HEALTH }) };
  const zonal = { balancer: balancer({ crossZone: false, healthCheck: SERVICE_HEALTH }) };
  const one = {
    service: LOCAL,
    balancer: balancer({ target: BalancerTarget.NODE_WITH_ADDRESS, choice: BalancerChoice.ONE }),
  };

  test.each<[string, Partial<TrafficInput>, number[]]>([
    ['even shares with policy Cluster', {}, [33.3, 33.3, 33.3]],
    ['50 / 25 / 25 with three pods on two nodes and policy Local', local, [50, 25, 25]],
    ['100 / 0 / 0 where one node has the address and policy is Local', { ...one, pods: pods('n1 n2 n3') }, [100, 0, 0]],
    [
      'even shares where one node has the address and policy is Cluster',
      { ...one, service: SERVICE },
      [33.3, 33.3, 33.3],
    ],
    ['even shares with policy Local once each node has one', { ...local, pods: pods('n1 n2 n3') }, [33.3, 33.3, 33.3]],
    [
      'even shares with policy Local where the balancer weighs nodes by their pods',
      { service: LOCAL, balancer: balancer({ healthCheck: SERVICE_HEALTH, weighedByPods: true }) },
      [33.3, 33.3, 33.3],
    ],
    ['even shares as targets', { balancer: balancer({ target: BalancerTarget.POD }) }, [33.3, 33.3, 33.3]],
    [
      'the share of their zone where zones do not cross',
      { ...zonal, service: LOCAL, nodes: nodes('a1 b1 b2'), pods: pods('a1 b1 b2 b2') },
      [50, 25, 12.5, 12.5],
    ],
    [
      'the share of their zone as targets where zones do not cross',
      {
        balancer: balancer({ target: BalancerTarget.POD, crossZone: false }),
        nodes: nodes('a1 b1 b2'),
        pods: pods('a1 b1 b2 b2'),
      },
      [50, 16.7, 16.7, 16.7],
    ],
    [
      'what enters their zone, with PreferSameZone',
      {
        service: { ...SERVICE, trafficDistribution: 'PreferSameZone' },
        nodes: nodes('a1 a2 b1 c1'),
        pods: pods('a1 b1 b1'),
      },
      // zone c has none: a quarter goes anywhere
      [58.3, 20.8, 20.8],
    ],
    [
      'what enters their node, with PreferSameNode',
      { service: { ...SERVICE, trafficDistribution: 'PreferSameNode' }, nodes: nodes('n1 n2'), pods: pods('n1 n2 n2') },
      [50, 25, 25],
    ],
    [
      'nothing on nodes that the balancer does not know, with policy Local',
      { ...local, nodes: [...nodes('n1'), ...nodes('n2', { excluded: true })] },
      [100, 0, 0],
    ],
    [
      'nothing when they terminate',
      { pods: [...pods('n1 n2'), { name: 'old', node: 'n2', ready: true, terminating: true }] },
      [50, 50, 0],
    ],
    ['everything when all terminate', { pods: pods('n1 n2', { terminating: true }) }, [50, 50]],
  ])('%s', (_, more, expected) => expect(percents(known(more))).toEqual(expected));
});

const CLUSTER_CHECK = { answeredBy: 'kube-proxy', protocol: 'HTTP', port: '10256', path: '/healthz' } as const;
const TODAY = { balancer: balancer({ healthCheck: CLUSTER_CHECK }) };
const IP = balancer({ target: BalancerTarget.POD });

function lines(more: Partial<TrafficInput>, variants: readonly Variant[], alternatives?: Alternatives): string[] {
  return whatIf(input(more), variants, alternatives).map(alternativeInWords);
}

const today = (more: Partial<TrafficInput>): string => todayInWords(input(more), pathOf(input(more)));

test('three pods on two of three nodes, side by side', () => {
  expect([today(TODAY), ...lines(TODAY, ['local', 'ip', 'pinned', 'spread', 'cluster'], { ip: IP })]).toEqual([
    'today (Cluster, targets are nodes): second hop for 2 of 3 connections, client address lost at the node; a connection also dies with the node in the middle',
    'Local: 50 % / 25 % / 25 % per pod (3 pods on 2 nodes); no second hop, client address kept; node n3 fails the health check, as it should (no ready pod on it, so /healthz answers 503)',
    'pods as targets: 33 % each; no second hop, client address kept',
    'pinned to the nodes of the balancer: 33 % each; no second hop, client address kept',
    'spread over nodes: second hop for 2 of 3 connections, client address lost at the node; a connection also dies with the node in the middle',
    'Cluster: second hop for 2 of 3 connections, client address lost at the node; a connection also dies with the node in the middle',
  ]);
});

test.each<[Variant, Partial<TrafficInput>, string[]]>(
  table('traffic/loss.yaml', 'what changes in the manifests is said', { TODAY, LOCAL, IP }),
)('%s: what changes in the manifests is said', (variant, more, changes) => {
  expect(whatIf(input(more), [variant])).toMatchObject([{ variant, changes }]);
});

test('pods are pinned to the nodes that the balancer knows alone', () => {
  const pools = [...nodes('n1 n2', { labels: { pool: 'one' } }), ...nodes('n3 n4', { labels: { pool: 'two' } })];
  const elsewhere = {
    service: LOCAL,
    nodes: pools,
    balancer: balancer({ nodeLabels: { pool: 'two' }, healthCheck: SERVICE_HEALTH }),
  };
  expect(today(elsewhere)).toContain('100 % answered by no pod: no target is healthy');
  expect(whatIf(input(elsewhere), ['pinned'])).toMatchObject([
    { path: { shares: { dropped: { value: 0 }, pods: [{ node: 'n3' }, { node: 'n4' }, { node: 'n3' }] } } },
  ]);
});

test('a Service that leaves Local has the health check of the nodes again', () => {
  const local = { service: LOCAL, balancer: balancer({ healthCheck: SERVICE_HEALTH }) };
  expect(whatIf(input(local), ['cluster'])).toMatchObject([
    { path: { shares: { targets: [{ state: 'healthy' }, { state: 'healthy' }, { state: 'healthy' }] } } },
  ]);
});

test.each<[Variant, Partial<TrafficInput>, Alternatives, string]>([
  ['ip', {}, {}, 'Acme Balancer is not known to have pods as targets'],
  ['ip', {}, { ip: { cannot: 'it knows node ports alone' } }, 'it knows node ports alone'],
  ['local', {}, { local: { cannot: 'it has Cluster alone' } }, 'it has Cluster alone'],
  ['local', { balancer: IP }, {}, 'the targets are pods, which externalTrafficPolicy Local does not concern'],
  ['spread', { nodes: nodes('n1', { ready: false }) }, {}, 'there is no node that is ready, or no pod'],
  [
    'pinned',
    { nodes: nodes('n1 n2', { excluded: true }), pods: pods('n1') },
    {},
    'the balancer knows no node that is ready',
  ],
  ['pinned', { nodes: [] }, {}, 'needs the nodes of the cluster; the list is empty'],
])('%s cannot be where that is so', (variant, more, alternatives, cannot) => {
  expect(whatIf(input(more), [variant], alternatives)).toEqual([{ variant, cannot }]);
});

test('what a controller makes of the changed Service goes before what is derived', () => {
  const given = balancer({ name: 'Other Balancer' });
  expect(whatIf(input(), ['local'], { local: given })).toMatchObject([
    { path: { hops: [{ name: 'client' }, { name: 'Other Balancer' }, {}, {}, {}] } },
  ]);
});

test('what cannot be computed is said in words', () => {
  expect(lines({}, ['ip'])).toEqual(['pods as targets: cannot: Acme Balancer is not known to have pods as targets']);
  expect(today({ nodes: [] })).toBe(
    'today (Cluster, targets are nodes): needs the nodes of the cluster; the list is empty',
  );
});

test('parts of many nodes are said in percent', () => {
  const many = Array.from({ length: 30 }, (_, index) => `n${index}`).join(' ');
  expect(today({ nodes: nodes(many), pods: pods(many) })).toContain('second hop for 97 % of connections');
});

test.each<[number[], string]>(casesIn(__dirname, 'loss.yaml')['rows is'])('%j is %s', (shares, words) => {
  const list = shares.map((share, index) => ({ name: `${index}`, share, exact: '', node: 'n1', terms: [] }));
  expect(sharesInWords({ pods: list })).toBe(words);
});

describe('properties', () => {
  /** The same clusters each time. */
  const SEED = { seed: 20261123, numRuns: tries(300) };

  const HEALTH = [undefined, 'kube-proxy', 'kube-proxy-of-service', 'pod'] as const;

  const balancers = fc
    .record({
      target: fc.constantFrom(...Object.values(BalancerTarget)),
      choice: fc.constantFrom(BalancerChoice.EVEN, BalancerChoice.EVEN, BalancerChoice.ONE),
      crossZone: fc.constantFrom(undefined, true, false),
      answeredBy: fc.constantFrom(...HEALTH),
    })
    .map(({ answeredBy, ...more }) =>
      balancer({
        ...more,
        ...(answeredBy ? { healthCheck: { answeredBy, protocol: 'TCP', port: 'traffic port' } } : {}),
      }),
    );

  const services = fc
    .record({
      externalTrafficPolicy: fc.constantFrom(...Object.values(TrafficPolicy)),
      trafficDistribution: fc.constantFrom(undefined, 'PreferSameZone' as const, 'PreferSameNode' as const),
      publishNotReadyAddresses: fc.boolean(),
    })
    .map((more) => ({ ...SERVICE, ...more }));

  const usually = fc.integer({ min: 0, max: 5 }).map((drawn) => drawn > 0);

  function nodesOf(zoned: boolean): fc.Arbitrary<TrafficNode[]> {
    const node = fc.record({ zone: fc.constantFrom('a', 'b', 'c'), ready: usually, isIn: usually });
    return fc.array(node, { minLength: 1, maxLength: 7 }).map((drawn) =>
      drawn.map(({ zone, ready, isIn }, index) => ({
        name: `node-${index}`,
        ...(zoned ? { zone } : {}),
        labels: {},
        taints: [],
        ready,
        excluded: !isIn,
      })),
    );
  }

  function podsOn(nodes: readonly TrafficNode[]): fc.Arbitrary<TrafficPod[]> {
    const pod = fc.record({ node: fc.constantFrom(...nodes.map(({ name }) => name)), ready: usually, stays: usually });
    return fc
      .array(pod, { minLength: 1, maxLength: 9 })
      .map((drawn) =>
        drawn.map(({ node, ready, stays }, index) => ({ name: `pod-${index}`, node, ready, terminating: !stays })),
      );
  }

  const inputs: fc.Arbitrary<TrafficInput> = fc
    .boolean()
    .chain(nodesOf)
    .chain((nodes) =>
      fc.record({ nodes: fc.constant(nodes), pods: podsOn(nodes), balancer: balancers, service: services }),
    );

  function known(input: TrafficInput): Shares {
    const shares = sharesOf(input);
    if (isUnknown(shares)) throw new Error(shares.unknown);
    return shares;
  }

  const total = (shares: readonly { share: number }[]) => shares.reduce((sum, { share }) => sum + share, 0);

  /** All numbers in a tree. */
  function numbersIn(value: unknown): number[] {
    if (typeof value === 'number') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
  }

  function holds(law: (input: TrafficInput) => void): void {
    fc.assert(fc.property(inputs, law), SEED);
  }

  test('pods and what no pod answers are 1 together, and so are the nodes that connections arrive at, unless no target is healthy', () => {
    holds((input) => {
      const { pods, nodes, dropped, targets } = known(input);
      expect(total(pods) + dropped.value).toBeCloseTo(1, 12);
      const healthy = targets.some(({ state }) => state === 'healthy');
      expect(total(nodes.map(({ enters }) => enters))).toBeCloseTo(healthy ? 1 : 0, 12);
      expect(dropped.terms === 'no target is healthy').toBe(!healthy);
    });
  });

  test('zones are 1 together with what no pod answers, where nodes have one', () => {
    holds((input) => {
      const { zones, dropped } = known(input);
      expect(zones.length === 0 ? 1 : total(zones.map(({ ends }) => ends)) + dropped.value).toBeCloseTo(1, 12);
    });
  });

  test('no figure is less than nothing, infinite or not a number, and parts are at most the whole', () => {
    holds((input) => {
      const { imbalance, ...shares } = known(input);
      const numbers = numbersIn(shares);
      expect(numbers.filter((value) => !(value >= 0 && value <= 1))).toEqual([]);
      // the highest is at least what is answered, divided evenly
      expect(isUnknown(imbalance) ? 1 : imbalance.value).toBeGreaterThanOrEqual(1 - shares.dropped.value - 1e-12);
    });
  });

  test('the order of nodes and pods changes no share', () => {
    holds((input) => {
      const turned = known({ ...input, nodes: [...input.nodes].reverse(), pods: [...input.pods].reverse() });
      const byName = (shares: Shares) => [
        new Map(shares.pods.map(({ name, exact }) => [name, exact])),
        new Map(shares.nodes.map(({ name, enters, ends }) => [name, [enters.exact, ends.exact]])),
        shares.secondHop.value,
        shares.crossings,
      ];
      expect(byName(turned)).toEqual(byName(known(input)));
    });
  });

  test('what breaks with a node is at most what arrives and ends, and at least either', () => {
    holds((input) => {
      const { nodes, zones } = known(input);
      const wrong = [...nodes, ...zones].filter(
        ({ enters, ends, touches }) =>
          touches.share > enters.share + ends.share + 1e-12 ||
          touches.share < Math.max(enters.share, ends.share) - 1e-12,
      );
      expect(wrong).toEqual([]);
    });
  });

  test('losing a node leaves at most the whole to the others', () => {
    holds((input) => {
      for (const { name } of input.nodes) {
        const without = {
          ...input,
          nodes: input.nodes.filter((node) => node.name !== name),
          pods: input.pods.filter(({ node }) => node !== name),
        };
        const shares = sharesOf(without);
        expect(isUnknown(shares) ? 0 : total(shares.pods)).toBeLessThanOrEqual(1 + 1e-12);
      }
    });
  });

  test('with policy Local there is no second hop, and with targets that are pods neither', () => {
    holds((input) => {
      const { secondHop } = known(input);
      const direct = input.balancer?.target === BalancerTarget.POD;
      const isLocal = input.service.externalTrafficPolicy === TrafficPolicy.LOCAL;
      expect(direct || isLocal ? secondHop.value : 0).toBe(0);
    });
  });
});
