import { Confidence } from '../../src/contract/kubernetes.facts';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../src/contract/load-balancer-model';
import { TrafficPolicy } from '../../src/contract/options';
import { isUnknown } from '../../src/traffic/fraction';
import { sharesOf } from '../../src/traffic/shares';
import { freePorts } from '../real/program';
import { answer, newScene, objects, rendered } from './harness/scene';

// How a real HAProxy shares connections among pods, held against the model's even choice.

const HAPROXY = process.env.HAPROXY ?? 'haproxy';
const CONNECTIONS = 3000;
const AT_ONCE = 30;
const PODS = ['pod-0', 'pod-1', 'pod-2'];

const scene = newScene();

/** What the model expects of a balancer that connects to pods. */
function expectedShares(choice: BalancerChoice): number[] {
  const shares = sharesOf({
    service: {
      name: 'team-a/db',
      type: 'ClusterIP',
      externalTrafficPolicy: TrafficPolicy.CLUSTER,
      internalTrafficPolicy: TrafficPolicy.CLUSTER,
      sessionAffinity: false,
      publishNotReadyAddresses: false,
      ports: 1,
    },
    balancer: {
      product: 'haproxy',
      name: 'HAProxy',
      target: BalancerTarget.POD,
      choice,
      clientAddress: ClientAddressMeans.NONE,
      listeners: 1,
      publicAddresses: { count: 0, perZone: false },
      limits: [],
      source: { repository: 'haproxy/haproxy', version: 'v2.6.0', file: 'doc/configuration.txt' },
      confidence: Confidence.SOURCE,
    },
    nodes: [{ name: 'node', labels: {}, taints: [], ready: true, excluded: false }],
    pods: PODS.map((name) => ({ name, node: 'node', ready: true, terminating: false })),
  });
  if (isUnknown(shares)) {
    throw new Error(shares.unknown);
  }
  return shares.pods.map(({ share }) => share);
}

/** The share of each pod in the connections to a tenant's port. */
async function countedShares(balance: string, connections = CONNECTIONS): Promise<number[]> {
  const listening = await Promise.all(PODS.map((pod) => scene.named(pod)));
  const [port] = await freePorts(1);
  const { configuration } = rendered(objects([{ name: 'team-a', port }], false), {
    'infra/shared-tenants': '',
    'team-a/db': '',
    'team-a/db:5432': listening.join(' '),
  });
  expect(configuration.match(/^ +server SRV_/gm)).toHaveLength(PODS.length);
  await scene.start(HAPROXY, configuration.replace(/^( +)(server SRV_1 )/m, `$1${balance}$1$2`), [port]);
  const counts = new Map<string, number>();
  const one = async () => {
    const { socket, said } = await answer(port);
    socket.destroy();
    counts.set(said, (counts.get(said) ?? 0) + 1);
  };
  for (let done = 0; done < connections; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }
  return PODS.map((pod) => (counts.get(pod) ?? 0) / connections);
}

test.each([
  ['what it does where nothing is said', ''],
  ['roundrobin', 'balance roundrobin\n'],
  ['leastconn', 'balance leastconn\n'],
])(`%s: ${CONNECTIONS} connections are shared evenly, within 1 %`, async (_, balance) => {
  const shares = await countedShares(balance);
  expectedShares(BalancerChoice.EVEN).forEach((share, pod) => {
    expect(Math.abs(shares[pod] - share)).toBeLessThan(0.01);
  });
});

test('the first server that has room is another choice, and the model says so', async () => {
  const [first, ...others] = await countedShares('balance first\n', 300);
  expect(first).toBeGreaterThan(0.99);
  expect(Math.max(...others)).toBeLessThan(0.01);
  expect(expectedShares(BalancerChoice.ONE)).toEqual([1, 0, 0]);
});
