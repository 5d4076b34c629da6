import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Finding } from '../../rules/rule';
import { at, isSaid, listAt, shown } from '../document/kafka-json';
import { isOldApi } from '../strimzi/served-api';
import { OVERRIDES_UNTIL, READABLE_SIZE, STORAGE_FIELD_TYPES, STORAGE_TYPES } from './node-pool.facts';
import { type NodePoolRule, poolError, poolWarning, refusedLater } from './node-pool-rule';
import { jbodVolumesOf, storagesOf } from './pool-json';
import { quantityOf } from './quantity';

/** The types that storage can be of; one of its volumes cannot be of several volumes itself. */
function typesAt(where: string): string[] {
  return Object.values(STORAGE_TYPES).filter((type) => type !== STORAGE_TYPES.jbod || where === 'spec.storage');
}

/** What says nothing on storage of its type. */
function misplaced(where: string, storage: Json): Finding[] {
  const type = String(storage.type);
  return typesAt(where).includes(type)
    ? Object.entries(STORAGE_FIELD_TYPES)
        .filter(([field, types]) => isSaid(storage[field]) && !types.includes(type))
        .map(([field, types]) => ({
          what: `${where}.${field} stands on storage of type ${type}, where the operator ignores it`,
          remedy: `remove it, or use type ${types.join(' or ')}`,
          value: shown(storage[field]),
        }))
    : [];
}

/** The sizes and limits of sizes. */
function sizesOf(pool: Json): [where: string, size: unknown][] {
  return storagesOf(pool).flatMap(([where, storage]) =>
    ['size', 'sizeLimit']
      .filter((field) => isSaid(storage[field]))
      .map((field): [string, unknown] => [`${where}.${field}`, storage[field]]),
  );
}

/** Which ids of volumes there are several times. */
function repeatedIds(pool: Json): number[] {
  const ids = jbodVolumesOf(pool).map(([, { id }]) => id);
  return [...new Set(ids.filter((id, i) => isSaid(id) && ids.indexOf(id) !== i))];
}

/** What the operator and the API server say of the storage of a node pool. */
export const NODE_POOL_STORAGE_RULES: readonly NodePoolRule[] = [
  poolError('node-pool-storage-size', 'a persistent volume has a size', (pool) =>
    storagesOf(pool)
      .filter(([, { type, size }]) => type === STORAGE_TYPES.persistentClaim && (!isSaid(size) || size === ''))
      .map(([where]) => ({
        what: `${where} is a persistent claim without a size, with which the operator does not reconcile the cluster`,
        remedy: 'write size',
      })),
  ),
  refusedLater('node-pool-storage-quantity', 'a size is an amount above nothing', (pool) =>
    sizesOf(pool)
      .filter(([, size]) => typeof size === 'string' && size !== '' && !((quantityOf(size) ?? 0) > 0))
      .map(([where, size]) => ({
        what: `${where} is ${shown(size)}, which is no amount above nothing`,
        remedy: 'write one like 100Gi',
        value: shown(size),
      })),
  ),
  poolWarning('node-pool-storage-unit', 'a size has a unit that the operator reads', (pool) =>
    storagesOf(pool)
      .map(([where, { size }]) => [where, size] as const)
      .filter(([, size]) => typeof size === 'string' && (quantityOf(size) ?? 0) > 0 && !READABLE_SIZE.test(size))
      .map(([where, size]) => ({
        what: `${where}.size is ${shown(size)}, which Kubernetes reads and the operator does not, so that it fails once the size changes`,
        remedy: 'write one like 100Gi',
        value: shown(size),
      })),
  ),
  poolError('node-pool-volumes', 'storage of type jbod has volumes', (pool) =>
    at(pool, 'spec.storage.type') === STORAGE_TYPES.jbod && listAt(pool, 'spec.storage.volumes').length === 0
      ? {
          what: 'spec.storage is of type jbod and has no volumes, with which the operator does not reconcile the cluster',
          remedy: 'write at least one',
        }
      : undefined,
  ),
  poolError('node-pool-volume-id', 'each volume has an id of its own', (pool) => [
    ...jbodVolumesOf(pool)
      .filter(([, { id }]) => !isSaid(id))
      .map(([where]) => ({
        what: `${where} has no id, with which the operator does not reconcile the cluster`,
        remedy: 'write one that no other volume has: the name of the claim ends with it',
      })),
    ...repeatedIds(pool).map((id) => ({
      what: `several volumes of spec.storage have the id ${shown(id)}, with which the operator ignores all changes of the storage`,
      remedy: 'give each an id of its own',
      value: shown(id),
    })),
  ]),
  poolError('node-pool-kraft-metadata', 'at most one volume holds the metadata log', (pool) => {
    const holders = jbodVolumesOf(pool).filter(([, { kraftMetadata }]) => isSaid(kraftMetadata));
    return holders.length > 1
      ? {
          what: `${holders.map(([where]) => where).join(' and ')} all have kraftMetadata, with which the operator ignores all changes of the storage`,
          remedy: 'leave it on one of them',
        }
      : undefined;
  }),
  poolError('node-pool-storage-field', 'a field of storage stands on a type that has it', (pool) =>
    storagesOf(pool).flatMap(([where, storage]) => misplaced(where, storage)),
  ),
  poolWarning(
    'node-pool-storage-overrides',
    'brokers of different storage classes are in different node pools',
    (pool, { strimzi }) =>
      isOldApi(pool) && reaches(strimzi, OVERRIDES_UNTIL)
        ? storagesOf(pool)
            .filter(([, { type, overrides }]) => type === STORAGE_TYPES.persistentClaim && isSaid(overrides))
            .map(([where]) => ({
              what: `${where}.overrides is ignored by Strimzi ${strimzi.version}`,
              remedy: 'make a node pool for each storage class',
            }))
        : undefined,
  ),
  refusedLater('node-pool-storage-class', 'the class of a volume is the name of one', (pool) =>
    storagesOf(pool).flatMap(([where, storage]) =>
      ['class', 'volumeAttributesClass']
        .map((field) => [field, storage[field]] as const)
        // an empty class asks for a volume that exists already
        .filter(([, name]) => typeof name === 'string' && name !== '' && dnsNameFault(name) !== undefined)
        .map(([field, name]) => ({
          what: `${where}.${field} is ${shown(name)}, which is no name of a class`,
          remedy: 'write the name as the Kubernetes cluster has it',
          value: shown(name),
        })),
    ),
  ),
];
