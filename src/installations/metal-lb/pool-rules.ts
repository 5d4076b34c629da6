import { type Json, objectNameOf } from '../../contract/json';
import type { Finding } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { type AddressRange, addressRange, overlap } from './address-range';
import { METALLB_POOL, metalLbFile, PARSED_BY } from './facts';
import { announcesPool, listIn, type MetalLbContext, type MetalLbNeighbour } from './metal-lb-rule';

export function rangesOf(addresses: unknown): AddressRange[] {
  return listIn(addresses).flatMap((text) => {
    const range = addressRange(text);
    return typeof range === 'string' ? [] : [range];
  });
}

/** Pools of the same MetalLB that were made before. */
function earlierPools({ metadata = {} }: Json, neighbours: readonly MetalLbNeighbour[]): readonly MetalLbNeighbour[] {
  return neighbours.filter(
    ({ isEarlier, json }) => isEarlier && json.kind === METALLB_POOL && json.metadata?.namespace === metadata.namespace,
  );
}

/** Whether a neighbour has the name in another chart: one object in one cluster, or two in different clusters. */
function isNamesake({ metadata = {} }: Json, { isInSameChart, json }: MetalLbNeighbour): boolean {
  return !isInSameChart && json.metadata?.name === metadata.name;
}

/** What MetalLB would refuse of pools, with all others as well: one bad pool stops every change of its configuration. */
export const POOL_RULES: readonly Rule<MetalLbContext>[] = [
  {
    id: 'pool-addresses',
    severity: 'error',
    says: 'range of a pool that is missing or cannot be read',
    source: PARSED_BY,
    judge({ spec = {} }): Finding | Finding[] {
      const addresses = listIn(spec.addresses);
      const remedy = 'write 192.0.2.0/28, or 192.0.2.10-192.0.2.20';
      return addresses.length === 0
        ? { what: 'the pool has no addresses', remedy }
        : addresses
            .map(addressRange)
            .flatMap((range, i) => (typeof range === 'string' ? [{ what: range, remedy, value: addresses[i] }] : []));
    },
  },
  {
    id: 'pool-overlap',
    severity: 'error',
    says: 'address in two pools, or twice in one',
    source: PARSED_BY,
    judge(json, { inApp: neighbours }) {
      const ranges = rangesOf(json.spec?.addresses);
      const own = ranges.map((range, i) => ({ name: 'the same pool', others: ranges.slice(0, i), range }));
      const foreign = earlierPools(json, neighbours)
        .filter((pool) => !isNamesake(json, pool))
        .flatMap((pool) =>
          ranges.map((range) => ({
            name: `pool '${objectNameOf(pool.json)}'`,
            others: rangesOf(pool.json.spec?.addresses),
            range,
          })),
        );
      return [...own, ...foreign].flatMap(({ name, others, range }) => {
        const other = others.find((one) => overlap(one, range));
        return other
          ? [
              {
                what: `'${range.text}' overlaps with '${other.text}' of ${name}`,
                remedy: 'put each address into one pool',
                value: range.text,
              },
            ]
          : [];
      });
    },
  },
  {
    id: 'pool-not-announced',
    severity: 'warning',
    says: 'pool that nothing announces',
    source: metalLbFile('speaker/main.go'),
    judge(pool, { inApp: neighbours }) {
      return neighbours.some(({ json }) => announcesPool(json, pool))
        ? undefined
        : {
            what: `nothing here announces pool '${objectNameOf(pool)}': Services get addresses from it that no node answers to`,
            remedy: 'add an L2Advertisement or a BGPAdvertisement of the pool',
          };
    },
  },
];
