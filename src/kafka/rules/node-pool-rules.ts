import { isSet, type Json } from '../../contract/json';
import { dnsLabelFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { shutsOut } from '../../contract/placed-pod';
import { PIN_CONTRADICTED } from '../../contract/request-rules';
import { fieldsWithin } from '../../contract/schema/field';
import { schemaRules } from '../../contract/schema/rules';
import { SchemaFault } from '../../contract/schema/walk';
import type { Judgement } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { countedIn, differences } from '../document/counted-pool';
import { mapAt, shown } from '../document/kafka-json';
import { nodeIdsIn } from '../operator/node-pool-ids';
import {
  HIGHEST_NODE_ID,
  NODE_POOL_FIELDS,
  POOL_SCHEMA,
  POOLS_MODEL,
  REMOVE_NODE_IDS_ANNOTATION,
} from '../strimzi/node-pool.facts';
import { CLUSTER_LABEL, NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import { releaseReading, unservedApi } from '../strimzi/served-api';
import { OPERATOR } from './kafka-context';
import { type NodePoolContext, nextIdsOf, poolName, presentIdsOf, replicasOf } from './pool-json';

const LABELS = { ...POOL_SCHEMA, file: 'operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java' };
const KUBERNETES = { repository: 'kubernetes/kubernetes', version: 'v1.36.3' };

const FIELDS = fieldsWithin(NODE_POOL_FIELDS);

/** What the schema of the release refuses. */
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

/** What the operator does where it cannot read an annotation of ids. */
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

/** The highest id that a node of the pool is known to have or get. */
function highestId(pool: Json): number {
  const ids = [...(nextIdsOf(pool) ?? []), ...presentIdsOf(pool), replicasOf(pool) - 1, 0];
  return ids.reduce((one, other) => Math.max(one, other));
}

/** All rules about one KafkaNodePool document. */
export const NODE_POOL_RULES: readonly Rule<NodePoolContext>[] = [
  ...FIELD_RULES,
  {
    id: 'node-pool-api-version',
    severity: 'error',
    says: 'the operator serves the API version of its node pools',
    source: POOL_SCHEMA,
    judge: ({ apiVersion }, { strimzi }) => unservedApi(apiVersion, strimzi),
  },
  {
    id: 'node-pool-cluster',
    severity: 'error',
    says: 'a node pool names the cluster that it belongs to',
    source: LABELS,
    judge(pool) {
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
  },
  {
    id: 'node-pool-name',
    who: 'kubernetes',
    severity: 'error',
    says: 'the name of each pod is a DNS label',
    source: { ...KUBERNETES, file: 'pkg/apis/core/validation/validation.go' },
    judge(pool) {
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
  },
  {
    id: 'node-pool-ids',
    severity: 'warning',
    says: 'ids are written as the operator reads them',
    source: POOLS_MODEL,
    on: ['metadata.annotations'],
    judge: (pool) =>
      Object.entries(INSTEAD)
        .map(([key, instead]) => [key, mapAt(pool, 'metadata.annotations')[key], instead] as const)
        .filter(([, text]) => isSet(text) && !isReadable(text))
        .map(([key, text, instead]) => ({
          what: `annotation ${key} is ${shown(text)}, which the operator cannot read, so that it logs a line and ${instead}`,
          remedy: "write ids and ranges of ids in brackets, such as '[0, 1, 10-19]'",
          value: shown(text),
        })),
  },
  {
    id: 'node-pool-ids-few',
    severity: 'warning',
    says: 'there is an id for every node',
    source: POOLS_MODEL,
    on: ['metadata.annotations'],
    judge(pool) {
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
  },
  {
    id: 'node-pool-patched',
    severity: 'error',
    says: 'name, cluster, ids, replicas and roles of a KafkaNodePool are set by its props',
    source: 'ours',
    judge: (pool, { props }) =>
      props &&
      differences(props, countedIn(pool)).map(({ where, prop, before, now }) => ({
        what: `${where} was patched to ${now}, and listeners and their balancers are counted by the prop ${prop}, which makes it ${before}`,
        remedy: `use the prop ${prop}`,
        value: now,
      })),
  },
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

const RULES = new RuleSet(NODE_POOL_RULES, OPERATOR);

/** Validates a finished KafkaNodePool document by itself. */
export function judgeNodePool(pool: Json, context: NodePoolContext): Judgement {
  return RULES.judge(pool, context);
}
