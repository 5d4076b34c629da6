import { Chart, type Size, Testing } from 'cdk8s';
import { ClientAddress } from '../../../src/contract';
import { AwsLoadBalancerController } from '../../../src/controllers';
import {
  HaproxyIngress,
  PortConflictPolicy,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  TenancyIdentity,
} from '../../../src/tenancy';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import { lockFile } from '../../tenancy/shared/locked';

/** A tenant with a Service `db`. */
export interface Tenant {
  readonly name: string;
  readonly port: number;
  readonly more?: number;
  readonly sourceRanges?: string[];
  readonly maxConnections?: number;
  readonly bandwidth?: Size;
}

/** What the library writes for some tenants, each with a Service `db` on one port or two. */
export function objects(tenants: readonly Tenant[], proxyProtocol = true): Document[] {
  const app = Testing.app();
  const platform = [TenancyIdentity.user('delivery')];
  const entries = tenants.flatMap(({ name, port, more }) => [
    [`${name}/db:5432`, { balancer: 0, port }] as const,
    ...(more === undefined ? [] : [[`${name}/db:5433`, { balancer: 0, port: more }] as const]),
  ]);
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.haproxy({
      controller: AwsLoadBalancerController.nlb(),
      installation: new HaproxyIngress({ replicas: 1 }),
      ...(proxyProtocol ? { proxyProtocol } : { clientAddress: ClientAddress.PRESERVE }),
    }),
    platform,
    portConflict: PortConflictPolicy.REMAP,
    remapPorts: { first: 15_000, last: 65_000 },
    portLock: lockFile(Object.fromEntries(entries)),
  });
  for (const { name, more, sourceRanges, maxConnections, bandwidth } of tenants) {
    shared.addTenant(name, { maxConnections, bandwidth });
    const ports = [{ port: 5432 }, ...(more === undefined ? [] : [{ port: 5433 }])];
    shared.attach(new Chart(app, name, { namespace: name }), { tenant: name, service: 'db', ports, sourceRanges });
  }
  return app.charts.flatMap((chart) => chart.toJson());
}
