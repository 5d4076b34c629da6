import { reaches } from '../../contract/compare-versions';
import { isSet, type Json } from '../../contract/json';
import { mapAt } from '../document/kafka-json';
import { mergedSpec } from '../document/plain-spec';
import {
  KRAFT_ANNOTATIONS,
  KRAFT_ANNOTATIONS_UNTIL,
  OFFSETS_REPLICAS,
  REPLICATED,
} from '../strimzi/kafka-cluster.facts';
import { PAUSE_ANNOTATION } from '../strimzi/operator-services.facts';
import type { KafkaClusterProps } from './kafka-cluster-props';

/** The props that decide fields of a Kafka resource. */
const PROPS = { 'spec.kafka.listeners': 'listeners' };

/** The most replicas that a topic gets by itself: more cost space and time, and save little. */
const MOST_REPLICAS = 3;

/**
 * The spec of a Kafka resource, without the listeners that are written into it later.
 *
 * @param path the path of the construct
 * @param brokers how many there are
 * @throws where the plain data contradicts the props
 */
export function clusterSpec(path: string, { listeners = [], spec = {} }: KafkaClusterProps, brokers: number): Json {
  const kafka = { listeners: [...listeners] };
  const merged = mergedSpec(path, { kafka }, spec, PROPS);
  const config = { ...replication(mapAt(spec, 'kafka.config'), brokers), ...mapAt(spec, 'kafka.config') };
  return {
    entityOperator: Object.hasOwn(spec, 'entityOperator') ? undefined : { topicOperator: {}, userOperator: {} },
    ...merged,
    kafka: { ...merged.kafka, config: Object.keys(config).length > 0 ? config : undefined },
  };
}

/** The annotations by which the operator knows what to do with a cluster. */
export function clusterAnnotations({ strimzi, pauseReconciliation }: KafkaClusterProps): Record<string, string> {
  const kraft = reaches(strimzi, KRAFT_ANNOTATIONS_UNTIL) ? [] : KRAFT_ANNOTATIONS.map((key) => [key, 'enabled']);
  const paused = pauseReconciliation === undefined ? [] : [[PAUSE_ANNOTATION, String(pauseReconciliation)]];
  return Object.fromEntries([...kraft, ...paused]);
}

/**
 * Kafka's own defaults are one replica of a topic, so that the loss of a broker is the loss of data, and three of offsets and
 * transactions, which fewer brokers cannot hold. Of numbers that belong together, all are left to the user or none.
 */
function replication(config: Json, brokers: number): Json {
  const replicas = Math.min(MOST_REPLICAS, brokers);
  const inSync = Math.max(1, replicas - 1);
  const groups: Json[] = [
    ...REPLICATED.map((keys) => ({ [keys.replicas]: replicas, [keys.inSync]: inSync })),
    { [OFFSETS_REPLICAS]: replicas },
  ];
  const unset = groups.filter((group) => brokers > 0 && !Object.keys(group).some((key) => isSet(config[key])));
  return Object.assign({}, ...unset);
}
