import type { HookConfig } from './hook-config';
import type { PlacedPort } from './place-ports';
import type { PortHolders } from './port-holders';

/**
 * Takes back what the balancer does not carry: whoever comes last is not served, since one listener too many keeps some
 * balancers from every further change, of whatever tenant. What the Service has already counts against those before it alone.
 */
export function withinCapacity(
  placed: readonly PlacedPort[],
  capacity: HookConfig['capacity'],
  holders: PortHolders,
): PlacedPort[] {
  if (!capacity) {
    return [...placed];
  }
  const ports = placed.flatMap(({ port }) => (port === undefined ? [] : [port])).sort((one, other) => one - other);
  const room = (others: readonly number[]) =>
    Math.max(0, capacity.ports - new Set([...capacity.locked, ...others]).size);
  const kept = ports.filter((port) => holders.isMine(port)).slice(0, room(holders.portsBefore()));
  const free = Math.max(0, room(holders.portsOfOthers()) - kept.length);
  const served = [...kept, ...ports.filter((port) => !holders.isMine(port)).slice(0, free)];
  return placed.map((one) =>
    one.port === undefined || served.includes(one.port) ? one : { servicePort: one.servicePort, lack: 'no-room' },
  );
}
