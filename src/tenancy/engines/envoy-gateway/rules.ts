import { type Fault, faultsIn, rulesOf } from '../../fault';
import type { TenantRange } from '../contract/engine';
import { type Attachment, sortedUnique } from '../contract/publishing';
import { portsWithSeveralRanges } from './documents';
import { ENVOY_OWN_PORTS, ENVOY_PORT_SHIFT, SERVER_SPEAKS_FIRST } from './facts';
import { ENVOY_RULES } from './rules.facts';

export const ENVOY = rulesOf(ENVOY_RULES);

export function firstBytesWarnings(attachments: readonly Attachment[]): Fault[] {
  const early = attachments.flatMap(({ namespace, services }) =>
    services
      .filter(({ sourceRanges = [] }) => sourceRanges.length > 0)
      .flatMap(({ name, ports }) =>
        ports
          .filter(({ servicePort, hostnames }) => !hostnames && SERVER_SPEAKS_FIRST[servicePort])
          .map(({ servicePort }) => ({ namespace, name, servicePort, servicePort2: SERVER_SPEAKS_FIRST[servicePort] })),
      ),
  );
  return faultsIn(ENVOY, { 'first-bytes-before-denial': early });
}

export function envoyFaults(
  attachments: readonly Attachment[],
  ranges: readonly TenantRange[] = [],
  ownPort?: number,
): Fault[] {
  const ports = sortedUnique(
    attachments.flatMap(({ services }) => services.flatMap((service) => service.ports.map(({ port }) => port))),
  );
  const own = ownPort === undefined ? [] : [ownPort];
  return [
    ...impossiblePorts(ports).map(({ port, why }) => fault(`port ${port} cannot be published: ${why}`, ANOTHER_PORT)),
    ...own.flatMap((port) => ownPortFaults(port, ports)),
    ...ranges.flatMap((range) => rangeFaults(range, [...ports, ...own])),
    ...metRanges(ranges),
    ...faultsIn(ENVOY, {
      'source-ranges-conflict': attachments.flatMap((attachment) =>
        portsWithSeveralRanges(attachment).map((port) => ({ namespace: attachment.namespace, port })),
      ),
    }),
  ];
}

const ANOTHER_PORT = 'publish another port';
const ANOTHER_RANGE = 'give the tenant other runtimePorts';

function fault(what: string, remedy: string): Fault {
  return { rule: ENVOY['proxies-port-conflict'], what, remedy };
}

function ownPortFaults(ownPort: number, ports: readonly number[]): Fault[] {
  const use = ENVOY_OWN_PORTS[ownPort];
  const met = meetings({ tenant: '', first: ownPort, last: ownPort }, ports);
  return [
    ...(use === undefined ? [] : [`the pods of the proxies use it for ${use}`]),
    ...met.map(
      (meeting) =>
        `port ${meeting.lower === ownPort ? meeting.higher : meeting.lower} is published, and ${together(meeting)}`,
    ),
  ].map((why) => fault(`ownPort cannot be ${ownPort}: ${why}`, 'choose another ownPort'));
}

function rangeFaults(range: TenantRange, ports: readonly number[]): Fault[] {
  const own = ownPortsIn(range);
  return [
    ...(own.length > 0 ? [`hold ${own.join(', ')}, which the pods of the proxies use themselves`] : []),
    ...meetings(range, ports).map((meeting) => `meet a port of the balancer: ${together(meeting)}`),
  ].map((why) => fault(`${named(range)} ${why}`, ANOTHER_RANGE));
}

/** Ranges that have no port in common, and yet one in the pods. */
function metRanges(ranges: readonly TenantRange[]): Fault[] {
  const low = ranges.filter(({ first }) => first < ENVOY_PORT_SHIFT.below);
  return low.flatMap((one) =>
    ranges.flatMap((other) => {
      const meeting = meetingOfRanges(one, other);
      const whom = one === other ? 'each other' : `those of tenant ${other.tenant}, ${other.first} to ${other.last}`;
      return meeting ? [fault(`${named(one)} meet ${whom}: ${together(meeting)}`, ANOTHER_RANGE)] : [];
    }),
  );
}

function named({ tenant, first, last }: TenantRange): string {
  return `runtimePorts ${first} to ${last} of tenant ${tenant}`;
}

function together({ lower, higher }: PortMeeting): string {
  return `the pods of the proxies listen at ${higher} for port ${lower} and for port ${higher}`;
}

interface ImpossiblePort {
  readonly port: number;
  readonly why: string;
}

/** Two listeners that would be one in the pods: the lower one is bound at the number of the higher. */
interface PortMeeting {
  readonly lower: number;
  readonly higher: number;
}

export function podPort(port: number): number {
  return port < ENVOY_PORT_SHIFT.below ? port + ENVOY_PORT_SHIFT.by : port;
}

/** The ports that are impossible beside some others: they are one port of the pods. */
export function neighbourPorts(ports: readonly number[]): number[] {
  return ports.flatMap((port) => {
    const meeting = meetingOf(port);
    return meeting ? [meeting.lower === port ? meeting.higher : meeting.lower] : [];
  });
}

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

function ownPortsIn(range: TenantRange): number[] {
  return Object.keys(ENVOY_OWN_PORTS)
    .map(Number)
    .filter((port) => isIn(range, port));
}

function meetings(range: TenantRange, ports: readonly number[]): PortMeeting[] {
  return ports.flatMap((port) => {
    const meeting = meetingOf(port);
    return meeting && isIn(range, meeting.lower === port ? meeting.higher : meeting.lower) ? [meeting] : [];
  });
}

/** The first port of a range's low ports that collides with another range or with itself. */
function meetingOfRanges(low: TenantRange, high: TenantRange): PortMeeting | undefined {
  const { below, by } = ENVOY_PORT_SHIFT;
  const first = Math.max(low.first, high.first - by, 1);
  return first <= Math.min(low.last, high.last - by, below - 1) ? { lower: first, higher: first + by } : undefined;
}

function isIn({ first, last }: TenantRange, port: number): boolean {
  return port >= first && port <= last;
}
