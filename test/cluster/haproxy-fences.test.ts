import { App, Chart, Size } from 'cdk8s';
import { AwsLoadBalancerController } from '../../src/controllers';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../src/tenancy';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { definitionsFromFiles, haproxyDefinition, install as installDefinitions } from '../real/objects';
import { permit, refusalOf, testRequests, untilAdmitted } from '../real/policies';
import { until } from '../real/program';
import { lockedAsWished } from '../tenancy/shared/locked';

// What keeps tenants of one HAProxy from each other, in a real API server.

const GROUP = 'ingress.v3.haproxy.org';

/** Policies hold a moment after they are written. */
const untilDenied = (what: string, request: () => Promise<unknown>) =>
  until(`${what} to hold`, async () => (await refusalOf(request())) !== undefined);

const WHO = {
  tenant: 'anna',
  delivery: 'delivery',
  admin: undefined,
  namespaces: 'system:serviceaccount:kube-system:namespace-controller',
} as const;

let plane: ControlPlane;
let undefinedYet: Record<string, string | undefined>;

function as(who: keyof typeof WHO): Api {
  const user = WHO[who];
  return user === undefined ? plane.api : plane.api.actingAs(user);
}

function service(name: string, port: number, more: Body = {}, namespace = 'team-a'): Ref {
  const { annotations, ...spec } = more;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, ...(annotations && { annotations }) },
    spec: { selector: { app: name }, ports: [{ name: 'tcp', port }], ...spec },
  };
}

function portsFrom(first: number, count: number): Body[] {
  return Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: first + i }));
}

function ingress(name: string, more: Body = {}): Ref {
  const { annotations, ...spec } = more;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'team-a', ...(annotations && { annotations }) },
    spec: { defaultBackend: { service: { name: 'db', port: { number: 5432 } } }, ...spec },
  };
}

const foreign: Ref = {
  apiVersion: `${GROUP}/v3`,
  kind: 'TCP',
  metadata: { name: 'mine', namespace: 'team-a', annotations: { 'ingress.class': 'shared-haproxy' } },
  spec: [
    {
      name: 'x',
      frontend: { name: 'x', binds: { v4: { name: 'v4', port: 6379 } } },
      service: { name: 'db', port: 5432 },
    },
  ],
};

const OWN: Ref = { ...foreign, metadata: { ...foreign.metadata, name: 'shared' } };

function manifests(): Ref[] {
  const app = new App();
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const delivery = [TenancyIdentity.user(WHO.delivery)];
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    engine: SharedLoadBalancerEngine.haproxy({ controller: AwsLoadBalancerController.nlb(), proxyProtocol: true }),
    platform: delivery,
    portLock: lockedAsWished('team-a/db:5432'),
  });
  shared.addTenant('team-a', { maxConnections: 10, bandwidth: Size.mebibytes(10) });
  shared.attach(new Chart(app, 'team-a', { namespace: 'team-a' }), {
    tenant: 'team-a',
    service: 'db',
    ports: [{ port: 5432 }],
    sourceRanges: ['10.0.0.0/8'],
  });
  return app.charts.flatMap((chart) => chart.toJson());
}

/** What is said while nothing of HAProxy is there but the fences. */
async function withoutDefinition(): Promise<Record<string, string | undefined>> {
  const [late, elsewhere] = [service('late', 80), service('elsewhere', 80, {}, 'infra')];
  await plane.api.create(late);
  await plane.api.create(elsewhere);
  const ports = { spec: { ports: portsFrom(81, 1) } };
  await untilDenied('the fence to be shut', () => as('tenant').merge(late, ports, { dryRun: true }));
  const label = { metadata: { labels: { changed: 'true' } } };
  return {
    'a tenant changes a Service': await refusalOf(as('tenant').merge(late, ports)),
    'a tenant deletes a Service': await refusalOf(as('tenant').delete(late)),
    'a tenant makes a Service': await refusalOf(as('tenant').create(service('new', 80))),
    'a tenant writes a status': await refusalOf(as('tenant').merge(late, label, { subresource: 'status' })),
    'somebody changes a Service elsewhere': await refusalOf(plane.api.merge(elsewhere, ports)),
    'somebody deletes a Service elsewhere': await refusalOf(plane.api.delete(elsewhere)),
  };
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  const labels = { 'cdk8s-load-balancers/tenant': 'true' };
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'infra' } });
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a', labels } });
  const all = { verbs: ['*'], resources: ['*'] };
  const rules = ['', 'networking.k8s.io', GROUP].map((apiGroup) => ({ ...all, apiGroups: [apiGroup] }));
  await permit(plane.api, WHO.tenant, rules, 'team-a');
  await permit(plane.api, WHO.delivery, rules, 'team-a');
  await permit(plane.api, WHO.namespaces, rules, 'team-a');
  await plane.api.create(service('db', 5432));
  const objects = manifests();
  const defined = objects.filter(({ apiVersion }) => apiVersion.startsWith(GROUP));
  for (const object of objects.filter((one) => !defined.includes(one))) {
    await as(object.metadata.namespace === 'team-a' ? 'delivery' : 'admin').create(object);
  }
  undefinedYet = await withoutDefinition();
  const fromFiles = definitionsFromFiles(GROUP);
  const least = (['TCP', 'Backend'] as const).map(haproxyDefinition);
  await installDefinitions(plane.api, fromFiles.length > 0 ? fromFiles : least);
  for (const object of defined) {
    await as(object.metadata.namespace === 'team-a' ? 'delivery' : 'admin').create(object);
  }
  const open = async () => (await refusalOf(as('tenant').delete(service('late', 80)))) === undefined;
  await until('the fence to open', open, { seen: () => refusalOf(as('tenant').delete(service('late', 80))) });
  const probe = { ...service('probe', 1, { annotations: { 'haproxy.org/check': 'false' } }) };
  await untilDenied('the fence around annotations', () => as('tenant').create(probe, { dryRun: true }));
  await untilDenied('the fence around kinds', () => as('tenant').create(foreign, { dryRun: true }));
  await untilDenied('the fence around published Services', () =>
    as('tenant').merge(service('db', 5432), { spec: { ports: [{ name: 'tcp', port: 1 }] } }, { dryRun: true }),
  );
  const claimed = ingress('probe', { ingressClassName: 'shared-haproxy' });
  await untilDenied('the fence around the class', () => as('tenant').create(claimed, { dryRun: true }));
});

afterAll(() => plane?.stop());

testRequests('haproxy-fences', {
  as: (user) => (user === undefined ? plane.api : plane.api.actingAs(user)),
  users: WHO,
  dryRun: false,
  counted: 'requests of tenants of one HAProxy',
});

test('what is withdrawn can go', () =>
  untilAdmitted('a Service to be published no more', () => as('tenant').delete(service('db', 5432))));

test('a Service may have as many ports published as it may have ports', async () => {
  const ports = portsFrom(20_000, 256);
  const entries = ports.map(({ name, port }) => ({
    name,
    frontend: { name, binds: { v4: { name, port } } },
    service: { name: 'wide', port },
  }));
  // the worst order to look for them
  const wide = service('wide', 1, { ports: [...ports].reverse() });
  await plane.api.create(wide);
  await as('delivery').create({ ...OWN, spec: entries });
  await untilDenied('the fence around the Service', () =>
    as('tenant').merge(wide, { spec: { ports: ports.slice(1) } }),
  );
  expect(await refusalOf(as('tenant').merge(wide, { spec: { selector: { app: 'other' } } }))).toBeUndefined();
  expect(await refusalOf(as('tenant').delete(wide))).toMatch(
    /^Service wide is published .* port 20000, .*20255, .*withdraw it there first/,
  );
  await as('delivery').delete(OWN);
});

// nobody knows then what is published: the fence is shut, and only where tenants are
test('before the definition of the kind is there, Services of tenants wait for it, and all others do not', () => {
  const waits = /failed to find resource referenced by paramKind: 'ingress\.v3\.haproxy\.org\/v3, Kind=TCP'/;
  expect(undefinedYet).toEqual({
    'a tenant changes a Service': expect.stringMatching(waits),
    'a tenant deletes a Service': expect.stringMatching(waits),
    'a tenant makes a Service': undefined,
    'a tenant writes a status': expect.stringMatching(waits),
    'somebody changes a Service elsewhere': undefined,
    'somebody deletes a Service elsewhere': undefined,
  });
});
