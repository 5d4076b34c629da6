import { ownCommand } from '../../contract/own-command';
import type { PortHolder } from './port-allocation';
import { byText, type LockedPort, named, type PortFault, type PortRequest, type PortRules } from './port-request';
import { FIRST_PORT, LAST_PORT } from './ports.facts';
import { PortConflictPolicy, type PortRange } from './ports.options';

/** How many endpoints a message names. */
const FEW = 8;

/** What is wrong, said of some endpoints. */
export function fault(
  ruleId: string,
  about: readonly { readonly key: string }[],
  what: string,
  remedy: string,
  value?: string,
): PortFault {
  return { ruleId, who: 'ports', what, remedy, value, keys: about.map(({ key }) => key) };
}

/** Requests that make no sense by themselves. */
export function requestFaults(requests: readonly PortRequest[]): PortFault[] {
  return [...requests.flatMap(portFault), ...twiceFaults(requests)];
}

/** Ranges that are none. */
export function rangeFaults({ remapRange, runtimeRanges }: PortRules): PortFault[] {
  return [remapRange, ...runtimeRanges]
    .filter((range) => !isRange(range))
    .map(({ first, last }) =>
      fault(
        'port-range',
        [],
        `${first} to ${last} is no range of ports`,
        `give two ports from ${FIRST_PORT} to ${LAST_PORT}, the lower one first`,
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
          'port-range',
          [request],
          `${named(request)} wants port ${request.port}, which does not exist`,
          `take one from ${FIRST_PORT} to ${LAST_PORT}`,
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
            'endpoint-twice',
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

/** Somebody else has the port. */
export function conflict(request: PortRequest, place: LockedPort, rival: PortHolder, rules: PortRules): PortFault {
  const host = commonHost(request, rival);
  const what = host ? `the name ${host} at port ${place.port}` : `port ${place.port}`;
  if (rival.path === undefined) {
    return fault(
      'port-taken',
      [request],
      `${named(request)} wants ${what}, which the lock file keeps for ${rival.key}, which is gone`,
      `give up what is gone with \`${ownCommand('ports --prune')}\`, or take another port`,
      `${place.port}`,
    );
  }
  return fault(
    'port-conflict',
    [request],
    `${rival.key} of ${rival.path} and ${named(request)} both want ${what}`,
    host ? 'give one of the two another name' : OTHER_PORT[rules.conflict],
    `${place.port}`,
  );
}

/** A name that both want, where names are what they share the port by. */
export function commonHost({ hosts = [] }: PortRequest, rival: PortHolder): string | undefined {
  const others = (rival.hosts ?? []).map((host) => host.toLowerCase());
  return hosts.map((host) => host.toLowerCase()).find((host) => others.includes(host));
}

/** Nobody gets the port. */
export function taken(request: PortRequest, why: string): PortFault {
  return fault(
    'port-taken',
    [request],
    `${named(request)} wants port ${request.port}, which ${why}`,
    'take another port',
    `${request.port}`,
  );
}

/** What the lock file has cannot be, and nobody but a person may move it. */
export function stuck(request: PortRequest, { balancer, port }: LockedPort, why: string): PortFault {
  return fault(
    'port-locked',
    [request],
    `${named(request)} is locked to port ${port} of balancer ${balancer}, ${why}, and synth does not move it`,
    `undo what changed, or let its clients know and move it with \`${ownCommand(`ports --release ${request.key}`)}\``,
    `${port}`,
  );
}

/** More ports than a balancer carries; `asking` are those who have one, or want one. */
export function tooMany(
  without: readonly PortRequest[],
  asking: readonly PortRequest[],
  count: number,
  rules: PortRules,
): PortFault {
  const most = `${count} ports are wanted of one balancer, which carries ${rules.maxPortsPerBalancer}`;
  const alone = overfull(asking, rules);
  if (alone.length > 0) {
    const [{ group, path }] = alone;
    // no command locks a part of them, so that none of them is merely not locked yet
    const about = [...new Set([...without, ...alone])];
    const what = `${most}, and ${group} of ${path} alone wants ${portsOf(alone)}, which stay together`;
    return fault('too-many-ports', about, what, wayOutOfOne(rules), `${count}`);
  }
  const remedy =
    rules.conflict === PortConflictPolicy.SHARD
      ? `publish fewer ports, give up what is gone with \`${ownCommand('ports --prune')}\`, or move some with \`${ownCommand('ports --release')}\``
      : `let PortConflictPolicy.SHARD make another balancer, publish fewer ports, or give up what is gone with \`${ownCommand('ports --prune')}\``;
  return fault('too-many-ports', without, `${most} (${heaviest(asking)})`, remedy, `${count}`);
}

/** What helps where one Service has more ports than a balancer carries: its ports stay together, whatever the policy. */
export function wayOutOfOne({ conflict: policy, maxBalancers }: Pick<PortRules, 'conflict' | 'maxBalancers'>): string {
  const sharded = 'make several Services of it, which are put at several balancers';
  if (maxBalancers === 1) {
    return 'publish fewer ports, or use another engine';
  }
  return policy === PortConflictPolicy.SHARD
    ? sharded
    : `${sharded} by PortConflictPolicy.SHARD, or publish fewer ports`;
}

/** The requests of a Service that fills more than a balancer by itself. */
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

/** The tenants that want the most. */
function heaviest(asking: readonly PortRequest[]): string {
  const counts = new Map<string, number>();
  for (const { tenant } of asking) {
    counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([one, its], [other, others]) => others - its || byText(one, other));
  return several(sorted.map(([tenant, count]) => `${tenant} ${count}`));
}

/** Some, and how many more. */
export function several(names: readonly string[]): string {
  const rest = names.length - FEW;
  return rest > 0 ? `${names.slice(0, FEW).join(', ')} and ${rest} more` : names.join(', ');
}
