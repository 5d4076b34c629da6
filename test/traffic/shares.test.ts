import { BalancerChoice, BalancerTarget } from '../../src/contract/made-balancer';
import { isUnknown } from '../../src/traffic/fraction';
import type { TrafficInput } from '../../src/traffic/input';
import { type Shares, sharesOf } from '../../src/traffic/shares';
import { balancer, input, LOCAL, nodes, pods, SERVICE, SERVICE_HEALTH } from './inputs';

/** The shares of an input that has some. */
function known(more: Partial<TrafficInput> = {}): Shares {
  const shares = sharesOf(input(more));
  if (isUnknown(shares)) {
    throw new Error(shares.unknown);
  }
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
  ])('%s', (_, more, expected) => {
    expect(percents(known(more))).toEqual(expected);
  });
});
