import { reaches } from '../../contract/compare-versions';
import { isMap, isSet, type Json, ownValue, shown } from '../../contract/json';
import { dnsLabelFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { shutsOut } from '../../contract/placed-pod';
import { PIN_CONTRADICTED } from '../../contract/request-rules.facts';
import type { Finding } from '../../contract/rule';
import { schemaRules } from '../../contract/schema/rules';
import { fieldsWithin, SchemaFault } from '../../contract/schema/walk';
import type { Judgement } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { at, mapAt, textAt } from '../operator/kafka-document';
import {
  type ClusterContext,
  countedIn,
  differences,
  NODE_POOLS_ANNOTATION,
  type NodePoolContext,
  nextIdsOf,
  nodeIdsIn,
  poolName,
  poolTitle,
  presentIdsOf,
  readsPools,
  replicasOf,
} from '../operator/node-pools';
import { KafkaNodeRole } from '../options';
import { releaseReading, unservedApi } from '../strimzi/releases';
import {
  CLUSTER_LABEL,
  HIGHEST_NODE_ID,
  NEXT_NODE_IDS_ANNOTATION,
  NODE_POOL_FIELDS,
  POOL_SCHEMA,
  POOL_TEMPLATES,
  REMOVE_NODE_IDS_ANNOTATION,
  TEMPLATES_MERGED_SINCE,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { OPERATOR } from './document-rules';
import { rulesOf } from './rule-table';

const FIELDS = fieldsWithin(NODE_POOL_FIELDS);

const FIELD_RULES = schemaRules<NodePoolContext>({
  prefix: 'node-pool',
  called: 'a node pool',
  source: POOL_SCHEMA,
  faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.VALUE],
  part: (pool, { strimzi }) => ({
    map: pool.spec,
    fields: FIELDS,
    where: 'spec',
    at: '/spec',
    release: releaseReading(pool, strimzi),
  }),
});

const INSTEAD: Readonly<Record<string, string>> = {
  [NEXT_NODE_IDS_ANNOTATION]: 'gives new nodes the lowest free ids of the cluster',
  [REMOVE_NODE_IDS_ANNOTATION]: 'removes the nodes with the highest ids first',
};

/** Whether the operator reads a text as ids; it takes blanks for no ids. */
function isReadable(text: unknown): boolean {
  if (typeof text === 'string' && text.trim() === '') {
    return true;
  }
  const numbers = typeof text === 'string' ? (text.match(/\d+/g) ?? []) : [];
  return nodeIdsIn(text) !== undefined && numbers.every((number) => Number(number) <= HIGHEST_NODE_ID);
}

function highestId(pool: Json): number {
  const ids = [...(nextIdsOf(pool) ?? []), ...presentIdsOf(pool), replicasOf(pool) - 1, 0];
  return ids.reduce((one, other) => Math.max(one, other));
}

export const NODE_POOL_RULES: readonly Rule<NodePoolContext>[] = [
  ...FIELD_RULES,
  ...rulesOf<NodePoolContext>({
    'node-pool-api-version': ({ apiVersion }, { strimzi }) => unservedApi(apiVersion, strimzi),
    'node-pool-cluster'(pool) {
      const cluster = mapAt(pool, 'metadata.labels')[CLUSTER_LABEL];
      const fault = typeof cluster === 'string' ? labelValueFault(cluster) : undefined;
      return typeof cluster === 'string' && cluster !== '' && !fault
        ? undefined
        : {
            what: fault
              ? `label ${CLUSTER_LABEL}: ${fault}`
              : `label ${CLUSTER_LABEL} is ${isSet(cluster) ? shown(cluster) : 'missing'}, so that no cluster has the pool`,
            remedy: `write ${CLUSTER_LABEL}: and the name of the Kafka resource`,
            value: isSet(cluster) ? shown(cluster) : undefined,
          };
    },
    'node-pool-name'(pool) {
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
    },
    'node-pool-ids': (pool) =>
      Object.entries(INSTEAD)
        .map(([key, instead]) => [key, mapAt(pool, 'metadata.annotations')[key], instead] as const)
        .filter(([, text]) => isSet(text) && !isReadable(text))
        .map(([key, text, instead]) => ({
          what: `annotation ${key} is ${shown(text)}, which the operator cannot read, so that it logs a line and ${instead}`,
          remedy: "write ids and ranges of ids in brackets, such as '[0, 1, 10-19]'",
          value: shown(text),
        })),
    'node-pool-ids-few'(pool) {
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
    'node-pool-patched': (pool, { props }) =>
      props &&
      differences(props, countedIn(pool)).map(({ where, prop, before, now }) => ({
        what: `${where} is ${now}, and listeners and their balancers are counted by the prop ${prop}, which makes it ${before}`,
        remedy: `use the prop ${prop}`,
        value: now,
      })),
  }),
  {
    ...PIN_CONTRADICTED,
    who: 'kubernetes',
    on: ['spec.template.pod'],
    judge: (pool, { pinnedTo }) =>
      pinnedTo &&
      shutsOut(mapAt(pool, 'spec.template.pod'), pinnedTo).map((what) => ({
        what: `the pods are pinned to node pool '${pinnedTo.name}', but ${what} of their template shuts that pool out, so no pod can ever run`,
        remedy: 'drop one of the two',
        value: pinnedTo.name,
      })),
  },
];

const POOL_RULES = new RuleSet(NODE_POOL_RULES, OPERATOR);

export function judgeNodePool(pool: Json, context: NodePoolContext): Judgement {
  return POOL_RULES.judge(pool, context);
}

function inBoth(one: readonly number[], other: readonly number[]): number[] {
  if (Math.max(...one) < Math.min(...other) || Math.max(...other) < Math.min(...one)) {
    return [];
  }
  const ids = new Set(one);
  return other.filter((id) => ids.has(id));
}

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

export const CLUSTER_RULES: readonly Rule<ClusterContext>[] = rulesOf<ClusterContext>({
  'pools-unread': (kafka, { strimzi, pools }) =>
    pools.length === 0 || readsPools(kafka, strimzi)
      ? undefined
      : {
          what: `annotation ${NODE_POOLS_ANNOTATION} of the Kafka resource is not 'enabled', without which Strimzi ${strimzi.version} ignores node pools`,
          remedy: `write ${NODE_POOLS_ANNOTATION}: enabled, or remove the node pools`,
        },
  'pools-ids': (_, { pools }) =>
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
  'pools-namespace'(kafka, { pools }) {
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
  'node-pool-changed': (_, { pools, counted = [] }) =>
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
  'pools-template': (kafka, { strimzi, pools }) =>
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
});

const RULES = new RuleSet(CLUSTER_RULES, OPERATOR);

export function judgePools(kafka: Json, context: ClusterContext): Judgement {
  return RULES.judge(kafka, context);
}
