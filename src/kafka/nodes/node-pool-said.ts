import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { at, listAt, mapAt, shown } from '../document/kafka-json';
import { CLUSTER_LABEL, NEXT_NODE_IDS_ANNOTATION } from '../operator/operator-services.facts';
import { POOLS_MODEL } from './node-pool.facts';

/** What a pool says by which listeners, Services and other pools count its nodes. */
export interface NodePoolSaid {
  readonly name: unknown;
  readonly cluster: unknown;
  readonly ids: unknown;
  readonly replicas: unknown;
  readonly roles: readonly unknown[];
}

/** Of each, where it stands, and the prop that says it. */
const PLACES: Readonly<Record<keyof NodePoolSaid, readonly [where: string, prop: string]>> = {
  name: ['metadata.name', 'name'],
  cluster: [`label ${CLUSTER_LABEL}`, 'kafka'],
  ids: [`annotation ${NEXT_NODE_IDS_ANNOTATION}`, 'nodeIds'],
  replicas: ['spec.replicas', 'replicas'],
  roles: ['spec.roles', 'roles'],
};

/** What a document says of them. */
export function saidIn(pool: Json): NodePoolSaid {
  return {
    name: at(pool, 'metadata.name'),
    cluster: mapAt(pool, 'metadata.labels')[CLUSTER_LABEL],
    ids: mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION],
    replicas: at(pool, 'spec.replicas'),
    roles: [...listAt(pool, 'spec.roles')].sort(),
  };
}

/** Where a document says something else than was said before, each with the place and the prop that says it. */
export function differences(before: NodePoolSaid, now: NodePoolSaid) {
  return (Object.keys(PLACES) as (keyof NodePoolSaid)[])
    .filter((key) => shown(before[key]) !== shown(now[key]))
    .map((key) => ({ where: PLACES[key][0], prop: PLACES[key][1], before: shown(before[key]), now: shown(now[key]) }));
}

/** Props of a pool count, and no patches. */
export const NODE_POOL_PATCHED = {
  id: 'node-pool-patched',
  severity: 'error',
  says: 'name, cluster, ids, replicas and roles of a KafkaNodePool are said by its props',
  source: POOLS_MODEL,
} as const;

/** Patches that change what props have said: listeners and balancers were counted by the props. */
export function patchedFindings(before: NodePoolSaid, pool: Json): LoadBalancerFinding[] {
  return differences(before, saidIn(pool)).map(({ where, prop, before: old, now }) => ({
    ruleId: NODE_POOL_PATCHED.id,
    who: 'strimzi',
    what: `${where} was patched to ${now}, and listeners and their balancers are counted by the prop ${prop}, which makes it ${old}`,
    remedy: `say it by the prop ${prop}`,
    value: now,
  }));
}
