import { count } from '../../contract/printable';
import type { SharedEngine } from '../engines/contract/engine';
import type { Fault } from '../fault';
import { TOO_MANY_PORTS } from '../ports/rules';
import type { AttachedTenant } from './attached-tenant';
import { LIMIT_NO_NUMBER, LIMIT_TOO_SMALL } from './rules';

/** Limits that are no whole numbers, as untyped languages can have them. */
export function numberFaults(tenant: AttachedTenant): Fault[] {
  const { maxConnections, maxPorts } = tenant.options;
  return Object.entries({ maxConnections, maxPorts })
    .filter(([, value]) => value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    .map(([option, value]) => ({
      rule: LIMIT_NO_NUMBER,
      what: `${option} of tenant ${tenant.name} is ${value}`,
      remedy: 'pass a whole number, or leave it out',
      value: String(value),
    }));
}

/** What the engine cannot hold of the limits of a tenant, and what the tenant has beyond them. */
export function limitFaults(engine: SharedEngine, tenant: AttachedTenant): Fault[] {
  const { maxConnections, bandwidth, maxPorts } = tenant.options;
  const found: Fault[] = [];
  if (maxConnections !== undefined) {
    found.push(...tooSmall(engine, tenant, `maxConnections ${maxConnections}`, tenant.dividedConnections));
  }
  if (bandwidth !== undefined) {
    found.push(...tooSmall(engine, tenant, `a bandwidth of ${bandwidth.asString()}`, tenant.dividedBandwidth));
  }
  if (maxPorts !== undefined && tenant.portCount > maxPorts) {
    found.push({
      rule: TOO_MANY_PORTS,
      what: `tenant ${tenant.name} publishes ${count(tenant.portCount, 'port')} and may have ${maxPorts}`,
      remedy: 'publish fewer, or raise its maxPorts',
      value: String(tenant.portCount),
    });
  }
  return found;
}

function tooSmall({ limits }: SharedEngine, tenant: AttachedTenant, limit: string, divided?: number): Fault[] {
  const ports = limits.perPort ? ` and ${count(tenant.counters, 'port')}, those of run time among them` : '';
  return divided !== undefined && divided < 1
    ? [
        {
          rule: LIMIT_TOO_SMALL,
          what: `${limit} of tenant ${tenant.name} is 0 when divided by ${count(limits.replicas, 'replica')}${ports}`,
          remedy: 'raise the limit, or have fewer replicas or ports',
          value: limit,
        },
      ]
    : [];
}
