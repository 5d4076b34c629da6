import type { HookConfig, HookTenant, RuntimeConflict } from '../../src/tenancy/runtime/program-config';
import type { PortHolders } from './port-holders';

/** Where a port of a Service is, or why it is nowhere. */
export interface PlacedPort {
  readonly servicePort: number;
  /** The port at the shared address. */
  readonly port?: number;
  readonly lack?: 'conflict' | 'outside' | 'full' | 'no-room' | 'waiting';
}

/** What decides where ports are. */
interface PlaceAsk {
  readonly conflict: RuntimeConflict;
  readonly range: NonNullable<HookTenant['ports']>;
  /** What the Service is known by; the first try depends on it, so that most Services find their port at once. */
  readonly key: string;
  readonly servicePorts: readonly number[];
  /** The ports that the Service has already, by its own, those that it has first. */
  readonly held: ReadonlyArray<Readonly<Record<number, number>>>;
  /** Whether another Service has a port. */
  readonly hasOther: (port: number) => boolean;
}

/** A port for each port of a Service: the same for the same state, and none that another Service has. */
export function placePorts(ask: PlaceAsk): PlacedPort[] {
  const ports = [...new Set(ask.servicePorts)].sort((one, other) => one - other);
  if (ask.conflict === 'FAIL') {
    return ports.map((port) => asked(ask, port));
  }
  const kept = new Map<number, number>();
  const taken = new Set<number>();
  // first everything that is kept, so that a new port of the Service takes none from an old one
  for (const held of [...ask.held, Object.fromEntries(ports.map((port) => [port, port]))]) {
    for (const servicePort of ports.filter((port) => !kept.has(port))) {
      const port = held[servicePort];
      if (port !== undefined && isIn(ask, port) && !taken.has(port) && !ask.hasOther(port)) {
        kept.set(servicePort, port);
        taken.add(port);
      }
    }
  }
  return ports.map((servicePort) => {
    const port = kept.get(servicePort) ?? free(ask, servicePort, taken);
    if (port === undefined) {
      return { servicePort, lack: 'full' };
    }
    taken.add(port);
    return { servicePort, port };
  });
}

function asked(ask: PlaceAsk, servicePort: number): PlacedPort {
  if (!isIn(ask, servicePort)) {
    return { servicePort, lack: 'outside' };
  }
  return ask.hasOther(servicePort) ? { servicePort, lack: 'conflict' } : { servicePort, port: servicePort };
}

function isIn({ range }: PlaceAsk, port: number): boolean {
  return port >= range.first && port <= range.last;
}

function free({ range, key, hasOther }: PlaceAsk, servicePort: number, taken: ReadonlySet<number>): number | undefined {
  const size = range.last - range.first + 1;
  const start = hash(`${key}:${servicePort}`) % size;
  for (let i = 0; i < size; i++) {
    const port = range.first + ((start + i) % size);
    if (!taken.has(port) && !hasOther(port)) {
      return port;
    }
  }
  return undefined;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return value;
}

/**
 * Takes back what the balancer does not carry: the last Services are not served, since one listener too many keeps some
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

/** Takes back what is not set aside for the Service: either there is no room for it, or it will be in a moment. */
export function seated(
  placed: readonly PlacedPort[],
  mine: Readonly<Record<number, number>>,
  { capacity }: HookConfig,
  holders: PortHolders,
): PlacedPort[] {
  const used = new Set([...(capacity?.locked ?? []), ...holders.portsOfOthers(), ...Object.values(mine)]);
  const isFull = capacity !== undefined && used.size >= capacity.ports;
  return placed.map((one) =>
    one.port === undefined || mine[one.servicePort] === one.port
      ? one
      : { servicePort: one.servicePort, lack: isFull ? 'no-room' : 'waiting' },
  );
}
