import { isMap, type Json } from '../../contract/json';
import { METALLB_GROUP, METALLB_POOL } from '../../installations/metal-lb/facts';
import { groupOf } from '../../rules/objects';

/** What speaks for an empty pool: every pool of the dump says that it has no free address. */
export function emptyPools(objects: readonly Json[]): string | undefined {
  const pools = objects.filter((object) => object.kind === METALLB_POOL && groupOf(object) === METALLB_GROUP);
  const isEmpty = ({ status }: Json) =>
    isMap(status) && status.availableIPv4 === 0 && (status.availableIPv6 === undefined || status.availableIPv6 === 0);
  return pools.length > 0 && pools.every(isEmpty)
    ? `no pool of these files has a free address: ${pools.map(nameOf).join(', ')}`
    : undefined;
}

/** What a quota counts of load balanced Services. */
const COUNTED = 'services.loadbalancers';

/** What speaks for a quota: one of the namespace allows no further load balancer. */
export function fullQuota(namespace: unknown, objects: readonly Json[]): string | undefined {
  const full = objects.find(
    ({ kind, metadata, status }) =>
      kind === 'ResourceQuota' &&
      isMap(metadata) &&
      metadata.namespace === namespace &&
      isMap(status) &&
      isMap(status.hard) &&
      isMap(status.used) &&
      Number(textOrNumber(status.used[COUNTED])) >= Number(textOrNumber(status.hard[COUNTED])),
  );
  return full && `quota ${nameOf(full)} allows ${full.status.hard[COUNTED]} ${COUNTED}, and as many are used`;
}

/** Quantities are texts or numbers. */
function textOrNumber(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : Number.NaN;
}

function nameOf({ metadata }: Json): string {
  const { name } = isMap(metadata) ? metadata : {};
  return typeof name === 'string' ? name : 'without a name';
}
