import { join } from 'node:path';
import { type App, Chart, Size, Testing } from 'cdk8s';
import { KubernetesVersion } from '../../../src/contract';
import { Gateway } from '../../../src/gateway';
import { LoadBalancers } from '../../../src/rules';
import {
  PortConflictPolicy,
  type SharedAttachment,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedTenantOptions,
  TenancyIdentity,
  TenantLoadBalancerGuard,
} from '../../../src/tenancy';
import { expectGolden } from '../../support/golden-files';
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
    expect(found.find(({ kind }) => kind === 'ListenerSet').spec).toEqual({
      parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge', namespace: 'infra' },
      listeners: [
        {
          name: 'tls-443',
          port: 443,
          protocol: 'TLS',
          hostname: '*.team-a.tcp.example.com',
          tls: { mode: 'Passthrough' },
          allowedRoutes: {
            namespaces: { from: 'Same' },
            kinds: [{ group: 'gateway.networking.k8s.io', kind: 'TLSRoute' }],
          },
        },
      ],
    });
    expect(found.find(({ kind }) => kind === 'TLSRoute').spec.hostnames).toEqual(hostnames);
  });
});

const HOST = (host: string): SharedAttachment => ({ ...DB, ports: [{ port: 5432, hostnames: [host] }] });

function many(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 5000 + i);
}

test('50 ports fit on one NLB', () => {
  const portLock = lockedAsWished(...many(50).map((port) => `team-a/db:${port}`));
  expect(synth({ portLock }, {}, [{ ...DB, ports: many(50).map((port) => ({ port })) }])).toContain('name: tcp-5049');
});

describe('what is refused', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'a port that is not in the lock file',
      () => synth({ portLock: lockedAsWished() }),
      /team-a\/db:5432.*run `npx cdk8s-load-balancers ports`.*\(port-unlocked\)/,
    ],
    [
      'bandwidth on an NLB',
      () => synth({}, { bandwidth: Size.mebibytes(10) }),
      /NLB gateway.*cannot enforce a bandwidth of 10 MiB|engine-cannot-enforce/,
    ],
    ['connections on an NLB', () => synth({}, { maxConnections: 100 }), /maxConnections 100.*engine-cannot-enforce/],
    [
      'host names on an NLB',
      () => synth({}, {}, [HOST('db.team-a.tcp.example.com')]),
      /routes by SNI.*engine-cannot-enforce/,
    ],
    [
      'source ranges of one Service on an NLB',
      () => synth({}, {}, [{ ...DB, sourceRanges: ['10.0.0.0/8'] }]),
      /10\.0\.0\.0\/8 for Service team-a\/db.*engine-cannot-enforce/,
    ],
    [
      'an NLB without security groups of its own',
      () => synth({ engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer() }),
      /60 rules.*oneTeam.*\(isolation-security-groups\)/,
    ],
    [
      'a namespace that is no tenant',
      () => synth({}, {}, [DB, { ...DB, tenant: 'team-z' }]),
      /'team-z' is not a tenant; add it with addTenant\('team-z'\) \(tenant-unknown\)/,
    ],
    [
      'more ports than the tenant may have',
      () => synth({}, { maxPorts: 0 }),
      /publishes 1 port and may have 0.*too-many-ports/,
    ],
    ['no port', () => synth({}, {}, [{ ...DB, ports: [] }]), /no-ports/],
    ['a Service twice', () => synth({}, {}, [DB, DB]), /attached already, by team-a/],
    [
      'a host name of another domain',
      () => synth({ engine: SNI }, {}, [HOST('db.team-b.tcp.example.com')]),
      /not one label in the domain of tenant team-a; choose a name such as db\.team-a\.tcp\.example\.com \(host-of-others\)/,
    ],
    [
      'a host name of more than one label',
      () => synth({ engine: SNI }, {}, [HOST('a.b.team-a.tcp.example.com')]),
      /host-of-others/,
    ],
    [
      'an existing NLB gateway, for tenants who are strangers',
      () =>
        synth({
          engine: SharedLoadBalancerEngine.existingGateway({
            gateway: Gateway.fromName('edge', { namespace: 'infra', controllerName: 'gateway.k8s.aws/nlb' }),
            routesBySni: false,
          }),
        }),
      /does not isolate tenants.*isolation-existing-gateway/,
    ],
    [
      'a 51st port on one NLB',
      () =>
        synth({ portLock: lockedAsWished(...many(51).map((port) => `team-a/db:${port}`)) }, {}, [
          { ...DB, ports: many(51).map((port) => ({ port })) },
        ]),
      /51.*50.*too-many-ports/,
    ],
    [
      'a port and ranges that the 60 rules of one group do not hold',
      () =>
        synth(
          {
            engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ sourceRanges: ['10.0.0.0/16', '10.1.0.0/16'] }),
            oneTeam: true,
            portLock: lockedAsWished(...many(31).map((port) => `team-a/db:${port}`)),
          },
          {},
          [{ ...DB, ports: many(31).map((port) => ({ port })) }],
        ),
      /too-many-ports/,
    ],
    [
      'no policies between strangers',
      () => synth({ isolationPolicies: false }),
      /isolationPolicies is false.*isolation-policies/,
    ],
    [
      'an NLB whose platform is nobody',
      () => synth({ platform: undefined }),
      /targetgroupbindings, targetgroupconfigurations.*pass platform.*isolation-platform/,
    ],
    [
      'ports for Services at run time that two tenants get',
      () => {
        const { balancer } = shared({ portLock: lockedAsWished() });
        balancer.addTenant('team-a', { runtimePorts: { first: 20000, last: 20009 } });
        balancer.addTenant('team-b', { runtimePorts: { first: 20009, last: 20019 } });
        return '';
      },
      /team-a and team-b both get port 20009/,
    ],
    [
      'one domain for the host names of two tenants, without the policies that would tell them apart, too',
      () => {
        const props = { engine: SNI, oneTeam: true, isolationPolicies: false, portLock: lockedAsWished() };
        const { app, balancer } = shared(props);
        balancer.addTenant('team-a', { domain: 'apps.example.com' });
        balancer.addTenant('team-b', { domain: 'apps.example.com' });
        return app.synthYaml() as string;
      },
      /tenants team-a and team-b both have the domain apps\.example\.com; give each.*policy-hostnames-twice/,
    ],
    [
      'a number of connections that is none',
      () => synth({ engine: SNI }, { maxPorts: Number.NaN }),
      /\[platform\/Shared\] SharedLoadBalancer: maxPorts of tenant team-a is NaN.*limit-no-number/,
    ],
    [
      'a number of connections below zero, once',
      () => synth({ engine: SNI }, { maxConnections: -1 }),
      /^(?!.*limit-too-small).*maxConnections of tenant team-a is -1.*limit-no-number/s,
    ],
    [
      'no host names',
      () => synth({ engine: SNI }, {}, [{ ...DB, ports: [{ port: 5432, hostnames: [] }] }]),
      /no-hostnames/,
    ],
    ['a host name in capitals', () => synth({ engine: SNI }, {}, [HOST('DB.team-a.tcp.example.com')]), /bad-hostname/],
    ['a port of its own that is none', () => synth({ ownPort: 0 }), /ownPort is 0.*shared-settings/],
    [
      'a tenant in the namespace of the balancer',
      () => {
        shared({ portLock: lockedAsWished() }).balancer.addTenant('infra');
        return '';
      },
      /'infra' is that of the balancer itself.*tenant-of-platform/,
    ],
    [
      'a tenant in the namespace of those who are not judged',
      () => {
        shared({ portLock: lockedAsWished() }).balancer.addTenant('flux-system');
        return '';
      },
      /'flux-system' is that of system:serviceaccount:flux-system:kustomize-controller.*tenant-of-platform/,
    ],
    [
      'a tenant in the namespace of those who are not judged, by the names that the API server gives them',
      () => {
        const platform = [TenancyIdentity.user('system:serviceaccount:delivery:x')];
        shared({ portLock: lockedAsWished(), platform }).balancer.addTenant('delivery');
        return '';
      },
      /'delivery' is that of system:serviceaccount:delivery:x.*tenant-of-platform/,
    ],
    [
      'two shared load balancers of one name and lock file',
      () => {
        const { platform } = shared({ portLock: 'none.json' });
        new SharedLoadBalancer(platform, 'Again', { engine: NLB, portLock: 'none.json', namespace: 'infra2' });
        return '';
      },
      /platform\/Again: platform\/Shared has the name 'shared' in none\.json as well.*shared-name-twice/,
    ],
    [
      'two shared load balancers at one Gateway',
      () => {
        const { platform } = shared({ engine: SNI, portLock: 'none.json' });
        new SharedLoadBalancer(platform, 'Again', { engine: SNI, portLock: 'none.json', name: 'again' });
        return '';
      },
      /platform\/Shared shares Gateway infra\/edge as well.*shared-gateway-twice/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
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
    expect(beside({ team: 'true' }).told).toEqual(['tenant-labels-differ']);
  });
});

test('the second synth writes the same bytes', () => {
  const { app, balancer, chart } = shared({ portLock: lockedAsWished('team-a/db:5432') });
  balancer.addTenant('team-a');
  balancer.attach(chart('team-a'), DB);
  expect(app.synthYaml()).toBe((app as App).synthYaml());
});
