import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { App, Chart, Duration, Size } from 'cdk8s';
import { usageText } from '../../../programs/tenant-watch/usage-text';
import { Watcher } from '../../../programs/tenant-watch/watcher';
import { bundled, bundleOf } from '../../../scripts/programs/bundle';
import { ClientAddress } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import {
  HaproxyIngress,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  TenancyIdentity,
  TenantWatch,
  type TenantWatchProps,
} from '../../../src/tenancy';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import type { WatchConfig } from '../../../src/tenancy/runtime/program-config';
import { programText } from '../../../src/tenancy/runtime/program-workload';
import { synth } from '../../support/apps';
import { casesIn, table } from '../../support/yaml-cases';
import { lockFile } from '../shared/locked';
import { ClusterInMemory } from './cluster-in-memory';

const LABEL = 'cdk8s-load-balancers/suspended';
const ENVOY: WatchConfig = casesIn(__dirname, 'watcher.yaml').envoy;

const HAPROXY: WatchConfig = {
  ...ENVOY,
  reader: 'haproxy',
  list: { namespace: 'infra', name: 'shared-haproxy-tenants', key: 'suspended' },
};

interface Said {
  readonly active?: number;
  readonly received?: number;
  readonly sent?: number;
  readonly limited?: Record<string, number>;
  readonly denied?: number;
}

function envoy({ active = 0, received = 0, sent = 0, limited = {}, denied = 0 }: Said): string {
  const cluster = 'envoy_cluster_name="tcproute/team-a/db-5432/rule/-1"';
  return [
    '# TYPE envoy_cluster_upstream_cx_active gauge',
    `envoy_cluster_upstream_cx_active{${cluster}} ${active}`,
    `envoy_cluster_upstream_cx_tx_bytes_total{${cluster}} ${received}`,
    `envoy_cluster_upstream_cx_rx_bytes_total{${cluster}} ${sent}`,
    'envoy_cluster_upstream_cx_active{envoy_cluster_name="tlsroute/team-b/of-an-operator/rule/-1"} 2',
    'envoy_cluster_upstream_cx_active{envoy_cluster_name="tcproute/strangers/x-1/rule/-1"} 7',
    ...Object.entries(limited).map(
      ([prefix, count]) =>
        `envoy_connection_limit_limited_connections{envoy_connection_limit_prefix="${prefix}"} ${count}`,
    ),
    `envoy_rbac_denied{envoy_rbac_prefix="tcp-5432"} ${denied}`,
    '',
  ].join('\n');
}

function haproxy({ active = 0, received = 0, sent = 0, denied = 0 }: Said): string {
  const proxy = 'proxy="tcpcr_team-a_team-a.db.5432"';
  return [
    `haproxy_frontend_current_sessions{${proxy}} ${active}`,
    `haproxy_frontend_bytes_in_total{${proxy}} ${received}`,
    `haproxy_frontend_bytes_out_total{${proxy}} ${sent}`,
    `haproxy_frontend_denied_connections_total{${proxy}} ${denied}`,
    'haproxy_frontend_denied_connections_total{proxy="tcpcr_infra_infra.shared.tenants"} 3',
  ].join('\n');
}

class World {
  public readonly cluster = new ClusterInMemory();
  public readonly watcher: Watcher;
  public failed: readonly Error[] = [];
  private readonly said = new Map<string, string>();
  private clock = Date.UTC(2026, 0, 1);

  public constructor(config: WatchConfig) {
    this.watcher = new Watcher(this.cluster, (url) => this.scrape(url), config);
    for (const name of ['team-a', 'team-b', 'strangers']) this.cluster.namespaces.set(name, {});
    this.cluster.services.set('team-a/db', { metadata: { uid: 'uid-db' } });
    this.cluster.services.set('team-b/web', { metadata: { uid: 'uid-web' } });
  }

  /** One round, with proxies that say something; one that says nothing does not answer. */
  public async round(...said: (string | undefined)[]): Promise<void> {
    this.said.clear();
    this.cluster.pods = said.map((text, i) => {
      if (text !== undefined) this.said.set(`10.0.0.${i}`, text);
      const metadata = { name: `p${i}`, namespace: 'proxies', uid: `pod-${i}`, labels: { app: 'proxy' } };
      return { metadata, status: { phase: 'Running', podIP: `10.0.0.${i}` } };
    });
    this.clock += 10_000;
    this.failed = await this.watcher.round(new Date(this.clock));
  }

  public get events(): string[] {
    return this.cluster.events.map(({ reason, count, involvedObject: { kind, namespace, name } }) =>
      [reason, `${kind} ${namespace}/${name}`, count].join(' '),
    );
  }

  public metric(name: string, ...labels: string[]): number | undefined {
    const line = usageText(this.watcher)
      .split('\n')
      .find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)));
    return line === undefined ? undefined : Number(line.split(' ').pop());
  }

  private scrape(url: string): Promise<string> {
    const text = this.said.get(new URL(url).hostname);
    return text === undefined ? Promise.reject(new Error(`${url}: no answer`)) : Promise.resolve(text);
  }
}

describe('an event at the Service of a tenant', () => {
  test('says what its limit refused, once for all ports and proxies, and is counted on', async () => {
    const world = new World(ENVOY);
    await world.round(envoy({ limited: { 'tcp-5432': 90 } }), envoy({}));
    expect(world.events).toEqual([]); // that may have been yesterday
    await world.round(envoy({ limited: { 'tcp-5432': 97 } }), envoy({ limited: { 'tcp-5432': 5 } }));
    expect(world.events).toEqual(['ConnectionLimitReached Service team-a/db 1']);
    expect(world.cluster.events[0]).toMatchObject({
      type: 'Warning',
      involvedObject: { uid: 'uid-db', apiVersion: 'v1' },
      message:
        '12 connections to port 5432 were refused: the tenant is at its limit of 200, of which each proxy has its share',
      lastTimestamp: '2026-01-01T00:00:20Z',
    });
    await world.round(envoy({ limited: { 'tcp-5432': 97 } }), envoy({ limited: { 'tcp-5432': 5 } }));
    expect(world.events).toEqual(['ConnectionLimitReached Service team-a/db 1']);
    await world.round(envoy({ limited: { 'tcp-5432': 98 } }), envoy({ limited: { 'tcp-5432': 5 } }));
    expect(world.events).toEqual(['ConnectionLimitReached Service team-a/db 2']);
    expect(world.failed).toEqual([]);
  });

  test('is posted anew where the API server has forgotten it', async () => {
    const world = new World(ENVOY);
    await world.round(envoy({}));
    await world.round(envoy({ limited: { 'tcp-5432': 1 } }));
    world.cluster.events = [];
    await world.round(envoy({ limited: { 'tcp-5432': 2 } }));
    expect(world.events).toEqual(['ConnectionLimitReached Service team-a/db 1']);
  });

  test('is about the one with a low port, which the proxies bind 10000 higher', async () => {
    const world = new World(ENVOY);
    await world.round(envoy({}));
    await world.round(envoy({ limited: { 'tcp-10443': 2 } }));
    expect(world.events).toEqual(['ConnectionLimitReached Service team-b/web 1']);
  });

  test.each<[string, Json[] | undefined, string]>(
    table('tenancy/watch/watcher.yaml', 'is about with a port of those that are published at run time'),
  )('is about %s with a port of those that are published at run time', async (_, ownerReferences, about) => {
    const world = new World(ENVOY);
    const metadata = { name: 'service-late', namespace: 'team-b', uid: 's', ownerReferences };
    world.cluster.listenerSets.push({ metadata, spec: { listeners: [{ port: 31003 }] } });
    await world.round(envoy({}));
    await world.round(envoy({ limited: { 'tcp-31003': 2, 'tcp-31004': 9, 'tls-passthrough-10443': 5, 'tcp-7': 1 } }));
    expect(world.events).toEqual([`ConnectionLimitReached ${about} 1`]);
  });

  test('says that it is throttled, and not that it moves half as much', async () => {
    const world = new World(HAPROXY);
    await world.round(haproxy({}));
    await world.round(haproxy({ received: 4000, sent: 5000 }));
    expect(world.events).toEqual([]);
    await world.round(haproxy({ received: 4000, sent: 14_600 }));
    expect(world.events).toEqual(['BandwidthLimitReached Service team-a/db 1']);
  });

  test('says that it is suspended and resumed, and of a suspended tenant nothing more', async () => {
    const world = new World(HAPROXY);
    await world.round(haproxy({}));
    world.cluster.namespaces.set('team-a', { [LABEL]: 'true' });
    await world.round(haproxy({ denied: 5 }));
    await world.round(haproxy({ denied: 50 }));
    expect(world.events).toEqual(['Suspended Service team-a/db 1']);
    world.cluster.namespaces.set('team-a', { [LABEL]: 'false' });
    await world.round(haproxy({ denied: 50 }));
    expect(world.events).toEqual(['Suspended Service team-a/db 1', 'Resumed Service team-a/db 1']);
  });

  test('does not say "limit" where HAProxy may have refused foreign clients', async () => {
    const { tenants } = HAPROXY;
    const config = { ...HAPROXY, tenants: { ...tenants, 'team-a': { ...tenants['team-a'], hasSourceRanges: true } } };
    const world = new World(config);
    await world.round(haproxy({}));
    await world.round(haproxy({ denied: 5 }));
    expect(world.events).toEqual([]);
    expect(world.metric('shared_load_balancer_tenant_refused_connections_total', 'team-a', 'other')).toBe(5);
  });
});

describe('what a tenant takes', () => {
  test('is summed over proxies, and strangers are not counted', async () => {
    const world = new World(ENVOY);
    await world.round(envoy({ active: 3, received: 10, sent: 20, denied: 1 }), envoy({ active: 4, received: 5 }));
    expect(world.metric('shared_load_balancer_tenant_connections', 'team-a')).toBe(7);
    expect(world.metric('shared_load_balancer_tenant_connections', 'team-b')).toBe(4);
    expect(world.metric('shared_load_balancer_tenant_bytes_total', 'team-a', '"in"')).toBe(15);
    expect(world.metric('shared_load_balancer_tenant_bytes_total', 'team-a', '"out"')).toBe(20);
    expect(world.metric('shared_load_balancer_tenant_refused_connections_total', 'team-a', 'other')).toBe(1);
    expect(world.metric('shared_load_balancer_tenant_connection_limit', 'team-a')).toBe(200);
    expect(world.metric('shared_load_balancer_tenant_connection_limit', 'team-b')).toBeUndefined();
    expect(world.metric('shared_load_balancer_proxies')).toBe(2);
    expect(usageText(world.watcher)).not.toContain('strangers');
  });

  test('never shrinks: a proxy goes, starts anew, or does not answer for a while', async () => {
    const world = new World(ENVOY);
    const received = () => world.metric('shared_load_balancer_tenant_bytes_total', 'team-a', '"in"');
    await world.round(envoy({ received: 100 }), envoy({ received: 100 }));
    await world.round(envoy({ received: 110 }), undefined);
    expect(received()).toBe(210);
    expect(world.failed.map(({ message }) => message)).toEqual(['http://10.0.0.1:19001/stats/prometheus: no answer']);
    await world.round(envoy({ received: 110 }), envoy({ received: 130 }));
    expect(received()).toBe(240);
    await world.round(envoy({ received: 5 }), envoy({ received: 130 }));
    expect(received()).toBe(245);
    await world.round(envoy({ received: 6 }));
    expect(received()).toBe(246);
  });
});

describe('a suspended tenant', () => {
  test('is listed for HAProxy, whose list is written at the start and when it changes, and at no other time', async () => {
    const world = new World(HAPROXY);
    await world.round(haproxy({}));
    world.cluster.namespaces.set('team-b', { [LABEL]: 'true' });
    world.cluster.namespaces.set('team-a', { [LABEL]: 'true' });
    world.cluster.namespaces.set('strangers', { [LABEL]: 'true' });
    await world.round(haproxy({}));
    await world.round(haproxy({}));
    world.cluster.namespaces.set('team-b', {});
    await world.round(haproxy({}));
    expect(world.cluster.lists.map(({ document: { data } }) => data.suspended)).toEqual([
      '',
      'team-a\nteam-b\n',
      'team-a\n',
    ]);
    expect(world.cluster.lists[0].path).toMatch(/^\/api\/v1\/namespaces\/infra\/configmaps\/shared-haproxy-tenants\?/);
  });

  test('has its ListenerSets touched where the controller does not see labels of namespaces, and once', async () => {
    const world = new World({ ...ENVOY, reader: undefined, balancers: [], touchesListenerSets: true });
    const set = { metadata: { name: 'shared', namespace: 'team-a' } as Document };
    world.cluster.listenerSets.push(set, { metadata: { name: 'shared', namespace: 'team-b' } });
    await world.round();
    world.cluster.namespaces.set('team-a', { [LABEL]: 'true' });
    const begin = performance.now();
    await world.round();
    expect(set.metadata.annotations).toEqual({ [LABEL]: 'true' });
    // the controller hears of the label and of the touch on two ways, and must not be asked before it knows the label
    expect(performance.now() - begin).toBeGreaterThan(900);
    await world.round();
    world.cluster.namespaces.set('team-a', {});
    await world.round();
    expect(set.metadata.annotations).toEqual({ [LABEL]: null });
    expect(world.cluster.asked.filter((one) => one.startsWith('PATCH') && one.includes('listenersets'))).toHaveLength(
      2,
    );
  });

  test('stays suspended while the API server refuses to say who is', async () => {
    const world = new World(HAPROXY);
    world.cluster.namespaces.set('team-a', { [LABEL]: 'true' });
    await world.round(haproxy({}));
    world.cluster.refuses = /namespaces\?/;
    await world.round(haproxy({}));
    expect(world.failed).toHaveLength(1);
    expect(world.metric('shared_load_balancer_tenant_suspended', 'team-a')).toBe(1);
    expect(world.cluster.lists).toHaveLength(1);
    expect(world.metric('shared_load_balancer_watch_failures_total')).toBe(1);
  });
});

describe('the construct', () => {
  const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
  const ENVOY = SharedLoadBalancerEngine.envoyGateway({ controller });
  const HAPROXY = SharedLoadBalancerEngine.haproxy({
    controller,
    installation: new HaproxyIngress({ release: 'edge' }),
    clientAddress: ClientAddress.PRESERVE,
  });
  const NLB = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
  const DELIVERY = TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller');
  const WATCH = TenancyIdentity.serviceAccount('infra', 'tenant-watch');

  function made(shared: Partial<SharedLoadBalancerProps> = {}, props: Partial<TenantWatchProps> = {}) {
    const app = new App();
    const chart = new Chart(app, 'platform', { namespace: 'infra' });
    const [a, b] = ['team-a', 'team-b'].map((namespace) => new Chart(app, namespace, { namespace }));
    const balancer = new SharedLoadBalancer(chart, 'Shared', {
      engine: ENVOY,
      platform: [DELIVERY],
      portLock: lockFile({ 'team-a/db:5432': { balancer: 0, port: 5432 }, 'team-b/web:80': { balancer: 0, port: 80 } }),
      ...shared,
    });
    const watch = new TenantWatch(chart, 'Watch', { shared: balancer, ...props });
    // tenants come later, and count
    const isHaproxy = shared.engine === HAPROXY;
    const isNlb = shared.engine === NLB;
    balancer.addTenant('team-b', { runtimePorts: isHaproxy ? undefined : { first: 31000, last: 31009 } });
    balancer.addTenant('team-a', {
      ...(isNlb ? {} : { maxConnections: 200 }),
      ...(isHaproxy ? { bandwidth: Size.mebibytes(1) } : {}),
    });
    balancer.attach(b, { tenant: 'team-b', service: 'web', ports: [{ port: 80 }] });
    const sourceRanges = isNlb ? undefined : ['10.0.0.0/8'];
    balancer.attach(a, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }], sourceRanges });
    const objects = synth(chart).filter(({ metadata }) => metadata.name.startsWith(props.name ?? 'tenant-watch'));
    const program = objects.find(({ kind }) => kind === 'ConfigMap') as Json;
    return { watch, objects, config: JSON.parse(program.data['config.json']) };
  }

  function rights(objects: Json[]): string[] {
    return objects
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap(({ kind, metadata, rules }) =>
        rules.map(
          ({ apiGroups, resources, verbs, resourceNames = [] }: Json) =>
            `${kind === 'Role' ? metadata.namespace : '*'}: ${verbs} ${apiGroups.join()}/${resources} ${resourceNames}`,
        ),
      )
      .map((text) => text.trim())
      .sort();
  }

  test('of Envoy Gateway it reads the proxies of each balancer, and knows who has which port', () => {
    const { config, watch } = made();
    expect(config).toEqual(
      casesIn(__dirname, 'watcher.yaml')['of Envoy Gateway it reads the proxies of each balancer and'],
    );
    expect(watch.identity.username).toBe('system:serviceaccount:infra:tenant-watch');
  });

  test('of HAProxy it reads the pods of the release, and writes the list that the release reads', () => {
    const { config, objects } = made({ engine: HAPROXY });
    expect(config).toMatchObject({
      reader: 'haproxy',
      balancers: [{ pods: { namespace: 'infra', labels: { 'app.kubernetes.io/instance': 'edge' } } }],
      tenants: { 'team-a': { bytesPerSecond: 1024 * 1024 } },
      list: { namespace: 'infra', name: 'edge-tenants', key: 'suspended' },
    });
    const { extraArgs } = new HaproxyIngress({ release: 'edge' }).helmValues.controller;
    expect(extraArgs).toContain('--configmap-patternfiles=$(POD_NAMESPACE)/edge-tenants');
    expect(rights(objects)).toEqual([
      '*: create,patch /events',
      '*: get /services',
      '*: list /namespaces',
      'infra: create /configmaps',
      'infra: list /pods',
      'infra: patch /configmaps edge-tenants',
    ]);
  });

  test('of the NLB it reads nothing, and touches ListenerSets', () => {
    const { config, objects } = made({ engine: NLB, platform: [DELIVERY, WATCH] });
    expect(config).toMatchObject({ balancers: [], touchesListenerSets: true });
    expect(rights(objects)).toEqual([
      '*: create,patch /events',
      '*: get /services',
      '*: list /namespaces',
      '*: list,patch gateway.networking.k8s.io/listenersets',
    ]);
  });

  test('it may read and write no more than it does', () => {
    expect(rights(made().objects)).toEqual(
      [
        '*: create,patch /events',
        '*: get /services',
        '*: list /namespaces',
        '*: list gateway.networking.k8s.io/listenersets',
        'envoy-gateway-system: list /pods',
      ].sort(),
    );
  });

  test('one pod runs it, anew when something has changed, and only the monitoring reads what tenants take', () => {
    const { objects } = made({}, { name: 'tenant-watch-2', interval: Duration.seconds(30) });
    const deployment = objects.find(({ kind }) => kind === 'Deployment') as Json;
    expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const hash = (found: Json[]) =>
      (found.find(({ kind }) => kind === 'Deployment') as Json).spec.template.metadata.annotations;
    expect(hash(objects)).not.toEqual(hash(made({}, { name: 'tenant-watch-2' }).objects));
    const wall = objects.find(({ kind }) => kind === 'NetworkPolicy') as Json;
    expect(wall.spec.ingress[0].from).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]);
  });

  test.each<[string, Partial<SharedLoadBalancerProps>, Partial<TenantWatchProps>, RegExp]>(
    table('tenancy/watch/watcher.yaml', 'refused watchers'),
  )('%s is refused', (_, shared, props, why) => expect(() => made(shared, props)).toThrow(why));

  describe('the program', () => {
    test('is what its sources make', () => {
      expect(readFileSync(bundleOf('tenant-watch'), 'utf8')).toBe(bundled('tenant-watch'));
      expect(programText('tenant-watch.js')).toBe(bundled('tenant-watch'));
    });

    test('needs Node alone, names no machine and fits into a ConfigMap', () => {
      const needed = [...programText('tenant-watch.js').matchAll(/require\("([^"]+)"\)/g)].map(([, name]) =>
        name.replace(/^node:/, ''),
      );
      expect(needed.filter((name) => !builtinModules.includes(name))).toEqual([]);
      expect(programText('tenant-watch.js')).not.toMatch(/\/(work|home|root|tmp)\//);
      expect(programText('tenant-watch.js').length).toBeLessThan(100_000);
    });
  });
});
