import { reaches } from '../../contract/compare-versions';
import type { Finding } from '../../contract/finding';
import { isMap, isSet, type Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import type { Judgement } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { countedIn, differences } from '../document/counted-pool';
import { at, mapAt, textAt } from '../document/kafka-json';
import { KafkaNodeRole } from '../strimzi/kafka-node-role';
import { POOL_MODEL, POOL_TEMPLATES, POOLS_MODEL, TEMPLATES_MERGED_SINCE } from '../strimzi/node-pool.facts';
import { NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { OPERATOR } from './kafka-context';
import { type ClusterContext, NODE_POOLS_ANNOTATION, nextIdsOf, poolTitle, readsPools } from './pool-json';

/** The ids in two ranges; most ranges are apart. */
function inBoth(one: readonly number[], other: readonly number[]): number[] {
  if (Math.max(...one) < Math.min(...other) || Math.max(...other) < Math.min(...one)) {
    return [];
  }
  const ids = new Set(one);
  return other.filter((id) => ids.has(id));
}

/** The findings for each two node pools. */
function forEachTwo(pools: readonly Json[], look: (one: Json, other: Json) => Finding | undefined): Finding[] {
  return pools.flatMap((one, i) =>
    pools
      .slice(i + 1)
      .map((other) => look(one, other))
      .filter((finding) => finding !== undefined),
  );
}

/** Maps whose entries are things of their own: what a pool lacks in them is reported one by one. */
const BY_ENTRY = /^(\w+\.)?metadata(\.(labels|annotations))?$/;

/** What is in a map of the Kafka resource, and not in the one of the node pool that replaces it. */
function lacking(kafka: Json, pool: Json, path = ''): string[] {
  return Object.entries(kafka)
    .filter(([, value]) => isSet(value))
    .flatMap(([key, value]) => {
      const where = path === '' ? key : `${path}.${key}`;
      const own: unknown = ownValue(pool, key);
      if (!isSet(own)) {
        return [where];
      }
      return isMap(value) && isMap(own) && BY_ENTRY.test(where) ? lacking(value, own, where) : [];
    });
}

/** What of the templates of the Kafka resource does not reach the nodes of a pool, since the pool has some of its own. */
function lostTemplates(kafka: Json, pool: Json, strimzi: StrimziVersion): string[] {
  const own = at(pool, 'spec.template');
  const all = mapAt(kafka, 'spec.kafka.template');
  if (!isMap(own)) {
    return [];
  }
  return POOL_TEMPLATES.filter((name) => isMap(all[name])).flatMap((name) => {
    if (isMap(own[name])) {
      return lacking(all[name], own[name]).map((path) => `${name}.${path}`);
    }
    return reaches(strimzi, TEMPLATES_MERGED_SINCE) ? [] : [name];
  });
}

/** All rules about what a Kafka document and its KafkaNodePool documents decide together. */
export const CLUSTER_RULES: readonly Rule<ClusterContext>[] = [
  {
    id: 'pools-unread',
    severity: 'warning',
    says: 'a cluster with node pools enables them',
    source: POOLS_MODEL,
    judge: (kafka, { strimzi, pools }) =>
      pools.length === 0 || readsPools(kafka, strimzi)
        ? undefined
        : {
            what: `annotation ${NODE_POOLS_ANNOTATION} of the Kafka resource is not 'enabled', without which Strimzi ${strimzi.version} ignores node pools`,
            remedy: `write ${NODE_POOLS_ANNOTATION}: enabled, or remove the node pools`,
          },
  },
  {
    id: 'pools-ids',
    severity: 'warning',
    says: 'the node pools of a cluster have different ids',
    source: POOLS_MODEL,
    judge: (_, { pools }) =>
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
    id: 'pools-template',
    severity: 'warning',
    says: 'the templates of the Kafka resource are in those of its node pools as well',
    source: POOL_MODEL,
    on: ['spec.kafka.template'],
    judge: (kafka, { strimzi, pools }) =>
      readsPools(kafka, strimzi)
        ? pools
            .map((pool) => [pool, lostTemplates(kafka, pool, strimzi)] as const)
            .filter(([, lost]) => lost.length > 0)
            .map(([pool, lost]) => ({
              what: `${poolTitle(pool)} has templates of its own, which replace those of the Kafka resource and lack ${lost.join(', ')}`,
              remedy: 'repeat it in the node pool, or write it in one of the two alone',
              value: lost.join(', '),
            }))
        : undefined,
  },
];

const RULES = new RuleSet(CLUSTER_RULES, OPERATOR);

/** Validates a Kafka document with its node pools. */
export function judgePools(kafka: Json, context: ClusterContext): Judgement {
  return RULES.judge(kafka, context);
}
