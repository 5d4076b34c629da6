import { App, Chart } from 'cdk8s';
import { KubernetesVersion } from '../../src';
import { ClassDefaultMechanism, LoadBalancerClassDefault } from '../../src/tenancy/guard/load-balancer-class-default';
import { SharedListenerPolicy, TenantPorts } from '../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../src/tenancy/guard/tenancy-identity';
import { TenantRole } from '../../src/tenancy/guard/tenant-role';
import type { Api, Body, Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { definitionsOfGroup, install as installDefinitions } from './harness/custom-resources';
import { count } from './harness/report';
import { install, permit, refusalOf, untilAdmitted } from './harness/tenants';
import { until } from './harness/wait';

// Fences at a shared Gateway, in a real API server with the definitions of the Gateway API and of Kyverno.

const GROUP = 'gateway.networking.k8s.io';
const V1 = `${GROUP}/v1`;
const BINDINGS = 'elbv2.k8s.aws';

const WHO = {
  tenant: 'anna',
  // somebody gave this one more than the tenants' role has
  strong: 'berta',
  delivery: 'delivery',
  admin: undefined,
  namespaces: 'system:serviceaccount:kube-system:namespace-controller',
  garbage: 'system:serviceaccount:kube-system:generic-garbage-collector',
} as const;

const SHARED = { namespace: 'infra', name: 'shared' };
const OTHER = { namespace: 'infra', name: 'shared-2' };

let plane: ControlPlane;

function as(who: keyof typeof WHO): Api {
  const user = WHO[who];
  return user === undefined ? plane.api : plane.api.actingAs(user);
}

const NAMESPACES: Record<string, Body> = {
  infra: {},
  'team-a': { labels: { tenant: 'annotated' }, annotations: { 'cdk8s-load-balancers/ports': '20000-20009,30017' } },
  'team-b': { labels: { tenant: 'annotated' } },
  'team-c': { labels: { tenant: 'annotated' }, annotations: { 'cdk8s-load-balancers/ports': '20000 to 20009' } },
  'team-d': { labels: { tenant: 'named' } },
  'team-e': { labels: { tenant: 'named' } },
  'team-f': { labels: { tenant: 'named' } },
  'team-h': { labels: { tenant: 'web' } },
};

/** The least that a TargetGroupBinding needs to be served. */
const TARGET_GROUP_BINDINGS: Ref = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `targetgroupbindings.${BINDINGS}` },
  spec: {
    group: BINDINGS,
    names: { kind: 'TargetGroupBinding', plural: 'targetgroupbindings' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const listener = (port: number, more: Body = {}) => ({ name: `p${port}`, port, protocol: 'TCP', ...more });
const tls = (port: number, hostname?: string, mode = 'Passthrough') =>
  listener(port, { protocol: 'TLS', ...(hostname && { hostname }), tls: { mode } });

function listenerSet(
  namespace: string,
  listeners: Body[],
  parentRef: Body = { name: 'shared', namespace: 'infra' },
): Ref {
  return {
    apiVersion: V1,
    kind: 'ListenerSet',
    metadata: { name: 'db', namespace },
    spec: { parentRef: { group: GROUP, kind: 'Gateway', ...parentRef }, listeners },
  };
}

function route(namespace: string, parent: Body, backend: Body = {}, more: Body = {}, kind = 'TCPRoute'): Ref {
  return {
    apiVersion: V1,
    kind,
    metadata: { name: 'db', namespace },
    spec: {
      parentRefs: [{ group: GROUP, kind: 'ListenerSet', name: 'db', ...parent }],
      rules: [{ backendRefs: [{ name: 'db', port: 5432, ...backend }] }],
      ...more,
    },
  };
}

const gateway = (namespace: string): Ref => ({
  apiVersion: V1,
  kind: 'Gateway',
  metadata: { name: 'own', namespace },
  spec: { gatewayClassName: 'any', listeners: [listener(1)] },
});

const binding = (namespace: string): Ref => ({
  apiVersion: `${BINDINGS}/v1beta1`,
  kind: 'TargetGroupBinding',
  metadata: { name: 'db', namespace },
  spec: {},
});

function platform(): Chart {
  const chart = new Chart(new App(), 'platform', { namespace: 'infra' });
  const common = {
    gateways: [SHARED],
    exempt: [TenancyIdentity.user(WHO.delivery)],
    guardedKinds: [{ group: BINDINGS, resource: 'targetgroupbindings' }],
    kubernetes: KubernetesVersion.V1_36,
  };
  new SharedListenerPolicy(chart, 'Annotated', {
    ...common,
    name: 'annotated',
    namespaceLabels: { tenant: 'annotated' },
    ports: TenantPorts.byAnnotation(),
  });
  const named = new SharedListenerPolicy(chart, 'Named', {
    ...common,
    name: 'named',
    namespaceLabels: { tenant: 'named' },
    ports: TenantPorts.perNamespace({ 'team-d': [{ first: 21000, last: 21009 }] }),
    gateways: [SHARED, OTHER],
    sharedTlsPorts: [443],
    hostnames: { 'team-d': ['db.d.example.com'] },
  });
  new SharedListenerPolicy(chart, 'Web', {
    ...common,
    name: 'web',
    namespaceLabels: { tenant: 'web' },
    ports: TenantPorts.perNamespace(),
    gateways: [{ namespace: 'infra', name: 'web' }],
    hostnames: { 'team-h': ['*.h.example.com'] },
    httpRoutes: true,
  });
  // whoever comes later
  named.grantPorts('team-e', [{ first: 22000, last: 22001 }]);
  named.grantPorts('team-d', [{ first: 23000, last: 23000 }], [OTHER]);
  named.grantPorts('team-e', [{ first: 23000, last: 23000 }], [SHARED]);
  named.grantPorts('team-e', [{ first: 22002, last: 22002 }]);
  named.grantHostnames('team-e', ['*.e.example.com']);
  const role = new TenantRole(chart, 'Role', { name: 'tenants', attachments: true });
  for (const namespace of Object.keys(NAMESPACES).filter((name) => name !== 'infra')) {
    role.bind(namespace, [TenancyIdentity.user(WHO.tenant), TenancyIdentity.user(WHO.strong)]);
  }
  return chart;
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  const { api } = plane;
  await installDefinitions(api, [
    ...definitionsOfGroup(
      'sigs.k8s.io/gateway-api',
      GROUP,
      'Gateway',
      'ListenerSet',
      'TCPRoute',
      'TLSRoute',
      'HTTPRoute',
      'GRPCRoute',
    ),
    ...definitionsOfGroup('github.com/kyverno/kyverno', 'policies.kyverno.io', 'MutatingPolicy'),
    TARGET_GROUP_BINDINGS,
  ]);
  for (const [name, metadata] of Object.entries(NAMESPACES)) {
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } });
  }
  // what was there before the fences
  await api.create({ ...listenerSet('team-a', [listener(9)]), metadata: { name: 'old', namespace: 'team-a' } });
  await install(api, platform());
  const strong = [
    { apiGroups: [GROUP], resources: ['gateways'], verbs: ['*'] },
    { apiGroups: [BINDINGS], resources: ['targetgroupbindings'], verbs: ['*'] },
  ];
  const attach = { apiGroups: [GROUP], resources: ['listenersets', 'tcproutes', 'tlsroutes'], verbs: ['*'] };
  // what roles of the cluster give tenants beside
  await permit(api, WHO.tenant, [{ apiGroups: [GROUP], resources: ['httproutes', 'grpcroutes'], verbs: ['*'] }]);
  await permit(api, WHO.strong, strong);
  await permit(api, WHO.delivery, [...strong, attach]);
  await untilAdmitted('permissions', () => as('delivery').create(gateway('team-a'), dryRun));
  await untilAdmitted('permissions', () => as('tenant').create(listenerSet('team-e', [listener(22000)]), dryRun));
  await as('delivery').create(binding('team-a'));
});

afterAll(() => plane?.stop());

const dryRun = { dryRun: true };
const BOOK = { name: 'db', namespace: 'team-a', annotations: { a: 'x'.repeat(250000) } };
const BIG_LABELS = Object.fromEntries(
  Array.from({ length: 2000 }, (_, i) => [`${i + 1000}`.slice(-4), 'x'.repeat(59)]),
);

function routeToMany(services: number): Ref {
  const backendRefs = Array.from({ length: services }, (_, i) => ({ name: `db-${i}`, port: 5432 }));
  return route('team-a', {}, {}, { rules: [{ backendRefs }] });
}
const create = (object: Ref) => (api: Api) => api.create(object, dryRun);
const remove = (object: Ref) => async (api: Api) => {
  if (!(await plane.api.find(object))) {
    await as('delivery').create(object);
  }
  await api.delete(object);
};
const OLD: Ref = { apiVersion: V1, kind: 'ListenerSet', metadata: { name: 'old', namespace: 'team-a' } };
const PLACE = { name: 'db', namespace: 'team-a' };
const FINALIZERS = Array.from({ length: 100 }, (_, i) => `example.com/${'x'.repeat(28)}${`${i + 100}`.slice(-2)}`);
const texts = (count: number, size: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i + 100}`.slice(0, 4), 'x'.repeat(size)]));
const owners = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: `owner-${i + 100}`.slice(0, 9),
    uid: `00000000-0000-4000-8000-000000000${i + 100}`,
  }));
const OWN_ROUTES = { allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ group: GROUP, kind: 'TCPRoute' }] } };
const MIRROR = { type: 'RequestMirror', requestMirror: { backendRef: { name: 'db', namespace: 'team-b', port: 80 } } };
const AT_WEB = { kind: 'Gateway', name: 'web', namespace: 'infra' };
const PARENT = 'spec.parentRef must name Gateway infra/shared';
const ASK = 'ask the platform for ports, which stand in the annotation cdk8s-load-balancers/ports of the namespace';
const NOT_THEIRS =
  'objects of this kind are written by the platform alone, in namespaces of tenants: ask it for what you need, or have delivery apply it';

/** Who does what, and what is told then: the whole text or a part of it, or nothing. */
const ROWS: readonly (readonly [
  what: string,
  who: keyof typeof WHO,
  act: (api: Api) => Promise<unknown>,
  told?: string | RegExp,
])[] = [
  [
    'listeners on its ports',
    'tenant',
    create(listenerSet('team-a', [listener(20000), listener(20009), listener(30017)])),
  ],
  [
    'a port below its own',
    'tenant',
    create(listenerSet('team-a', [listener(20000), listener(19999)])),
    'listeners must have ports of 20000-20009,30017, not p19999=19999',
  ],
  [
    'ports of others',
    'tenant',
    create(listenerSet('team-a', [listener(443), listener(30018)])),
    'listeners must have ports of 20000-20009,30017, not p443=443, p30018=30018',
  ],
  [
    'any port where the namespace has none',
    'tenant',
    create(listenerSet('team-b', [listener(20000)])),
    `the namespace has no ports: ${ASK}; refused are p20000=20000`,
  ],
  [
    'any port where nobody can read the annotation',
    'tenant',
    create(listenerSet('team-c', [listener(20000)])),
    `the namespace has no ports: ${ASK}; refused are p20000=20000`,
  ],
  [
    'a Gateway of others',
    'tenant',
    create(listenerSet('team-a', [listener(20000)], { name: 'other', namespace: 'infra' })),
    PARENT,
  ],
  ['a Gateway of its own', 'tenant', create(listenerSet('team-a', [listener(20000)], { name: 'shared' })), PARENT],
  [
    'a parent that is no Gateway',
    'tenant',
    create(
      listenerSet('team-a', [listener(20000)], { kind: 'Service', group: '', name: 'shared', namespace: 'infra' }),
    ),
    PARENT,
  ],
  [
    'UDP on a port of its own',
    'tenant',
    create(listenerSet('team-a', [listener(20000, { protocol: 'UDP' })])),
    'listeners must have the protocol TCP or TLS: p20000=UDP',
  ],
  [
    'HTTP on a port of its own',
    'tenant',
    create(listenerSet('team-a', [listener(20000, { protocol: 'HTTP' })])),
    'listeners must have the protocol TCP or TLS: p20000=HTTP',
  ],
  ['TLS that is passed through', 'tenant', create(listenerSet('team-a', [tls(20001, 'any.example.com')]))],
  [
    'TLS that is ended',
    'tenant',
    create(
      listenerSet('team-a', [
        listener(20001, { protocol: 'TLS', tls: { mode: 'Terminate', certificateRefs: [{ name: 'mine' }] } }),
      ]),
    ),
    'listeners may not end TLS, set tls.mode to Passthrough: p20001',
  ],
  [
    'everything wrong at once is told at once',
    'tenant',
    create(listenerSet('team-b', [listener(53, { protocol: 'UDP' })], { name: 'x' })),
    `${PARENT}; the namespace has no ports: ${ASK}; refused are p53=53; listeners must have the protocol TCP or TLS: p53=UDP`,
  ],
  [
    '64 foreign listeners are refused in words',
    'tenant',
    create(
      listenerSet(
        'team-a',
        Array.from({ length: 64 }, (_, i) => listener(100 + i)),
      ),
    ),
    /not p100=100, .*p163=163$/,
  ],
  [
    'what was there before is labelled',
    'tenant',
    (api) => api.merge(OLD, { metadata: { labels: { app: 'x' } } }, dryRun),
  ],
  [
    'what was there before is filled',
    'tenant',
    (api) => api.merge(OLD, { metadata: { labels: BIG_LABELS } }, dryRun),
    /at most 4096 characters together, not 126000;/,
  ],
  [
    'listeners with a book in their annotations',
    'tenant',
    create({ ...listenerSet('team-a', [listener(20000)]), metadata: BOOK }),
    'labels, annotations, finalizers and owners may have at most 4096 characters together, not 250001',
  ],
  [
    'listeners with some annotations',
    'tenant',
    create({
      ...listenerSet('team-a', [listener(20000)]),
      metadata: { ...BOOK, annotations: { a: 'x'.repeat(4095) } },
    }),
  ],
  [
    'a route with a book in its annotations',
    'tenant',
    create({ ...route('team-a', {}), metadata: BOOK }),
    'labels, annotations, finalizers and owners may have at most 4096 characters together, not 250001',
  ],
  [
    'a book of finalizers',
    'tenant',
    create({ ...listenerSet('team-a', [listener(20000)]), metadata: { ...PLACE, finalizers: FINALIZERS } }),
    /finalizers and owners may have at most 4096 characters together, not 4200; finalizers keep a port open/,
  ],
  [
    'a book of owners',
    'tenant',
    create({ ...listenerSet('team-a', [listener(20000)]), metadata: { ...PLACE, ownerReferences: owners(100) } }),
    'labels, annotations, finalizers and owners may have at most 4096 characters together, not 5000',
  ],
  [
    'owners that were there before, more of them',
    'tenant',
    (api) => api.merge(OLD, { metadata: { ownerReferences: owners(100) } }, dryRun),
    /at most 4096 characters together, not 5000;/,
  ],
  [
    'some owners',
    'tenant',
    create({
      ...listenerSet('team-a', [listener(20000)]),
      metadata: { ...PLACE, ownerReferences: owners(9) },
    }),
  ],
  [
    'listeners that never go',
    'tenant',
    create({
      ...listenerSet('team-a', [listener(20000)]),
      metadata: { ...PLACE, finalizers: ['example.com/mine', 'example.com/more'] },
    }),
    'finalizers keep a port open that is withdrawn, remove them: example.com/mine, example.com/more',
  ],
  [
    'what was there before never goes',
    'tenant',
    (api) => api.merge(OLD, { metadata: { finalizers: ['example.com/mine'] } }, dryRun),
    /finalizers keep a port open that is withdrawn, remove them: example\.com\/mine/,
  ],
  [
    'what was there before gets a finalizer of its controller',
    'admin',
    (api) => api.merge(OLD, { metadata: { finalizers: ['example.com/mine'] } }, dryRun),
  ],
  [
    'a route that never goes',
    'tenant',
    create({ ...route('team-a', {}), metadata: { ...PLACE, finalizers: ['example.com/mine'] } }),
    'finalizers keep a port open that is withdrawn, remove them: example.com/mine',
  ],
  [
    'a book in the options of TLS',
    'tenant',
    create(
      listenerSet('team-a', [
        { ...tls(20001, 'any.example.com'), tls: { mode: 'Passthrough', options: texts(16, 4000) } },
      ]),
    ),
    'tls.options, certificates and allowedRoutes of listeners may have at most 16384 characters together, not 64064',
  ],
  [
    'a book in the namespaces of routes',
    'tenant',
    create(
      listenerSet('team-a', [
        listener(20000, {
          allowedRoutes: { namespaces: { from: 'Selector', selector: { matchLabels: texts(400, 60) } } },
        }),
      ]),
    ),
    /allowedRoutes of listeners may have at most 16384 characters together, not 2\d{4}$/,
  ],
  ['a listener for routes of its own', 'tenant', create(listenerSet('team-a', [listener(20000, OWN_ROUTES)]))],
  ['a route with the greatest weight', 'tenant', create(route('team-a', {}, { weight: 999 }))],
  [
    'a route with a weight that controllers fail at',
    'tenant',
    create(route('team-a', {}, { weight: 1000 })),
    'weights of backendRefs may be at most 999: db=1000',
  ],
  ['a route to five Services', 'tenant', create(routeToMany(5))],
  ['a route to six Services', 'tenant', create(routeToMany(6)), 'a route may have at most 5 backendRefs, not 6'],
  [
    'what was there before is changed',
    'tenant',
    (api) => api.merge(OLD, { spec: { listeners: [listener(10)] } }, dryRun),
    /not p10=10$/,
  ],
  ['what was there before is deleted', 'tenant', remove(OLD)],
  ['its ports that stand in the policy', 'tenant', create(listenerSet('team-d', [listener(21000), listener(21009)]))],
  [
    'ports of a neighbour that stand in the policy',
    'tenant',
    create(listenerSet('team-d', [listener(22000)])),
    'listeners must have ports of 21000-21009, not p22000=22000',
  ],
  ['ports that were added later', 'tenant', create(listenerSet('team-e', [listener(22002)]))],
  [
    'a port that it has at another Gateway',
    'tenant',
    create(listenerSet('team-d', [listener(23000)])),
    'listeners must have ports of 21000-21009, not p23000=23000',
  ],
  ['the port at that Gateway', 'tenant', create(listenerSet('team-d', [listener(23000), listener(21000)], OTHER))],
  [
    'the port that a neighbour has at that Gateway',
    'tenant',
    create(listenerSet('team-e', [listener(23000)], OTHER)),
    'listeners must have ports of 22000-22002, not p23000=23000',
  ],
  ['TLS on the port that all share', 'tenant', create(listenerSet('team-d', [tls(443, 'db.d.example.com')]))],
  [
    'TLS on the port that all share, where it has no other',
    'tenant',
    create(listenerSet('team-f', [tls(443, 'db.d.example.com')])),
    'listeners of TLS must have a hostname of (the namespace has no host names): p443=db.d.example.com',
  ],
  [
    'TCP on the port that all share',
    'tenant',
    create(listenerSet('team-d', [listener(443)])),
    'listeners must have ports of 21000-21009, not p443=443',
  ],
  [
    'a namespace that the policy does not name',
    'tenant',
    create(listenerSet('team-f', [listener(21000)])),
    'the namespace has no ports: ask the platform for ports; refused are p21000=21000',
  ],
  ['its host name', 'tenant', create(listenerSet('team-d', [tls(21000, 'db.d.example.com')]))],
  [
    'a host name of a neighbour',
    'tenant',
    create(listenerSet('team-d', [tls(21000, 'db.e.example.com')])),
    'listeners of TLS must have a hostname of db.d.example.com: p21000=db.e.example.com',
  ],
  [
    'all host names',
    'tenant',
    create(listenerSet('team-d', [tls(21000)])),
    'listeners of TLS must have a hostname of db.d.example.com: p21000=(none)',
  ],
  ['a host name below its star', 'tenant', create(listenerSet('team-e', [tls(443, 'kafka.db.e.example.com')]))],
  ['its star', 'tenant', create(listenerSet('team-e', [tls(443, '*.e.example.com')]))],
  [
    'a star above its own',
    'tenant',
    create(listenerSet('team-e', [tls(443, '*.example.com')])),
    'listeners of TLS must have a hostname of *.e.example.com: p443=*.example.com',
  ],
  [
    'a host name that only ends like its star',
    'tenant',
    create(listenerSet('team-e', [tls(443, 'notme.example.com')])),
    /must have a hostname/,
  ],
  ['a route to its own Service', 'tenant', create(route('team-a', {}))],
  [
    'a route at the shared Gateway itself',
    'tenant',
    create(route('team-a', { kind: 'Gateway', name: 'shared', namespace: 'infra' })),
    'spec.parentRefs may not name a shared Gateway: name a ListenerSet of this namespace',
  ],
  [
    'a route at a ListenerSet of a neighbour',
    'tenant',
    create(route('team-a', { namespace: 'team-b' })),
    'spec.parentRefs may not name a ListenerSet of another namespace: name one of this namespace',
  ],
  [
    'a route to a Service of a neighbour',
    'tenant',
    create(route('team-a', {}, { namespace: 'team-b' })),
    'backendRefs must be Services of this namespace: Service db',
  ],
  [
    'a route to a target group by its name',
    'tenant',
    create(route('team-a', {}, { group: BINDINGS, kind: 'TargetGroupName', name: 'theirs', port: undefined })),
    'backendRefs must be Services of this namespace: TargetGroupName theirs',
  ],
  ...(['HTTPRoute', 'GRPCRoute'] as const).flatMap((kind): (typeof ROWS)[number][] => [
    [
      `${kind} at the shared Gateway itself`,
      'tenant',
      create(route('team-a', { kind: 'Gateway', name: 'shared', namespace: 'infra' }, {}, {}, kind)),
      'spec.parentRefs may not name a shared Gateway: name a ListenerSet of this namespace',
    ],
    [
      `${kind} at a ListenerSet of a neighbour`,
      'tenant',
      create(route('team-a', { namespace: 'team-b' }, {}, {}, kind)),
      'spec.parentRefs may not name a ListenerSet of another namespace: name one of this namespace',
    ],
    [
      `${kind} to a Service of a neighbour`,
      'tenant',
      create(route('team-a', {}, { namespace: 'team-b' }, {}, kind)),
      'backendRefs must be Services of this namespace: Service db',
    ],
    [
      `${kind} at a Gateway that is not shared`,
      'tenant',
      create(route('team-a', { kind: 'Gateway', name: 'web', namespace: 'infra' }, { weight: 1000 }, {}, kind)),
    ],
    [
      `${kind} that copies requests to a neighbour`,
      'tenant',
      create(route('team-a', {}, {}, { rules: [{ filters: [MIRROR] }] }, kind)),
      'filters may lead to Services of this namespace alone: requestMirror and externalAuth name another',
    ],
    [
      `${kind} that copies requests of one backend to a neighbour`,
      'tenant',
      create(
        route('team-a', {}, {}, { rules: [{ backendRefs: [{ name: 'db', port: 5432, filters: [MIRROR] }] }] }, kind),
      ),
      'filters may lead to Services of this namespace alone: requestMirror and externalAuth name another',
    ],
    [
      `${kind} at a shared Gateway that has listeners of HTTP, with its host name`,
      'tenant',
      create(route('team-h', AT_WEB, {}, { hostnames: ['shop.h.example.com'] }, kind)),
    ],
    [
      `${kind} at a shared Gateway that has listeners of HTTP, with the host name of a neighbour`,
      'tenant',
      create(route('team-h', AT_WEB, {}, { hostnames: ['shop.e.example.com'] }, kind)),
      'hostnames must be of *.h.example.com: shop.e.example.com',
    ],
    [
      `${kind} at a shared Gateway that has listeners of HTTP, with all host names`,
      'tenant',
      create(route('team-h', AT_WEB, {}, {}, kind)),
      'hostnames are missing: name some of *.h.example.com',
    ],
  ]),
  [
    'connections at a shared Gateway that has listeners of HTTP',
    'tenant',
    create(route('team-h', AT_WEB)),
    'spec.parentRefs may not name a shared Gateway: name a ListenerSet of this namespace',
  ],
  [
    'a route for its host name',
    'tenant',
    create(route('team-d', {}, {}, { hostnames: ['db.d.example.com'] }, 'TLSRoute')),
  ],
  [
    'a route for a host name of a neighbour',
    'tenant',
    create(route('team-d', {}, {}, { hostnames: ['db.d.example.com', 'db.e.example.com'] }, 'TLSRoute')),
    'hostnames must be of db.d.example.com: db.e.example.com',
  ],
  [
    'a route for a host name where the namespace has none',
    'tenant',
    create(route('team-f', {}, {}, { hostnames: ['db.f.example.com'] }, 'TLSRoute')),
    'hostnames must be of (the namespace has no host names): db.f.example.com',
  ],
  ['a Gateway in its namespace', 'tenant', create(gateway('team-a')), /cannot create resource "gateways"/],
  ['a Gateway with permission', 'strong', create(gateway('team-a')), `gateways: ${NOT_THEIRS}`],
  ['a TargetGroupBinding', 'tenant', create(binding('team-b')), /cannot create resource "targetgroupbindings"/],
  ['a TargetGroupBinding with permission', 'strong', create(binding('team-b')), `targetgroupbindings: ${NOT_THEIRS}`],
  ['a TargetGroupBinding deleted', 'strong', remove(binding('team-a')), `targetgroupbindings: ${NOT_THEIRS}`],
  [
    'a TargetGroupBinding changed',
    'strong',
    (api) => api.merge(binding('team-a'), { metadata: { annotations: { a: 'b' } } }, dryRun),
    `targetgroupbindings: ${NOT_THEIRS}`,
  ],
  ['a TargetGroupBinding outside of tenants', 'strong', create(binding('infra'))],
  ['whatever the platform writes there', 'delivery', create(listenerSet('team-b', [listener(443)]))],
  ['a Gateway of the platform there', 'delivery', create(gateway('team-a'))],
  ['what is in a namespace that goes', 'namespaces', remove(binding('team-a'))],
  ['what nobody owns any more', 'garbage', remove(binding('team-a'))],
  ['a TargetGroupBinding of the platform', 'delivery', remove(binding('team-a'))],
  ['an administrator on foreign ports', 'admin', create(listenerSet('team-a', [listener(1)])), /not p1=1$/],
];

test.each(ROWS.map(([what, who, act, told]) => [who, what, act, told] as const))(
  '%s: %s',
  async (who, _, act, told) => {
    const said = await refusalOf(act(as(who)));
    if (told instanceof RegExp) {
      expect(said).toMatch(told);
    } else {
      expect(said).toBe(told);
    }
    count('requests judged by the fences');
  },
);

test('an annotation that changes is seen, and one that is taken away', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-b' } };
  const ports = (value: string | null) =>
    plane.api.merge(namespace, { metadata: { annotations: { 'cdk8s-load-balancers/ports': value } } });
  const ask = () => refusalOf(as('tenant').create(listenerSet('team-b', [listener(20000)]), dryRun));
  await ports('20000');
  await until('the ports to count', async () => (await ask()) === undefined);
  await ports(null);
  await until('no ports to count', async () => (await ask()) !== undefined);
});

test('the ports of 200 tenants stand in one policy', async () => {
  const chart = new Chart(new App(), 'many');
  const fences = new SharedListenerPolicy(chart, 'Fences', {
    name: 'many',
    namespaceLabels: { tenant: 'many' },
    gateways: [SHARED],
    ports: TenantPorts.perNamespace(),
    exempt: [],
  });
  for (let tenant = 0; tenant < 200; tenant++) {
    for (let port = 0; port < 10; port++) {
      // no two neighbours, which would be written as one range
      const first = 20000 + port * 200 + tenant;
      fences.grantPorts(`many-${tenant}`, [{ first, last: first }], [SHARED]);
    }
  }
  await install(plane.api, chart);
  const name = 'many-199';
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { tenant: 'many' } } });
  const ask = (...ports: number[]) =>
    refusalOf(
      plane.api.create(
        listenerSet(
          name,
          ports.map((port) => listener(port)),
        ),
        dryRun,
      ),
    );
  const own = Array.from({ length: 10 }, (_, port) => 20199 + port * 200);
  expect(await ask(...own)).toBeUndefined();
  expect(await ask(20198)).toBe(`listeners must have ports of ${own.join(',')}, not p20198=20198`);
  expect(await ask(...Array.from({ length: 64 }, (_, i) => 1000 + i))).toMatch(
    /^listeners must have ports of .*p1063=1063$/,
  );
});

test.each([[2_000], [2_500], [10_000]])('the ports and host names of %i tenants are in one policy', async (tenants) => {
  const label = `many-${tenants}`;
  const chart = new Chart(new App(), label);
  const policy = new SharedListenerPolicy(chart, 'Policy', {
    name: label,
    namespaceLabels: { tenant: label },
    gateways: [SHARED],
    ports: TenantPorts.perNamespace(),
    hostnames: {},
    sharedTlsPorts: [443],
    exempt: [],
  });
  const names = Array.from({ length: tenants }, (_, i) => `${label}-${i}`);
  for (const [i, name] of names.entries()) {
    policy.grantPorts(name, [{ first: 20000 + i * 2, last: 20000 + i * 2 }], [SHARED]);
    policy.grantHostnames(name, [`*.${name}.example.com`]);
  }
  await install(plane.api, chart);
  const some = [0, 1, Math.floor(tenants / 3), tenants / 2, tenants - 1];
  for (const i of some) {
    const name = names[i];
    await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { tenant: label } } });
    const ask = (...listeners: Body[]) => refusalOf(plane.api.create(listenerSet(name, listeners), dryRun));
    expect(await ask(listener(20000 + i * 2), tls(443, `db.${name}.example.com`))).toBeUndefined();
    expect(await ask(listener(20001 + i * 2))).toMatch(/^listeners must have ports of \d+, not /);
    expect(await ask(tls(443, 'db.other.example.com'))).toBe(
      `listeners of TLS must have a hostname of *.${name}.example.com: p443=db.other.example.com`,
    );
    const asRoute = route(name, {}, {}, { hostnames: ['db.other.example.com'] }, 'TLSRoute');
    const refusal = () => refusalOf(plane.api.create(asRoute, dryRun));
    await until('the policy for routes', async () => /^hostnames must be of /.test((await refusal()) ?? ''), {
      seconds: 60,
      seen: refusal,
    });
    count('requests judged by the fences');
  }
  await plane.api.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: `${label}-x`, labels: { tenant: label } },
  });
  expect(await refusalOf(plane.api.create(listenerSet(`${label}-x`, [listener(20000)]), dryRun))).toMatch(
    /has no ports/,
  );
});

test('the policy for Kyverno is one by its published definition', async () => {
  const chart = new Chart(new App(), 'platform');
  new LoadBalancerClassDefault(chart, 'Class', {
    name: 'class',
    namespaceLabels: { tenant: 'named' },
    mechanism: ClassDefaultMechanism.kyverno(),
  });
  await install(plane.api, chart);
  const made = await plane.api.get({
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'MutatingPolicy',
    metadata: { name: 'class' },
  });
  expect(made.spec.mutations).toHaveLength(1);
});
