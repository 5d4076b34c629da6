import { ownCommand } from '../../contract/own-command';
import { hasLockedHosts, keepLocked } from './keep-locked';
import { placeAtOne, placeAtSeveral } from './place-ports';
import { PortAllocation } from './port-allocation';
import { fault, isPort, rangeFaults, requestFaults, several } from './port-faults';
import type { PortLock } from './port-lock';
import {
  byText,
  type LockedPort,
  named,
  type PortAssignment,
  type PortFault,
  type PortRequest,
  type PortRules,
} from './port-request';
import { PortConflictPolicy } from './ports.options';
import { PORT_UNLOCKED } from './rules';

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
  const kept = keepLocked(asking, locked, rules, allocation);
  const unlocked = asking.filter(({ key }) => !locked.has(key));
  const placed =
    rules.conflict === PortConflictPolicy.SHARD
      ? placeAtSeveral(unlocked, asking, kept.homes, rules, allocation)
      : placeAtOne(unlocked, asking, rules, allocation);
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
  return fault(
    PORT_UNLOCKED,
    sorted,
    `${lock.file} has no port at ${shared} for ${several(sorted.map(named))}${names}`,
    `run \`${ownCommand('ports')}\`, and commit what it writes`,
  );
}
