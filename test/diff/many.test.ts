import { manifestObjectsIn, nodePoolsAmong } from '../../src/kafka/operator/node-pools';
import '../../src';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Include } from 'cdk8s';
import { duplicatesOf, pairBalancers } from '../../src/diff/pairs';
import type { Side } from '../../src/diff/side';

// What there are many of is looked at a few times each, and not once for each of the others.

const MANY = 60;
const many = <T>(make: (i: number) => T) => Array.from({ length: MANY }, (_, i) => make(i));

function sideOf(ids: readonly string[]): Side {
  const balancers = ids.map((id, i) => {
    const [namespace, name] = id.split('/');
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name },
      spec: { type: 'LoadBalancer', ports: [{ port: i + 1 }], selector: { app: `${id}${i}` } },
    };
    return { id, title: id, service, owner: undefined, written: { file: 'a.yaml', line: i + 1, object: service } };
  });
  return { balancers, manifests: [], controllers: [] } as unknown as Side;
}

test('balancers of one id are each made a text once', () => {
  const stringify = jest.spyOn(JSON, 'stringify');
  const namesakes = duplicatesOf(sideOf(many(() => 'edge/echo')));
  const calls = stringify.mock.calls.length;
  stringify.mockRestore();
  expect(namesakes.get('edge/echo')?.[0].all).toHaveLength(MANY);
  expect(calls).toBeLessThanOrEqual(MANY);
});

test('a name that is generated is not compared with each one that has an end', () => {
  const before = sideOf(many((i) => `edge/s${i}-*`));
  const after = sideOf(many((i) => `edge/s${i}-x7k2p`));
  const startsWith = jest.spyOn(String.prototype, 'startsWith');
  const pairs = pairBalancers(before, after);
  const calls = startsWith.mock.calls.length;
  startsWith.mockRestore();
  expect(pairs.map((pair) => [pair.before?.id, pair.after?.id])).toEqual(
    many((i) => [`edge/s${i}-*`, `edge/s${i}-x7k2p`]),
  );
  expect(calls).toBeLessThan(10 * MANY);
});

test('node pools of one cluster are each rendered once, and have the ids that no other one has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'many-'));
  const url = join(folder, 'pools.yaml');
  const pools = many((i) => ({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: {
      name: `p${i}`,
      namespace: 'edge',
      labels: { 'strimzi.io/cluster': 'k' },
      annotations: { 'strimzi.io/next-node-ids': `[${i}, ${MANY + i}, ${2 * MANY + i}]` },
    },
    spec: { replicas: 2, roles: ['broker'], storage: { type: 'ephemeral' } },
    status: { nodeIds: [(i + 1) % MANY] },
  }));
  writeFileSync(url, pools.map((pool) => JSON.stringify(pool)).join('\n---\n'));
  const objects = manifestObjectsIn(new Include(new Chart(new App(), 'c'), 'pools', { url }));
  const toJson = jest.spyOn(ApiObject.prototype, 'toJson');
  const found = nodePoolsAmong(objects, 'k', 'edge');
  const calls = toJson.mock.calls.length;
  toJson.mockRestore();
  expect(found.pools.map(({ ids }) => ids)).toEqual(many((i) => [(i + 1) % MANY, MANY + i]));
  expect(calls).toBeLessThanOrEqual(2 * MANY);
});
