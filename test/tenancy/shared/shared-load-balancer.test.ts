import { join } from 'node:path';
import { type App, Chart, Testing } from 'cdk8s';
import { KubernetesVersion } from '../../../src/contract';
import { AwsLoadBalancerController } from '../../../src/controllers';
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
import type { LockedPort } from '../../../src/tenancy/ports/rules';
import { expectGolden } from '../../support/golden-files';
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

function many(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 5000 + i);
}

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
