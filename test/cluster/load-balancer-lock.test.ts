import { request as send } from 'node:https';
import { App, Chart } from 'cdk8s';
import {
  KubernetesVersion,
  LoadBalancerLock,
  type LoadBalancerLockProps,
  LoadBalancerWarningPolicies,
  PolicyAction,
  TenancyIdentity,
} from '../../src';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { install, permit, refusalOf, untilPoliciesHold } from '../real/policies';

import { until } from '../real/program';
import { casesIn } from '../support/yaml-cases';

// What a lock refuses and what the warning policies say, on a real API server. Nobody serves the Services.

const MARK = 'cdk8s-load-balancers/protected';
const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/azure-load-balancer-';
const LOCKED = { 'example.com/lock': 'all' };
const BY_PLATFORM = { 'example.com/lock': 'platform' };
/** Services without a class get a public load balancer here. */
const CLOUD = { 'example.com/cloud': 'azure' };
const PLATFORM = 'system:serviceaccount:platform:flux';
const TENANT = 'system:serviceaccount:team:deployer';
const FINALIZER = 'service.eks.amazonaws.com/resources';

let plane: ControlPlane;
let tenant: Api;
let namespaces = 0;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await plane.startManager();
  await plane.api
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
    .catch(() => undefined);
  const rules = [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }];
  for (const user of [PLATFORM, TENANT]) {
    await permit(plane.api, user, rules);
  }
  tenant = plane.api.actingAs(TENANT);
  await lock('all', { namespaceLabels: LOCKED });
  await lock('platform', {
    namespaceLabels: BY_PLATFORM,
    lockedBy: [TenancyIdentity.serviceAccount('platform', 'flux')],
    actions: [PolicyAction.DENY, PolicyAction.AUDIT],
  });
  const chart = new Chart(new App(), 'warnings');
  new LoadBalancerWarningPolicies(chart, 'Warnings', { kubernetes: KubernetesVersion.V1_34 });
  new LoadBalancerWarningPolicies(chart, 'Cloud', {
    name: 'warnings-cloud',
    classlessIsPublic: true,
    namespaceLabels: CLOUD,
  });
  await install(plane.api, chart);
});

afterAll(() => plane?.stop());

async function lock(name: string, props: LoadBalancerLockProps): Promise<void> {
  const chart = new Chart(new App(), name);
  new LoadBalancerLock(chart, 'Lock', { name: `lock-${name}`, ...props });
  await install(plane.api, chart);
}

async function namespace(labels: Body = {}): Promise<string> {
  const name = `locked-${++namespaces}`;
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  return name;
}

function service(name: string, metadata: Body = {}, spec: Body = {}): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'db', namespace: name, ...metadata },
    spec: { type: 'LoadBalancer', selector: { app: 'db' }, ports: [{ name: 'tcp', port: 5432 }], ...spec },
  };
}

async function locked(annotations: Body = {}, spec: Body = {}, labels: Body = LOCKED): Promise<Ref> {
  const one = service(
    await namespace(labels),
    { annotations: { [MARK]: 'any', ...annotations }, finalizers: [FINALIZER] },
    spec,
  );
  await plane.api.create(one);
  return one;
}

/** Edits of a locked Service: what it has before, the patch, and what the refusal says; nothing if it is accepted. */
const EDITS: readonly (readonly [title: string, before: Body, patch: Body, says: RegExp | undefined])[] = casesIn(
  __dirname,
  'load-balancer-lock.yaml',
).edits;

test.each(EDITS)('%s', async (_title, before, patch, says) => {
  const one = await locked(before);
  const refusal = await refusalOf(tenant.merge(one, patch));
  if (says === undefined) {
    expect(refusal).toBeUndefined();
  } else {
    expect(refusal).toMatch(says);
    expect(refusal).toContain(`remove annotation ${MARK} in a request of its own first`);
  }
  await tenant.merge(one, { metadata: { annotations: { [MARK]: null } } });
  expect(await refusalOf(tenant.merge(one, patch))).toBeUndefined();
});

test('deletion is refused until the annotation is removed', async () => {
  const one = await locked();
  expect(await refusalOf(tenant.delete(one))).toMatch(/deletion of this Service deletes its load balancer/);
  await tenant.merge(one, { metadata: { annotations: { [MARK]: null } } });
  await tenant.delete(one);
  await plane.api.merge(one, { metadata: { finalizers: null } });
  expect(await plane.api.find(one)).toBeUndefined();
});

test('a namespace waits for its locked Service, unless its label has its deletion refused', async () => {
  const one = await locked();
  const { namespace: name = '' } = one.metadata;
  const space: Ref = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await plane.api.merge(space, { metadata: { labels: { 'cdk8s-load-balancers/locked': 'true' } } });
  expect(await refusalOf(plane.api.delete(space))).toMatch(/deletion of this namespace deletes its load balancers/);
  await plane.api.merge(space, { metadata: { labels: { 'cdk8s-load-balancers/locked': null } } });
  await plane.api.delete(space);
  await until('the namespace to wait', async () => (await plane.api.get(space)).metadata.deletionTimestamp);
  expect((await plane.api.get(one)).metadata.deletionTimestamp).toBeUndefined();
  await tenant.merge(one, { metadata: { annotations: { [MARK]: null } } });
  await tenant.merge(one, { metadata: { finalizers: null } });
  await until('the end of the namespace', async () => (await plane.api.find(space)) === undefined);
});

const quotaOf = (name: string): Ref => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'balancers', namespace: name },
  spec: { hard: { 'services.loadbalancers': '1' } },
});

test.each([
  ['anybody may lock', LOCKED],
  ['only the platform may lock', BY_PLATFORM],
])('a tenant keeps no load balancer beyond its quota: %s', async (_title, labels: Body) => {
  const name = await namespace(labels);
  const quota = quotaOf(name);
  await plane.api.create(quota);
  const used = async () => (await plane.api.get(quota)).status?.used?.['services.loadbalancers'];
  await until('the quota', async () => (await used()) === '0');
  const one = service(name);
  await tenant.create(one);
  await until('the quota', async () => (await used()) === '1');
  const isLocked =
    (await refusalOf(tenant.merge(one, { metadata: { annotations: { [MARK]: 'mine' } } }))) === undefined;
  expect(isLocked).toBe(labels === LOCKED);
  // a refused change of type frees nothing
  const toClusterIp = await refusalOf(tenant.merge(one, { spec: { type: 'ClusterIP' } }));
  expect(toClusterIp !== undefined).toBe(isLocked);
  const second = service(name, { name: 'second', annotations: isLocked ? { [MARK]: 'mine' } : {} });
  const refusal = await refusalOf(tenant.create(second));
  expect(refusal !== undefined).toBe(isLocked);
  expect(refusal ?? '').toMatch(isLocked ? /exceeded quota/ : /^$/);
  // the platform ends it in two requests, whoever locked it
  await plane.api.merge(one, { metadata: { annotations: { [MARK]: null } } });
  await plane.api.delete(one);
  expect(await plane.api.find(one)).toBeUndefined();
});

test('only the platform locks and unlocks through the status either', async () => {
  const name = await namespace(BY_PLATFORM);
  await permit(
    plane.api,
    'writer-of-status',
    [{ apiGroups: [''], resources: ['services', 'services/status'], verbs: ['*'] }],
    name,
  );
  const writer = plane.api.actingAs('writer-of-status');
  const one = service(name);
  await writer.create(one);
  const through = (mark: string | null) =>
    refusalOf(writer.merge(one, { metadata: { annotations: { [MARK]: mark } } }, { subresource: 'status' }));
  expect(await through('mine')).toMatch(/by the platform alone/);
  await plane.api.actingAs(PLATFORM).merge(one, { metadata: { annotations: { [MARK]: 'ours' } } });
  expect(await through(null)).toMatch(/by the platform alone/);
});

test('only the platform locks and unlocks if it is named', async () => {
  const platform = plane.api.actingAs(PLATFORM);
  const name = await namespace(BY_PLATFORM);
  const marked = service(name, { annotations: { [MARK]: 'mine' } });
  expect(await refusalOf(tenant.create(marked))).toMatch(/written by the platform alone/);
  await tenant.create(service(name));
  const one = service(name);
  expect(await refusalOf(tenant.merge(one, marked))).toMatch(/written by the platform alone/);
  await platform.merge(one, { metadata: { annotations: { [MARK]: 'ours' } } });
  expect(await refusalOf(tenant.merge(one, { metadata: { annotations: { [MARK]: null } } }))).toMatch(
    /by the platform alone/,
  );
  expect(await refusalOf(tenant.merge(one, { metadata: { labels: { any: 'thing' } } }))).toBeUndefined();
  await platform.merge(one, { metadata: { annotations: { [MARK]: null } } });
  await tenant.delete(one);
});

/** The warnings that a request is answered with. */
function warningsOf(path: string, method: string, body: unknown, type = 'application/json'): Promise<string[]> {
  const { port, token, ca } = plane.endpoint;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const request = send({ host: '127.0.0.1', port, path, method, ca, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve([response.headers.warning ?? []].flat()));
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

test('warnings', async () => {
  await untilPoliciesHold(plane.api);
  const name = await namespace();
  const path = `/api/v1/namespaces/${name}/services`;
  const post = (one: Ref) => warningsOf(path, 'POST', one);
  const named = (id: string, metadata: Body, spec: Body = {}) => service(name, { name: id, ...metadata }, spec);
  expect(await post(named('plain', {}))).toEqual([]);
  const open = named('open', { annotations: { [`${AWS}scheme`]: 'internet-facing' } });
  expect(String(await post(open))).toMatch(/open to the internet/);
  const ranges = { loadBalancerSourceRanges: ['10.0.0.0/8'] };
  expect(await post(named('ranges', { annotations: { [`${AWS}scheme`]: 'internet-facing' } }, ranges))).toEqual([]);
  const wrong = named(
    'wrong',
    { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] },
    { loadBalancerClass: 'service.k8s.aws/nlb' },
  );
  expect(String(await post(wrong))).toMatch(/the controller of class service\.k8s\.aws\/nlb does not remove/);
  expect(
    await post(
      named('right', { finalizers: ['service.k8s.aws/resources'] }, { loadBalancerClass: 'service.k8s.aws/nlb' }),
    ),
  ).toEqual([]);
  expect(String(await post(named('off', { annotations: { 'cdk8s-load-balancers/keeper': 'off' } })))).toMatch(
    /has no effect/,
  );
  const cloud = await namespace(CLOUD);
  const inCloud = (id: string, annotations: Body) =>
    warningsOf(`/api/v1/namespaces/${cloud}/services`, 'POST', service(cloud, { name: id, annotations }));
  expect(String(await inCloud('public', {}))).toMatch(/open to the internet/);
  expect(await inCloud('internal', { [`${AZURE}internal`]: 'true' })).toEqual([]);
  await plane.api.delete(named('right', {}));
  const patch = { metadata: { finalizers: null } };
  expect(String(await warningsOf(`${path}/right`, 'PATCH', patch, 'application/merge-patch+json'))).toMatch(
    /the load balancer may stay behind/,
  );
});
