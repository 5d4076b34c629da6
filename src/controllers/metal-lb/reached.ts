import { type AddressRange, addressesIn, overlap, rangeOrAddress } from '../../contract/address-ranges';
import { addressesOf as givenTo } from '../../contract/edit';
import { type Json, list, mapIn, mapsIn } from '../../contract/json';
import { matchesSelector } from '../../contract/kubernetes-syntax';
import { type LabelsEdit, Reach, type RelatedEdit } from '../../rules/controller-definition';
import { annotationsOf } from '../../rules/service-json';
import { METALLB } from './annotations';
import { NOT_ADMITTED, NOT_ANNOUNCED } from './edits.facts';
import { admits, mayAnnounce, poolOf } from './model';

// Services that the edit of a pool or of an advertisement affects. metallb/metallb v0.16.2: internal/allocator/allocator.go,
// controller/service.go, speaker/main.go

const POOL = 'IPAddressPool';

export function reachedByEdit(edit: RelatedEdit): Reach {
  return (edit.object.before ?? edit.object.after)?.kind === POOL ? ofPool(edit) : ofAdvertisement(edit);
}

function ofPool({ row, object, service, objects }: RelatedEdit): Reach {
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

export function editsByLabels(
  { before, after }: RelatedEdit['service'],
  objects: readonly Json[],
): readonly LabelsEdit[] {
  const givingTo = (service: Json) =>
    possiblePools(service, objects).filter(({ spec }) => {
      const selectors = mapsIn(mapIn(mapIn({ spec }, 'spec'), 'serviceAllocation'), 'serviceSelectors');
      return (
        selectors.length === 0 ||
        selectors.some((one) => matchesSelector(one, mapIn(mapIn(service, 'metadata'), 'labels')))
      );
    });
  const [old, now] = [givingTo(before), givingTo(after)];
  const reach = old.some((pool) => now.includes(pool)) ? Reach.PERHAPS : Reach.YES;
  const isAnnounced = (service: Json) => objects.some((one) => one.kind !== POOL && mayAnnounce(one, service));
  return [
    ...(old.some((pool) => !now.includes(pool)) ? [{ edit: NOT_ADMITTED, reach }] : []),
    ...(isAnnounced(before) && !isAnnounced(after) ? [{ edit: NOT_ANNOUNCED, reach: Reach.YES }] : []),
  ];
}

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
  const annotations = annotationsOf(service);
  const { current, deprecated } = METALLB.loadBalancerIps;
  const given = givenTo(service).join();
  return addressesIn(
    given || (current.on(annotations) ?? deprecated.on(annotations) ?? mapIn(service, 'spec').loadBalancerIP),
  );
}

function holds(pool: Json, addresses: readonly string[]): boolean {
  return shareOf(addresses, rangesOf(pool)) === 'all';
}

function ofAdvertisement({ row, object, service, objects }: RelatedEdit): Reach {
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
    selectors.some((selector) => matchesSelector(selector, mapIn(mapIn(pool, 'metadata'), 'labels')))
  );
}

function isOfAllNodes({ spec }: Json): boolean {
  const { nodeSelectors, interfaces, peers } = mapIn({ spec }, 'spec');
  return [nodeSelectors, interfaces, peers].every((some) => list(some).length === 0);
}

// The addresses of pools as sets: a pool has ranges and networks, written in any way.

export type Share = 'all' | 'some' | 'none';

export function rangesOf(pool: Json): string[] {
  return list<unknown>(mapIn(pool, 'spec').addresses).map(String);
}

/** Number of addresses of some ranges that are among those of others; a text that is no range counts as itself. */
export function shareOf(ranges: readonly string[], others: readonly string[]): Share {
  const among = others.flatMap((text) => rangeIn(text) ?? []);
  const left = ranges.map((text) => {
    const range = rangeIn(text);
    return range ? leftOf(range, among) : others.includes(text) ? 'all' : 'none';
  });
  return left.every((one) => one === 'all') ? 'all' : left.every((one) => one === 'none') ? 'none' : 'some';
}

function leftOf(range: AddressRange, among: readonly AddressRange[]): Share {
  const touching = among.filter((one) => overlap(one, range)).sort((one, other) => (one.first < other.first ? -1 : 1));
  let next = range.first;
  for (const { first, last } of touching) {
    if (first > next) {
      break;
    }
    next = last >= next ? last + 1n : next;
  }
  return next > range.last ? 'all' : touching.length > 0 ? 'some' : 'none';
}

/** `10.0.0.10-10.0.0.20`, `10.0.0.0/24` or an address. internal/config/config.go, ParseCIDR */
function rangeIn(text: string): AddressRange | undefined {
  const range = rangeOrAddress(text.trim());
  return typeof range === 'string' ? undefined : range;
}
