import type { Json } from '../../contract/json';
import { CLUSTER_LABEL, NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import { at, listAt, mapAt, shown } from './kafka-json';

/** The fields of a node pool by which listeners, Services and other pools count its nodes. */
export interface CountedPool {
  readonly name: unknown;
  readonly cluster: unknown;
  readonly ids: unknown;
  readonly replicas: unknown;
  readonly roles: readonly unknown[];
}

/** Of each, its place, and the prop that sets it. */
const PLACES: Readonly<Record<keyof CountedPool, readonly [where: string, prop: string]>> = {
  name: ['metadata.name', 'name'],
  cluster: [`label ${CLUSTER_LABEL}`, 'kafka'],
  ids: [`annotation ${NEXT_NODE_IDS_ANNOTATION}`, 'nodeIds'],
  replicas: ['spec.replicas', 'replicas'],
  roles: ['spec.roles', 'roles'],
};

/** The fields of a document. */
export function countedIn(pool: Json): CountedPool {
  return {
    name: at(pool, 'metadata.name'),
    cluster: mapAt(pool, 'metadata.labels')[CLUSTER_LABEL],
    ids: mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION],
    replicas: at(pool, 'spec.replicas'),
    roles: [...listAt(pool, 'spec.roles')].sort(),
  };
}

/** Where a document has something else than was counted, each with the place and the prop that sets it. */
export function differences(before: CountedPool, now: CountedPool) {
  return (Object.keys(PLACES) as (keyof CountedPool)[])
    .filter((key) => shown(before[key]) !== shown(now[key]))
    .map((key) => ({ where: PLACES[key][0], prop: PLACES[key][1], before: shown(before[key]), now: shown(now[key]) }));
}
