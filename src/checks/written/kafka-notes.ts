import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../../contract/rule';
import { OPERATOR } from '../../kafka/rules/kafka-context';
import { STRIMZI_API, STRIMZI_GROUP, STRIMZI_OLD_API, STRIMZI_OLD_API_UNTIL } from '../../kafka/strimzi/strimzi.facts';

export const KAFKA_API_LEAVING: DescribedNote = {
  id: 'kafka-api-leaving',
  who: OPERATOR,
  severity: 'note',
  says: `a resource of Strimzi has API version ${STRIMZI_API}, the only one that newer operators serve`,
  source: { repository: 'strimzi/strimzi-kafka-operator', version: '1.0.0', file: 'CHANGELOG.md' },
};

/** What an upgrade of the operator will refuse of a resource that is right today. */
export function leavingApi({ apiVersion, spec }: Json): LoadBalancerFinding[] {
  if (apiVersion !== `${STRIMZI_GROUP}/${STRIMZI_OLD_API}`) {
    return [];
  }
  const gone = [
    ...(spec?.kafka?.replicas === undefined ? [] : ['spec.kafka.replicas']),
    ...(spec?.kafka?.storage === undefined ? [] : ['spec.kafka.storage']),
    ...(spec?.zookeeper === undefined ? [] : ['spec.zookeeper']),
  ];
  const fields = gone.length === 0 ? '' : `, which has no ${gone.join(', ')}`;
  const finding = {
    what: `apiVersion ${STRIMZI_OLD_API} is refused by Strimzi ${STRIMZI_OLD_API_UNTIL} and newer, which serve ${STRIMZI_API} alone${fields}`,
    remedy: `convert it to ${STRIMZI_API} before the operator is upgraded, with Strimzi's conversion tool`,
    value: String(apiVersion),
    at: '/apiVersion',
  };
  return [findingOf(KAFKA_API_LEAVING, finding, OPERATOR)];
}
