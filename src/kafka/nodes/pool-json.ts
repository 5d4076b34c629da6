import { isMap, type Json, list } from '../../contract/json';
import { at, integerAt, listAt, mapAt, textAt } from '../document/kafka-json';
import { isNodeId, nodeIdsIn } from '../operator/node-pool-ids';
import { NEXT_NODE_IDS_ANNOTATION } from '../operator/operator-services.facts';
import { STORAGE_TYPES } from './node-pool.facts';

// How the rules look at a finished KafkaNodePool document. Strangers' manifests may hold anything: these never throw.

/** The name, or nothing. */
export function poolName(pool: Json): string | undefined {
  return textAt(pool, 'metadata.name');
}

/** How many nodes it has; none where that is no number. */
export function replicasOf(pool: Json): number {
  return Math.max(0, integerAt(pool, 'spec.replicas') ?? 0);
}

/** Whether its nodes have a role. */
export function hasRole(pool: Json, role: string): boolean {
  return listAt(pool, 'spec.roles').includes(role);
}

/** The ids that its new nodes take first, or nothing where nobody says so in a way that the operator understands. */
export function nextIdsOf(pool: Json): number[] | undefined {
  return nodeIdsIn(mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION]);
}

/** The ids that its nodes have already. */
export function presentIdsOf(pool: Json): number[] {
  return listAt(pool, 'status.nodeIds').filter(isNodeId);
}

/** A volume of the storage, with the path at which it stands. */
export type Volume = readonly [where: string, volume: Json];

/** The volumes of a storage of type jbod, each a map. */
export function jbodVolumesOf(pool: Json): Volume[] {
  const isJbod = at(pool, 'spec.storage.type') === STORAGE_TYPES.jbod;
  return (isJbod ? list<unknown>(at(pool, 'spec.storage.volumes')) : [])
    .map((volume, i): readonly [string, unknown] => [`spec.storage.volumes[${i}]`, volume])
    .filter((entry): entry is Volume => isMap(entry[1]));
}

/** The storage itself, and its volumes where it has several. */
export function storagesOf(pool: Json): Volume[] {
  const storage = at(pool, 'spec.storage');
  return isMap(storage) ? [['spec.storage', storage], ...jbodVolumesOf(pool)] : [];
}

/** Whether some of its data goes with the pod. */
export function usesEphemeral(pool: Json): boolean {
  return storagesOf(pool).some(([, { type }]) => type === STORAGE_TYPES.ephemeral);
}

/** The templates that hold something, by their names. */
export function templatesOf(pool: Json): [name: string, template: Json][] {
  return Object.entries(mapAt(pool, 'spec.template')).filter(([, template]) => isMap(template));
}
