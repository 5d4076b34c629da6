import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TrafficPolicy } from '../../src/contract/options';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { runShell, shellBlocks } from '../real/program';
import { clusterOf, NODES, plainService } from './rules/generated-cluster';
import { writtenRules } from './rules/network';

// The steps of docs/uneven-traffic.md as they stand there: kubectl against a real API server, and rules as kube-proxy writes them.

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'uneven-traffic.md'), 'utf8');
const steps = shellBlocks(page);

/** Two pods of three on one node. */
const PLAIN = plainService(0, TrafficPolicy.LOCAL, ['node-1', 'node-2', 'node-2']);
const EDGE = { ...PLAIN, traffic: { ...PLAIN.traffic, name: 'shop/edge' } };
const NAMESPACE = 'shop';

let plane: ControlPlane;
let balancer: Server;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const { name, ip } of NODES) {
    await addNode(plane.api, name, { internalIp: ip });
  }
  const { services, endpointSlices } = clusterOf([EDGE]);
  const [{ metadata, spec }] = services as [{ metadata: object; spec: object }];
  // the API server hands out these itself
  const { clusterIP, clusterIPs, ports, ...rest } = spec as {
    clusterIP: string;
    clusterIPs: string[];
    ports: object[];
  };
  expect([clusterIP]).toEqual(clusterIPs);
  const own = ports.map((port) => ({ ...port, nodePort: undefined }));
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'edge', namespace: NAMESPACE, ...metadata } };
  await plane.api.create({ ...service, spec: { ...rest, ports: own, selector: { app: 'edge', tier: 'web' } } });
  for (const { name, node } of EDGE.pods) {
    const labels = { app: 'edge', tier: 'web' };
    const containers = [{ name: 'edge', image: 'example.com/edge:1' }];
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: NAMESPACE, labels } };
    await plane.api.create({ ...pod, spec: { nodeName: node, containers } });
  }
  for (const slice of endpointSlices) {
    const metadataOfSlice = (slice as { metadata: { name: string } }).metadata;
    const kind = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
    await plane.api.create({ ...slice, ...kind, metadata: metadataOfSlice });
  }
  let request = 0;
  balancer = createServer((_, response) => {
    // what the model says of this Service
    response.end(['pod-0', 'pod-1', 'pod-0', 'pod-2'][request++ % 4]);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  const written = writtenRules(clusterOf([EDGE]));
  for (const { name } of NODES) {
    writeFileSync(join(plane.folder, `${name}.iptables`), written[name].iptables);
  }
});

afterAll(async () => {
  balancer?.close();
  await plane?.stop();
});

/** What a reader of a step types on a machine with kubectl, or on a node. */
async function type(step: number, node = 'node-1'): Promise<string> {
  const commands = (steps.get(step) ?? []).filter((block) => !/^(ADDRESS|nft)/.test(block));
  expect(commands).not.toEqual([]);
  const address = `127.0.0.1:${(balancer.address() as AddressInfo).port}`;
  const names = `NAMESPACE=${NAMESPACE}\nSERVICE=edge\nADDRESS=${address}\niptables-save() { cat ${node}.iptables; }\n`;
  const { output, status } = await runShell(plane, names + commands.join('\n'));
  expect({ output, status: status > 1 ? status : 0 }).toEqual({ output, status: 0 });
  return output;
}

test('the page has its steps in order', () => {
  expect([...steps.keys()]).toEqual([1, 2, 3, 4, 5]);
});

test('step 1: a hundred answers are counted by pod', async () => {
  expect((await type(1)).trim().split(/\n */)).toEqual(['50 pod-0', '25 pod-2', '25 pod-1']);
});

test('step 2: pods by node', async () => {
  const output = await type(2);
  expect(output).toMatch(/ app=edge,tier=web/);
  expect(output).toMatch(/ 1 node-1\n +2 node-2\n/);
  expect(output).toContain('10.244.2.2\tnode-2\tready true\n');
});

test('step 3: what decides the shares', async () => {
  expect(await type(3)).toMatch(/policy +Local\naffinity +None\ndistribution *\nhealth check \d+\n/);
});

test('step 4: nodes, and which are kept out of balancers', async () => {
  await plane.api.merge(
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-5' } },
    { metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': 'true' } } },
  );
  const output = await type(4);
  expect(output).toMatch(/node-1 +192\.168\.10\.1 +<none>/);
  expect(output).toMatch(/node-5 +192\.168\.10\.5 +true/);
});

test('step 5: the chains of a node with pods, and the drop of one without', async () => {
  const two = (await type(5, 'node-2')).split('\n');
  expect(two.filter((line) => line.startsWith('-A KUBE-SVL-'))).toHaveLength(2);
  expect(two.filter((line) => line.startsWith('-A KUBE-SVC-'))).toHaveLength(3);
  expect(two.filter((line) => line.startsWith('-A KUBE-SVL-'))[0]).toContain('--probability 0.5');
  const none = await type(5, 'node-3');
  expect(none).not.toContain('-A KUBE-SVL-');
  expect(none).toMatch(/shop\/edge:http has no local endpoints.* -j DROP/);
});
