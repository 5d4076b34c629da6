import { join } from 'node:path';
import { App, Chart, Include, Testing } from 'cdk8s';
import { AdoptedService, NlbTargetType } from '../../../src';
import { KubernetesVersion, LoadBalancerScheme } from '../../../src/contract';
import { AwsLoadBalancerController } from '../../../src/controllers';
import { Gateway } from '../../../src/gateway';
import { LoadBalancers } from '../../../src/rules';
import { wantsLoadBalancer } from '../../../src/rules/service-json';
import {
  type EnvoyGatewayEngineOptions,
  PortConflictPolicy,
  type SharedAttachment,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedTenantOptions,
  TenancyIdentity,
  TenantLoadBalancerGuard,
  TenantRole,
} from '../../../src/tenancy';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import type { LockedPort } from '../../../src/tenancy/ports/rules';
import { stderrOf } from '../../support/apps';
import { expectGolden } from '../../support/goldens';
import { casesIn, revived, titled } from '../../support/yaml-cases';
import { lockedAsWished, lockFile } from './locked';

const NLB = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
const SNI = SharedLoadBalancerEngine.existingGateway({
  gateway: Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' }),
  routesBySni: true,
});

function shared(props: Partial<SharedLoadBalancerProps> = {}) {
  const app = Testing.app();
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const balancer = new SharedLoadBalancer(platform, 'Shared', {
    engine: NLB,
    hostname: 'tcp.example.com',
    platform: [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')],
    ...props,
  });
  const chart = (name: string) => new Chart(app, name, { namespace: name });
  const written = () => app.charts.flatMap((each) => each.toJson());
  return { app, platform, balancer, chart, written };
}

const DB: SharedAttachment = { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] };

function synth(
  props: Partial<SharedLoadBalancerProps>,
  options: SharedTenantOptions = {},
  attachments: readonly SharedAttachment[] = [DB],
): string {
  const { app, balancer, chart } = shared({ portLock: lockedAsWished('team-a/db:5432'), ...props });
  balancer.addTenant('team-a', options);
  const team = chart('team-a');
  for (const attachment of attachments) {
    balancer.attach(team, attachment);
  }
  return app.synthYaml() as string;
}

describe('what is published', () => {
  test('one balancer for two tenants, each with listeners and routes in its own namespace', () => {
    const { app, balancer, chart, written } = shared({
      portLock: lockedAsWished('team-a/db:5432', 'team-a/cache:6379', 'team-b/queue:5672'),
    });
    balancer.addTenant('team-a');
    balancer.addTenant('team-b');
    const a = chart('team-a');
    balancer.attach(a, DB);
    balancer.attach(a, { tenant: 'team-a', service: 'cache', ports: [{ port: 6379 }] });
    balancer.attach(chart('team-b'), { tenant: 'team-b', service: 'queue', ports: [{ port: 5672 }] });
    const listeners = written()
      .filter(({ kind }) => kind === 'ListenerSet')
      .map(({ metadata, spec }) => [metadata.namespace, spec.listeners.map(({ port }: { port: number }) => port)]);
    expect(listeners).toEqual([
      ['team-a', [5432, 6379]],
      ['team-b', [5672]],
    ]);
    expect(LoadBalancers.of(app).count).toBe(1);
  });

  test('endpoints are told in one order, whatever the order of attaching', () => {
    const { balancer, chart } = shared({ portLock: lockedAsWished('team-a/db:5432', 'team-b/queue:5672') });
    balancer.addTenant('team-b');
    balancer.addTenant('team-a');
    const told = balancer.attach(chart('team-b'), { tenant: 'team-b', service: 'queue', ports: [{ port: 5672 }] });
    balancer.attach(chart('team-a'), DB);
    expect(balancer.endpoints.map(({ tenant }) => tenant)).toEqual(['team-a', 'team-b']);
    expect(told).toEqual([balancer.endpoints[1]]);
    expect(balancer.annotationsFor(told)).toEqual({ 'cdk8s-load-balancers/endpoints': '5672=tcp.example.com:5672' });
  });

  test('a policy lets each tenant have its own ports of each balancer, and nobody else', () => {
    const portLock = lockFile({
      'team-a/db:5432': { balancer: 0, port: 5432 },
      'team-b/db:5432': { balancer: 1, port: 5432 },
    });
    const { balancer, chart, written } = shared({ portLock, portConflict: PortConflictPolicy.SHARD });
    balancer.addTenant('team-a', { runtimePorts: { first: 20000, last: 20009 } });
    balancer.addTenant('team-b');
    balancer.attach(chart('team-a'), DB);
    balancer.attach(chart('team-b'), { ...DB, tenant: 'team-b' });
    const policy = written().find(({ metadata }) => metadata.name === 'shared-listeners');
    const granted = policy.spec.variables.map(({ expression }: { expression: string }) => expression).join();
    expect(granted).toContain("'infra/shared team-a': '5432'");
    expect(granted).toContain("'infra/shared-2 team-b': '5432'");
    expect(granted).toContain("'team-a': '20000-20009'");
  });

  test('the port is that of the lock file', () => {
    const portLock = lockFile({ 'team-a/db:5432': { balancer: 0, port: 30017 } });
    const yaml = synth({ portLock, portConflict: PortConflictPolicy.REMAP });
    expect(yaml).toContain('name: tcp-30017');
    expect(yaml).toContain('team-a.db.5432: tcp.example.com:30017');
    expect(yaml).toContain('port: 5432');
  });

  test('a second balancer has a name and a host name of its own', () => {
    const portLock = lockFile({
      'team-a/db:5432': { balancer: 0, port: 5432 },
      'team-b/db:5432': { balancer: 1, port: 5432 },
    });
    const { app, balancer, chart, written } = shared({ portLock, portConflict: PortConflictPolicy.SHARD });
    balancer.addTenant('team-a');
    balancer.addTenant('team-b');
    balancer.attach(chart('team-a'), DB);
    const [endpoint] = balancer.attach(chart('team-b'), { ...DB, tenant: 'team-b' });
    expect(endpoint).toMatchObject({ balancer: 'shared-2', hostname: 'tcp-2.example.com', port: 5432 });
    const gateways = written().filter(({ kind }) => kind === 'Gateway');
    expect(gateways.map(({ metadata }) => metadata.name)).toEqual(['shared', 'shared-2']);
    expect(LoadBalancers.of(app).count).toBe(2);
  });

  test('all that is written for two tenants whose wishes need two balancers', () => {
    const portLock = lockFile({
      'team-a/db:5432': { balancer: 0, port: 5432 },
      'team-a/cache:6379': { balancer: 0, port: 6379 },
      'team-b/db:5432': { balancer: 1, port: 5432 },
    });
    const { app, balancer, chart } = shared({ portLock, portConflict: PortConflictPolicy.SHARD });
    balancer.addTenant('team-a', { runtimePorts: { first: 20000, last: 20009 } });
    balancer.addTenant('team-b');
    const a = chart('team-a');
    balancer.attach(a, DB);
    balancer.attach(a, { tenant: 'team-a', service: 'cache', ports: [{ port: 6379 }] });
    balancer.attach(chart('team-b'), { ...DB, tenant: 'team-b' });
    expectGolden(join(__dirname, '..', 'goldens'), 'two-nlbs', app.synthYaml() as string);
  });

  test('a suspended tenant has no listener, and its port stays locked', () => {
    const yaml = synth({}, { suspended: true });
    expect(yaml).not.toMatch(/^kind: (ListenerSet|TCPRoute)$/m);
    expect(yaml).not.toMatch(/^ {2}namespace: team-a$/m);
    expect(yaml).not.toContain("'team-a'");
    expect(yaml).toContain('team-a.db.5432: tcp.example.com:5432 (suspended)');
  });

  test('host names share the TLS port, in the domain of the tenant', () => {
    const portLock = lockFile({ 'team-a/db:5432': { balancer: 0, port: 443, hosts: ['db.team-a.tcp.example.com'] } });
    const { balancer, chart, written } = shared({ engine: SNI, portLock });
    balancer.addTenant('team-a');
    const hostnames = ['db.team-a.tcp.example.com'];
    const [endpoint] = balancer.attach(chart('team-a'), { ...DB, ports: [{ port: 5432, hostnames }] });
    expect(endpoint).toMatchObject({ hostname: 'db.team-a.tcp.example.com', port: 443 });
    const found = written();
    expect(found.find(({ kind }) => kind === 'ListenerSet').spec).toEqual(
      casesIn(__dirname, 'shared-load-balancer.yaml')['host names share the TLS port in the domain of the tenant'],
    );
    expect(found.find(({ kind }) => kind === 'TLSRoute').spec.hostnames).toEqual(hostnames);
  });
});

const many = (count: number): number[] => Array.from({ length: count }, (_, i) => 5000 + i);

test('50 ports fit on one NLB', () => {
  const portLock = lockedAsWished(...many(50).map((port) => `team-a/db:${port}`));
  expect(synth({ portLock }, {}, [{ ...DB, ports: many(50).map((port) => ({ port })) }])).toContain('name: tcp-5049');
});

interface RefusedCase {
  readonly title: string;
  readonly sni?: boolean;
  readonly envoy?: object;
  readonly props?: object;
  readonly tenants?: Readonly<Record<string, object>>;
  readonly attach?: readonly Partial<SharedAttachment>[];
  readonly count?: number;
  readonly locked?: readonly string[] | Readonly<Record<string, LockedPort>>;
  readonly again?: object;
  readonly says: string;
}

function synthCase({
  sni,
  envoy,
  props,
  tenants = { 'team-a': {} },
  attach = [{}],
  count,
  locked,
  again,
}: RefusedCase) {
  const ports = many(count ?? 0);
  const keys = count ? ports.map((port) => `team-a/db:${port}`) : (locked ?? ['team-a/db:5432']);
  const { app, platform, balancer, chart } = shared({
    ...(sni && { engine: SNI }),
    ...(envoy && {
      engine: SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb(), ...revived(envoy) }),
    }),
    portLock: Array.isArray(keys) ? lockedAsWished(...keys) : lockFile(keys as Record<string, LockedPort>),
    ...revived(props ?? {}),
  });
  for (const [tenant, options] of Object.entries(tenants)) {
    balancer.addTenant(tenant, revived(options));
  }
  if (again) {
    new SharedLoadBalancer(platform, 'Again', { engine: sni ? SNI : NLB, ...again } as SharedLoadBalancerProps);
  }
  const team = chart('team-a');
  for (const attachment of attach) {
    balancer.attach(team, { ...DB, ...(count && { ports: ports.map((port) => ({ port })) }), ...attachment });
  }
  return app.synthYaml();
}

describe('what is refused', () => {
  test.each(titled(casesIn(__dirname, 'refusals.yaml') as RefusedCase[]))('%s', (_, one) => {
    expect(() => synthCase(one)).toThrow(new RegExp(one.says));
  });

  test('nothing of it where all tenants are one team', () => {
    const engine = SharedLoadBalancerEngine.awsNetworkLoadBalancer();
    expect(synth({ engine, oneTeam: true, isolationPolicies: false, platform: undefined })).toContain('kind: Gateway');
  });

  test('the domain of a suspended tenant is given to another', () => {
    const { app, balancer } = shared({ engine: SNI, portLock: lockedAsWished() });
    balancer.addTenant('team-a', { domain: 'apps.example.com', suspended: true });
    balancer.addTenant('team-b', { domain: 'apps.example.com' });
    expect(app.synthYaml()).toContain('*.apps.example.com');
  });

  test('a tenant is added once', () => {
    const { balancer } = shared({ portLock: lockedAsWished() });
    balancer.addTenant('team-a');
    expect(() => balancer.addTenant('team-a')).toThrow(/platform\/Shared: tenant 'team-a' was added already/);
  });
});

describe('beside a guard', () => {
  const labels = { 'example.com/tenant': 'true' };
  function beside(namespaceLabels?: { [key: string]: string }) {
    const app = Testing.app();
    const platform = new Chart(app, 'platform', { namespace: 'infra' });
    new TenantLoadBalancerGuard(platform, 'Guard', { namespaceLabels: labels, kubernetes: KubernetesVersion.V1_36 });
    const balancer = new SharedLoadBalancer(platform, 'Shared', {
      engine: NLB,
      portLock: lockedAsWished(),
      platform: [TenancyIdentity.user('delivery')],
      namespaceLabels,
    });
    return { balancer, told: LoadBalancers.of(app).warnings.map(({ finding }) => finding.ruleId) };
  }

  test('the same namespaces may attach', () => {
    const { balancer, told } = beside();
    expect(balancer.namespaceLabels).toEqual(labels);
    expect(told).toEqual([]);
  });

  test('other namespaces are told about', () => {
    expect(beside({ team: 'true' }).told).toEqual(['tenant-labels-mismatch']);
  });
});

test('the second synth writes the same bytes', () => {
  const { app, balancer, chart } = shared({ portLock: lockedAsWished('team-a/db:5432') });
  balancer.addTenant('team-a');
  balancer.attach(chart('team-a'), DB);
  expect(app.synthYaml()).toBe((app as App).synthYaml());
});

describe('Envoy Gateway', () => {
  const DB: SharedAttachment = { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] };
  const GOLDENS = join(__dirname, '..', 'goldens');

  function synth(
    engine: Partial<EnvoyGatewayEngineOptions> = {},
    options: SharedTenantOptions = {},
    attachments: readonly SharedAttachment[] = [DB],
    portLock = lockedAsWished('team-a/db:5432'),
    more: Partial<SharedLoadBalancerProps> = {},
  ) {
    const app = Testing.app();
    const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
      engine: SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb(), ...engine }),
      hostname: 'tcp.example.com',
      portLock,
      ...more,
    });
    shared.addTenant('team-a', options);
    const team = new Chart(app, 'team-a', { namespace: 'team-a' });
    for (const attachment of attachments) {
      shared.attach(team, attachment);
    }
    return {
      app,
      shared,
      text: () => app.synthYaml() as string,
      objects: () => app.charts.flatMap((chart) => chart.toJson()),
    };
  }

  test('proxies behind an NLB, with limits and source ranges', () => {
    const locked = lockFile({
      'team-a/db:5432': { balancer: 0, port: 5432 },
      'team-a/web:8443': { balancer: 0, port: 443, hosts: ['web.team-a.tcp.example.com'] },
    });
    const { app, text } = synth(
      { replicas: 2, scheme: LoadBalancerScheme.INTERNET_FACING },
      { maxConnections: 200 },
      [
        { ...DB, sourceRanges: ['10.0.0.0/16'] },
        { ...DB, service: 'web', ports: [{ port: 8443, hostnames: ['web.team-a.tcp.example.com'] }] },
      ],
      locked,
    );
    expectGolden(GOLDENS, 'envoy-gateway-on-nlb', text());
    expect(LoadBalancers.of(app).all).toMatchObject([
      { kind: 'Service', name: 'envoy-infra-shared', namespace: 'envoy-gateway-system', count: 1 },
    ]);
  });

  test.each([
    [2048, []],
    [2400, [{ maxConnections: 1200, maxPendingRequests: 1200 }]],
  ])(
    'of maxConnections %d the share is not cut by what Envoy has for a route by itself',
    (maxConnections, breakers) => {
      const policies = synth({ replicas: 2 }, { maxConnections })
        .objects()
        .filter(({ kind }) => kind === 'BackendTrafficPolicy');
      expect(policies.map(({ spec }) => spec.circuitBreaker)).toEqual(breakers);
      for (const { metadata, spec } of policies) {
        expect(metadata.namespace).toBe('team-a');
        expect(spec.targetRefs).toEqual([{ group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: 'shared' }]);
      }
    },
  );

  test.each<[number, string[] | undefined, boolean]>([
    [3306, ['10.0.0.0/16'], true],
    [3306, undefined, false],
    [5432, ['10.0.0.0/16'], false],
  ])(
    'at port %i with source ranges %j it is told whether denied clients hear the server: %j',
    (port, sourceRanges, isTold) => {
      const attachment = { tenant: 'team-a', service: 'db', ports: [{ port }], sourceRanges };
      const { app } = synth({}, {}, [attachment], lockedAsWished(`team-a/db:${port}`));
      const told = LoadBalancers.of(app).warnings.filter(
        ({ finding }) => finding.ruleId === 'first-bytes-before-denial',
      );
      expect(told.map(({ finding }) => /team-a\/db.*port 3306 MySQL servers speak first/.test(finding.what))).toEqual(
        isTold ? [true] : [],
      );
    },
  );

  test('limits that tenants could leave behind with a listener are told of, until it is said who the platform is', () => {
    const told = (
      attachments: boolean,
      more: Partial<SharedLoadBalancerProps> = {},
      options = { maxConnections: 200 },
    ) => {
      const { app } = synth({}, options, [DB], undefined, more);
      new TenantRole(new Chart(app, 'roles'), 'Role', { name: 'tenants', attachments });
      return LoadBalancers.of(app).warnings.map(({ finding }) => finding.ruleId);
    };
    expect(told(true)).toContain('tenant-listeners-writable');
    expect(told(false)).not.toContain('tenant-listeners-writable');
    expect(told(true, { platform: [TenancyIdentity.user('delivery')] })).not.toContain('tenant-listeners-writable');
    expect(told(true, { oneTeam: true })).not.toContain('tenant-listeners-writable');
    expect(told(true, {}, {} as never)).not.toContain('tenant-listeners-writable');
  });

  test.each<[SharedTenantOptions, number, number]>([
    [{ maxConnections: 200 }, 2, 100],
    [{ maxConnections: 200 }, 3, 66],
    [{ maxConnections: 200, runtimePorts: { first: 20000, last: 20003 } }, 2, 20],
  ])('a limit %j over %i proxies is %i at each port', (options, replicas, expected) => {
    const policy = synth({ replicas }, options)
      .objects()
      .find(({ kind }) => kind === 'ClientTrafficPolicy');
    expect(policy.spec.connection.connectionLimit.value).toBe(expected);
  });

  test.each([
    [{ first: 1, last: 1022 }],
    [{ first: 1023, last: 11022 }],
    [{ first: 18990, last: 18999 }],
    [{ first: 11024, last: 11040 }],
  ])('ports %j are taken at run time', (runtimePorts) => expect(synth({}, { runtimePorts }, []).text).not.toThrow());

  test('the Service that will be made is checked with the patches of the EnvoyProxy', () => {
    const { app, text } = synth();
    const proxies = app.node.findAll().find(({ node }) => node.id === 'Proxies') as never as {
      addJsonPatch(patch: unknown): void;
    };
    const { JsonPatch } = jest.requireActual<typeof import('cdk8s')>('cdk8s');
    proxies.addJsonPatch(
      JsonPatch.add('/spec/provider/kubernetes/envoyService/loadBalancerClass', 'example.com/other'),
    );
    expect(text).toThrow(/Service|class/);
  });
});

describe('before and after', () => {
  const ROOT = join(__dirname, '..', '..', '..');
  const TENANTS = ['team-a', 'team-b', 'team-c'];

  const fileOf = (tenant: string) => join(ROOT, 'examples', 'tenants', `${tenant}.yaml`);
  const nlb = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

  function before(): number {
    const app = new App();
    for (const tenant of TENANTS) {
      const chart = new Chart(app, tenant, { namespace: tenant });
      const { apiObjects } = new Include(chart, 'Manifests', { url: fileOf(tenant) });
      for (const service of apiObjects.filter((object) => wantsLoadBalancer(object.toJson()))) {
        new AdoptedService(chart, service.name, { service, controller: nlb, scheme: LoadBalancerScheme.INTERNAL });
      }
    }
    return LoadBalancers.of(app).count;
  }

  function after(engine = SharedLoadBalancerEngine.envoyGateway({ controller: nlb })): number {
    const app = new App();
    const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
      engine,
      oneTeam: true,
      hostname: 'tcp.example.com',
      portLock: lockedAsWished(
        'team-a/db:5432',
        'team-b/queue:5671',
        'team-b/queue:5672',
        'team-c/mqtt:1883',
        'team-c/mqtt:8883',
      ),
    });
    for (const tenant of TENANTS) {
      shared.addTenant(tenant, { maxConnections: 200 });
      new TenantManifests(new Chart(app, tenant, { namespace: tenant }), 'Manifests', { url: fileOf(tenant), shared });
    }
    stderrOf(() => app.synth());
    return LoadBalancers.of(app).count;
  }

  test('the example has three balancers before and one after', () => expect([before(), after()]).toEqual([3, 1]));
});
