import { type Json, mapIn } from '../contract/json';
import { shown } from '../contract/printable';
import { listenersOf, textAt } from '../kafka/document/kafka-json';
import { alike } from '../kafka/listener/findings-of-services';
import { isText } from '../kafka/listener/listener-values';
import { servicesOf } from '../kafka/operator/operator-services';
import {
  KAFKA_KIND,
  LISTENER_TYPES,
  NAMELESS_LISTENER,
  SELECTOR_LABELS,
} from '../kafka/strimzi/operator-services.facts';
import type { Manifest } from '../rules/manifest-objects';
import { clusterIn, hugePoolsIn, isOfStrimzi, isWithoutBrokers, nodePoolsIn, uncountedCluster } from './kafka-clusters';
import { type Later, titleOf } from './later';
import { LivingNodes } from './living-nodes';

/**
 * The load balanced Services that the operator will make of the Kafkas among some manifests.
 *
 * @param isEach whether those that are alike are all there
 * @param older what is applied before them: its nodes keep their ids
 */
export function servicesOfKafkas(
  manifests: readonly Manifest[],
  isEach = false,
  older: readonly Manifest[] = [],
): Later {
  const living = new LivingNodes(older);
  const all = nodePoolsIn(manifests);
  const pools = {
    of: (kafka: Json) =>
      living.besides(
        kafka,
        all.of(kafka).map(({ object }) => object),
      ),
  };
  const found: Later = { services: [], notes: [], unlisted: [], others: 0 };
  for (const kafka of manifests.filter(({ object }) => isOfStrimzi(object, KAFKA_KIND))) {
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

/** The pools of a Kafka, each with the ids of nodes that live. */
interface PoolsOfKafkas {
  of(kafka: Json): readonly Json[];
}

function addServices(
  found: Later,
  kafka: Manifest,
  balanced: readonly Json[],
  pools: PoolsOfKafkas,
  isEach: boolean,
): void {
  const { object, ...place } = kafka;
  const own = pools.of(object);
  const listeners = balanced.map(({ name }) => shown(name)).join(', ');
  const title = `Kafka ${titleOf(object)}`;
  const add = (listener: Json, services: readonly (readonly Json[])[]) => {
    for (const [first, ...others] of services) {
      const names = others.map(({ metadata }) => String(metadata.name));
      const madeBy = `${title}, listener '${listener.name}'`;
      const madeOf = { object, path: ['spec', 'kafka', 'listeners', placeIn(object, listener)] };
      found.services.push({ ...place, object: first, alike: names, madeBy, madeOf });
    }
  };
  try {
    if ([object.metadata, ...balanced, ...own.map(({ metadata }) => metadata)].some((one) => !isText(one?.name))) {
      throw new Error('a name is not a string');
    }
    const cluster = clusterIn(object, own);
    for (const listener of balanced) {
      const { services } = servicesOf(cluster, object, listener);
      add(listener, isEach ? services.map((service) => [service]) : alike(services));
      const huge = hugePoolsIn(own);
      if (huge.length > 0) {
        const more = huge.reduce((sum, { unlisted }) => sum + unlisted, 0);
        const why = huge
          .map(({ name, replicas }) => `KafkaNodePool ${name} has replicas ${digits(replicas)}`)
          .join(', ');
        found.others += more;
        found.unlisted?.push(kafka);
        found.notes.push(
          `${place.file}:${place.line}: ${title}: ${digits(services.length)} of ${digits(services.length + more)} load balancers of listener ${shown(listener.name)} are listed: ${why}`,
        );
      }
    }
  } catch {
    if (isWithoutBrokers(own)) {
      found.notes.push(
        `${place.file}:${place.line}: ${title}: the operator makes no load balancer for listener ${listeners}: without a broker it does not reconcile the cluster, and the KafkaNodePools of these files have replicas 0`,
      );
      return;
    }
    const why = own[0] ? 'its KafkaNodePools do not show it' : 'none of these files holds a KafkaNodePool of it';
    let what = `the operator makes a load balancer for each broker and one for all of listener ${listeners}; how many brokers there are is not known: ${why}`;
    for (const listener of balanced) {
      const services = bootstrapOfUncounted(object, listener);
      add(listener, services?.map((service) => [service]) ?? []);
      if (!services) {
        what = `no version of Strimzi that is known here serves ${shown(object.apiVersion)}, so its load balancers are not known`;
      }
    }
    found.unlisted?.push(kafka);
    found.notes.push(`${place.file}:${place.line}: ${title}: ${what}`);
  }
}

/** The Service of a listener that exists whatever the number of brokers is; undefined if no known operator serves the Kafka. */
function bootstrapOfUncounted(kafka: Json, listener: Json): Json[] | undefined {
  if (![kafka.metadata?.name, listener.name].every(isText)) {
    return [];
  }
  try {
    const cluster = uncountedCluster(kafka);
    const { services } = servicesOf(cluster, kafka, listener);
    return cluster.strimzi.servesApiVersion(String(kafka.apiVersion))
      ? services.filter((service) => podNameOf(service) === undefined)
      : undefined;
  } catch {
    return [];
  }
}

/** `2,000,000,000` */
function digits(number: number): string {
  return number.toLocaleString('en-US');
}

function placeIn(kafka: Json, listener: Json): string | number {
  const index = listenersOf(kafka).indexOf(listener);
  return index < 0 ? 'external' : index;
}

/** The pod that a Service of the operator is for; nothing where it is for all of them. */
export function podNameOf(service: Json): string | undefined {
  const pod: unknown = mapIn(mapIn(service, 'spec'), 'selector')[SELECTOR_LABELS.pod];
  return typeof pod === 'string' ? pod : undefined;
}
