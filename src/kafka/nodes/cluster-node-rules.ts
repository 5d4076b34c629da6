import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { KRAFT_ANNOTATIONS } from '../document/kafka-config.facts';
import { mapAt, shown, textAt } from '../document/kafka-json';
import { NEXT_NODE_IDS_ANNOTATION } from '../operator/operator-services.facts';
import {
  type ClusterRule,
  clusterError,
  clusterWarning,
  forEachTwo,
  poolTitle,
  readsPools,
  runsKraft,
  withRole,
} from './cluster-rule';
import { KafkaNodeRole } from './kafka-node-role';
import { MIGRATING, SEVERAL_VOLUMES_SINCE } from './node-pool.facts';
import { POOLS_MODEL } from './node-pool-rule';
import { hasRole, jbodVolumesOf, nextIdsOf, poolName, usesEphemeral } from './pool-json';

const CHECKER = {
  ...POOLS_MODEL,
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaSpecChecker.java',
};

const [KRAFT_ANNOTATION, NODE_POOLS_ANNOTATION] = KRAFT_ANNOTATIONS;

/** Why a number of controllers is not a good one. */
function oddness(controllers: number): Finding | undefined {
  if (controllers === 0 || controllers % 2 === 1) {
    return undefined;
  }
  return {
    what:
      controllers === 2
        ? 'there are 2 controllers, and both are needed for a majority, so that the cluster stops with either'
        : `there are ${controllers} controllers, of which no more may fail than of ${controllers - 1}`,
    remedy: `run ${controllers + 1}, or ${controllers - 1}`,
    value: String(controllers),
  };
}

/** A cluster that has one node with a role, which forgets all when its pod is restarted. */
function forgetful(pools: readonly Json[], role: KafkaNodeRole): Finding[] {
  const found = withRole(pools, role);
  return found.nodes === 1 && found.pools.some(usesEphemeral)
    ? [
        {
          what: `the only ${role} of the cluster is in ${poolTitle(found.pools[0])}, whose storage is ephemeral: each restart loses ${role === KafkaNodeRole.BROKER ? 'all messages' : 'the metadata of the cluster'}`,
          remedy: 'use a persistent claim, or three nodes',
          value: poolName(found.pools[0]),
        },
      ]
    : [];
}

/** Whether a cluster is on its way from ZooKeeper, or back. */
function migrates(kafka: Json): boolean {
  const annotation = String(mapAt(kafka, 'metadata.annotations')[KRAFT_ANNOTATION]).toLowerCase();
  return MIGRATING.includes(annotation);
}

/** Whether a metadata version is one in which a node has one volume alone. */
function knowsOneVolume(version: string | undefined): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const [sinceMajor, sinceMinor] = SEVERAL_VOLUMES_SINCE;
  return Number(major) < sinceMajor || (Number(major) === sinceMajor && Number(minor) < sinceMinor);
}

/** The ids in two ranges; most ranges lie apart. */
function inBoth(one: readonly number[], other: readonly number[]): number[] {
  if (Math.max(...one) < Math.min(...other) || Math.max(...other) < Math.min(...one)) {
    return [];
  }
  const ids = new Set(one);
  return other.filter((id) => ids.has(id));
}

/** Which nodes a cluster has by its node pools, and which ids they get. */
export const CLUSTER_NODE_RULES: readonly ClusterRule[] = [
  clusterWarning('pools-unread', 'a cluster that has node pools says so', (kafka, pools, { strimzi }) =>
    pools.length === 0 || readsPools(kafka, strimzi)
      ? undefined
      : {
          what: `annotation ${NODE_POOLS_ANNOTATION} of the Kafka resource is not 'enabled', without which Strimzi ${strimzi.version} ignores node pools`,
          remedy: `write ${NODE_POOLS_ANNOTATION}: enabled, or remove the node pools`,
        },
  ),
  clusterError('pools-roles', 'a cluster has a broker and a controller', (kafka, pools, { strimzi, hasAllPools }) =>
    !hasAllPools || !runsKraft(kafka, strimzi)
      ? undefined
      : Object.values(KafkaNodeRole)
          .filter((role) => withRole(pools, role).nodes === 0)
          .map((role) => ({
            what: `no node pool has the role ${role} and a replica, without which the operator does not reconcile the cluster`,
            remedy: `give the role to one with replicas, or add a node pool of ${role}s`,
            value: role,
          })),
  ),
  clusterError('pools-controllers', 'a cluster with ZooKeeper has no controllers', (kafka, pools, { strimzi }) =>
    readsPools(kafka, strimzi) && !runsKraft(kafka, strimzi) && !migrates(kafka)
      ? pools
          .filter((pool) => hasRole(pool, KafkaNodeRole.CONTROLLER))
          .map((pool) => ({
            what: `${poolTitle(pool)} has the role controller, and annotation ${KRAFT_ANNOTATION} of the Kafka resource is not 'enabled', so that Strimzi ${strimzi.version} does not reconcile the cluster`,
            remedy: `write ${KRAFT_ANNOTATION}: enabled for a new cluster, or remove the role`,
            value: poolName(pool),
          }))
      : undefined,
  ),
  clusterWarning(
    'pools-majority',
    'the number of controllers is odd',
    (kafka, pools, { strimzi, hasAllPools }) =>
      hasAllPools && runsKraft(kafka, strimzi) ? oddness(withRole(pools, KafkaNodeRole.CONTROLLER).nodes) : undefined,
    CHECKER,
  ),
  clusterWarning(
    'pools-ephemeral',
    'a node that is alone in its role keeps its data',
    (kafka, pools, { strimzi, hasAllPools }) =>
      hasAllPools && readsPools(kafka, strimzi)
        ? Object.values(KafkaNodeRole).flatMap((role) => forgetful(pools, role))
        : undefined,
    CHECKER,
  ),
  clusterError('pools-volumes', 'nodes have several volumes from metadata version 3.7 on', (kafka, pools, context) => {
    const version = textAt(kafka, 'spec.kafka.metadataVersion');
    return runsKraft(kafka, context.strimzi) && knowsOneVolume(version)
      ? pools
          .filter((pool) => jbodVolumesOf(pool).length > 1)
          .map((pool) => ({
            what: `${poolTitle(pool)} has several volumes, and spec.kafka.metadataVersion is ${shown(version)}, with which the operator does not reconcile the cluster`,
            remedy: `write metadata version ${SEVERAL_VOLUMES_SINCE.join('.')} or newer, or use one volume`,
            value: version,
          }))
      : undefined;
  }),
  clusterWarning('pools-ids', 'the node pools of a cluster have different ids', (_, pools) =>
    forEachTwo(pools, (one, other) => {
      const both = inBoth(nextIdsOf(one) ?? [], nextIdsOf(other) ?? []);
      return both.length === 0
        ? undefined
        : {
            what: `${poolTitle(one)} and ${poolTitle(other)} both have id ${both[0]}${both.length > 1 ? ` and ${both.length - 1} more` : ''} in ${NEXT_NODE_IDS_ANNOTATION}, so that which of them gets it depends on the order of their nodes`,
            remedy: 'give each a range of its own',
            value: String(both[0]),
          };
    }),
  ),
  clusterError('pools-name-twice', 'the node pools of a cluster have different names', (_, pools) =>
    forEachTwo(pools, (one, other) =>
      poolName(one) !== undefined && poolName(one) === poolName(other)
        ? {
            what: `two node pools have the name ${shown(poolName(one))}, so that one replaces the other`,
            remedy: 'give each a name of its own',
            value: poolName(one),
          }
        : undefined,
    ),
  ),
  clusterError('pools-namespace', 'node pools are in the namespace of their cluster', (kafka, pools) => {
    const namespace = textAt(kafka, 'metadata.namespace');
    return pools
      .map((pool) => [pool, textAt(pool, 'metadata.namespace')] as const)
      .filter(([, own]) => own !== undefined && namespace !== undefined && own !== namespace)
      .map(([pool, own]) => ({
        what: `${poolTitle(pool)} is in namespace '${own}', and the Kafka resource in '${namespace}', so that it is none of its node pools`,
        remedy: `move it to namespace '${namespace}'`,
        value: own,
      }));
  }),
];
