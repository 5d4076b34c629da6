import { join } from 'node:path';
import { Chart, Size, Testing } from 'cdk8s';
import { ClientAddress, LoadBalancerScheme } from '../../../src/contract';
import { AwsLoadBalancerController, MetalLb } from '../../../src/controllers';
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
    const told = LoadBalancers.of(app).warnings.filter(({ finding }) => finding.ruleId === 'heard-before-denied');
    expect(told.map(({ finding }) => /team-a\/db.*port 3306 MySQL servers speak first/.test(finding.what))).toEqual(
      isTold ? [true] : [],
    );
  },
);

test('limits that tenants could lift are told of, until it is said who the platform is', () => {
  const told = (platform?: TenancyIdentity[]) =>
    LoadBalancers.of(synth({}, { maxConnections: 200 }, [DB], undefined, { platform }).app).warnings.map(
      ({ finding }) => finding.ruleId,
    );
  expect(told()).toContain('limits-open');
  expect(told([TenancyIdentity.user('delivery')])).not.toContain('limits-open');
});

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
  expect(told(true)).toContain('listeners-open');
  expect(told(false)).not.toContain('listeners-open');
  expect(told(true, { platform: [TenancyIdentity.user('delivery')] })).not.toContain('listeners-open');
  expect(told(true, { oneTeam: true })).not.toContain('listeners-open');
  expect(told(true, {}, {} as never)).not.toContain('listeners-open');
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

test('a limit that is nothing when it is divided is refused', () => {
  expect(synth({ replicas: 3 }, { maxConnections: 2 }).text).toThrow(/maxConnections 2.*3 replicas.*limit-too-small/);
});

const HOSTS = ['db.team-a.tcp.example.com', 'web.team-a.tcp.example.com'];
const SHARED_TLS: readonly SharedAttachment[] = [
  { ...DB, ports: [{ port: 5432, hostnames: [HOSTS[0]] }], sourceRanges: ['10.0.0.0/16'] },
  { ...DB, service: 'web', ports: [{ port: 8443, hostnames: [HOSTS[1]] }] },
];

test.each<[string, ReturnType<typeof synth>, RegExp]>([
  ['bandwidth', synth({}, { bandwidth: Size.mebibytes(1) }), /bandwidth of HTTP alone.*engine-cannot-enforce/],
  [
    'source ranges where proxies do not see clients',
    synth({ clientAddress: ClientAddress.REPLACE }, {}, [{ ...DB, sourceRanges: ['10.0.0.0/16'] }]),
    /clientAddress PRESERVE.*engine-cannot-enforce/,
  ],
  [
    'a port of the proxies',
    synth({}, {}, [{ ...DB, ports: [{ port: 19000 }] }], lockedAsWished('team-a/db:19000')),
    /19000/,
  ],
  [
    'ports that meet in the pods',
    synth(
      {},
      {},
      [{ ...DB, ports: [{ port: 80 }, { port: 10080 }] }],
      lockedAsWished('team-a/db:80', 'team-a/db:10080'),
    ),
    /port 10080 cannot be published: the pods of the proxies listen there for port 80.*port-of-proxies/,
  ],
  [
    'different clients of one port of TLS',
    synth(
      {},
      {},
      SHARED_TLS,
      lockFile({
        'team-a/db:5432': { balancer: 0, port: 443, hosts: [HOSTS[0]] },
        'team-a/web:8443': { balancer: 0, port: 443, hosts: [HOSTS[1]] },
      }),
    ),
    /share port 443 by host names and have different source ranges.*ranges-of-one-listener/,
  ],
  [
    'a range at run time with ports of the proxies',
    synth({}, { runtimePorts: { first: 19001, last: 19010 } }),
    /runtimePorts 19001 to 19010 of tenant team-a hold 19001, 19002, 19003, which .*port-of-proxies/,
  ],
  [
    'a range at run time that meets a published port from above',
    synth(
      {},
      { runtimePorts: { first: 10070, last: 10090 } },
      [{ ...DB, ports: [{ port: 80 }] }],
      lockedAsWished('team-a/db:80'),
    ),
    /meet a port of the balancer: the pods of the proxies listen at 10080 for port 80 and for port 10080.*port-of-proxies/,
  ],
  [
    'a range at run time that meets a published port from below',
    synth(
      {},
      { runtimePorts: { first: 70, last: 90 } },
      [{ ...DB, ports: [{ port: 10080 }] }],
      lockedAsWished('team-a/db:10080'),
    ),
    /meet a port of the balancer: the pods of the proxies listen at 10080 for port 80 and for port 10080.*port-of-proxies/,
  ],
  [
    'a range at run time that meets itself',
    synth({}, { runtimePorts: { first: 1023, last: 11023 } }),
    /runtimePorts 1023 to 11023 of tenant team-a meet each other: .* 11023 for port 1023 .*port-of-proxies/,
  ],
  [
    'a range at run time that meets the listener of the Gateway',
    synth({}, { runtimePorts: { first: 10001, last: 10010 } }, [DB], undefined, { ownPort: 9 }),
    /meet a port of the balancer: .* at 10009 for port 9 .*port-of-proxies/,
  ],
  [
    'a range at run time with the port of the balancer itself',
    synth({}, { runtimePorts: { first: 65530, last: 65535 } }),
    /runtimePorts 65530 to 65535 of tenant team-a hold 65535, the port of the balancer itself.*runtime-own-port/,
  ],
  [
    'a listener of the Gateway at a port of the proxies',
    synth({}, {}, [DB], undefined, { ownPort: 19002 }),
    /ownPort cannot be 19002: the pods of the proxies use it for the shutdown manager; choose another ownPort.*port-of-proxies/,
  ],
  [
    'a listener of the Gateway that meets a published port',
    synth({}, {}, [{ ...DB, ports: [{ port: 80 }] }], lockedAsWished('team-a/db:80'), { ownPort: 10080 }),
    /ownPort cannot be 10080: port 80 is published, and .* at 10080 for port 80 .*port-of-proxies/,
  ],
  ['no proxy', synth({ replicas: 0 }), /replicas is 0.*engine-replicas/],
  [
    'more ports than the balancer in front has',
    synth(
      {},
      {},
      [{ ...DB, ports: Array.from({ length: 50 }, (_, i) => ({ port: 5000 + i })) }],
      lockedAsWished(...Array.from({ length: 50 }, (_, i) => `team-a/db:${5000 + i}`)),
    ),
    /too-many-ports/,
  ],
  [
    'more ports of one tenant than a ListenerSet holds',
    synth(
      { controller: MetalLb.bgp() },
      {},
      [{ ...DB, ports: Array.from({ length: 65 }, (_, i) => ({ port: 5000 + i })) }],
      lockedAsWished(...Array.from({ length: 65 }, (_, i) => `team-a/db:${5000 + i}`)),
    ),
    /tenant team-a has 65 ports at one balancer, and a ListenerSet holds 64.*too-many-listeners/,
  ],
  [
    'what the controller in front has no words for',
    synth({ controller: MetalLb.layer2(), proxyProtocol: true }),
    /metallb: there is no proxy between client and node.*cannot-honour/,
  ],
])('refuses %s', (_, { text }, message) => {
  expect(text).toThrow(message);
});

test('ranges of two tenants that meet in the pods are refused with both', () => {
  const { shared, text } = synth({}, { runtimePorts: { first: 20, last: 29 } });
  shared.addTenant('team-b', { runtimePorts: { first: 10029, last: 10040 } });
  expect(text).toThrow(
    /runtimePorts 20 to 29 of tenant team-a meet those of tenant team-b, 10029 to 10040: .* at 10029 for port 29 .*port-of-proxies/,
  );
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
