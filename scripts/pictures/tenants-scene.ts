import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../docs/files';

/** A Service of a tenant that asks for a balancer, in examples/tenants. */
export interface TenantService {
  readonly tenant: string;
  readonly name: string;
  readonly ports: readonly number[];
}

interface WrittenService {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly type?: string; readonly ports: readonly { readonly port: number }[] };
}

/** What the three tenants ask for. */
export function tenantServices(): TenantService[] {
  const folder = join(ROOT, 'examples', 'tenants');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((file) => {
    const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'));
    return documents
      .map((document) => document.toJS() as WrittenService)
      .filter(({ kind, spec }) => kind === 'Service' && spec.type === 'LoadBalancer')
      .map(({ metadata, spec }) => ({
        tenant: file.replace('.yaml', ''),
        name: metadata.name,
        ports: spec.ports.map(({ port }) => port).sort((one, other) => one - other),
      }));
  });
}

interface PortLock {
  readonly shared: Readonly<
    Record<string, { readonly endpoints: Readonly<Record<string, { readonly port: number }>> }>
  >;
}

/** The ports of the shared balancer that a Service has, as the lock file of the example keeps them. */
export function lockedPorts({ tenant, name }: TenantService): number[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'examples', 'tenants', 'ports.lock.json'), 'utf8')) as PortLock;
  return Object.values(lock.shared)
    .flatMap(({ endpoints }) => Object.entries(endpoints))
    .filter(([key]) => key.startsWith(`${tenant}/${name}:`))
    .map(([, { port }]) => port)
    .sort((one, other) => one - other);
}
