import { type Attachment, distinct } from '../attachment/attachment';
import { ENVOY_OWN_PORTS, ENVOY_PORT_SHIFT } from './envoy-gateway.facts';
import { portsWithSeveralRanges } from './envoy-gateway.objects';
import { impossiblePorts, meetingOfRanges, meetings, ownPortsIn, type PortMeeting } from './envoy-gateway.ports';
import type { EngineFault, TenantRange } from './shared-engine';

/** What the proxies cannot serve of what is attached to one balancer, or may be at run time. */
export function envoyFaults(
  attachments: readonly Attachment[],
  ranges: readonly TenantRange[] = [],
  ownPort?: number,
): EngineFault[] {
  const ports = distinct(
    attachments.flatMap(({ services }) => services.flatMap((service) => service.ports.map(({ port }) => port))),
  );
  const own = ownPort === undefined ? [] : [ownPort];
  return [
    ...impossiblePorts(ports).map(({ port, why }) => fault(`port ${port} cannot be published: ${why}`, ANOTHER_PORT)),
    ...own.flatMap((port) => ownPortFaults(port, ports)),
    ...ranges.flatMap((range) => rangeFaults(range, [...ports, ...own])),
    ...metRanges(ranges),
    ...attachments.flatMap((attachment) =>
      portsWithSeveralRanges(attachment).map((port) => ({
        ruleId: 'ranges-of-one-listener',
        what: `Services of tenant ${attachment.namespace} share port ${port} by host names and have different source ranges, and a listener of TLS has one set of clients`,
        remedy: 'give them the same source ranges, or ports of their own',
      })),
    ),
  ];
}

const ANOTHER_PORT = 'publish another port';
const ANOTHER_RANGE = 'give the tenant other runtimePorts';

function fault(what: string, remedy: string): EngineFault {
  return { ruleId: 'port-of-proxies', what, remedy };
}

/** The listener of the Gateway itself is one of the proxies like all others. */
function ownPortFaults(ownPort: number, ports: readonly number[]): EngineFault[] {
  const use = ENVOY_OWN_PORTS[ownPort];
  const met = meetings({ tenant: '', first: ownPort, last: ownPort }, ports);
  return [
    ...(use === undefined ? [] : [`the pods of the proxies use it for ${use}`]),
    ...met.map(
      (meeting) =>
        `port ${meeting.lower === ownPort ? meeting.higher : meeting.lower} is published, and ${together(meeting)}`,
    ),
  ].map((why) => fault(`ownPort cannot be ${ownPort}: ${why}`, 'take another ownPort'));
}

/** What a tenant could ask for at run time, and nobody would report. */
function rangeFaults(range: TenantRange, ports: readonly number[]): EngineFault[] {
  const own = ownPortsIn(range);
  return [
    ...(own.length > 0 ? [`hold ${own.join(', ')}, which the pods of the proxies use themselves`] : []),
    ...meetings(range, ports).map((meeting) => `meet a port of the balancer: ${together(meeting)}`),
  ].map((why) => fault(`${named(range)} ${why}`, ANOTHER_RANGE));
}

/** Ranges that have no port in common, and yet one in the pods. */
function metRanges(ranges: readonly TenantRange[]): EngineFault[] {
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
