import { reaches } from '../../contract/compare-versions';
import { isMap, isSet, type Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import type { Rule } from '../../rules/rule';
import { at, mapAt } from '../document/kafka-json';
import { POOL_MODEL, POOL_TEMPLATES, TEMPLATES_MERGED_SINCE } from '../strimzi/node-pool.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { type ClusterContext, poolTitle, readsPools } from './pool-json';

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
];
