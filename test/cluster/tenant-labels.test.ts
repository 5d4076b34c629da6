import { App, Chart } from 'cdk8s';
import { KubernetesVersion, MetalLb } from '../../src';
import { SharedLoadBalancer, SharedLoadBalancerEngine } from '../../src/tenancy';
import type { Api, Body, Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { untilDenied, untilPoliciesHold } from './harness/policies';
import { permit, refusalOf, untilAdmitted } from './harness/tenants';

// Who changes the labels of a tenant's namespace, in a real API server: the one that suspends it, and those that make it one.

const SUSPENDED = 'cdk8s-load-balancers/suspended';
const TENANT = 'cdk8s-load-balancers/tenant';
const REFUSED = 'labels that make a namespace one of a tenant, or suspend it, are changed by the platform alone';

const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  const { api } = plane;
  for (const [name, labels] of [
    ['team-a', { [TENANT]: 'true' }],
    ['team-b', { [TENANT]: 'true' }],
    ['elsewhere', {}],
  ] as const) {
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  }
  // by a binding in their own namespaces
  await permit(api, 'strong', EVERYTHING, 'team-a');
  await permit(api, 'stranger', EVERYTHING, 'elsewhere');
  await permit(api, 'on-call', [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'patch'] }]);
  const chart = new Chart(new App(), 'platform', { namespace: 'infra' });
  new SharedLoadBalancer(chart, 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp() }),
    kubernetes: KubernetesVersion.V1_36,
  });
  const policies = (chart.toJson() as Body[]).filter(({ metadata }) => metadata.name === 'shared-labels');
  expect(policies.map(({ kind }) => kind)).toEqual(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
  for (const policy of policies) {
    await api.create(policy as Ref);
  }
  await untilPoliciesHold(api);
  await untilDenied('the policy for who may', () =>
    label(as('strong'), 'team-a', { [SUSPENDED]: 'probe' }, { dryRun: true }),
  );
  await untilAdmitted('the rights', () => label(as('on-call'), 'team-b', {}, { dryRun: true }));
});

afterAll(() => plane?.stop());

const as = (user: string): Api => plane.api.actingAs(user);

function label(api: Api, name: string, labels: Body, options: { dryRun?: boolean } = {}): Promise<unknown> {
  const query = options.dryRun ? '?dryRun=All' : '';
  const type = 'application/merge-patch+json';
  return api.call('PATCH', `/api/v1/namespaces/${name}${query}`, { metadata: { labels } }, type);
}

test('the platform suspends and resumes, by the right to patch every namespace', async () => {
  expect(await refusalOf(label(as('on-call'), 'team-a', { [SUSPENDED]: 'true' }))).toBeUndefined();
  expect(await refusalOf(label(as('on-call'), 'team-a', { [SUSPENDED]: null }))).toBeUndefined();
});

test.each<[string, Body]>([
  ['resume itself', { [SUSPENDED]: null }],
  ['resume itself by another value', { [SUSPENDED]: 'false' }],
  ['leave the policies', { [TENANT]: null }],
  ['leave the policies by another value', { [TENANT]: 'no' }],
  ['do both at once', { [TENANT]: null, [SUSPENDED]: null }],
])('a tenant with all rights in its namespace cannot %s', async (_, labels) => {
  await label(plane.api, 'team-a', { [SUSPENDED]: 'true' });
  expect(await refusalOf(label(as('strong'), 'team-a', labels))).toBe(REFUSED);
  // with all labels of the namespace, as a delivery tool writes it
  const { metadata } = await plane.api.get({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
  const kept = Object.fromEntries(
    Object.entries({ ...metadata.labels, ...labels }).filter(([, value]) => value !== null),
  );
  const whole = { apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, labels: kept } };
  expect(await refusalOf(as('strong').replace(whole))).toBe(REFUSED);
});

test('a namespace is not made one of a tenant by who has all rights in it', async () => {
  expect(await refusalOf(label(as('stranger'), 'elsewhere', { [TENANT]: 'true' }))).toBe(REFUSED);
});

test('other labels are the own ones', async () => {
  expect(await refusalOf(label(as('strong'), 'team-a', { 'example.com/owner': 'anna' }))).toBeUndefined();
  expect(await refusalOf(label(as('stranger'), 'elsewhere', { 'example.com/owner': 'anna' }))).toBeUndefined();
});

test('a suspended tenant changes its own objects as before', async () => {
  await label(plane.api, 'team-a', { [SUSPENDED]: 'true' });
  const service = (name: string): Ref =>
    ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'team-a' },
      spec: { ports: [{ port: 80 }] },
    }) as Ref;
  expect(await refusalOf(as('strong').create(service('web')))).toBeUndefined();
  expect(await refusalOf(as('strong').delete(service('web')))).toBeUndefined();
});
