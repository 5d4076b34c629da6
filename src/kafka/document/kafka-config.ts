import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { CLUSTER_LABEL } from '../operator/operator-services.facts';
import {
  LISTENER_CONFIG_DROPPED,
  LISTENER_CONFIG_DROPPED_BEFORE,
  LISTENER_CONFIG_DROPPED_LESS_SINCE,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import {
  ALLOWED_CONFIG,
  ALLOWED_LISTENER_CONFIG,
  type ConfigKey,
  FORBIDDEN_CONFIG,
  OWN_PREFIX,
} from './kafka-config.facts';
import { listenersOf } from './kafka-json';

/** Whether a version knows of a key. */
function isKnownTo(strimzi: StrimziVersion, { since }: ConfigKey): boolean {
  return since === undefined || reaches(strimzi, since);
}

/** Whether a key of Kafka's configuration may stand for a listener of a document. */
function isOfListener(kafka: Json, key: string): boolean {
  return (
    key.startsWith('listener.name.') &&
    listenersOf(kafka).some(({ name, port }) =>
      ALLOWED_LISTENER_CONFIG.some((end) => key === `listener.name.${name}-${port}.${end}`),
    )
  );
}

/** How keys begin that some version ignores. */
const FORBIDDEN = new RegExp(`^(${FORBIDDEN_CONFIG.map(({ key }) => key.replaceAll('.', '\\.')).join('|')})`, 'i');

/** The keys among some that the operator ignores, since it sets them itself. */
export function forbiddenConfig(kafka: Json, keys: readonly string[], strimzi: StrimziVersion): string[] {
  return keys.filter((key) => {
    if (!FORBIDDEN.test(key)) {
      return false;
    }
    const lower = key.toLowerCase();
    return (
      FORBIDDEN_CONFIG.some((start) => lower.startsWith(start.key.toLowerCase()) && isKnownTo(strimzi, start)) &&
      !ALLOWED_CONFIG.some((exception) => exception.key === key && isKnownTo(strimzi, exception)) &&
      !isOfListener(kafka, key)
    );
  });
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
