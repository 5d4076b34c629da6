import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../../contract/rule';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { OPERATOR } from '../../kafka/rules/document-rules';
import {
  KAFKA_KIND,
  STRIMZI_API,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
} from '../../kafka/strimzi/strimzi.facts';

import type { IndexedObject } from '../../rules/objects';
import { finalizersOf } from '../../rules/service-json';
import { type KindContext, keepsForeignFinalizers } from '../kafka-judgement';
import { likelyKinds } from './written-service';

export const KAFKA_API_LEAVING: DescribedNote = {
  id: 'kafka-api-leaving',
  who: OPERATOR,
  severity: 'note',
  says: `API version other than ${STRIMZI_API}, which newer operators do not serve`,
  source: { repository: 'strimzi/strimzi-kafka-operator', version: '1.0.0', file: 'CHANGELOG.md' },
};

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

export const FINALIZER_ADDED_LATE: DescribedNote = {
  id: 'finalizer-added-late',
  who: OPERATOR,
  severity: 'note',
  says: 'listener does not declare the finalizer of its owner',
  source: 'ours',
};

/** The race between the controller that adds its finalizer and the deletion of a Service that Strimzi makes of a Kafka. */
export function lateFinalizers(
  kafka: Json,
  service: Json,
  { entry, owner }: { readonly entry: IndexedObject; readonly owner: LoadBalancerOwner },
  context: KindContext,
): LoadBalancerFinding[] {
  const resource = entry.index.of(STRIMZI_GROUP, KAFKA_KIND).find(({ json }) => json === kafka);
  const [kind, ...others] = likelyKinds(service, { owner });
  if (!resource || !kind || others.length > 0 || !keepsForeignFinalizers(resource, context)) {
    return [];
  }
  const { controller } = owner;
  const own = kind.declarable ? (controller ? kind.declarable(service, controller) : []) : kind.finalizers;
  if (own.length === 0 || finalizersOf(service).length > 0) {
    return [];
  }
  const finding = {
    what: `a Service that is deleted right after its creation may leave its load balancer behind: the listener does not declare finalizer ${own.join(' or ')}, which ${kind.name} adds later`,
    remedy: 'declare it in configuration.finalizers of the listener, and keep it there',
    at: '/metadata/finalizers',
  };
  return [findingOf(FINALIZER_ADDED_LATE, finding, OPERATOR)];
}
