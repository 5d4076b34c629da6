import { App, Chart, Duration } from 'cdk8s';
import { Gateway, LoadBalancerScheme } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { AwsLoadBalancerController, MetalLb } from '../../../src/controllers';
import { PUBLISHERS } from '../../../src/tenancy/engines/publishers';
import { SharedLoadBalancerEngine } from '../../../src/tenancy/engines/shared-load-balancer-engine';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { PortConflictPolicy } from '../../../src/tenancy/ports/options';
import type { SharedServicesAtRunTimeProps } from '../../../src/tenancy/runtime/options';
import { SharedServicesAtRunTime } from '../../../src/tenancy/runtime/shared-services-at-run-time';
import type { SharedLoadBalancerProps, SharedTenantOptions } from '../../../src/tenancy/shared/options';
import { SharedLoadBalancer } from '../../../src/tenancy/shared/shared-load-balancer';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { casesIn, table } from '../../support/yaml-cases';
import { lockedAsWished } from '../shared/locked';

const NLB = SharedLoadBalancerEngine.awsNetworkLoadBalancer({
  scheme: LoadBalancerScheme.INTERNAL,
  securityGroups: ['sg-1'],
});

const RANGE = { runtimePorts: { first: 31000, last: 31009 } };

const DIGEST = `registry.example/node@sha256:${'0'.repeat(64)}`;

interface Ask {
  readonly shared?: Partial<SharedLoadBalancerProps>;
  readonly props?: Partial<SharedServicesAtRunTimeProps>;
  readonly tenants?: Record<string, SharedTenantOptions>;
}

function made({ shared, props, tenants = { 'team-a': RANGE } }: Ask = {}) {
  const chart = new Chart(new App(), 'platform', { namespace: 'infra' });
  const balancer = new SharedLoadBalancer(chart, 'Shared', {
    engine: NLB,
    hostname: 'tcp.example.com',
    portLock: lockedAsWished('team-a/db:5432'),
    oneTeam: true,
    ...shared,
  });
  const construct = new SharedServicesAtRunTime(chart, 'RunTime', { shared: balancer, ...props });
  for (const [name, options] of Object.entries(tenants)) {
    balancer.addTenant(name, options);
  }
  return { chart, balancer, construct };
}

function objectsOf(ask: Ask = {}): Json[] {
  return synth(made(ask).chart).filter(({ metadata }) =>
    metadata.name.startsWith(ask.props?.name ?? 'shared-services'),
  );
}

function one(objects: Json[], kind: string): Json {
  const found = objects.filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
}

function configIn(objects: Json[]): Json {
  return JSON.parse(
    one(
      objects.filter(({ data }) => data?.['hook.js']),
      'ConfigMap',
    ).data['config.json'],
  );
}

test('what the hook is told is what the app says, tenants that come later included', () => {
  const { chart, balancer } = made({
    shared: { portConflict: PortConflictPolicy.REMAP, loadBalancerClass: 'acme.example/shared' },
    tenants: { 'team-b': { domain: 'b.example.com', suspended: true }, 'team-a': RANGE },
  });
  balancer.attach(new Chart(chart, 'team-a', { namespace: 'team-a' }), {
    tenant: 'team-a',
    service: 'db',
    ports: [{ port: 5432 }],
  });
  expect(configIn(synth(chart))).toEqual({
    controller: 'shared-services',
    loadBalancerClass: 'acme.example/shared',
    balancers: [{ name: 'shared', namespace: 'infra', hostname: 'tcp.example.com' }],
    publisher: 'aws-network-load-balancer',
    settings: {},
    sourceRanges: false,
    conflict: 'REMAP',
    reserved: [65535],
    capacity: { ports: 50, locked: [5432] },
    seats: { name: 'shared-services', namespace: 'infra' },
    serviceLabels: { 'acme.example/shared': 'true' },
    namespaceLabels: { 'cdk8s-load-balancers/tenant': 'true' },
    tenants: {
      'team-a': { ports: RANGE.runtimePorts, published: ['db'], domain: 'team-a.tcp.example.com' },
      'team-b': { suspended: true, domain: 'b.example.com' },
    },
    keys: {
      endpoints: 'cdk8s-load-balancers/endpoints',
      condition: 'cdk8s-load-balancers/Shared',
      portConflict: 'cdk8s-load-balancers/PortConflict',
      hostnames: 'cdk8s-load-balancers/hostnames',
      seats: 'cdk8s-load-balancers/seats',
    },
  });
});

test('what the proxies use themselves, and what meets a locked port there, is reserved', () => {
  const engine = SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb() });
  const portLock = lockedAsWished('team-a/web:80', 'team-a/mail:10025', 'team-a/db:5432');
  expect(configIn(objectsOf({ shared: { engine, portLock } })).reserved).toEqual([
    25, 443, 10080, 19000, 19001, 19002, 19003, 65535,
  ]);
});

test.each<[string, SharedLoadBalancerEngine, number | undefined, number[]]>(
  table('tenancy/runtime/shared-services-at-run-time.yaml', 'limits of ports', { NLB }),
)('the hook counts the ports of %s, where there is a limit', (_, engine, ports, locked) => {
  expect(configIn(objectsOf({ shared: { engine } })).capacity).toEqual(ports && { ports, locked });
});

test('an existing Gateway is named as it is', () => {
  const gateway = Gateway.fromName('edge', { namespace: 'gateways', controllerName: 'example.com/gateway' });
  const objects = objectsOf({
    shared: { engine: SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false }) },
  });
  expect(configIn(objects).balancers).toEqual([{ name: 'edge', namespace: 'gateways', hostname: 'tcp.example.com' }]);
});

test('the controller looks for the label of the class and knows everything that is made', () => {
  const [seats, controller] = objectsOf({ props: { resync: Duration.minutes(5) } })
    .filter(({ kind }) => kind === 'DecoratorController')
    .sort((first, second) => second.metadata.name.length - first.metadata.name.length);
  expect(seats.spec).toEqual(
    casesIn(__dirname, 'shared-services-at-run-time.yaml')['the controller looks for the label of the class and knows'],
  );
  expect(controller).toEqual(
    casesIn(__dirname, 'shared-services-at-run-time.yaml')[
      'the controller looks for the label of the class and knows 2'
    ],
  );
});

test('the controller gets the rights on what is made, and on nothing else', () => {
  const { rules } = one(objectsOf(), 'ClusterRole');
  expect(JSON.stringify(rules)).not.toContain('*');
  const all = ['list', 'watch', 'create', 'update', 'delete'];
  expect(rules.slice(3)).toEqual([
    { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'watch', 'update'] },
    { apiGroups: [''], resources: ['services/status'], verbs: ['update'] },
    { apiGroups: ['gateway.k8s.aws'], resources: ['targetgroupconfigurations'], verbs: all },
    { apiGroups: ['gateway.networking.k8s.io'], resources: ['listenersets', 'tcproutes'], verbs: all },
    { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways', 'tlsroutes'], verbs: ['list', 'watch'] },
  ]);
});

test.each<[string, SharedLoadBalancerEngine, number]>([
  ['an NLB, whose ports are few', NLB, 2],
  ['Envoy Gateway without a limit', SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp() }), 1],
])('ports are set aside in one table for %s', (_, engine, controllers) => {
  const objects = objectsOf({ shared: { engine } });
  expect(objects.filter(({ kind }) => kind === 'DecoratorController')).toHaveLength(controllers);
  const { labels } = one(objects, 'Service').metadata;
  expect('cdk8s-load-balancers/seats' in labels).toBe(controllers === 2);
  expect('seats' in configIn(objects)).toBe(controllers === 2);
});

test('a policy keeps what was published until it is withdrawn, for all but the controller', () => {
  const policy = one(objectsOf(), 'ValidatingAdmissionPolicy');
  expect(policy.metadata.name).toBe('shared-services-withdrawal');
  const [{ expression }, ...others] = policy.spec.matchConditions;
  expect(others).toEqual([]);
  for (const part of [
    "'metacontroller.io/decoratorcontroller-shared-services' in oldObject.metadata.?finalizers.orValue([])",
    "'orphan' in object.metadata.?finalizers.orValue([])",
    "&& (!(request.userInfo.username in ['system:serviceaccount:metacontroller:metacontroller']))",
  ]) {
    expect(expression).toContain(part);
  }
  expect(policy.spec.matchConstraints.resourceRules[0].resources).toEqual(['services', 'services/status']);
});

describe('HAProxy', () => {
  const platform = [TenancyIdentity.user('delivery')];
  const haproxy = (runtimePorts?: { first: number; last: number }) => ({
    engine: SharedLoadBalancerEngine.haproxy({ controller: AwsLoadBalancerController.nlb(), runtimePorts }),
    platform,
    oneTeam: false,
  });

  test('has the ports of run time open at its balancer, and its own objects and rights', () => {
    const { chart } = made({ shared: haproxy({ first: 31000, last: 31009 }) });
    const objects = synth(chart);
    const [balancer] = objects.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === 'shared');
    expect(balancer.spec.ports.map(({ port }: Json) => port)).toEqual([
      5432,
      ...Array.from({ length: 10 }, (_, i) => 31000 + i),
    ]);
    const rules = objects.find(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'shared-services',
    )?.rules;
    expect(rules.at(-1)).toEqual({
      apiGroups: ['ingress.v3.haproxy.org'],
      resources: ['tcps'],
      verbs: ['list', 'watch', 'create', 'update', 'delete'],
    });
    const kinds = objects.find(
      ({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === 'shared-kinds',
    );
    expect(JSON.stringify(kinds?.spec.matchConditions)).toContain(
      'system:serviceaccount:metacontroller:metacontroller',
    );
  });

  test.each([
    [{ first: 1020, last: 1045 }, /runtimePorts 1020 to 1045 hold 1024 \(statistics\), 1042 \(health checks\), which/],
    [{ first: 31005, last: 31000 }, /runtimePorts: 31005 to 31000 is empty; name the lowest port first/],
    [{ first: 60000, last: 70000 }, /runtimePorts: 70000 is not a valid port/],
  ])('is refused ports that its balancer must not have: %j', (open, expected) => {
    expect(() => haproxy(open)).toThrow(expected);
  });

  test.each<[string, { first: number; last: number } | undefined, RegExp]>(
    table('tenancy/runtime/shared-services-at-run-time.yaml', 'is refused where its balancer has of the ports'),
  )('is refused where its balancer has %s of the ports', (_, open, expected) => {
    const { chart, balancer } = made({ shared: haproxy(open) });
    balancer.attach(new Chart(chart, 'team-a', { namespace: 'team-a' }), {
      tenant: 'team-a',
      service: 'db',
      ports: [{ port: 5432 }],
    });
    expect(errorsOf(chart).join('\n')).toMatch(expected);
  });
});

test('routes by host name are made, where the engine has them, and tenants have a quota for what holds their ports', () => {
  const engine = SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp() });
  const objects = objectsOf({ shared: { engine }, tenants: { 'team-a': RANGE, 'team-b': {} } });
  const attachments = one(objects, 'DecoratorController').spec.attachments.map(({ resource }: Json) => resource);
  expect(attachments).toEqual([
    'clienttrafficpolicies',
    'backendtrafficpolicies',
    'securitypolicies',
    'listenersets',
    'tcproutes',
    'tlsroutes',
  ]);
  expect(one(objects, 'ResourceQuota')).toMatchObject({
    metadata: { name: 'shared-services', namespace: 'team-a' },
    // ten ports, and the ListenerSet of the platform
    spec: { hard: { 'count/listenersets.gateway.networking.k8s.io': '11' } },
  });
});

test('rights, arguments and walls follow where the controller runs', () => {
  const props = {
    controllerNamespace: 'meta',
    controllerServiceAccount: 'robot',
    controllerPodLabels: { app: 'meta' },
  };
  const { chart, construct } = made({ props });
  const objects = synth(chart);
  const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'meta' }];
  expect(one(objects, 'ClusterRoleBinding').subjects).toEqual(subjects);
  expect(one(objects, 'RoleBinding')).toMatchObject({ metadata: { namespace: 'meta' }, subjects });
  expect(construct.controller.username).toBe('system:serviceaccount:meta:robot');
  expect(construct.controllerArgs).toEqual([
    '--client-go-qps=100',
    '--client-go-burst=200',
    '--leader-election',
    '--leader-election-namespace=meta',
  ]);
  expect(one(objects, 'NetworkPolicy').spec).toMatchObject(
    casesIn(__dirname, 'shared-services-at-run-time.yaml')[
      'rights arguments and walls follow where the controller runs'
    ],
  );
});

test('the hook runs with nothing that it does not need', () => {
  const { template, replicas } = one(objectsOf({ props: { image: DIGEST, replicas: 3 } }), 'Deployment').spec;
  expect(replicas).toBe(3);
  expect(template.spec).toMatchObject(casesIn(__dirname, 'shared-services-at-run-time.yaml').pods);
});

test('pods start anew when what they run changes, and only then', () => {
  const hash = (ask: Ask) =>
    one(objectsOf(ask), 'Deployment').spec.template.metadata.annotations['cdk8s-load-balancers/content-hash'];
  const portLock = lockedAsWished('team-a/db:5432');
  expect(hash({ shared: { portLock } })).toBe(hash({ shared: { portLock } }));
  expect(hash({ tenants: { 'team-a': { ...RANGE, suspended: true } } })).not.toBe(hash({}));
});

test('an existing Gateway without a namespace is refused at once', () => {
  const gateway = Gateway.fromName('edge', { controllerName: 'example.com/gateway' });
  const engine = SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false });
  expect(() => made({ shared: { engine } })).toThrow(
    /platform\/RunTime: the namespace of Gateway edge is unknown.*\(runtime-namespace-unknown\)/,
  );
});

test('without ports for anybody there is nothing to serve', () => {
  const errors = errorsOf(made({ tenants: { 'team-a': {} } }).chart);
  expect(errors).toEqual([
    expect.stringMatching(/no tenant of platform\/Shared has ports.*addTenant\('team-a'.*\(runtime-ports-missing\)/),
  ]);
});

test('with Services of the app alone their status is served, and it is told', () => {
  const { chart, balancer } = made({ tenants: { 'team-a': {} } });
  balancer.attach(new Chart(chart, 'team-a', { namespace: 'team-a' }), {
    tenant: 'team-a',
    service: 'db',
    ports: [{ port: 5432 }],
  });
  expect(stderrOf(() => void synth(chart))).toMatch(/only Services that the app attaches.*runtime-ports-missing/s);
});

test('ranges that do not fit at the balancer are told', () => {
  const said = stderrOf(
    () => void synth(made({ tenants: { 'team-a': { runtimePorts: { first: 31000, last: 31049 } } } }).chart),
  );
  expect(said).toMatch(/50 ports at run time.*room for 49.*runtime-ports-exceed-balancer/s);
});

test.each(Object.entries(PUBLISHERS))('%s makes no kind that the controller does not know', (_, { publish, kinds }) => {
  const documents = publish(
    {
      name: 'service-db',
      namespace: 'team-a',
      balancer: { name: 'shared', namespace: 'infra' },
      services: [{ name: 'db', ports: [{ port: 31000, servicePort: 5432 }], sourceRanges: ['10.0.0.0/8'] }],
      // more than Envoy lets through to a route by itself
      connections: 5000,
    },
    { proxyProtocol: true, ingressClass: 'shared-haproxy' },
  );
  const published = new Set(documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  expect([...published].sort()).toEqual(kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort());
});

test.each<[string, Ask, RegExp]>(table('tenancy/runtime/shared-services-at-run-time.yaml', 'refused requests'))(
  '%s is refused',
  (_, ask, expected) => expect(() => made(ask)).toThrow(expected),
);

test.each([
  [{ oneTeam: false, platform: [TenancyIdentity.user('delivery'), TenancyIdentity.serviceAccount('mc', 'writer')] }],
  [{ oneTeam: true }],
])('a controller of another name is known to the policies, or there are none that mind', (shared) => {
  const props = { controllerNamespace: 'mc', controllerServiceAccount: 'writer' };
  expect(() => made({ shared, props })).not.toThrow();
});
