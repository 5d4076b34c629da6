import { Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import {
  type EnvoyGatewayEngineOptions,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedPort,
  type SharedTenantOptions,
  TenancyIdentity,
} from '../../../src/tenancy';
import type { LockedPort } from '../../../src/tenancy/ports/rules';
import type { Ref } from '../../cluster/harness/api';
import { objectsIn } from '../../cluster/harness/manifests';
import { lockFile } from '../../tenancy/shared/locked';
import { TENANT_LABELS, workload } from './delivery';

/** A tenant, and its Service with that Service's ports. */
export interface Tenant extends SharedTenantOptions {
  readonly name: string;
  readonly ports: readonly SharedPort[];
  /** @default 'db' */
  readonly service?: string;
  readonly sourceRanges?: string[];
}

export interface SharedApp extends Partial<Omit<SharedLoadBalancerProps, 'engine' | 'portLock'>> {
  readonly tenants: readonly Tenant[];
  readonly proxyProtocol?: boolean;
  readonly replicas?: number;
  readonly engineOptions?: Partial<EnvoyGatewayEngineOptions>;
  /** Ports of the lock file, and their balancers, where they are not those of the Services at the first one. */
  readonly locked?: Readonly<Record<string, LockedPort>>;
}

const PLATFORM = [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')];

/** What the library writes for a balancer that some tenants share, and their workloads. */
export function sharedApp(options: SharedApp): Ref[] {
  const { tenants, proxyProtocol, replicas = 2, engineOptions, locked = {}, ...props } = options;
  const app = Testing.app();
  const entries = tenants.flatMap(({ name, service = 'db', ports }) =>
    ports.map(({ port, hostnames: hosts }) => [
      `${name}/${service}:${port}`,
      { balancer: 0, port: hosts ? (props.tlsPort ?? 443) : port, ...(hosts ? { hosts } : {}) },
    ]),
  );
  const name = props.name ?? 'shared';
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({
      controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
      replicas,
      proxyProtocol,
      ...engineOptions,
    }),
    namespaceLabels: TENANT_LABELS,
    platform: PLATFORM,
    hostname: 'tcp.example.com',
    ...props,
    portLock: lockFile({ ...Object.fromEntries(entries), ...locked }, name),
  });
  for (const { name: tenant, ports, service = 'db', sourceRanges, ...tenantOptions } of tenants) {
    shared.addTenant(tenant, tenantOptions);
    const chart = new Chart(app, `tenant-${tenant}`, { namespace: tenant });
    shared.attach(chart, { tenant, service, ports: [...ports], sourceRanges });
  }
  const workloads = tenants.flatMap(({ name: tenant, ports, service }) =>
    workload(
      tenant,
      ports.map(({ port }) => port),
      service,
    ),
  );
  // all charts at once: one by one, each would validate the whole app
  return [...workloads, ...objectsIn(app.synthYaml() as string)];
}
