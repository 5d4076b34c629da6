import { ownCommand } from '../../contract/own-command';
import { hasLockedHosts, keepLocked } from './keep-locked';
import { placeAtOne, placeAtSeveral } from './place-ports';
import { PortBook } from './port-allocation';
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
import { fault, isPort, rangeFaults, requestFaults, several } from './port-rules';
import { PortConflictPolicy } from './ports.options';

/**
 * Gives a port to everyone who asks. What is locked stays where it is, also what nobody asks for any more; the order of the
 * requests does not matter.
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
  const book = new PortBook(rules);
  const kept = keepLocked(asking, locked, rules, book);
  const unlocked = asking.filter(({ key }) => !locked.has(key));
  const placed =
    rules.conflict === PortConflictPolicy.SHARD
      ? placeAtSeveral(unlocked, asking, kept.homes, rules, book)
      : placeAtOne(unlocked, asking, rules, book);
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
 * Looks up the ports of a shared load balancer in its lock file: nothing is given or moved here. Who has none, or one that
 * cannot be any more, is told why.
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
  const names = renamed.length > 0 ? `, or other TLS names than are asked for (${renamed.length})` : '';
  return fault(
    'port-unlocked',
    sorted,
    `${lock.file} has no port at ${shared} for ${several(sorted.map(named))}${names}`,
    `run \`${ownCommand('ports')}\`, and commit what it writes`,
  );
}
