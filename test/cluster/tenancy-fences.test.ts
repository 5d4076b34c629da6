import { App, Chart } from 'cdk8s';
import { KubernetesVersion } from '../../src';
import { ClassDefaultMechanism, LoadBalancerClassDefault } from '../../src/tenancy/guard/load-balancer-class-default';
import { SharedListenerPolicy, TenantPorts } from '../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../src/tenancy/guard/tenancy-identity';
import { TenantRole } from '../../src/tenancy/guard/tenant-role';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { definitionsOfGroup, install as installDefinitions, leastDefinition } from '../real/objects';
import { install, permit, refusalOf, testRequests, untilAdmitted } from '../real/policies';
import { count, until } from '../real/program';

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
    leastDefinition(`${BINDINGS}/v1beta1`, 'TargetGroupBinding'),
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

testRequests('tenancy-fences', {
  as: (user) => (user === undefined ? plane.api : plane.api.actingAs(user)),
  users: WHO,
  dryRun: true,
  counted: 'requests checked by the fences',
});

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
    count('requests checked by the fences');
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
