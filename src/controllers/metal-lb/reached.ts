import { isIP } from 'node:net';
import { type Edit, type EditFact, editFrom, interrupted, replaced } from '../../contract/edit';
import { type Json, list, mapIn, mapsIn } from '../../contract/json';
import { type EditBeside, type LabelsEdit, Reach } from '../../rules/controller-definition';
import { annotationsOf } from '../../rules/service-json';
import { rangesOf, shareOf } from './address-ranges';
import { METALLB, METALLB_SOURCE } from './annotations';
import { admits, matches, mayAnnounce, poolOf } from './made';

// Which Services the edit of a pool or of an advertisement reaches. metallb/metallb v0.16.2: internal/allocator/allocator.go,
// controller/service.go, speaker/main.go

const POOL = 'IPAddressPool';

/** Whether the edit of a pool or of an advertisement can reach the address of a Service. */
export function reachedByEdit(edit: EditBeside): Reach {
  return (edit.object.before ?? edit.object.after)?.kind === POOL ? ofPool(edit) : ofAdvertisement(edit);
}

function ofPool({ row, object, service, objects }: EditBeside): Reach {
  const { before } = object;
  if (!before) {
    return Reach.NO;
  }
  if (row.startsWith('metadata.labels')) {
    return objects.before.some(({ spec }) => list(mapIn({ spec }, 'spec').ipAddressPoolSelectors).length > 0)
      ? Reach.PERHAPS
      : Reach.NO;
  }
  const name = nameOf(before);
  const addresses = addressesOf(service.before);
  if (addresses.length > 0) {
    const wanted = poolOf(service.after);
    const isStillGiven = objects.after.some(
      (pool) => pool.kind === POOL && (wanted === undefined || wanted === nameOf(pool)) && holds(pool, addresses),
    );
    return !holds(before, addresses) || (isStillGiven && OF_ADDRESSES.has(row)) ? Reach.NO : Reach.YES;
  }
  const wanted = poolOf(service.before);
  if (wanted !== undefined && wanted !== name) {
    return Reach.NO;
  }
  const giving = possiblePools(service.before, objects.before);
  const left = objects.after.filter((pool) => pool.kind === POOL && (wanted === undefined || wanted === nameOf(pool)));
  const share = OF_ADDRESSES.has(row) ? shareOf(rangesOf(before), left.flatMap(rangesOf)) : 'none';
  if (share === 'all' || !giving.includes(before)) {
    return Reach.NO;
  }
  return giving.length === 1 && share === 'none' ? Reach.YES : Reach.PERHAPS;
}

/** Labels of a Service that selectors of pools or of advertisements no longer match. */
export function editByLabels(
  { before, after }: EditBeside['service'],
  objects: readonly Json[],
): LabelsEdit | undefined {
  const givingTo = (service: Json) =>
    possiblePools(service, objects).filter(({ spec }) => {
      const selectors = mapsIn(mapIn(mapIn({ spec }, 'spec'), 'serviceAllocation'), 'serviceSelectors');
      return (
        selectors.length === 0 || selectors.some((one) => matches(one, mapIn(mapIn(service, 'metadata'), 'labels')))
      );
    });
  const [old, now] = [givingTo(before), givingTo(after)];
  if (old.some((pool) => !now.includes(pool))) {
    return { edit: NOT_ADMITTED, reach: old.some((pool) => now.includes(pool)) ? Reach.PERHAPS : Reach.YES };
  }
  const isAnnounced = (service: Json) => objects.some((one) => one.kind !== POOL && mayAnnounce(one, service));
  return isAnnounced(before) && !isAnnounced(after) ? { edit: NOT_ANNOUNCED, reach: Reach.YES } : undefined;
}

const edit = (fact: EditFact): Edit => editFrom(fact, METALLB_SOURCE);
const NOT_ADMITTED = edit(
  replaced(
    'its pool is not for Services with these labels: the Service gets an address of another one, or none',
    'internal/allocator/allocator.go',
  ),
);
const NOT_ANNOUNCED = edit(
  interrupted('no advertisement here matches the labels any more: nobody answers for the address', 'speaker/main.go'),
);

function possiblePools(service: Json, objects: readonly Json[]): readonly Json[] {
  const pools = objects.filter(({ kind }) => kind === POOL);
  const addresses = addressesOf(service);
  const wanted = poolOf(service);
  if (addresses.length > 0) {
    return pools.filter((pool) => holds(pool, addresses));
  }
  return pools.filter((pool) =>
    wanted === undefined ? mapIn(pool, 'spec').autoAssign !== false : wanted === nameOf(pool),
  );
}

const OF_ADDRESSES: ReadonlySet<string> = new Set(['', 'spec.addresses', 'metadata.name']);

function nameOf(object: Json): unknown {
  return mapIn(object, 'metadata').name;
}

function addressesOf(service: Json): string[] {
  const given = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress').map(({ ip }) => ip);
  const annotations = annotationsOf(service);
  const { current, deprecated } = METALLB.loadBalancerIps;
  const asked = current.on(annotations) ?? deprecated.on(annotations) ?? mapIn(service, 'spec').loadBalancerIP;
  const all = given.length > 0 ? given : String(asked ?? '').split(',');
  return all.map((one) => String(one).trim()).filter((one) => isIP(one) !== 0);
}

/** Whether a pool has all of some addresses. internal/allocator/allocator.go, poolFor */
function holds(pool: Json, addresses: readonly string[]): boolean {
  return shareOf(addresses, rangesOf(pool)) === 'all';
}

function ofAdvertisement({ row, object, service, objects }: EditBeside): Reach {
  const { before, after } = object;
  const [pools, poolsAfter] = [
    possiblePools(service.before, objects.before),
    possiblePools(service.after, objects.after),
  ];
  const mayBe =
    before && mayAnnounce(before, service.before) && (pools.length === 0 || pools.some((pool) => names(before, pool)));
  if (!mayBe) {
    return Reach.NO;
  }
  const isSame = (one: Json) => objects.before.some((other) => JSON.stringify(other) === JSON.stringify(one));
  const stays = objects.after.some(
    (one) =>
      one !== after &&
      one.kind === before.kind &&
      isOfAllNodes(one) &&
      announces(one, service.after, poolsAfter) &&
      isSame(one),
  );
  const isStillAnnounced = after && WHOM.has(row) && announces(after, service.after, poolsAfter);
  return stays || isStillAnnounced ? Reach.NO : announces(before, service.before, pools) ? Reach.YES : Reach.PERHAPS;
}

const WHOM: ReadonlySet<string> = new Set([
  'spec.ipAddressPools',
  'spec.ipAddressPoolSelectors',
  'spec.serviceSelectors',
]);

function announces(advertisement: Json, service: Json, pools: readonly Json[]): boolean {
  return (
    admits(advertisement, service) ||
    (mayAnnounce(advertisement, service) && pools.length > 0 && pools.every((pool) => names(advertisement, pool)))
  );
}

function names({ spec }: Json, pool: Json): boolean {
  const { ipAddressPools, ipAddressPoolSelectors } = mapIn({ spec }, 'spec');
  const [named, selectors] = [list<unknown>(ipAddressPools), list<Json>(ipAddressPoolSelectors)];
  return (
    (named.length === 0 && selectors.length === 0) ||
    named.includes(nameOf(pool)) ||
    selectors.some((selector) => matches(selector, mapIn(mapIn(pool, 'metadata'), 'labels')))
  );
}

function isOfAllNodes({ spec }: Json): boolean {
  const { nodeSelectors, interfaces, peers } = mapIn({ spec }, 'spec');
  return [nodeSelectors, interfaces, peers].every((some) => list(some).length === 0);
}
