import { appendFileSync } from 'node:fs';
import { type DescribedRule, filled, ownCommand, someOf } from '../../contract/rule';
import { type Fault, type Message, type Params, rulesOf } from '../fault';
import { PORT_REQUESTS_FILE } from '../tenancy.facts';
import { PortConflictPolicy, type PortRange } from './options';
import { PORTS_MESSAGES, PORTS_RULES } from './rules.facts';

export const PORTS = rulesOf(PORTS_RULES, PORTS_MESSAGES);

// Rules of ports, and of the file that locks them.

const FEW = 8;

export function fault<Of extends Message>(
  { what, remedy, ...rule }: DescribedRule & Of,
  about: readonly { readonly key: string }[],
  params: Params<Of>,
  value?: string | number,
): PortFault {
  return {
    rule,
    what: filled(what, params),
    remedy: filled(remedy, params),
    value: value === undefined ? undefined : `${value}`,
    keys: about.map(({ key }) => key),
  };
}

export function requestFaults(requests: readonly PortRequest[]): PortFault[] {
  return [...requests.flatMap(portFault), ...twiceFaults(requests)];
}

export function rangeFaults({ remapRange, runtimeRanges }: PortRules): PortFault[] {
  return [remapRange, ...runtimeRanges]
    .filter((range) => !isRange(range))
    .map(({ first, last }) => fault(PORTS.badRange, [], { first, last }, `${first}-${last}`));
}

function isRange({ first, last }: PortRange): boolean {
  return isPort(first) && isPort(last) && first <= last;
}

export function isPort(port: unknown): port is number {
  return Number.isInteger(port) && (port as number) >= FIRST_PORT && (port as number) <= LAST_PORT;
}

function portFault(request: PortRequest): PortFault[] {
  const { port } = request;
  return isPort(port)
    ? []
    : [fault(PORTS['port-range-invalid'], [request], { endpoint: endpointTitle(request), port }, port)];
}

function twiceFaults(requests: readonly PortRequest[]): PortFault[] {
  const firsts = new Map<string, PortRequest>();
  return requests.flatMap((request) => {
    const { key, path } = request;
    const first = firsts.get(key);
    firsts.set(key, first ?? request);
    return first ? [fault(PORTS['endpoint-duplicate'], [request], { key, first: first.path, path }, key)] : [];
  });
}

const OTHER_PORT = 'give one of the two another port';
const PRUNE = 'ports --prune';

export interface PortHolder {
  readonly key: string;
  /** The path of the construct that requested it; nothing where the endpoint is gone, and only the lock file has it. */
  readonly path?: string;
  readonly hosts?: readonly string[];
}

export function conflict(request: PortRequest, { port }: LockedPort, rival: PortHolder, rules: PortRules): PortFault {
  const host = commonHost(request, rival);
  const place = host ? `the name ${host} at port ${port}` : `port ${port}`;
  const endpoint = endpointTitle(request);
  if (rival.path === undefined) {
    const params = { endpoint, place, rival: rival.key, command: ownCommand(PRUNE) };
    return fault(PORTS.keptForGone, [request], params, port);
  }
  const others = ', or let the shared load balancer find one: PortConflictPolicy.SHARD, .REMAP';
  const remedy = host
    ? 'give one of the two another name'
    : `${OTHER_PORT}${rules.conflict === PortConflictPolicy.FAIL ? others : ''}`;
  const params = { rival: `${rival.key} of ${rival.path}`, endpoint, place, remedy };
  return fault(PORTS['port-conflict'], [request], params, port);
}

export function commonHost({ hosts = [] }: PortRequest, rival: PortHolder): string | undefined {
  const others = (rival.hosts ?? []).map((host) => host.toLowerCase());
  return hosts.map((host) => host.toLowerCase()).find((host) => others.includes(host));
}

export function portConflictFault(request: PortRequest, why: string): PortFault {
  const { port } = request;
  return fault(PORTS['port-reserved'], [request], { endpoint: endpointTitle(request), port, why }, port);
}

export function lockedPortFault(request: PortRequest, { balancer, port }: LockedPort, why: string): PortFault {
  const params = { endpoint: endpointTitle(request), port, balancer, why };
  const command = ownCommand(`ports --release ${request.key}`);
  return fault(PORTS['locked-port-unavailable'], [request], { ...params, command }, port);
}

/** More ports than a balancer carries; `asking` are all requests that have a port there, or need one. */
export function tooMany(
  without: readonly PortRequest[],
  asking: readonly PortRequest[],
  count: number,
  rules: PortRules,
): PortFault {
  const rule = PORTS.ofBalancer;
  const most = `${count} ports are requested of one balancer, which carries ${rules.maxPortsPerBalancer}`;
  const alone = overfull(asking, rules);
  if (alone.length > 0) {
    const [{ group, path }] = alone;
    // no command locks a part of them, so that none of them is merely not locked yet
    const about = [...new Set([...without, ...alone])];
    const who = `, and ${group} of ${path} alone requests ${portsOf(alone)}, which stay together`;
    return fault(rule, about, { most, who, remedy: remedyForOne(rules) }, count);
  }
  const remedy =
    rules.conflict === PortConflictPolicy.SHARD
      ? `publish fewer ports, prune what is gone with \`${ownCommand(PRUNE)}\`, or move one with \`${ownCommand('ports --release ENDPOINT')}\``
      : `let PortConflictPolicy.SHARD make another balancer, publish fewer ports, or prune what is gone with \`${ownCommand(PRUNE)}\``;
  return fault(rule, without, { most, who: ` (${heaviest(asking)})`, remedy }, count);
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

export const several = (names: readonly string[]) => someOf(names, FEW);

// Limit of the ports of a balancer, beside its listeners, which each engine knows.

/** The ports that TCP has. RFC 9293, section 3.1; 0 is no port to connect to. */
export const FIRST_PORT = 1;
export const LAST_PORT = 65535;

export interface PortRequest {
  /** The endpoint: `team-a/db:5432`. */
  readonly key: string;
  /** Group of ports that stays at one balancer: `team-a/db`. */
  readonly group: string;
  readonly tenant: string;
  readonly port: number;
  readonly path: string;
  /** Names of the server that TLS clients request: the port is shared with others by name. Without them it is exclusive. */
  readonly hosts?: readonly string[];
}

export interface PortRules {
  readonly conflict: PortConflictPolicy;
  /** Ports of one balancer, its own listeners not counted; those that several share by name count once. */
  readonly maxPortsPerBalancer: number;
  readonly reserved: readonly number[];
  readonly remapRange: PortRange;
  readonly runtimeRanges: readonly PortRange[];
  /** Maximum number of balancers with SHARD; the other policies create one. */
  readonly maxBalancers?: number;
}

export interface LockedPort {
  readonly balancer: number;
  readonly port: number;
  readonly hosts?: readonly string[];
}

export interface PortFault extends Fault {
  /** The endpoints that it is about: each endpoint without a port is in a fault. */
  readonly keys: readonly string[];
}

export interface PortAssignment {
  readonly assigned: ReadonlyMap<string, LockedPort>;
  readonly faults: readonly PortFault[];
}

export function endpointTitle({ key, path }: Pick<PortRequest, 'key' | 'path'>): string {
  return `${key} of ${path}`;
}

export function hostsOf({ hosts = [] }: Pick<PortRequest, 'hosts'>): string[] {
  return [...new Set(hosts.map((host) => host.toLowerCase()))].sort();
}

/** By code units: the order of no language. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

export interface RequestedPorts {
  readonly shared: string;
  readonly lock: string;
  readonly rules: PortRules;
  readonly requests: readonly PortRequest[];
  readonly hostnames?: readonly (string | undefined)[];
}

/** The file that waits for requests: there is one while the command that locks ports runs the app. */
export function portRequestsFile(): string | undefined {
  return process.env[PORT_REQUESTS_FILE] || undefined;
}

/** Passes requests to the command; the last ones of a shared load balancer count. */
export function writePortRequests(file: string, asked: RequestedPorts): void {
  appendFileSync(file, `${JSON.stringify(asked)}\n`);
}

export function readPortRequests(text: string): RequestedPorts[] {
  const asked = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RequestedPorts);
  return [...new Map(asked.map((each) => [each.shared, each])).values()];
}
