import type { Size } from 'cdk8s';
import type { Json } from '../../contract/json';
import type { KafkaEphemeralOptions } from './kafka-ephemeral-options';
import type { KafkaPersistentClaimOptions } from './kafka-persistent-claim-options';
import { STORAGE_TYPES } from './node-pool.facts';

/** A persistent claim, as storage and volumes have it. */
export function claimJson(size: Size, options: KafkaPersistentClaimOptions): Json {
  const { storageClass, deleteClaim, selector, volumeAttributesClass } = options;
  const text = size.asString();
  if (Number.parseFloat(text) === 0) {
    throw new Error(`strimzi: a persistent volume cannot have a size of ${text}; write how much it shall hold`);
  }
  return {
    type: STORAGE_TYPES.persistentClaim,
    size: text,
    ...(storageClass !== undefined && { class: storageClass }),
    ...(deleteClaim !== undefined && { deleteClaim }),
    ...(selector && { selector: { ...selector } }),
    ...(volumeAttributesClass !== undefined && { volumeAttributesClass }),
  };
}

/** Ephemeral storage, likewise. */
export function ephemeralJson({ sizeLimit }: KafkaEphemeralOptions): Json {
  return { type: STORAGE_TYPES.ephemeral, ...(sizeLimit && { sizeLimit: sizeLimit.asString() }) };
}
