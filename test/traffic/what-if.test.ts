import { BalancerTarget } from '../../src/contract/made-balancer';
import { alternativeInWords, sharesInWords, todayInWords } from '../../src/traffic/in-words';
import type { TrafficInput } from '../../src/traffic/input';
import { pathOf } from '../../src/traffic/path';
import { type Alternatives, type Variant, whatIf } from '../../src/traffic/what-if';
import { balancer, input, LOCAL, nodes, pods, SERVICE_HEALTH } from './inputs';

const CLUSTER_CHECK = { answeredBy: 'kube-proxy', protocol: 'HTTP', port: '10256', path: '/healthz' } as const;
const TODAY = { balancer: balancer({ healthCheck: CLUSTER_CHECK }) };
const IP = balancer({ target: BalancerTarget.POD });

function lines(more: Partial<TrafficInput>, variants: readonly Variant[], alternatives?: Alternatives): string[] {
  return whatIf(input(more), variants, alternatives).map(alternativeInWords);
}

function today(more: Partial<TrafficInput>): string {
  return todayInWords(input(more), pathOf(input(more)));
}

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

test.each<[Variant, Partial<TrafficInput>, string[]]>([
  ['local', TODAY, ['spec.externalTrafficPolicy: Local']],
  ['local', { service: LOCAL }, []],
  ['cluster', { service: LOCAL }, ['spec.externalTrafficPolicy: Cluster']],
  ['ip', { balancer: IP }, []],
  ['spread', TODAY, ['topologySpreadConstraints over nodes, maxSkew 1, DoNotSchedule']],
  [
    'pinned',
    TODAY,
    [
      'spec.externalTrafficPolicy: Local',
      'node affinity for the nodes of the balancer',
      'topologySpreadConstraints over nodes, maxSkew 1, DoNotSchedule',
    ],
  ],
])('%s: what changes in the manifests is said', (variant, more, changes) => {
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

test.each([
  [[0.5, 0.25, 0.25], '50 % / 25 % / 25 %'],
  [[0, 1, 0], '100 % / 0 % / 0 %'],
  [[0.5, 0.5], '50 % each'],
  [[0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], '40 % to 10 %'],
  [[0.999, 0.001], '99.9 % / 0.1 %'],
])('%j is %s', (shares, words) => {
  const list = shares.map((share, index) => ({ name: `${index}`, share, exact: '', node: 'n1', terms: [] }));
  expect(sharesInWords({ pods: list })).toBe(words);
});
