import { ownCommand } from '../../contract/own-command';
import { assignPorts } from './assign-ports';
import { hasLockedHosts } from './keep-locked';
import { fault, several } from './port-faults';
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
