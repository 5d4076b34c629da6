import { portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { wayOutOfOne } from '../ports/port-faults';
import type { TenancySettings } from '../shared/tenancy-book';
import { titleOf } from './object-identity';
import type { FileFault, TenantObject } from './tenant-file';

/** A Service that has more ports than one balancer carries. */
export function tooManyPorts({ json, at }: TenantObject, { engine, conflict }: TenancySettings): FileFault[] {
  const ports = wantsLoadBalancer(json) ? new Set(portsOf(json).map(({ port }) => port)).size : 0;
  const what = `${titleOf(json)} has ${ports} ports, which stay together, and one balancer of ${engine.name} carries ${engine.portsPerBalancer}`;
  const remedy = wayOutOfOne({ conflict, maxBalancers: engine.balancers });
  return ports > engine.portsPerBalancer ? [{ ruleId: 'too-many-ports', at, what, remedy }] : [];
}
