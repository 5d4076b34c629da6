import type { Json } from '../../contract/json';
import type { KafkaResourceAmounts, KafkaResources } from './kafka-resources';

/** The `resources` of a node pool. */
export function resourcesJson({ requests, limits, claims }: KafkaResources): Json {
  return {
    ...(requests && { requests: amountsJson(requests) }),
    ...(limits && { limits: amountsJson(limits) }),
    ...(claims && { claims: claims.map((claim) => ({ ...claim })) }),
  };
}

function amountsJson({ cpu, memory, others }: KafkaResourceAmounts): Json {
  return {
    ...others,
    ...(cpu !== undefined && { cpu }),
    ...(memory && { memory: memory.asString() }),
  };
}
