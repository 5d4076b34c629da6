import { ApiObject, App, Chart } from 'cdk8s';
import type { Json } from '../contract/json';
import { shown } from '../contract/printable';
import { clusterOfManifest } from '../kafka/cluster/manifest-cluster';
import { integerAt, listAt, listenersOf, mapAt, textAt } from '../kafka/document/kafka-json';
import { alike } from '../kafka/listener/findings-of-services';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import type { KafkaBrokerPool } from '../kafka/operator/kafka-manifest-props';
import { servicesOf } from '../kafka/operator/operator-services';
import {
  CLUSTER_LABEL,
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  LISTENER_TYPES,
  NAMELESS_LISTENER,
} from '../kafka/strimzi/operator-services.facts';
import { STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import type { Manifest } from '../rules/manifest-objects';
import { type Later, titleOf } from './later';

/** The load balanced Services that the operator will make of the Kafkas among some manifests. */
export function servicesOfKafkas(manifests: readonly Manifest[]): Later {
  const ofStrimzi = (wanted: string) => (manifest: Manifest) =>
    manifest.object.kind === wanted && String(manifest.object.apiVersion).startsWith(`${STRIMZI_GROUP}/`);
  const pools = manifests.filter(ofStrimzi(KAFKA_NODE_POOL_KIND)).map(({ object }) => object);
  const found: Later = { services: [], notes: [], others: 0 };
  for (const kafka of manifests.filter(ofStrimzi(KAFKA_KIND))) {
    const balanced = listenersIn(kafka.object).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
    if (balanced.length > 0) {
      addServices(found, kafka, balanced, pools);
    }
  }
  return found;
}

/** Before 0.22 the listeners were a map, and one of them was there for clients outside. */
function listenersIn(kafka: Json): Json[] {
  const external = { type: textAt(kafka, 'spec.kafka.listeners.external.type'), ...NAMELESS_LISTENER };
  return [...listenersOf(kafka), external];
}

function addServices(found: Later, kafka: Manifest, balanced: readonly Json[], pools: readonly Json[]): void {
  const { object, ...place } = kafka;
  const own = pools.filter((pool) => isPoolOf(pool, object));
  const listeners = balanced.map(({ name }) => shown(name)).join(', ');
  const title = `Kafka ${titleOf(object)}`;
  try {
    if ([object.metadata, ...balanced, ...own.map(({ metadata }) => metadata)].some((one) => !isText(one?.name))) {
      throw new Error('a name is not a text');
    }
    const cluster = clusterIn(object, own);
    for (const listener of balanced) {
      for (const [first, ...others] of alike(servicesOf(cluster, object, listener).services)) {
        const names = others.map(({ metadata }) => String(metadata.name));
        found.services.push({ ...place, object: first, alike: names, madeBy: `${title}, listener '${listener.name}'` });
      }
    }
  } catch {
    const why =
      own.length === 0 ? 'none of these files holds a KafkaNodePool of it' : 'its KafkaNodePools do not show it';
    found.notes.push(
      `${place.file}:${place.line}: ${title}: the operator makes a load balancer for each broker and one for all of listener ${listeners}; how many brokers there are is not known: ${why}`,
    );
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isPoolOf(pool: Json, kafka: Json): boolean {
  const of = mapAt(pool, 'metadata.labels')[CLUSTER_LABEL];
  const [place, other] = [pool, kafka].map((object) => textAt(object, 'metadata.namespace'));
  return of === textAt(kafka, 'metadata.name') && (place === other || place === undefined || other === undefined);
}

function clusterIn(kafka: Json, pools: readonly Json[]): IKafkaCluster {
  const chart = new Chart(new App(), 'list');
  const [document] = [kafka, ...pools].map((object, i) => new ApiObject(chart, `${i}`, object as never));
  const strimzi = versionFor(kafka, pools);
  const name = document.name;
  try {
    return clusterOfManifest(chart, { strimzi, name });
  } catch (error) {
    const nodePools = counted(pools);
    if (nodePools.length === 0) {
      throw error;
    }
    return clusterOfManifest(chart, { strimzi, name, nodePools });
  }
}

/** The newest one that reads the manifest: of these Services it decides little. */
function versionFor(kafka: Json, pools: readonly Json[]): StrimziVersion {
  if (StrimziVersion.V1_2.servesApiVersion(String(kafka.apiVersion))) {
    return StrimziVersion.V1_2;
  }
  const isWithoutPools = pools.length === 0 && integerAt(kafka, 'spec.kafka.replicas') !== undefined;
  return isWithoutPools ? StrimziVersion.V0_45 : StrimziVersion.V0_51;
}

/** Brokers by their number, where their ids are not known before they live. */
function counted(pools: readonly Json[]): KafkaBrokerPool[] {
  let next = 0;
  return pools
    .filter((pool) => listAt(pool, 'spec.roles').includes('broker'))
    .map((pool) => {
      const length = integerAt(pool, 'spec.replicas') ?? 0;
      return { name: textAt(pool, 'metadata.name') ?? '', brokerIds: Array.from({ length }, () => next++) };
    })
    .filter(({ brokerIds }) => brokerIds.length > 0);
}
