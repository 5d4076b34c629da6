import { appendFileSync } from 'node:fs';
import type { Fault } from '../fault';
import { PORT_REQUESTS_FILE } from '../tenancy.facts';
import type { PortConflictPolicy, PortRange } from './ports.options';

/** A port that is requested at a shared address. */
export interface PortRequest {
  /** The endpoint: `team-a/db:5432`. */
  readonly key: string;
  /** What stays at one balancer: `team-a/db`. */
  readonly group: string;
  /** The namespace that it belongs to. */
  readonly tenant: string;
  /** The port that is requested at the shared address. */
  readonly port: number;
  /** The path of the construct that requests it. */
  readonly path: string;
  /** Names of the server that TLS clients request: the port is shared with others by name. Without them it is exclusive. */
  readonly hosts?: readonly string[];
}

/** What a shared load balancer allows. */
export interface PortRules {
  readonly conflict: PortConflictPolicy;
  /** Ports of one balancer, its own listeners not counted; those that several share by name count once. */
  readonly maxPortsPerBalancer: number;
  /** Ports that no endpoint gets, at any balancer. */
  readonly reserved: readonly number[];
  /** Where REMAP takes ports from. */
  readonly remapRange: PortRange;
  /** Ports of Services that are created at run time. */
  readonly runtimeRanges: readonly PortRange[];
  /** How many balancers SHARD may make; the other policies make one. */
  readonly maxBalancers?: number;
}

/** A port as the lock file has it. */
export interface LockedPort {
  /** The balancer, from 0 on. */
  readonly balancer: number;
  readonly port: number;
  /** The names that share it. */
  readonly hosts?: readonly string[];
}

/** Why an endpoint cannot have a port. */
export interface PortFault extends Fault {
  /** The endpoints that it is about: each endpoint without a port is in a fault. */
  readonly keys: readonly string[];
}

/** The ports of the requests, and why some have none. */
export interface PortAssignment {
  readonly assigned: ReadonlyMap<string, LockedPort>;
  readonly faults: readonly PortFault[];
}

/** A request as messages name it. */
export function named({ key, path }: Pick<PortRequest, 'key' | 'path'>): string {
  return `${key} of ${path}`;
}

/** Names as TLS compares them, in the order of the lock file. */
export function hostsOf({ hosts = [] }: Pick<PortRequest, 'hosts'>): string[] {
  return [...new Set(hosts.map((host) => host.toLowerCase()))].sort();
}

/** By code units: the order of no language. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** What one shared load balancer requests, as the app passes it to the command that locks ports. */
export interface AskedPorts {
  /** What the lock file knows the shared load balancer by. */
  readonly shared: string;
  /** The lock file, as the app resolves it. */
  readonly lock: string;
  readonly rules: PortRules;
  readonly requests: readonly PortRequest[];
  /** The DNS names of the balancers, as far as they have one. */
  readonly hostnames?: readonly (string | undefined)[];
}

/** The file that waits for requests: there is one while the command that locks ports runs the app. */
export function portRequestsFile(): string | undefined {
  return process.env[PORT_REQUESTS_FILE] || undefined;
}

/** Passes requests to the command; the last ones of a shared load balancer count. */
export function writePortRequests(file: string, asked: AskedPorts): void {
  appendFileSync(file, `${JSON.stringify(asked)}\n`);
}

/** What an app requested. */
export function readPortRequests(text: string): AskedPorts[] {
  const asked = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AskedPorts);
  return [...new Map(asked.map((each) => [each.shared, each])).values()];
}
