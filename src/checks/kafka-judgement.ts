import type { Json } from '../contract/json';
import { versionIn } from '../installations/strimzi/installation-rule';
import { listenersOf } from '../kafka/document/kafka-json';
import { judgeListeners } from '../kafka/listener/judge-listeners';
import { listenerContextOf } from '../kafka/listener/listener-context';
import { judgeUnplanned } from '../kafka/listener/unplanned-balancers';
import { operatorsServing } from '../kafka/operator/cluster-operators';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import { neighbourAmong } from '../kafka/rules/cluster-neighbours';
import { judgePools } from '../kafka/rules/cluster-rules';
import { judgeNodePool } from '../kafka/rules/node-pool-rules';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND } from '../kafka/strimzi/operator-services.facts';
import { STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import type { Judgement } from '../rules/judgement';
import type { IndexedObject } from '../rules/objects';
import { clusterIn, isPoolOf, versionFor } from './kafka-clusters';

/** Validates a Kafka of files with its listeners and its node pools, as the operator reads it that serves it. */
export function judgeKafka(kafka: IndexedObject): Judgement {
  const { json } = kafka;
  const documents = poolsOf(kafka).map((pool) => pool.json);
  const installed = installedVersion(kafka);
  const strimzi = installed ?? versionFor(json, documents);
  const cluster = clusterOf(json, documents, strimzi);
  const judgement = judgeListeners(json, {
    ...(cluster && listenerContextOf(cluster)),
    strimzi,
    isVersionGuessed: installed === undefined,
    operators: () => operatorsServing(kafka),
  }).and(judgePools(json, { strimzi, pools: documents, neighbour: neighbourAmong(kafka) }));
  return cluster
    ? listenersOf(json).reduce<Judgement>(
        (sum, listener) => sum.and(judgeUnplanned(cluster, json, listener)),
        judgement,
      )
    : judgement;
}

/** Validates a KafkaNodePool of files by itself. */
export function judgePool(pool: IndexedObject): Judgement {
  const kafka = pool.index.of(STRIMZI_GROUP, KAFKA_KIND).find(({ json }) => isPoolOf(pool.json, json));
  const strimzi = (kafka && installedVersion(kafka)) ?? versionFor(kafka?.json ?? pool.json, [pool.json]);
  return judgeNodePool(pool.json, { strimzi });
}

/** The node pools of a Kafka that are applied together with it, or else all of them: files may be of several clusters. */
function poolsOf({ index, json, unit }: IndexedObject): readonly IndexedObject[] {
  const all = index.of(STRIMZI_GROUP, KAFKA_NODE_POOL_KIND).filter((pool) => isPoolOf(pool.json, json));
  const own = all.filter((pool) => pool.unit === unit);
  return own.length > 0 ? own : all;
}

/** The version of the operator that serves a Kafka, where one is among the objects. */
function installedVersion(kafka: IndexedObject): StrimziVersion | undefined {
  return operatorsServing(kafka)
    .map(({ object }) => versionIn(object.json))
    .find((version) => version !== undefined);
}

/** What manifests show of a cluster; nothing where they do not show its brokers. */
function clusterOf(kafka: Json, pools: readonly Json[], strimzi: StrimziVersion): IKafkaCluster | undefined {
  try {
    return clusterIn(kafka, pools, strimzi);
  } catch {
    return undefined;
  }
}
