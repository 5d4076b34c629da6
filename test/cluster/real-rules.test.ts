import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrafficPolicy } from '../../src/contract/options';
import { count, shellBlocks } from '../real/program';

import { CLIENT, clusterOf, NODES, plainService } from './rules/generated-cluster';
import { MODES, Network, type WrittenRules, writtenRules } from './rules/network';

// The rules of kube-proxy in the kernel of this machine, in network namespaces: a client, five nodes, and pods behind them.

const CONNECTIONS = 10_000;

/** Four standard deviations of a share of a half in so many connections. */
const TOLERANCE = 0.02;

const FIVE = plainService(
  0,
  TrafficPolicy.CLUSTER,
  NODES.map(({ name }) => name),
);
const UNEVEN = plainService(1, TrafficPolicy.LOCAL, ['node-1', 'node-2', 'node-2']);

/** What docs/uneven-traffic.md looks at on a node. */
const onNode = shellBlocks(readFileSync(join(__dirname, '..', '..', 'docs', 'uneven-traffic.md'), 'utf8')).get(5) ?? [];

let written: Record<string, WrittenRules>;

beforeAll(() => {
  written = writtenRules(clusterOf([FIVE, UNEVEN]));
});

describe.each(MODES)('%s', (mode) => {
  let network: Network;

  beforeAll(async () => {
    network = new Network([FIVE, UNEVEN], written, mode);
    await network.start();
  });

  afterAll(() => network?.stop());

  const shares = (pods: Readonly<Record<string, number>>, service: typeof FIVE) =>
    service.pods.map(({ ip }) => (pods[ip] ?? 0) / CONNECTIONS);

  const near = (share: number) => ({ asymmetricMatch: (seen: number) => Math.abs(seen - share) < TOLERANCE });

  test(`policy Cluster: ${CONNECTIONS} connections to one node reach five pods evenly, which see nodes`, async () => {
    const { pods, seen } = await network.count(FIVE, NODES.slice(0, 1), CONNECTIONS);
    count('connections counted through rules in the kernel', CONNECTIONS);
    expect(shares(pods, FIVE)).toEqual(FIVE.pods.map(() => near(0.2)));
    // of node-1: towards other nodes, and towards its own pods
    expect([...seen].sort()).toEqual(['10.244.1.254', '192.168.10.1']);
  });

  test(`policy Local: ${CONNECTIONS} connections to two nodes are 50, 25 and 25 in a hundred, and pods see the client`, async () => {
    const { pods, seen } = await network.count(UNEVEN, NODES.slice(0, 2), CONNECTIONS);
    count('connections counted through rules in the kernel', CONNECTIONS);
    expect(shares(pods, UNEVEN)).toEqual([near(0.5), near(0.25), near(0.25)]);
    expect([...seen]).toEqual([CLIENT]);
  });

  test('the commands of the page show the rules that decide', () => {
    const blocks = onNode.filter((block) => block.startsWith('nft') === (mode === 'nftables'));
    expect(blocks).not.toEqual([]);
    const shown = network.on(NODES[0], `NAMESPACE=plain SERVICE=service-0\n${blocks.join('\n')}\ntrue`);
    const wanted = {
      iptables: /probability 0\.2\d*[\s\S]*0\.25\d*[\s\S]*0\.33\d*[\s\S]*0\.50/,
      nftables: /random mod 5 map/,
    };
    expect(shown).toMatch(wanted[mode]);
  });

  test('policy Local: a node without a pod gives no answer', async () => {
    const { pods } = await network.count(UNEVEN, NODES.slice(2, 3), 10);
    expect(pods).toEqual({ nothing: 10 });
  });
});
