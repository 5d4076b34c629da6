import type { Json } from '../../contract/json';
import { dnsLabelFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { isReservedLabel } from '../document/kafka-config';
import { isSaid, listAt, mapAt, shown } from '../document/kafka-json';
import { nodeIdsIn } from '../operator/node-pool-ids';
import { CLUSTER_LABEL, NEXT_NODE_IDS_ANNOTATION } from '../operator/operator-services.facts';
import { unservedApi } from '../strimzi/served-api';
import { HIGHEST_NODE_ID, REMOVE_NODE_IDS_ANNOTATION } from './node-pool.facts';
import { type NodePoolRule, POOL_SCHEMA, POOLS_MODEL, poolError, poolWarning, refusedLater } from './node-pool-rule';
import { nextIdsOf, poolName, presentIdsOf, replicasOf } from './pool-json';

const LABELS = { ...POOL_SCHEMA, file: 'operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java' };

/** What the operator does where it cannot read an annotation of ids. */
const INSTEAD: Readonly<Record<string, string>> = {
  [NEXT_NODE_IDS_ANNOTATION]: 'gives new nodes the lowest free ids of the cluster',
  [REMOVE_NODE_IDS_ANNOTATION]: 'removes the nodes with the highest ids first',
};

/** Whether the operator reads a text as ids. Nothing but blanks is none to it. */
function isReadable(text: unknown): boolean {
  if (typeof text === 'string' && text.trim() === '') {
    return true;
  }
  const numbers = typeof text === 'string' ? (text.match(/\d+/g) ?? []) : [];
  return nodeIdsIn(text) !== undefined && numbers.every((number) => Number(number) <= HIGHEST_NODE_ID);
}

/** The highest id that a node of the pool is known to have or get. */
function highestId(pool: Json): number {
  const ids = [...(nextIdsOf(pool) ?? []), ...presentIdsOf(pool), replicasOf(pool) - 1, 0];
  return ids.reduce((one, other) => Math.max(one, other));
}

/** Who a node pool is, and which ids its nodes get. */
export const NODE_POOL_IDENTITY_RULES: readonly NodePoolRule[] = [
  poolError(
    'node-pool-api-version',
    'the operator serves the API version of its node pools',
    ({ apiVersion }, { strimzi }) => unservedApi(apiVersion, strimzi),
    POOL_SCHEMA,
  ),
  poolError(
    'node-pool-cluster',
    'a node pool says which cluster it belongs to',
    (pool) => {
      const cluster = mapAt(pool, 'metadata.labels')[CLUSTER_LABEL];
      const fault = typeof cluster === 'string' ? labelValueFault(cluster) : undefined;
      return typeof cluster === 'string' && cluster !== '' && !fault
        ? undefined
        : {
            what: fault
              ? `label ${CLUSTER_LABEL}: ${fault}`
              : `label ${CLUSTER_LABEL} is ${isSaid(cluster) ? shown(cluster) : 'missing'}, so that no cluster has the pool`,
            remedy: `write ${CLUSTER_LABEL}: and the name of the Kafka resource`,
            value: isSaid(cluster) ? shown(cluster) : undefined,
          };
    },
    LABELS,
  ),
  poolError(
    'node-pool-label-reserved',
    'labels of a node pool do not begin with strimzi.io',
    (pool) =>
      Object.keys(mapAt(pool, 'metadata.labels'))
        .filter(isReservedLabel)
        .map((key) => ({
          what: `metadata.labels has ${key}, with which the operator does not reconcile the cluster`,
          remedy: 'use a label of a domain of your own: settings of the operator are annotations',
          value: key,
        })),
    LABELS,
  ),
  refusedLater('node-pool-name', 'the name of each pod is a DNS label', (pool) => {
    const cluster = mapAt(pool, 'metadata.labels')[CLUSTER_LABEL] || undefined;
    const name = poolName(pool);
    const fault =
      typeof cluster === 'string' && name !== undefined && dnsLabelFault(`${cluster}-${name}-${highestId(pool)}`);
    return fault
      ? {
          what: `the name of a pod will be cluster, pool and id, and ${fault}`,
          remedy: 'choose a shorter or simpler name for the pool',
          value: name,
        }
      : undefined;
  }),
  poolError(
    'node-pool-roles',
    'a node pool has a role',
    (pool) => {
      const roles = mapAt(pool, 'spec').roles;
      return Array.isArray(roles) && roles.length === 0
        ? {
            what: 'spec.roles is empty, with which the operator does not reconcile the cluster',
            remedy: 'write broker, controller or both',
          }
        : undefined;
    },
    POOLS_MODEL,
  ),
  poolWarning('node-pool-role-twice', 'a node pool has each role once', (pool) => {
    const roles = listAt(pool, 'spec.roles');
    const twice = roles.find((role, i) => roles.indexOf(role) !== i);
    return twice === undefined
      ? undefined
      : { what: `spec.roles has ${shown(twice)} twice`, remedy: 'remove one of the two', value: shown(twice) };
  }),
  poolWarning(
    'node-pool-ids',
    'ids are written as the operator reads them',
    (pool) =>
      Object.entries(INSTEAD)
        .map(([key, instead]) => [key, mapAt(pool, 'metadata.annotations')[key], instead] as const)
        .filter(([, text]) => isSaid(text) && !isReadable(text))
        .map(([key, text, instead]) => ({
          what: `annotation ${key} is ${shown(text)}, which the operator cannot read, so that it logs a line and ${instead}`,
          remedy: "write ids and ranges of ids in brackets, such as '[0, 1, 10-19]'",
          value: shown(text),
        })),
    POOLS_MODEL,
  ),
  poolWarning(
    'node-pool-ids-few',
    'there is an id for every node',
    (pool) => {
      const ids = new Set([...(nextIdsOf(pool) ?? []), ...presentIdsOf(pool)]);
      const text = mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION];
      return nextIdsOf(pool) !== undefined && ids.size < replicasOf(pool)
        ? {
            what: `annotation ${NEXT_NODE_IDS_ANNOTATION} is ${shown(text)}, ${ids.size} ids for ${replicasOf(pool)} replicas, so that the nodes beyond them get the lowest free ids of the cluster`,
            remedy: 'write a range that is wide enough to grow',
            value: shown(text),
          }
        : undefined;
    },
    POOLS_MODEL,
  ),
];
