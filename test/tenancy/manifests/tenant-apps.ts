import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Chart, Testing } from 'cdk8s';
import type { Json } from '../../../src/contract/json';
import { Gateway } from '../../../src/gateway';
import {
  PortConflictPolicy,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedTenantOptions,
} from '../../../src/tenancy';
import type { TenantManifestsProps } from '../../../src/tenancy/manifests/options';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import { assignPorts } from '../../../src/tenancy/ports/assign-ports';
import { PORT_REQUESTS_FILE } from '../../../src/tenancy/tenancy.facts';
import { lockedAsWished, lockFile } from '../shared/locked';

// Apps of one platform and one tenant, whose ports are locked as the command would lock them.

/** Ports alone, as an NLB has them. */
export const BY_PORT = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });

const gateway = Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' });

/** Names of TLS as well. */
export const BY_NAME = SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: true });

const FOLDER = mkdtempSync(join(tmpdir(), 'tenants-'));

let files = 0;

/** A file of a tenant, in a folder of its own. */
export function fileOf(text: string): string {
  const file = join(FOLDER, `${++files}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** A file that stands beside the tests. */
export const fixture = (name: string): string => join(__dirname, 'fixtures', name);

/** What makes an app. */
export interface TenantApp extends Partial<Omit<TenantManifestsProps, 'shared'>> {
  readonly url: string;
  readonly balancer?: Partial<SharedLoadBalancerProps>;
  readonly options?: SharedTenantOptions;
  /** The namespace of the tenant, and of its chart. */
  readonly namespace?: string;
  /** Whether the chart says no namespace. */
  readonly bare?: boolean;
  /** What is done to the manifests before anything is written. */
  readonly change?: (manifests: TenantManifests) => void;
}

/** An app, whose ports are those of a lock file. */
export function appWith(
  { balancer, options, namespace = 'team-a', bare, change, ...props }: TenantApp,
  portLock: string,
) {
  const app = Testing.app();
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    engine: BY_PORT,
    hostname: 'tcp.example.com',
    portConflict: PortConflictPolicy.REMAP,
    oneTeam: true,
    ...balancer,
    portLock,
  });
  shared.addTenant(namespace, options);
  const chart = new Chart(app, 'tenant', bare ? {} : { namespace });
  const manifests = new TenantManifests(chart, 'Manifests', { ...props, shared });
  change?.(manifests);
  return { app, shared, chart, manifests };
}

/** An app whose ports were locked by the same rules as the command has. */
export const lockedApp = (ask: TenantApp) => appWith(ask, lockedFor(ask));

/** The lock file that the command would write. */
export function lockedFor(ask: TenantApp): string {
  const file = join(FOLDER, `${++files}.json`);
  process.env[PORT_REQUESTS_FILE] = file;
  try {
    quietly(() => appWith(ask, lockedAsWished()).app.synthYaml());
  } finally {
    delete process.env[PORT_REQUESTS_FILE];
  }
  const [{ requests, rules }] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const { assigned, faults } = assignPorts(requests, new Map(), rules);
  expect(faults).toEqual([]);
  return lockFile(Object.fromEntries(assigned));
}

/** What a function returns, and what it wrote to standard error. */
export function quietly<T>(run: () => T): { readonly value: T; readonly told: string } {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const value = run();
    return { value, told: write.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    write.mockRestore();
  }
}

/** The documents of the tenant's chart as they are written, and the warnings that were told. */
export function written(ask: TenantApp): { readonly documents: Json[]; readonly told: string } {
  const { app, chart } = lockedApp(ask);
  const { told } = quietly(() => (app as App).synthYaml());
  return { documents: chart.toJson(), told };
}
