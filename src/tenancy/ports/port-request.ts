import { appendFileSync } from 'node:fs';
import type { Fault } from '../fault';
import { PORT_REQUESTS_FILE } from '../tenancy.facts';
import type { PortConflictPolicy, PortRange } from './options';

// What limits the ports of a balancer, beside its listeners, which each engine knows.

/** The ports that TCP has. RFC 9293, section 3.1; 0 is no port to connect to. */
export const FIRST_PORT = 1;
export const LAST_PORT = 65535;

export interface PortRequest {
  /** The endpoint: `team-a/db:5432`. */
  readonly key: string;
  /** What stays at one balancer: `team-a/db`. */
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
  /** How many balancers SHARD may make; the other policies make one. */
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

export interface AskedPorts {
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
export function writePortRequests(file: string, asked: AskedPorts): void {
  appendFileSync(file, `${JSON.stringify(asked)}\n`);
}

export function readPortRequests(text: string): AskedPorts[] {
  const asked = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AskedPorts);
  return [...new Map(asked.map((each) => [each.shared, each])).values()];
}
