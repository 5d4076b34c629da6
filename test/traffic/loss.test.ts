import { lossOf } from '../../src/traffic/what-if';
import { balancer, input, LOCAL, nodes, pods, SERVICE_HEALTH } from './inputs';

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
  ])('of %s: what is needed is said', (_, loss, unknown) => {
    expect(loss).toEqual({ unknown });
  });
});
