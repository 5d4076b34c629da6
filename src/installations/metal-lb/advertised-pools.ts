import type { Json } from '../../contract/json';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/annotations';

/** Whether an object announces a pool, as far as can be told: labels of pools are not looked into. */
export function announcesPool({ kind, metadata = {}, spec = {} }: Json, pool: Json): boolean {
  return (
    Object.values(METALLB_ADVERTISEMENTS).includes(kind) &&
    metadata.namespace === pool.metadata?.namespace &&
    (spec.ipAddressPoolSelectors?.length > 0 ||
      !(spec.ipAddressPools?.length > 0) ||
      spec.ipAddressPools.includes(pool.metadata?.name))
  );
}
