import { ownCommand } from '../../contract/own-command';
import type { DescribedRule } from '../../contract/rule';
import { rulesOf } from '../fault';
import { PortConflictPolicy, type PortRange } from './options';
import type { PortHolder } from './place-ports';
import {
  byText,
  FIRST_PORT,
  LAST_PORT,
  type LockedPort,
  named,
  type PortFault,
  type PortRequest,
  type PortRules,
} from './port-request';
import { PORTS_RULES } from './rules.facts';

export const PORTS = rulesOf(PORTS_RULES);

// Rules of ports, and of the file that locks them.

const FEW = 8;

export function fault(
  rule: DescribedRule,
  about: readonly { readonly key: string }[],
  what: string,
  remedy: string,
  value?: string,
): PortFault {
  return { rule, what, remedy, value, keys: about.map(({ key }) => key) };
}

export function requestFaults(requests: readonly PortRequest[]): PortFault[] {
  return [...requests.flatMap(portFault), ...twiceFaults(requests)];
}

export function rangeFaults({ remapRange, runtimeRanges }: PortRules): PortFault[] {
  return [remapRange, ...runtimeRanges]
    .filter((range) => !isRange(range))
    .map(({ first, last }) =>
      fault(
        PORTS['port-range'],
        [],
        `${first} to ${last} is not a valid range of ports`,
        `pass two ports from ${FIRST_PORT} to ${LAST_PORT}, the lower one first`,
        `${first}-${last}`,
      ),
    );
}

function isRange({ first, last }: PortRange): boolean {
  return isPort(first) && isPort(last) && first <= last;
}

export function isPort(port: unknown): port is number {
  return Number.isInteger(port) && (port as number) >= FIRST_PORT && (port as number) <= LAST_PORT;
}

function portFault(request: PortRequest): PortFault[] {
  return isPort(request.port)
    ? []
    : [
        fault(
          PORTS['port-range'],
          [request],
          `${named(request)} requests port ${request.port}, which is not a valid port`,
          `choose one from ${FIRST_PORT} to ${LAST_PORT}`,
          `${request.port}`,
        ),
      ];
}

function twiceFaults(requests: readonly PortRequest[]): PortFault[] {
  const firsts = new Map<string, PortRequest>();
  return requests.flatMap((request) => {
    const first = firsts.get(request.key);
    firsts.set(request.key, first ?? request);
    return first
      ? [
          fault(
            PORTS['endpoint-twice'],
            [request],
            `${request.key} is published by ${first.path} and by ${request.path}`,
            'publish it once',
            request.key,
          ),
        ]
      : [];
  });
}

const OTHER_PORT: Readonly<Record<PortConflictPolicy, string>> = {
  [PortConflictPolicy.FAIL]:
    'give one of the two another port, or let the shared load balancer find one: PortConflictPolicy.SHARD, .REMAP',
  [PortConflictPolicy.SHARD]: 'give one of the two another port',
  [PortConflictPolicy.REMAP]: 'give one of the two another port',
};

export function conflict(request: PortRequest, place: LockedPort, rival: PortHolder, rules: PortRules): PortFault {
  const host = commonHost(request, rival);
  const what = host ? `the name ${host} at port ${place.port}` : `port ${place.port}`;
  if (rival.path === undefined) {
    return fault(
      PORTS['port-taken'],
      [request],
      `${named(request)} requests ${what}, which the lock file keeps for ${rival.key}, which is gone`,
      `prune it with \`${ownCommand('ports --prune')}\`, or choose another port`,
      `${place.port}`,
    );
  }
  return fault(
    PORTS['port-conflict'],
    [request],
    `${rival.key} of ${rival.path} and ${named(request)} both request ${what}`,
    host ? 'give one of the two another name' : OTHER_PORT[rules.conflict],
    `${place.port}`,
  );
}

export function commonHost({ hosts = [] }: PortRequest, rival: PortHolder): string | undefined {
  const others = (rival.hosts ?? []).map((host) => host.toLowerCase());
  return hosts.map((host) => host.toLowerCase()).find((host) => others.includes(host));
}

export function taken(request: PortRequest, why: string): PortFault {
  return fault(
    PORTS['port-taken'],
    [request],
    `${named(request)} requests port ${request.port}, which ${why}`,
    'choose another port',
    `${request.port}`,
  );
}

export function stuck(request: PortRequest, { balancer, port }: LockedPort, why: string): PortFault {
  return fault(
    PORTS['port-locked'],
    [request],
    `${named(request)} is locked to port ${port} of balancer ${balancer}, ${why}, and synth does not move it`,
    `undo the change, or inform its clients and move it with \`${ownCommand(`ports --release ${request.key}`)}\``,
    `${port}`,
  );
}

/** More ports than a balancer carries; `asking` are all requests that have a port there, or need one. */
export function tooMany(
  without: readonly PortRequest[],
  asking: readonly PortRequest[],
  count: number,
  rules: PortRules,
): PortFault {
  const most = `${count} ports are requested of one balancer, which carries ${rules.maxPortsPerBalancer}`;
  const alone = overfull(asking, rules);
  if (alone.length > 0) {
    const [{ group, path }] = alone;
    // no command locks a part of them, so that none of them is merely not locked yet
    const about = [...new Set([...without, ...alone])];
    const what = `${most}, and ${group} of ${path} alone requests ${portsOf(alone)}, which stay together`;
    return fault(PORTS['too-many-ports'], about, what, remedyForOne(rules), `${count}`);
  }
  const remedy =
    rules.conflict === PortConflictPolicy.SHARD
      ? `publish fewer ports, prune what is gone with \`${ownCommand('ports --prune')}\`, or move one with \`${ownCommand('ports --release ENDPOINT')}\``
      : `let PortConflictPolicy.SHARD make another balancer, publish fewer ports, or prune what is gone with \`${ownCommand('ports --prune')}\``;
  return fault(PORTS['too-many-ports'], without, `${most} (${heaviest(asking)})`, remedy, `${count}`);
}

/** The remedy where one Service has more ports than a balancer carries: its ports stay together under every policy. */
export function remedyForOne({ conflict: policy, maxBalancers }: Pick<PortRules, 'conflict' | 'maxBalancers'>): string {
  const sharded = 'split it into several Services, which are placed at several balancers';
  if (maxBalancers === 1) {
    return 'publish fewer ports, or use another engine';
  }
  return policy === PortConflictPolicy.SHARD
    ? sharded
    : `${sharded} by PortConflictPolicy.SHARD, or publish fewer ports`;
}

function overfull(asking: readonly PortRequest[], { maxPortsPerBalancer }: PortRules): readonly PortRequest[] {
  const groups = new Map<string, PortRequest[]>();
  for (const request of asking) {
    const group = groups.get(request.group) ?? [];
    groups.set(request.group, group);
    group.push(request);
  }
  return [...groups.values()].find((group) => portsOf(group) > maxPortsPerBalancer) ?? [];
}

function portsOf(requests: readonly PortRequest[]): number {
  return new Set(requests.map(({ port }) => port)).size;
}

function heaviest(asking: readonly PortRequest[]): string {
  const counts = new Map<string, number>();
  for (const { tenant } of asking) {
    counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([one, its], [other, others]) => others - its || byText(one, other));
  return several(sorted.map(([tenant, count]) => `${tenant} ${count}`));
}

export function several(names: readonly string[]): string {
  const rest = names.length - FEW;
  return rest > 0 ? `${names.slice(0, FEW).join(', ')} and ${rest} more` : names.join(', ');
}
