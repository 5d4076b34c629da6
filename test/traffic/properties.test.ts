import * as fc from 'fast-check';
import { BalancerChoice, BalancerTarget } from '../../src/contract/made-balancer';
import { TrafficPolicy } from '../../src/contract/options';
import { isUnknown } from '../../src/traffic/fraction';
import type { TrafficInput, TrafficNode, TrafficPod } from '../../src/traffic/input';
import { type Shares, sharesOf } from '../../src/traffic/shares';
import { tries } from '../support/random';
import { balancer, SERVICE } from './inputs';

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
  if (isUnknown(shares)) {
    throw new Error(shares.unknown);
  }
  return shares;
}

const total = (shares: readonly { share: number }[]) => shares.reduce((sum, { share }) => sum + share, 0);

/** All numbers in a tree. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') {
    return [value];
  }
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
        touches.share > enters.share + ends.share + 1e-12 || touches.share < Math.max(enters.share, ends.share) - 1e-12,
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
