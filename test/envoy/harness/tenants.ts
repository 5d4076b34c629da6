import { App, Chart, Duration, Testing } from 'cdk8s';
import { ApiError, type ClusterApi } from '../../../programs/tenant-watch/cluster-api';
import { KubernetesVersion, MetalLb } from '../../../src';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import {
  type EnvoyGatewayEngineOptions,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedPort,
  type SharedTenantOptions,
  TenancyIdentity,
  TenantWatch,
} from '../../../src/tenancy';
import type { LockedPort } from '../../../src/tenancy/ports/rules';
import type { WatchConfig } from '../../../src/tenancy/runtime/program-config';
import { type Api, ApiRefusal, type Body, type Ref } from '../../real/api';
import { objectsIn } from '../../real/objects';
import { lockFile } from '../../tenancy/shared/locked';
import type { Engine } from './engine';

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
    return workload(name, [port]);
  });
  const written: Body[] = app.charts.flatMap((chart) => chart.toJson());
  const program = written.find(({ kind, data }) => kind === 'ConfigMap' && data['config.json']);
  return {
    // what watches them runs in the test itself
    objects: [...namespaces, ...workloads, ...written.filter(({ kind }) => kind !== 'Deployment')] as Ref[],
    config: JSON.parse(program?.data['config.json']),
  };
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

/** Who applies what the library writes: the platform of these tests. */
export const DELIVERY = 'system:serviceaccount:flux-system:kustomize-controller';

/** Labels of the namespaces of tenants. */
export const TENANT_LABELS = { 'example.com/tenant': 'true' };

const keyOf = ({ apiVersion, kind, metadata }: Ref) =>
  `${apiVersion.split('/').slice(0, -1)} ${kind} ${metadata.namespace}/${metadata.name}`;

/** A delivery tool: applies what there is, and deletes what was there the last time and is no more. */
export class Delivery {
  public readonly api: Api;
  private last = new Map<string, Ref>();
  private readonly namespaces = new Set<string>();

  public constructor(
    engine: Engine,
    private readonly platform = 'infra',
  ) {
    this.api = engine.api.actingAs(DELIVERY, ['system:masters']);
  }

  public async deliver(objects: readonly Ref[]): Promise<void> {
    const now = new Map(objects.map((object) => [keyOf(object), object]));
    const ofTenant = ({ metadata: { namespace } }: Ref) => namespace !== undefined && namespace !== this.platform;
    // what the platform has, and then tenants beside each other
    const tenants = new Set(objects.filter(ofTenant).map(({ metadata }) => metadata.namespace ?? ''));
    await this.namespace(this.platform);
    await this.apply(objects.filter((object) => !ofTenant(object)));
    await Promise.all(
      [...tenants].map(async (name) => {
        await this.namespace(name);
        await this.apply(objects.filter(({ metadata }) => metadata.namespace === name));
      }),
    );
    for (const [key, object] of this.last) {
      if (!now.has(key)) {
        await this.api.delete(object);
      }
    }
    this.last = now;
  }

  private async namespace(name: string): Promise<void> {
    if (!this.namespaces.has(name)) {
      const labels = name === this.platform ? {} : TENANT_LABELS;
      await this.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
      this.namespaces.add(name);
    }
  }

  /** One after the other, in their order. */
  private async apply(objects: readonly Ref[]): Promise<void> {
    for (const object of objects) {
      await this.api.apply(object, { as: 'kustomize-controller', force: true });
    }
  }
}

/** A Deployment whose pods are played, and the Service in front of them. */
export function workload(namespace: string, ports: readonly number[], name = 'db', replicas = 1): Ref[] {
  const labels = { app: name };
  const containers: Body[] = [
    { name, image: `example.com/${name}:1`, ports: ports.map((containerPort) => ({ containerPort })) },
  ];
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: labels, ports: ports.map((port) => ({ name: `port-${port}`, port })) },
    },
  ];
}

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
    platform: [PLATFORM],
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
