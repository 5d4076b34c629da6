import { ownCommand } from '../../contract/rule';
import { PortConflictPolicy } from './options';
import { PortAllocation, placeAtOne, placeAtSeveral } from './place-ports';
import type { PortLock } from './port-lock';
import {
  byText,
  conflict,
  endpointTitle,
  fault,
  hostsOf,
  isPort,
  type LockedPort,
  lockedPortFault,
  PORTS,
  type PortAssignment,
  type PortFault,
  type PortHolder,
  type PortRequest,
  type PortRules,
  rangeFaults,
  requestFaults,
  several,
  tooMany,
} from './rules';

/**
 * Assigns a port to every request. Locked ports stay, also of endpoints that are gone; the order of the requests does not
 * matter.
 */
export function assignPorts(
  requests: readonly PortRequest[],
  locked: ReadonlyMap<string, LockedPort>,
  rules: PortRules,
): PortAssignment {
  const ranges = rangeFaults(rules);
  if (ranges.length > 0) {
    return { assigned: new Map(), faults: ranges };
  }
  const sorted = [...requests].sort(byKey);
  const asking = firstOfEach(sorted).filter(({ port }) => isPort(port));
  const allocation = new PortAllocation(rules);
  const kept = keepLocked(asking, locked, allocation);
  const unlocked = asking.filter(({ key }) => !locked.has(key));
  const placed =
    rules.conflict === PortConflictPolicy.SHARD
      ? placeAtSeveral(unlocked, asking, kept.homes, allocation)
      : placeAtOne(unlocked, asking, allocation);
  return {
    assigned: new Map([...kept.assigned, ...placed.assigned]),
    faults: [...requestFaults(sorted), ...kept.faults, ...placed.faults],
  };
}

function byKey(one: PortRequest, other: PortRequest): number {
  return byText(one.key, other.key) || byText(one.path, other.path) || one.port - other.port;
}

function firstOfEach(sorted: readonly PortRequest[]): PortRequest[] {
  return sorted.filter(({ key }, index) => key !== sorted[index - 1]?.key);
}

/**
 * Looks up the ports of a shared load balancer in its lock file: nothing is assigned or moved here. A request without a
 * port, or with one that is no longer possible, gets a fault.
 */
export function resolvePorts(
  shared: string,
  requests: readonly PortRequest[],
  lock: PortLock,
  rules: PortRules,
): PortAssignment {
  const locked = lock.ports(shared);
  const { faults } = assignPorts(requests, locked, rules);
  const assigned = new Map<string, LockedPort>();
  const missing: PortRequest[] = [];
  for (const request of requests) {
    const place = locked.get(request.key);
    if (place && hasLockedHosts(request, place)) {
      assigned.set(request.key, place);
    } else {
      missing.push(request);
    }
  }
  const explained = new Set(faults.flatMap(({ keys }) => keys));
  const unlocked = missing.filter(({ key }) => !explained.has(key));
  return { assigned, faults: unlocked.length > 0 ? [...faults, notLocked(shared, unlocked, lock)] : faults };
}

function notLocked(shared: string, requests: readonly PortRequest[], lock: PortLock): PortFault {
  const sorted = [...requests].sort((one, other) => byText(one.key, other.key));
  const renamed = sorted.filter(({ key }) => lock.entry(shared, key));
  const names = renamed.length > 0 ? `, or other TLS names than requested (${renamed.length})` : '';
  const endpoints = several(sorted.map(endpointTitle));
  const params = { file: lock.file, shared, endpoints, renamed: names, command: ownCommand('ports') };
  return fault(PORTS['port-not-in-lock-file'], sorted, params);
}

interface KeptPorts extends PortAssignment {
  readonly homes: ReadonlyMap<string, number>;
}

function keepLocked(
  asking: readonly PortRequest[],
  locked: ReadonlyMap<string, LockedPort>,
  allocation: PortAllocation,
): KeptPorts {
  const live = new Map(asking.map((request) => [request.key, request]));
  const homes = homesOf(live, locked);
  // the endpoint that a message names does not depend on the order of the file
  const sorted = [...locked].sort(([one], [other]) => byText(one, other));
  const { renamed, rivals } = renaming(sorted, live, allocation.rules);
  for (const [key, place] of sorted) {
    if (!renamed.has(key)) {
      allocation.hold(place, { key, path: live.get(key)?.path, hosts: place.hosts });
    }
  }
  const assigned = new Map<string, LockedPort>();
  const faults: PortFault[] = [];
  for (const request of asking) {
    const place = locked.get(request.key);
    const why = place && stuckBecause(request, place, homes, allocation);
    if (place) {
      assigned.set(request.key, place);
    }
    if (place && why) {
      faults.push(lockedPortFault(request, place, why));
    }
  }
  for (const request of renamed.values()) {
    const place = placeOf(request, locked.get(request.key) as LockedPort);
    allocation.hold(place, request);
    assigned.set(request.key, place);
  }
  for (const [key, rival] of rivals) {
    const request = live.get(key) as PortRequest;
    faults.push(conflict(request, placeOf(request, locked.get(key) as LockedPort), rival, allocation.rules));
  }
  return { assigned, faults: [...faults, ...overfull(asking, locked, allocation)], homes };
}

interface Renaming {
  readonly renamed: ReadonlyMap<string, PortRequest>;
  readonly rivals: ReadonlyMap<string, PortHolder>;
}

/** A request in conflict keeps its old names, which another may want: repeated until there is no new conflict. */
function renaming(
  sorted: readonly (readonly [string, LockedPort])[],
  live: ReadonlyMap<string, PortRequest>,
  rules: PortRules,
): Renaming {
  const rivals = new Map<string, PortHolder>();
  for (;;) {
    const wishing = sorted.flatMap(([key, place]) => {
      const request = live.get(key);
      return request && !rivals.has(key) && !hasLockedHosts(request, place) ? [{ request, place }] : [];
    });
    const renamed = new Map(wishing.map(({ request }) => [request.key, request]));
    const trial = new PortAllocation(rules);
    for (const [key, place] of sorted.filter(([key]) => !renamed.has(key))) {
      trial.hold(place, { key, path: live.get(key)?.path, hosts: place.hosts });
    }
    const met = wishing.find(({ request, place }) => {
      const rival = trial.rival(placeOf(request, place));
      if (rival) {
        rivals.set(request.key, rival);
      } else {
        trial.hold(placeOf(request, place), request);
      }
      return rival;
    });
    if (!met) {
      return { renamed, rivals };
    }
  }
}

function hasLockedHosts(request: PortRequest, place: LockedPort): boolean {
  return hostsOf(request).join() === hostsOf(place).join();
}

export function placeOf(request: PortRequest, { balancer, port }: LockedPort): LockedPort {
  const hosts = hostsOf(request);
  return hosts.length > 0 ? { balancer, port, hosts } : { balancer, port };
}

/** Home balancer of each group: the lowest balancer that one of its endpoints is locked to, also of those that are gone. */
function homesOf(
  live: ReadonlyMap<string, PortRequest>,
  locked: ReadonlyMap<string, LockedPort>,
): ReadonlyMap<string, number> {
  const homes = new Map<string, number>();
  for (const [key, { balancer }] of locked) {
    const group = live.get(key)?.group ?? key.slice(0, key.lastIndexOf(':'));
    homes.set(group, Math.min(homes.get(group) ?? balancer, balancer));
  }
  return homes;
}

function stuckBecause(
  request: PortRequest,
  { balancer, port }: LockedPort,
  homes: ReadonlyMap<string, number>,
  allocation: PortAllocation,
): string | undefined {
  const { conflict: policy } = allocation.rules;
  const forbidden = allocation.forbidden(port);
  if (forbidden) {
    return `which ${forbidden}`;
  }
  if (balancer >= mostBalancers(allocation.rules)) {
    return `while balancers end with ${mostBalancers(allocation.rules) - 1} under PortConflictPolicy.${policy}`;
  }
  if (policy !== PortConflictPolicy.REMAP && port !== request.port) {
    return `while it requests port ${request.port} and PortConflictPolicy.${policy} assigns no other`;
  }
  const home = homes.get(request.group);
  return home === balancer ? undefined : `while ${request.group} is at balancer ${home}`;
}

export function mostBalancers({ conflict: policy, maxBalancers = Number.POSITIVE_INFINITY }: PortRules): number {
  return policy === PortConflictPolicy.SHARD ? maxBalancers : 1;
}

function overfull(
  asking: readonly PortRequest[],
  locked: ReadonlyMap<string, LockedPort>,
  allocation: PortAllocation,
): PortFault[] {
  return Array.from({ length: allocation.size }, (_, balancer) => balancer)
    .filter((balancer) => allocation.count(balancer) > allocation.rules.maxPortsPerBalancer)
    .map((balancer) => {
      const there = asking.filter(({ key }) => locked.get(key)?.balancer === balancer);
      return tooMany(there, there, allocation.count(balancer), allocation.rules);
    });
}
