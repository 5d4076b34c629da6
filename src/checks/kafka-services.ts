import type { Json } from '../contract/json';
import { shown } from '../contract/printable';
import { listenersOf, textAt } from '../kafka/document/kafka-json';
import { alike } from '../kafka/listener/findings-of-services';
import { servicesOf } from '../kafka/operator/operator-services';
import {
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  LISTENER_TYPES,
  NAMELESS_LISTENER,
} from '../kafka/strimzi/operator-services.facts';
import { STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import type { Manifest } from '../rules/manifest-objects';
import { clusterIn, isPoolOf } from './kafka-clusters';
import { type Later, titleOf } from './later';

/** The load balanced Services that the operator will make of the Kafkas among some manifests. */
export function servicesOfKafkas(manifests: readonly Manifest[], isEach = false): Later {
  const ofStrimzi = (wanted: string) => (manifest: Manifest) =>
    manifest.object.kind === wanted && String(manifest.object.apiVersion).startsWith(`${STRIMZI_GROUP}/`);
  const pools = manifests.filter(ofStrimzi(KAFKA_NODE_POOL_KIND)).map(({ object }) => object);
  const found: Later = { services: [], notes: [], others: 0 };
  for (const kafka of manifests.filter(ofStrimzi(KAFKA_KIND))) {
    const balanced = listenersIn(kafka.object).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
    if (balanced.length > 0) {
      addServices(found, kafka, balanced, pools, isEach);
    }
  }
  return found;
}

/** Before 0.22 the listeners were a map, and one of them was there for clients outside. */
function listenersIn(kafka: Json): Json[] {
  const external = { type: textAt(kafka, 'spec.kafka.listeners.external.type'), ...NAMELESS_LISTENER };
  return [...listenersOf(kafka), external];
}

function addServices(
  found: Later,
  kafka: Manifest,
  balanced: readonly Json[],
  pools: readonly Json[],
  isEach: boolean,
): void {
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
      const { services } = servicesOf(cluster, object, listener);
      for (const [first, ...others] of isEach ? services.map((service) => [service]) : alike(services)) {
        const names = others.map(({ metadata }) => String(metadata.name));
        const madeBy = `${title}, listener '${listener.name}'`;
        const madeOf = { object, path: ['spec', 'kafka', 'listeners', placeIn(object, listener)] };
        found.services.push({ ...place, object: first, alike: names, madeBy, madeOf });
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

function placeIn(kafka: Json, listener: Json): string | number {
  const index = listenersOf(kafka).indexOf(listener);
  return index < 0 ? 'external' : index;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
