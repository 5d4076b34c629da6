import { join } from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { LoadBalancerScheme } from '../../../src/contract';
import { AwsLoadBalancerController } from '../../../src/controllers';
import { LoadBalancers } from '../../../src/rules';
import {
  type EnvoyGatewayEngineOptions,
  type SharedAttachment,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  type SharedTenantOptions,
  TenancyIdentity,
  TenantRole,
} from '../../../src/tenancy';
import { expectGolden } from '../../support/golden-files';
import { lockedAsWished, lockFile } from './locked';

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
])('of maxConnections %d the share is not cut by what Envoy has for a route by itself', (maxConnections, breakers) => {
  const policies = synth({ replicas: 2 }, { maxConnections })
    .objects()
    .filter(({ kind }) => kind === 'BackendTrafficPolicy');
  expect(policies.map(({ spec }) => spec.circuitBreaker)).toEqual(breakers);
  for (const { metadata, spec } of policies) {
    expect(metadata.namespace).toBe('team-a');
    expect(spec.targetRefs).toEqual([{ group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: 'shared' }]);
  }
});

test.each<[number, string[] | undefined, boolean]>([
  [3306, ['10.0.0.0/16'], true],
  [3306, undefined, false],
  [5432, ['10.0.0.0/16'], false],
])(
  'at port %i with source ranges %j it is told whether denied clients hear the server: %j',
  (port, sourceRanges, isTold) => {
    const attachment = { tenant: 'team-a', service: 'db', ports: [{ port }], sourceRanges };
    const { app } = synth({}, {}, [attachment], lockedAsWished(`team-a/db:${port}`));
    const told = LoadBalancers.of(app).warnings.filter(({ finding }) => finding.ruleId === 'first-bytes-before-denial');
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
])('ports %j are taken at run time', (runtimePorts) => {
  expect(synth({}, { runtimePorts }, []).text).not.toThrow();
});

test('the Service that will be made is judged with the patches of the EnvoyProxy', () => {
  const { app, text } = synth();
  const proxies = app.node.findAll().find(({ node }) => node.id === 'Proxies') as never as {
    addJsonPatch(patch: unknown): void;
  };
  const { JsonPatch } = jest.requireActual<typeof import('cdk8s')>('cdk8s');
  proxies.addJsonPatch(JsonPatch.add('/spec/provider/kubernetes/envoyService/loadBalancerClass', 'example.com/other'));
  expect(text).toThrow(/Service|class/);
});
