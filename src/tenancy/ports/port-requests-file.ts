import { appendFileSync } from 'node:fs';
import { PORT_REQUESTS_FILE } from '../tenancy.facts';
import type { PortRequest, PortRules } from './port-request';

/** What one shared load balancer asks for, as the app tells the command that locks ports. */
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

/** Tells the command what is asked for; what is told last of a shared load balancer counts. */
export function writePortRequests(file: string, asked: AskedPorts): void {
  appendFileSync(file, `${JSON.stringify(asked)}\n`);
}

/** What an app asked for. */
export function readPortRequests(text: string): AskedPorts[] {
  const asked = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AskedPorts);
  return [...new Map(asked.map((each) => [each.shared, each])).values()];
}
