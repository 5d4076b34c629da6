import { addressRange, RangeSet } from '../../src/contract/address-ranges';
import type { Json } from '../../src/contract/json';
import { withPoolFor } from '../../src/controllers/vendors/side-objects';
import { ManifestIndex } from '../../src/rules/manifest-objects';

// Work with many pools: it grows with the number of Services and pools, and not with their product.

const GROUP = { apiVersion: 'cilium.io/v2', kind: 'CiliumLoadBalancerIPPool' };

test('a Service is compared with the pools that select one of its labels', () => {
  let looks = 0;
  const selectorOf = (team: number): Json => {
    const matchLabels = { team: `t${team}` };
    return Object.defineProperty({}, 'matchLabels', { enumerable: true, get: () => looks++ >= 0 && matchLabels });
  };
  const [pools, services] = [400, 2_000];
  const objects = Array.from(
    { length: pools },
    (_, i): Json => ({
      ...{ ...GROUP, metadata: { name: `p${i}` } },
      spec: { blocks: [{ cidr: `10.${i >> 8}.${i & 255}.0/24` }], serviceSelector: selectorOf(i) },
    }),
  );
  const index = new ManifestIndex(objects.map((object, i) => ({ file: `${i}.yaml`, line: 1, object })));
  const found = Array.from({ length: services }, (_, i) =>
    withPoolFor(index, { metadata: { name: `s${i}`, namespace: 'shop', labels: { team: `t${i % pools}` } } }),
  );
  expect(new Set(found.map(String))).toEqual(new Set(['cilium']));
  expect(looks).toBeLessThan(10 * (pools + services));
});

test.each([
  ['apart', (i: number) => `10.${i >> 8}.${i & 255}.0/25`, 0],
  ['twice', (i: number) => `10.${i >> 9}.${(i >> 1) & 255}.0/25`, 0.5],
])('ranges that are %s are compared with few others', (_, textOf, share) => {
  const looksOf = (size: number) => {
    const taken = new RangeSet<{ range: Exclude<ReturnType<typeof addressRange>, string> }>();
    const all = Array.from({ length: size }, (__, i) => ({ range: addressRange(textOf((i * 7919) % size)) as never }));
    const overlaps = all.filter((one) => taken.take(one).length > 0);
    expect(overlaps).toHaveLength(size * share);
    return taken.looks;
  };
  expect(looksOf(4_000) / looksOf(1_000)).toBeLessThan(6);
});

test('an overlap names who has the addresses, and what is free is taken', () => {
  const taken = new RangeSet<{ name: string; range: never }>();
  const take = (name: string, text: string) =>
    taken.take({ name, range: addressRange(text) as never }).map((one) => one.name);
  expect(take('a', '10.0.0.0/24')).toEqual([]);
  expect(take('b', '10.0.2.0/24')).toEqual([]);
  expect(take('c', '10.0.0.128-10.0.2.9')).toEqual(['a', 'b']);
  expect(take('d', '10.0.1.0/24')).toEqual(['c']);
  expect(take('e', 'fd00::/64')).toEqual([]);
  expect(take('f', '10.0.3.0-10.0.3.9')).toEqual([]);
});
