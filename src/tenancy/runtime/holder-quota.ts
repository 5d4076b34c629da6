import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { RuntimePublisher } from '../engines/contract/runtime-publisher';
import type { AttachedTenant } from '../shared/attached-tenant';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { mostHolders } from './most-holders';

/** What a tenant may have. */
interface HolderQuota {
  readonly name: string;
  readonly registry: TenancyRegistry;
  readonly publisher: RuntimePublisher;
  readonly tenant: AttachedTenant;
}

/**
 * As many objects that hold ports as a tenant may have ports at run time, and those of the platform: counted by the API server
 * itself, however many come at once and whoever writes them.
 */
export function makeHolderQuota(host: Construct, { name, registry, publisher, tenant }: HolderQuota): void {
  const { runtimePorts } = tenant.options;
  const holder = publisher.kinds.find(({ kind }) => kind === publisher.holder.kind);
  if (!runtimePorts || !holder) {
    return;
  }
  const { settings } = registry;
  const [group] = holder.apiVersion.split('/');
  const ofPlatform = settings.engine.existing ? 1 : Math.max(1, settings.lock.balancers(settings.name));
  new ApiObject(host, `Quota-${tenant.name}`, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace: tenant.name },
    spec: { hard: { [`count/${holder.resource}.${group}`]: String(mostHolders(runtimePorts, ofPlatform)) } },
  });
}
