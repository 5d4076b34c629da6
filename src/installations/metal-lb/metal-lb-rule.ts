import type { Json } from '../../contract/json';
import { METALLB_ADVERTISEMENTS, type MetalLbMode } from '../../controllers/metal-lb/facts';

export interface MetalLbNeighbour {
  readonly path: string;
  readonly json: Json;
  /** Whether it was made before the one that is validated: of two that do not fit, the second is reported. */
  readonly isEarlier: boolean;
  /** Whether it is in the chart of the one that is validated; an object of another chart may be for another cluster. */
  readonly isInSameChart: boolean;
}

export interface MetalLbContext {
  /** The other objects of MetalLB in the app. */
  readonly inApp: readonly MetalLbNeighbour[];
  /** The finished Services of the app that are for MetalLB. */
  readonly services: readonly Json[];
  /** The modes that controllers were made in for a pool. */
  readonly modes: readonly MetalLbMode[];
  /** The namespaces in which MetalLB is known to run. */
  readonly namespaces: readonly string[];
}

export function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether an object announces a pool, as far as can be known: labels of pools are not looked into. */
export function announcesPool({ kind, metadata = {}, spec = {} }: Json, pool: Json): boolean {
  return (
    Object.values(METALLB_ADVERTISEMENTS).includes(kind) &&
    metadata.namespace === pool.metadata?.namespace &&
    (spec.ipAddressPoolSelectors?.length > 0 ||
      !(spec.ipAddressPools?.length > 0) ||
      spec.ipAddressPools.includes(pool.metadata?.name))
  );
}
