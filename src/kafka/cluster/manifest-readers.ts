import type { ApiObject } from 'cdk8s';
import { constructOf } from '../../rules/app-objects';
import type { IndexedObject } from '../../rules/objects';
import type { KafkaManifestProps } from '../operator/kafka-manifest-props';
import type { StrimziVersion } from '../strimzi/strimzi-version';

/** How a construct has read a Kafka resource. */
export interface KafkaReading extends KafkaManifestProps {
  /** The brokers, each with the name of its pool. */
  readonly brokers: ReadonlyMap<number, string>;
}

const READINGS = new WeakMap<ApiObject, KafkaReading>();

/**
 * One operator reads a resource, and it has the same brokers for all listeners: two versions of it, or brokers that are set
 * and others, would decide differently about one listener after the other.
 */
export function readAs(kafka: ApiObject, now: KafkaReading): void {
  const before = READINGS.get(kafka) ?? now;
  const [old, fresh] = [before.strimzi, now.strimzi];
  const refuse = (how: string, and: string, remedy: string) => {
    throw new Error(
      `${kafka.node.path}: Kafka ${kafka.name} is read ${how} already, and now ${and}; ${remedy}, best the cluster that fromManifest gave at first`,
    );
  };
  if (old.version !== fresh.version || old.keepsForeignFinalizers !== fresh.keepsForeignFinalizers) {
    refuse(`by Strimzi ${shownVersion(old)}`, `by ${shownVersion(fresh)}`, 'pass one version');
  }
  // pools may come to a construct between two readings, which the second one sees
  if ((namesBrokers(before) || namesBrokers(now)) && shownBrokers(before) !== shownBrokers(now)) {
    refuse(`with the brokers ${shownBrokers(before)}`, `with ${shownBrokers(now)}`, 'pass the same ids and pools');
  }
  READINGS.set(kafka, now);
}

const MADE_FOR = new WeakMap<ApiObject, StrimziVersion>();

/** Remembers the version that a resource was made for. */
export function settleVersion(resource: ApiObject, strimzi: StrimziVersion): void {
  MADE_FOR.set(resource, strimzi);
}

/** The version that a resource was made for or is read by; nothing where a manifest is all there is. */
export function versionOf(resource: IndexedObject): StrimziVersion | undefined {
  const construct = constructOf(resource);
  return construct && (MADE_FOR.get(construct) ?? READINGS.get(construct)?.strimzi);
}

function namesBrokers({ brokerIds, nodePools }: KafkaReading): boolean {
  return brokerIds !== undefined || nodePools !== undefined;
}

/** A version as messages call it. */
export function shownVersion({ version, keepsForeignFinalizers }: StrimziVersion): string {
  return `${version} with${keepsForeignFinalizers ? '' : 'out'} server-side apply`;
}

function shownBrokers({ brokers }: KafkaReading): string {
  const ids = [...brokers.keys()].sort((one, other) => one - other);
  return ids.map((id) => `${id} (${brokers.get(id)})`).join(', ');
}
