import { App, Chart, Duration } from 'cdk8s';
import { ApiError, type ClusterApi } from '../../../programs/tenant-watch/cluster-api';
import { KubernetesVersion, MetalLb } from '../../../src';
import {
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedTenantOptions,
  TenancyIdentity,
  TenantWatch,
} from '../../../src/tenancy';
import type { WatchConfig } from '../../../src/tenancy/runtime/program-config';
import { type Api, ApiRefusal, type Body, type Ref } from '../../cluster/harness/api';
import { lockFile } from '../../tenancy/shared/locked';

/** For how long what a listener holds outlives it. */
export const DRAIN_TIME = Duration.seconds(20);

/** The identity that applies what the platform makes. */
export const PLATFORM = TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller');

/** A tenant with a Service `db`, and its port. */
export interface WatchedTenantAsk extends SharedTenantOptions {
  readonly port: number;
}

/** What the library writes for tenants that are watched, and the configuration of what watches them. */
export function watchedTenants(tenants: Readonly<Record<string, WatchedTenantAsk>>): {
  readonly objects: Ref[];
  readonly config: WatchConfig;
} {
  const app = new App();
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const entries = Object.entries(tenants).map(
    ([name, { port }]) => [`${name}/db:${port}`, { balancer: 0, port }] as const,
  );
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({
      replicas: 2,
      controller: MetalLb.bgp(),
      proxies: { minDrainTime: Duration.seconds(10), drainTime: DRAIN_TIME },
    }),
    platform: [PLATFORM],
    portLock: lockFile(Object.fromEntries(entries)),
    kubernetes: KubernetesVersion.V1_36,
  });
  new TenantWatch(platform, 'Watch', { shared });
  const namespaces = ['infra', ...Object.keys(tenants)].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: name === 'infra' ? {} : { ...shared.namespaceLabels } },
  }));
  const workloads = Object.entries(tenants).flatMap(([name, { port, ...options }]) => {
    shared.addTenant(name, options);
    shared.attach(new Chart(app, name, { namespace: name }), { tenant: name, service: 'db', ports: [{ port }] });
    return workload(name, port);
  });
  const written: Body[] = app.charts.flatMap((chart) => chart.toJson());
  const program = written.find(({ kind, data }) => kind === 'ConfigMap' && data['config.json']);
  return {
    // what watches them runs in the test itself
    objects: [...namespaces, ...workloads, ...written.filter(({ kind }) => kind !== 'Deployment')] as Ref[],
    config: JSON.parse(program?.data['config.json']),
  };
}

function workload(namespace: string, port: number): Body[] {
  const labels = { app: 'db' };
  const metadata = { name: 'db', namespace };
  const containers = [{ name: 'db', image: 'db', ports: [{ containerPort: port }] }];
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port }] } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    },
  ];
}

/** The API server as the program that watches tenants sees it, with the rights that its service account has. */
export function asWatch(api: Api): ClusterApi {
  const own = api.actingAs('system:serviceaccount:infra:tenant-watch');
  const call = async (method: string, path: string, body?: Body, type?: string): Promise<Body> => {
    try {
      return await own.call(method, path, body, type);
    } catch (error) {
      throw error instanceof ApiRefusal ? new ApiError(error.status, `${method} ${path}: ${error.message}`) : error;
    }
  };
  return {
    get: (path) => call('GET', path),
    create: (path, document) => call('POST', path, document),
    patch: (path, document, type) =>
      call('PATCH', path, document, type === 'apply' ? 'application/apply-patch+yaml' : 'application/merge-patch+json'),
  };
}
