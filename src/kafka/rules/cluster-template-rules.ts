import { reaches } from '../../contract/compare-versions';
import { isMap, isSet, type Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import type { Rule } from '../../rules/rule';
import { at, listAt, mapAt, shown, textAt } from '../document/kafka-json';
import { RACK_BY_LABEL } from '../strimzi/kafka-cluster.facts';
import { KafkaNodeRole } from '../strimzi/kafka-node-role';
import { POOL_MODEL, POOL_TEMPLATES, RACKS_SPREAD_UNTIL, TEMPLATES_MERGED_SINCE } from '../strimzi/node-pool.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { type ClusterContext, poolName, poolTitle, readsPools, withRole } from './pool-json';

const CLUSTER_MODEL = {
  ...POOL_MODEL,
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java',
};

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

/** The template of the pods of a node pool, its own or that of the Kafka resource. */
function podTemplateOf(kafka: Json, pool: Json): Json {
  const own = at(pool, 'spec.template.pod');
  return isMap(own) ? own : mapAt(kafka, 'spec.kafka.template.pod');
}

/** The terms of an affinity between pods, required and preferred. */
function antiAffinityTerms(template: Json): Json[] {
  const required = listAt<Json>(template, 'affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution');
  const preferred = listAt<Json>(template, 'affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution');
  return [...required, ...preferred.map((term) => mapAt(term, 'podAffinityTerm'))];
}

/** Whether pods are spread over the racks that a label of nodes names, or bound to some of them. */
function mindsRacks(template: Json, label: string): boolean {
  const spreads = [...listAt<Json>(template, 'topologySpreadConstraints'), ...antiAffinityTerms(template)];
  const nodes = 'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const expressions = listAt(template, nodes).flatMap((term) => listAt(term, 'matchExpressions'));
  return (
    spreads.some((spread) => at(spread, 'topologyKey') === label) ||
    expressions.some((expression) => at(expression, 'key') === label)
  );
}

/** What the Kafka resource decides about pods, and does not reach those of its node pools. */
export const CLUSTER_TEMPLATE_RULES: readonly Rule<ClusterContext>[] = [
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
  {
    id: 'pools-racks',
    severity: 'warning',
    says: 'brokers with racks are spread over them',
    source: CLUSTER_MODEL,
    on: ['spec.kafka.rack'],
    judge(kafka, { strimzi, pools }) {
      const label = textAt(kafka, 'spec.kafka.rack.topologyKey');
      const type = at(kafka, 'spec.kafka.rack.type') ?? RACK_BY_LABEL;
      const brokers = withRole(pools, KafkaNodeRole.BROKER);
      return label !== undefined && type === RACK_BY_LABEL && brokers.nodes > 1 && reaches(strimzi, RACKS_SPREAD_UNTIL)
        ? brokers.pools
            .filter((pool) => !mindsRacks(podTemplateOf(kafka, pool), label))
            .map((pool) => ({
              what: `${poolTitle(pool)} is not spread over ${shown(label)}, and Strimzi ${strimzi.version} does not spread brokers by itself, so that all of them may be in one rack`,
              remedy: 'write topologySpreadConstraints with this topologyKey in template.pod',
              value: poolName(pool),
            }))
        : undefined;
    },
  },
];
