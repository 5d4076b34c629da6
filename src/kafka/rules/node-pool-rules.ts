import { reaches } from '../../contract/compare-versions';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { isMap, isSet, type Json, ownValue, shown } from '../../contract/json';
import { dnsLabelFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { excludingTerms } from '../../contract/pod-placement';
import { PIN_CONTRADICTED } from '../../contract/request-rules.facts';
import { schemaRules } from '../../contract/schema/rules';
import { fieldsWithin, SchemaFault } from '../../contract/schema/walk';
import type { Rule } from '../../rules/rule';
import { type CheckResult, changed, RuleSet } from '../../rules/rule-set';
import { TAINT_RULE } from '../../rules/workload-rules';
import { at, mapAt, textAt } from '../operator/kafka-document';
import {
  type ClusterContext,
  countedIn,
  differences,
  type NodePoolContext,
  nextIdsOf,
  nodeIdsIn,
  podSpecOf,
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
import { OPERATOR, rulesOf } from './document-rules';

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

/** True if the operator reads a text as ids; it takes blanks for no ids. */
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
    'node-pool-api-version-unsupported': ({ apiVersion }, { strimzi }) => unservedApi(apiVersion, strimzi),
    'node-pool-cluster-label-missing'(pool) {
      const cluster = mapAt(pool, 'metadata.labels')[CLUSTER_LABEL];
      const value = isSet(cluster) ? shown(cluster) : undefined;
      const fault = typeof cluster === 'string' ? labelValueFault(cluster) : undefined;
      return fault
        ? { case: 'syntax', fault, value }
        : typeof cluster !== 'string' || cluster === ''
          ? { case: 'missing', is: value ?? 'missing', value }
          : undefined;
    },
    'node-pool-name-invalid'(pool) {
      const cluster = mapAt(pool, 'metadata.labels')[CLUSTER_LABEL] || undefined;
      const value = poolName(pool);
      const fault =
        typeof cluster === 'string' && value !== undefined && dnsLabelFault(`${cluster}-${value}-${highestId(pool)}`);
      return fault ? { fault, value } : undefined;
    },
    'node-pool-ids-invalid': (pool) =>
      Object.entries(INSTEAD)
        .map(([key, instead]) => ({ key, instead, text: mapAt(pool, 'metadata.annotations')[key] }))
        .filter(({ text }) => isSet(text) && !isReadable(text))
        .map(({ text, ...one }) => ({ ...one, value: shown(text) })),
    'node-pool-ids-not-enough'(pool) {
      const next = nextIdsOf(pool);
      const ids = new Set([...(next ?? []), ...presentIdsOf(pool)]).size;
      const replicas = replicasOf(pool);
      const text = mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION];
      return next !== undefined && ids < replicas ? { ids, replicas, value: shown(text) } : undefined;
    },
    'node-pool-manifest-props-conflict': (pool, { props }) => (props ? differences(props, countedIn(pool)) : undefined),
  }),
  {
    ...PIN_CONTRADICTED,
    who: 'kubernetes',
    on: ['spec.template.pod'],
    check: (pool, { pinnedTo }) =>
      pinnedTo &&
      excludingTerms(mapAt(pool, 'spec.template.pod'), pinnedTo).map((what) => ({
        what: `the pods are pinned to node pool '${pinnedTo.name}', but ${what} of their template shuts that pool out, so no pod can ever run`,
        remedy: 'drop one of the two',
        value: pinnedTo.name,
        at: '/spec/template/pod',
      })),
  },
];

const POOL_RULES = new RuleSet(NODE_POOL_RULES, OPERATOR);

const TAINTS = new RuleSet([TAINT_RULE], 'kubernetes');

export function checkNodePool(pool: Json, context: NodePoolContext): CheckResult {
  const { kafka, nodePools = [], kubernetes = DEFAULT_KUBERNETES } = context;
  const pod = { kind: 'Pod', spec: podSpecOf(pool, kafka) };
  const isOwn = mapAt(pool, 'spec.template').pod === pod.spec;
  const taints = changed(TAINTS.check(pod, { nodePools, kubernetes }), ({ at, ...finding }) => ({
    ...finding,
    at: isOwn ? at.replace('/spec', '/spec/template/pod') : '',
  }));
  return POOL_RULES.check(pool, context).and(taints);
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
  'node-pools-disabled': (kafka, { strimzi, pools }) =>
    pools.length === 0 || readsPools(kafka, strimzi) ? undefined : { version: strimzi.version },
  'node-pool-ids-duplicate': (_, { pools }) =>
    pools.flatMap((one, i) => {
      const own = new Set(nextIdsOf(one));
      return pools.slice(i + 1).flatMap((other) => {
        const [id, ...others] = (nextIdsOf(other) ?? []).filter((each) => own.has(each));
        const more = others.length > 0 ? ` and ${others.length} more` : '';
        return id === undefined ? [] : [{ one: poolTitle(one), other: poolTitle(other), more, value: String(id) }];
      });
    }),
  'node-pool-in-other-namespace'(kafka, { pools }) {
    const namespace = textAt(kafka, 'metadata.namespace');
    return pools
      .map((pool) => ({ title: poolTitle(pool), namespace, value: textAt(pool, 'metadata.namespace') }))
      .filter(({ value }) => value !== undefined && namespace !== undefined && value !== namespace);
  },
  'node-pool-changed-after-import': (_, { pools, counted = [] }) =>
    pools.flatMap((pool, i) => {
      const before = counted[i];
      const now = countedIn(pool);
      const isOfBrokers = [before, now].some((one) => one?.roles.includes(KafkaNodeRole.BROKER));
      const changed = before && isOfBrokers ? differences(before, now) : [];
      return changed.map((one) => ({ ...one, name: before?.name }));
    }),
  'node-pool-template-override': (kafka, { strimzi, pools }) =>
    (readsPools(kafka, strimzi) ? pools : [])
      .map((pool) => ({ title: poolTitle(pool), value: lostTemplates(kafka, pool, strimzi).join(', ') }))
      .filter(({ value }) => value !== ''),
});

const RULES = new RuleSet(CLUSTER_RULES, OPERATOR);

export function checkPools(kafka: Json, context: ClusterContext): CheckResult {
  return RULES.check(kafka, context);
}
