import { errorRule, type Fault, refusal } from '../../fault';
import { portRangeFault } from '../../guard/prop-faults';
import type { PortRange } from '../../ports/ports.options';
import { type Attachment, distinct } from '../contract/attachment';
import type { TenantRange } from '../contract/engine';
import { HAPROXY_OWN_PORTS } from './facts';
import type { HaproxyEngineOptions } from './options';

export const HAPROXY_RUNTIME_PORTS = errorRule(
  'haproxy-runtime-ports',
  'the balancer in front of HAProxy has the ports of Services that are created at run time open from the beginning, and they fit',
);

/** The ports of a range. */
export function portsOf(range: PortRange | undefined): number[] {
  return range ? Array.from({ length: Math.max(0, range.last - range.first + 1) }, (_, i) => range.first + i) : [];
}

/** Throws for ports that no balancer has, and for those at which the pods serve what is not for clients of tenants. */
export function refuseOpenPorts({ runtimePorts: open }: HaproxyEngineOptions): void {
  const fault = open && (portRangeFault('runtimePorts', open) ?? ownPortsIn(open));
  if (fault) {
    throw refusal('SharedLoadBalancerEngine.haproxy', fault);
  }
}

function ownPortsIn({ first, last }: PortRange): Fault | undefined {
  const own = Object.entries(HAPROXY_OWN_PORTS).filter(([port]) => Number(port) >= first && Number(port) <= last);
  return own.length === 0
    ? undefined
    : {
        rule: HAPROXY_RUNTIME_PORTS,
        what: `runtimePorts ${first} to ${last} hold ${own.map(([port, use]) => `${port} (${use})`).join(', ')}, which the pods have for themselves: the balancer would lead clients there`,
        remedy: 'choose another range',
      };
}

/** Why ports of Services that are created at run time would never be reached. */
export function runTimeFaults(
  { runtimePorts: open }: HaproxyEngineOptions,
  most: number,
  attachments: readonly Attachment[],
  ranges: readonly TenantRange[],
): Fault[] {
  const shut = ranges.filter(({ first, last }) => !open || first < open.first || last > open.last);
  const own = attachments.flatMap(({ services }) => services.flatMap(({ ports }) => ports.map(({ port }) => port)));
  const all = distinct([...own, ...portsOf(open)]).length;
  return [
    ...shut.map(({ tenant, first, last }) => ({
      rule: HAPROXY_RUNTIME_PORTS,
      what: `runtimePorts ${first} to ${last} of tenant ${tenant} are not open at its balancer, ${open ? `which has ${open.first} to ${open.last} for run time` : 'which has none for run time'}`,
      remedy: `pass the ports of all tenants to the engine: haproxy({ runtimePorts: { first: ${Math.min(first, open?.first ?? first)}, last: ${Math.max(last, open?.last ?? last)} } })`,
      value: `${first}-${last}`,
    })),
    ...(open && all > most
      ? [
          {
            rule: HAPROXY_RUNTIME_PORTS,
            what: `runtimePorts ${open.first} to ${open.last} of its balancer and the ports that are attached are ${all} ports, and the balancer has at most ${most}`,
            remedy: 'pass a smaller range, or maxPorts where the balancer has more',
            value: String(all),
          },
        ]
      : []),
  ];
}
