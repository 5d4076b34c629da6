import type { Document } from '../../engines/contract/attachment';
import type { HookConfig, HookTenant, RuntimeConflict } from './hook-config';
import type { PortHolders } from './port-holders';

/** Where a port of a Service is, or why it is nowhere. */
export interface PlacedPort {
  readonly servicePort: number;
  /** The port at the shared address. */
  readonly port?: number;
  readonly lack?: 'conflict' | 'outside' | 'full' | 'no-room';
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
  /** Whether somebody else has a port. */
  readonly hasOther: (port: number) => boolean;
}

/** A port for each port of a Service: the same for the same state, and none that somebody else has. */
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

/** The ports that a Service has by its own routes: `sectionName` names a listener, and the listener its port. */
export function heldPorts(set: Document | undefined, routes: readonly Document[]): Record<number, number> {
  const ports = new Map(((set?.spec?.listeners ?? []) as Document[]).map(({ name, port }) => [name, port]));
  const held: Record<number, number> = {};
  for (const { spec } of routes) {
    const servicePort = spec?.rules?.[0]?.backendRefs?.[0]?.port;
    const port = ports.get(spec?.parentRefs?.[0]?.sectionName);
    if (typeof servicePort === 'number' && typeof port === 'number') {
      held[servicePort] = port;
    }
  }
  return held;
}

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
