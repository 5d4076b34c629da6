import { BlockList, isIP } from 'node:net';
import { type Json, list, mapIn, mapsIn } from '../../contract/json';
import { type EditBeside, Reach } from '../../rules/edits-beside';
import { annotationsOf } from '../../rules/service-json';
import { METALLB } from './annotations';
import { admits, mayAnnounce, poolOf } from './reading';

// Which Services the edit of a pool or of an advertisement reaches. metallb/metallb v0.16.1: internal/allocator/allocator.go,
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
  if (wanted === undefined && OF_ADDRESSES.has(row) && isInOthers(before, objects.after)) {
    return Reach.NO;
  }
  if (wanted !== undefined) {
    return wanted === name ? Reach.YES : Reach.NO;
  }
  const giving = objects.before.filter((pool) => pool.kind === POOL && mapIn(pool, 'spec').autoAssign !== false);
  return !giving.includes(before) ? Reach.NO : giving.length === 1 ? Reach.YES : Reach.PERHAPS;
}

/** The rows by which addresses leave a pool: those that another one has stay. */
const OF_ADDRESSES: ReadonlySet<string> = new Set(['', 'spec.addresses', 'metadata.name']);

/** Whether pools that give their addresses to anyone have all ranges of a pool, as they are written. */
function isInOthers(pool: Json, objects: readonly Json[]): boolean {
  const ranges = objects.filter(({ kind }) => kind === POOL).flatMap(rangesOf);
  return rangesOf(pool).every((range) => ranges.includes(range));
}

function rangesOf(pool: Json): string[] {
  return list<unknown>(mapIn(pool, 'spec').addresses).map(String);
}

function nameOf(object: Json): unknown {
  return mapIn(object, 'metadata').name;
}

/** The addresses that a Service has, or asks for. */
function addressesOf(service: Json): string[] {
  const given = mapsIn(mapIn(mapIn(service, 'status'), 'loadBalancer'), 'ingress').map(({ ip }) => ip);
  const annotations = annotationsOf(service);
  const { current, deprecated } = METALLB.loadBalancerIps;
  const asked = current.on(annotations) ?? deprecated.on(annotations) ?? mapIn(service, 'spec').loadBalancerIP;
  const all = given.length > 0 ? given : String(asked ?? '').split(',');
  return all.map((one) => String(one).trim()).filter((one) => isIP(one) !== 0);
}

/** Whether a pool has all of some addresses. */
function holds(pool: Json, addresses: readonly string[]): boolean {
  return addresses.every((address) => rangesOf(pool).some((range) => isIn(address, range)));
}

function isIn(address: string, range: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const all = new BlockList();
  const [start, end] = range.split(/[-/]/).map((part) => part.trim());
  try {
    if (range.includes('/')) {
      all.addSubnet(start, Number(end), family);
    } else {
      all.addRange(start, end, family);
    }
  } catch {
    return false; // of another family, or no range
  }
  return all.check(address, family);
}

function ofAdvertisement({ row, object, service, objects }: EditBeside): Reach {
  const { before, after } = object;
  if (!before || !mayAnnounce(before, service.before)) {
    return Reach.NO;
  }
  const isSame = (one: Json) => objects.before.some((other) => JSON.stringify(other) === JSON.stringify(one));
  const stays = objects.after.some(
    (one) =>
      one !== after && one.kind === before.kind && isOfAllNodes(one) && admits(one, service.after) && isSame(one),
  );
  const isStillAnnounced =
    after && WHOM.has(row) && (admits(after, service.after) || hasAllPools(after, objects.after));
  return stays || isStillAnnounced ? Reach.NO : admits(before, service.before) ? Reach.YES : Reach.PERHAPS;
}

/** The rows by which an advertisement is for other addresses. */
const WHOM: ReadonlySet<string> = new Set([
  'spec.ipAddressPools',
  'spec.ipAddressPoolSelectors',
  'spec.serviceSelectors',
]);

/** Whether an advertisement is for all pools that there are, by their names. */
function hasAllPools({ spec }: Json, objects: readonly Json[]): boolean {
  const named = list<unknown>(mapIn({ spec }, 'spec').ipAddressPools);
  const pools = objects.filter(({ kind }) => kind === POOL);
  return pools.length > 0 && mapIn({ spec }, 'spec').serviceSelectors === undefined
    ? pools.every((pool) => named.includes(nameOf(pool)))
    : false;
}

function isOfAllNodes({ spec }: Json): boolean {
  const { nodeSelectors, interfaces, peers } = mapIn({ spec }, 'spec');
  return [nodeSelectors, interfaces, peers].every((some) => list(some).length === 0);
}
