import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { ALLOWED_LISTENER_CONFIG, LISTENER_CONFIG, OWN_PREFIX } from '../strimzi/kafka-config.facts';
import { CLUSTER_LABEL } from '../strimzi/operator-services.facts';
import {
  LISTENER_CONFIG_DROPPED,
  LISTENER_CONFIG_DROPPED_BEFORE,
  LISTENER_CONFIG_DROPPED_LESS_SINCE,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { listenersOf } from './kafka-json';

/** The keys among some of Kafka's own configuration that listeners have fields for, and that the operator ignores. */
export function listenerConfig(kafka: Json, keys: readonly string[]): string[] {
  return keys.filter((key) => {
    const lower = key.toLowerCase();
    return LISTENER_CONFIG.some((start) => lower.startsWith(start)) && !isOfListener(kafka, key);
  });
}

/** Whether a key of Kafka's configuration is one that a listener of a document may have. */
function isOfListener(kafka: Json, key: string): boolean {
  return (
    key.startsWith('listener.name.') &&
    listenersOf(kafka).some(({ name, port }) =>
      ALLOWED_LISTENER_CONFIG.some((end) => key === `listener.name.${name}-${port}.${end}`),
    )
  );
}

/** Whether the operator ignores a key of `listenerConfig`. */
export function forbiddenListenerConfig(key: string, strimzi: StrimziVersion): boolean {
  const dropped = reaches(strimzi, LISTENER_CONFIG_DROPPED_LESS_SINCE)
    ? LISTENER_CONFIG_DROPPED
    : LISTENER_CONFIG_DROPPED_BEFORE;
  return key.toLowerCase().startsWith(dropped);
}

/** Whether a label is one that the operator alone may write. */
export function isReservedLabel(key: string): boolean {
  return key.startsWith(OWN_PREFIX) && !key.startsWith(CLUSTER_LABEL);
}
