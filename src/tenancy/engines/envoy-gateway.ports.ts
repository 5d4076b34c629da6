import { ENVOY_OWN_PORTS, ENVOY_PORT_SHIFT } from './envoy-gateway.facts';
import type { TenantRange } from './shared-engine';

/** A port that the proxies cannot have, and why. */
export interface ImpossiblePort {
  readonly port: number;
  readonly why: string;
}

/** Two listeners that would be one in the pods: the lower one is bound at the number of the higher. */
export interface PortMeeting {
  readonly lower: number;
  readonly higher: number;
}

/** The port at which the pods of the proxies listen for a listener. */
export function podPort(port: number): number {
  return port < ENVOY_PORT_SHIFT.below ? port + ENVOY_PORT_SHIFT.by : port;
}

/** Of some ports, those that nobody can have beside them: they meet in the pods. */
export function portsBeside(ports: readonly number[]): number[] {
  return ports.flatMap((port) => {
    const meeting = meetingOf(port);
    return meeting ? [meeting.lower === port ? meeting.higher : meeting.lower] : [];
  });
}

/** The two listeners that would be one, where a port is one of such two. */
function meetingOf(port: number): PortMeeting | undefined {
  const { below, by } = ENVOY_PORT_SHIFT;
  const lower = port < below ? port : port - by;
  return lower >= 1 && lower < below ? { lower, higher: lower + by } : undefined;
}

/**
 * Of some ports, those that the proxies cannot have: those that they use themselves, and those that meet another one in the
 * pods, where the lower one stays.
 */
export function impossiblePorts(ports: readonly number[]): ImpossiblePort[] {
  const shifted = new Map(ports.filter((port) => podPort(port) !== port).map((port) => [podPort(port), port]));
  return ports.flatMap((port) => {
    const own = ENVOY_OWN_PORTS[port];
    const lower = shifted.get(port);
    if (own !== undefined) {
      return [{ port, why: `the pods of the proxies use it for ${own}` }];
    }
    return lower === undefined ? [] : [{ port, why: `the pods of the proxies listen there for port ${lower}` }];
  });
}

/** Of the ports that the proxies use themselves, those in a range. */
export function ownPortsIn(range: TenantRange): number[] {
  return Object.keys(ENVOY_OWN_PORTS)
    .map(Number)
    .filter((port) => isIn(range, port));
}

/** Where a range and some ports meet in the pods. */
export function meetings(range: TenantRange, ports: readonly number[]): PortMeeting[] {
  return ports.flatMap((port) => {
    const meeting = meetingOf(port);
    return meeting && isIn(range, meeting.lower === port ? meeting.higher : meeting.lower) ? [meeting] : [];
  });
}

/** Where the low ports of a range meet the ports of another, or of itself: the first of such ports. */
export function meetingOfRanges(low: TenantRange, high: TenantRange): PortMeeting | undefined {
  const { below, by } = ENVOY_PORT_SHIFT;
  const first = Math.max(low.first, high.first - by, 1);
  return first <= Math.min(low.last, high.last - by, below - 1) ? { lower: first, higher: first + by } : undefined;
}

function isIn({ first, last }: TenantRange, port: number): boolean {
  return port >= first && port <= last;
}
