import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { TenancyBook } from '../shared/tenancy-registry';

/** What is wrong, or will surprise, about serving Services at run time. */
export function runTimeFindings(book: TenancyBook): {
  errors: LoadBalancerFinding[];
  warnings: LoadBalancerFinding[];
} {
  const { engine, path } = book.settings;
  const tenants = [...book.tenants.values()];
  const who = engine.name;
  const ranges = tenants.flatMap(({ options }) => options.runtimePorts ?? []);
  const findings = { errors: [] as LoadBalancerFinding[], warnings: [] as LoadBalancerFinding[] };
  if (ranges.length === 0) {
    const isStatusOnly = tenants.some(({ services }) => services.length > 0);
    findings[isStatusOnly ? 'warnings' : 'errors'].push({
      ruleId: 'no-runtime-ports',
      who,
      what: `no tenant of ${path} has ports for Services that are created at run time${isStatusOnly ? ', so only Services that the app attaches get a status' : ''}`,
      remedy:
        "give the tenants that may create some their ports: addTenant('team-a', { runtimePorts: { first: 31000, last: 31019 } })",
    });
  }
  const wanted = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const locked = book.lockedPortsAt(0).length;
  const room = engine.portsPerBalancer - locked;
  if (wanted > room) {
    findings.warnings.push({
      ruleId: 'runtime-ports-exceed-balancer',
      who,
      what: `the tenants of ${path} may have ${wanted} ports at run time, and its first balancer has room for ${Math.max(0, room)} beside those of the lock file: the last to come is not served`,
      remedy: 'give them smaller ranges, or an engine with more ports',
      value: String(wanted),
    });
  }
  return findings;
}
