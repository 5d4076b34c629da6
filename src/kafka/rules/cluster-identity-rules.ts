import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import { namespaceTitle, objectNameOf } from '../../contract/object-title';
import type { Rule } from '../../rules/rule';
import { countedIn, differences } from '../document/counted-pool';
import { shown, textAt } from '../document/kafka-json';
import { KafkaNodeRole } from '../strimzi/kafka-node-role';
import { POOLS_MODEL } from '../strimzi/node-pool.facts';
import { type ClusterContext, poolName, poolTitle } from './pool-json';

const NAMESPACES = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'documentation/modules/deploying/con-deploy-operator-best-practices.adoc',
} as const;

const OTHERWISE = ', or accept it where the two are applied to different clusters of Kubernetes';

/** The findings for each two node pools. */
export function forEachTwo(pools: readonly Json[], look: (one: Json, other: Json) => Finding | undefined): Finding[] {
  return pools.flatMap((one, i) =>
    pools
      .slice(i + 1)
      .map((other) => look(one, other))
      .filter((finding) => finding !== undefined),
  );
}

/** Which Kafka resources and node pools are told apart, by their names and their namespaces. */
export const CLUSTER_IDENTITY_RULES: readonly Rule<ClusterContext>[] = [
  {
    id: 'pools-name-twice',
    severity: 'error',
    says: 'the node pools of a cluster have different names',
    source: POOLS_MODEL,
    judge: (_, { pools }) =>
      forEachTwo(pools, (one, other) =>
        poolName(one) !== undefined && poolName(one) === poolName(other)
          ? {
              what: `two node pools have the name ${shown(poolName(one))}, so that one replaces the other`,
              remedy: 'give each a name of its own',
              value: poolName(one),
            }
          : undefined,
      ),
  },
  {
    id: 'pools-namespace',
    severity: 'error',
    says: 'node pools are in the namespace of their cluster',
    source: POOLS_MODEL,
    on: ['metadata.namespace'],
    judge(kafka, { pools }) {
      const namespace = textAt(kafka, 'metadata.namespace');
      return pools
        .map((pool) => [pool, textAt(pool, 'metadata.namespace')] as const)
        .filter(([, own]) => own !== undefined && namespace !== undefined && own !== namespace)
        .map(([pool, own]) => ({
          what: `${poolTitle(pool)} is in namespace '${own}', and the Kafka resource in '${namespace}', so that the pool does not belong to it`,
          remedy: `move it to namespace '${namespace}'`,
          value: own,
        }));
    },
  },
  {
    id: 'node-pool-changed',
    severity: 'error',
    says: 'a KafkaNodePool is as it was when KafkaCluster.fromManifest counted its brokers',
    source: 'ours',
    judge: (_, { pools, counted = [] }) =>
      pools.flatMap((pool, i) => {
        const before = counted[i];
        const now = countedIn(pool);
        const isOfBrokers = [before, now].some((one) => one?.roles.includes(KafkaNodeRole.BROKER));
        return (before && isOfBrokers ? differences(before, now) : []).map((one) => ({
          what: `${one.where} of KafkaNodePool ${before?.name} is ${one.now}, and was ${one.before} when KafkaCluster.fromManifest counted its brokers and their balancers`,
          remedy: 'change it before fromManifest',
          value: one.now,
        }));
      }),
  },
  {
    id: 'kafka-twice-in-app',
    who: 'kubernetes',
    severity: 'warning',
    says: 'Kafkas of one namespace and name in different charts are for different clusters of Kubernetes',
    source: NAMESPACES,
    judge(kafka, { neighbour }) {
      const name = textAt(kafka, 'metadata.name');
      // within a chart that is an error of every kind of object
      return neighbour?.name === name && neighbour?.isElsewhere
        ? {
            what: `Kafka ${name} in ${namespaceTitle(kafka.metadata?.namespace)} is written by ${neighbour.path} as well, so that one replaces the other`,
            remedy: `give one of the two another name or namespace${OTHERWISE}`,
            value: name,
          }
        : undefined;
    },
  },
  {
    id: 'kafka-shares-namespace',
    severity: 'warning',
    says: 'a Kafka has its namespace to itself: topics, users and their Secrets share one set of names',
    source: NAMESPACES,
    judge(kafka, { neighbour }) {
      const name = textAt(kafka, 'metadata.name');
      return neighbour && neighbour.name !== name
        ? {
            what: `Kafka ${objectNameOf(kafka)} shares ${namespaceTitle(kafka.metadata?.namespace)} with Kafka ${neighbour.name}, so KafkaTopics, KafkaUsers and the Secrets of users of both share one set of names`,
            remedy: `give each cluster a namespace of its own${neighbour.isElsewhere ? OTHERWISE : ''}`,
            value: textAt(kafka, 'metadata.namespace'),
          }
        : undefined;
    },
  },
];
