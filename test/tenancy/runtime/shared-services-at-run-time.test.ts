import { App, Chart, Duration } from 'cdk8s';
import { Gateway, LoadBalancerScheme } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { AwsLoadBalancerController, MetalLb } from '../../../src/controllers';
import { PUBLISHERS } from '../../../src/tenancy/engines/publishers';
import { SharedLoadBalancerEngine } from '../../../src/tenancy/engines/shared-load-balancer-engine';
import { PortConflictPolicy } from '../../../src/tenancy/ports/ports.options';
import { SharedServicesAtRunTime } from '../../../src/tenancy/runtime/shared-services-at-run-time';
import type { SharedServicesAtRunTimeProps } from '../../../src/tenancy/runtime/shared-services-at-run-time.options';
import { SharedLoadBalancer } from '../../../src/tenancy/shared/shared-load-balancer';
import type {
  SharedLoadBalancerProps,
  SharedTenantOptions,
} from '../../../src/tenancy/shared/shared-load-balancer.options';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { lockedAsWished } from '../shared/locked';

const NLB = SharedLoadBalancerEngine.awsNetworkLoadBalancer({
  scheme: LoadBalancerScheme.INTERNAL,
  securityGroups: ['sg-1'],
});

const RANGE = { runtimePorts: { first: 31000, last: 31009 } };

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

/** The objects of the construct alone. */
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
    loadBalancerClass: 'acme.example/shared',
    balancers: [{ name: 'shared', namespace: 'infra', hostname: 'tcp.example.com' }],
    publisher: 'aws-network-load-balancer',
    settings: {},
    sourceRanges: false,
    conflict: 'REMAP',
    reserved: [65535],
    capacity: { ports: 50, locked: [5432] },
    namespaceLabels: { 'cdk8s-load-balancers/tenant': 'true' },
    tenants: {
      'team-a': { ports: RANGE.runtimePorts, published: ['db'], domain: 'team-a.tcp.example.com' },
      'team-b': { suspended: true, domain: 'b.example.com' },
    },
    keys: {
      endpoints: 'cdk8s-load-balancers/endpoints',
      condition: 'cdk8s-load-balancers/Shared',
      portConflict: 'cdk8s-load-balancers/PortConflict',
    },
  });
});

test('what the proxies use themselves, and what meets a locked port there, is reserved', () => {
  const engine = SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb() });
  const portLock = lockedAsWished('team-a/web:80', 'team-a/mail:10025', 'team-a/db:5432');
  expect(configIn(objectsOf({ shared: { engine, portLock } })).reserved).toEqual([
    25, 10080, 19000, 19001, 19002, 19003, 65535,
  ]);
});

test.each<[string, SharedLoadBalancerEngine, number | undefined]>([
  ['an NLB', NLB, 50],
  [
    'Envoy Gateway behind an NLB',
    SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb() }),
    49,
  ],
  [
    'Envoy Gateway behind something else',
    SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp() }),
    undefined,
  ],
])('the hook counts the ports of %s, where there is a limit', (_, engine, ports) => {
  expect(configIn(objectsOf({ shared: { engine } })).capacity).toEqual(ports && { ports, locked: [5432] });
});

test('an existing Gateway is named as it is', () => {
  const gateway = Gateway.fromName('edge', { namespace: 'gateways', controllerName: 'example.com/gateway' });
  const objects = objectsOf({
    shared: { engine: SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false }) },
  });
  expect(configIn(objects).balancers).toEqual([{ name: 'edge', namespace: 'gateways', hostname: 'tcp.example.com' }]);
});

test('the controller looks for the label of the class and knows everything that is made', () => {
  expect(one(objectsOf({ props: { resync: Duration.minutes(5) } }), 'DecoratorController')).toEqual({
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'DecoratorController',
    metadata: { name: 'shared-services' },
    spec: {
      resources: [
        {
          apiVersion: 'v1',
          resource: 'services',
          labelSelector: { matchLabels: { 'cdk8s-load-balancers/shared': 'true' } },
        },
      ],
      attachments: [
        {
          apiVersion: 'gateway.k8s.aws/v1',
          resource: 'targetgroupconfigurations',
          updateStrategy: { method: 'InPlace' },
        },
        { apiVersion: 'gateway.networking.k8s.io/v1', resource: 'listenersets', updateStrategy: { method: 'InPlace' } },
        { apiVersion: 'gateway.networking.k8s.io/v1', resource: 'tcproutes', updateStrategy: { method: 'InPlace' } },
      ],
      resyncPeriodSeconds: 300,
      hooks: {
        sync: { version: 'v2', webhook: { url: 'http://shared-services.infra.svc/sync', timeout: '10s' } },
        customize: { version: 'v2', webhook: { url: 'http://shared-services.infra.svc/customize', timeout: '10s' } },
      },
    },
  });
});

test('the controller gets the rights on what is made, and on nothing else', () => {
  const { rules } = one(objectsOf(), 'ClusterRole');
  expect(JSON.stringify(rules)).not.toContain('*');
  const all = ['list', 'watch', 'create', 'update', 'delete'];
  expect(rules.slice(3)).toEqual([
    { apiGroups: [''], resources: ['services'], verbs: ['list', 'watch', 'update'] },
    { apiGroups: [''], resources: ['services/status'], verbs: ['update'] },
    { apiGroups: ['gateway.k8s.aws'], resources: ['targetgroupconfigurations'], verbs: all },
    { apiGroups: ['gateway.networking.k8s.io'], resources: ['listenersets', 'tcproutes'], verbs: all },
    { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways', 'tlsroutes'], verbs: ['list', 'watch'] },
  ]);
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
  expect(one(objects, 'NetworkPolicy').spec).toMatchObject({
    policyTypes: ['Ingress', 'Egress'],
    egress: [],
    ingress: [
      {
        from: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'meta' } },
            podSelector: { matchLabels: { app: 'meta' } },
          },
        ],
      },
    ],
  });
});

test('the hook runs with nothing that it does not need', () => {
  const { template, replicas } = one(
    objectsOf({ props: { image: 'registry.example/node@sha256:0', replicas: 3 } }),
    'Deployment',
  ).spec;
  expect(replicas).toBe(3);
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        image: 'registry.example/node@sha256:0',
        command: ['node', '/hook/hook.js', '/hook/config.json', '8080'],
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
    volumes: [{ configMap: { name: 'shared-services' } }],
  });
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
    /platform\/RunTime: the namespace of Gateway edge is unknown.*\(run-time-namespace\)/,
  );
});

test('an engine that cannot publish at run time is refused at once', () => {
  const { balancer, chart } = made();
  // biome-ignore lint/complexity/useLiteralKeys: of the package
  const engine = balancer['registry'].settings.engine.publishing as { atRunTime?: object };
  const before = engine.atRunTime;
  engine.atRunTime = undefined;
  try {
    expect(() => new SharedServicesAtRunTime(chart, 'Again', { shared: balancer, name: 'again' })).toThrow(
      /platform\/Again: .* cannot publish Services that are created at run time.*\(engine-without-run-time\)/,
    );
  } finally {
    engine.atRunTime = before;
  }
});

test('without ports for anybody there is nothing to serve', () => {
  const errors = errorsOf(made({ tenants: { 'team-a': {} } }).chart);
  expect(errors).toEqual([
    expect.stringMatching(/no tenant of platform\/Shared has ports.*addTenant\('team-a'.*\(no-runtime-ports\)/),
  ]);
});

test('with Services of the app alone their status is served, and it is told', () => {
  const { chart, balancer } = made({ tenants: { 'team-a': {} } });
  balancer.attach(new Chart(chart, 'team-a', { namespace: 'team-a' }), {
    tenant: 'team-a',
    service: 'db',
    ports: [{ port: 5432 }],
  });
  expect(stderrOf(() => void synth(chart))).toMatch(/only Services that the app attaches.*no-runtime-ports/s);
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
      connections: 5,
    },
    { proxyProtocol: true },
  );
  const published = new Set(documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  expect([...published].sort()).toEqual(kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort());
});
