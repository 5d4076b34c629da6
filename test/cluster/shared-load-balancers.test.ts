import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { AwsIdentity, AwsLoadBalancerControllerInstallation, WebhookCertificate } from '../../src';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import {
  customResourceDefinitions,
  install,
  isDefinition,
  lacksOfAll,
  lacksOfDefinitions,
  objectsIn,
  removeAll,
  runExample,
} from '../real/objects';
import { permit, refusalOf, untilAdmitted, untilDenied, untilPoliciesHold } from '../real/policies';
import { count } from '../real/program';
import { synth } from '../support/apps';

// Shared load balancers as they are written, in a real API server with the definitions of the Gateway API, of Envoy Gateway
// and of the AWS Load Balancer Controller: taken as they are, under the guard that they install.

const TEST = join(__dirname, '..');
const GOLDENS = ['envoy-gateway-on-nlb', 'two-nlbs'];
const TENANTS = ['team-a', 'team-b', 'team-c'];

/** Who alone may write what fences keep from tenants. */
const PLATFORM = 'system:serviceaccount:flux-system:kustomize-controller';

let plane: ControlPlane;

function read(...path: string[]): Ref[] {
  return objectsIn(readFileSync(join(TEST, ...path), 'utf8'));
}

function definitionsOfController(): Ref[] {
  const chart = new Chart(new App(), 'system', { namespace: 'kube-system' });
  new AwsLoadBalancerControllerInstallation(chart, 'Controller', {
    clusterName: 'prod',
    region: 'eu-west-1',
    vpcId: 'vpc-0123456789abcdef0',
    identity: AwsIdentity.podIdentity(),
    certificate: WebhookCertificate.certManager(),
    gatewayApiCrds: '1.6.0',
    featureGates: { NLBGatewayAPI: true },
  });
  return (synth(chart) as Ref[]).filter(isDefinition);
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, customResourceDefinitions(['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/gateway']));
  expect(await lacksOfDefinitions(plane.api, definitionsOfController())).toEqual([]);
  await permit(plane.api, PLATFORM, EVERYTHING);
  const labels = { 'cdk8s-load-balancers/tenant': 'true', 'example.com/tenant': 'true' };
  for (const name of ['infra', ...TENANTS]) {
    const metadata = { name, labels: name === 'infra' ? {} : labels };
    await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata });
  }
});

afterAll(() => plane?.stop());

describe.each(GOLDENS)('%s', (golden) => {
  const objects = read('tenancy', 'goldens', `${golden}.yaml`);

  // policies of the same names are checked by for a moment after they are gone
  afterAll(async () => {
    await removeAll(plane.api.actingAs(PLATFORM), objects);
    await untilAdmitted('the policies to be gone', () => plane.api.create(STRANGE, { dryRun: true }));
    // what the API server checks by then has seen all that was removed before
    await untilPoliciesHold(plane.api);
  });

  test('is taken as written, from the platform', async () => {
    expect(await lacksOfAll(plane.api.actingAs(PLATFORM), objects)).toEqual([]);
    count('objects of shared load balancers accepted', objects.length);
  });
});

describe('Services at an NLB without IPv6', () => {
  const objects = read('tenancy', 'goldens', 'two-nlbs.yaml').filter(({ kind }) => kind.startsWith('Validating'));
  const headless = { clusterIP: 'None', ports: [{ port: 5432 }] };
  const service = (spec: Body): Ref => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'db', namespace: 'team-b' },
    spec,
  });
  const create = (spec: Body) => plane.api.create(service(spec), { dryRun: true });

  beforeAll(async () => {
    expect(await lacksOfAll(plane.api.actingAs(PLATFORM), objects)).toEqual([]);
    await untilPoliciesHold(plane.api);
  });
  afterAll(() => removeAll(plane.api.actingAs(PLATFORM), objects));

  test.each<[string, Body, RegExp | undefined]>([
    ['headless and without a selector, which gets both families', headless, /IPv6|ipFamil/],
    ['the same of one family', { ...headless, ipFamilyPolicy: 'SingleStack' }, undefined],
    ['without ports, as Patroni keeps its configuration in one', { clusterIP: 'None' }, undefined],
    ['as tenants write them', { selector: { app: 'db' }, ports: [{ port: 5432 }] }, undefined],
  ])('%s', async (_, spec, verdict) => {
    const refusal = await refusalOf(create(spec));
    expect(refusal === undefined ? undefined : verdict?.test(refusal)).toBe(verdict && true);
  });

  test('ports that come later are checked, and what both were there before stays', async () => {
    const config = service({ clusterIP: 'None' });
    await plane.api.create(config);
    const opened = () => plane.api.merge(config, { spec: { ports: [{ port: 5432 }] } }, { dryRun: true });
    expect(await refusalOf(opened())).toMatch(/IPv6/);
    expect(await refusalOf(plane.api.merge(config, { metadata: { labels: { app: 'db' } } }))).toBeUndefined();
    await plane.api.delete(config);
  });
});

describe('examples/tenants', () => {
  const { files, said } = runExample('tenants');
  const [platform] = Object.entries(files).filter(([file]) => file.includes('platform'));
  const tenants = Object.entries(files).filter(([file]) => !file.includes('platform'));

  test('says nothing on standard error', () => {
    expect(said).toBe('');
  });

  test('the platform is taken as written, and its guard holds', async () => {
    const [, objects] = platform;
    expect(await lacksOfAll(plane.api, objects)).toEqual([]);
    await permit(plane.api, 'anna', EVERYTHING, 'team-a');
    await untilPoliciesHold(plane.api);
    await untilDenied('the guard', () => plane.api.actingAs('anna').create(OPEN, { dryRun: true }));
    count('objects of shared load balancers accepted', objects.length);
  });

  test.each(tenants)('%s is taken as written, under that guard', async (_, objects) => {
    expect(objects.filter(({ kind, spec }) => kind === 'Service' && spec.type === 'LoadBalancer')).toEqual([]);
    expect(await lacksOfAll(plane.api.actingAs(PLATFORM), objects)).toEqual([]);
    count('objects of shared load balancers accepted', objects.length);
  });

  test('what a tenant wrote gets no balancer of its own when it is applied as it is', async () => {
    const [service] = read('..', 'examples', 'tenants', 'team-a.yaml');
    const named: Ref = { ...service, metadata: { ...service.metadata, name: 'own', namespace: 'team-a' } };
    expect(await refusalOf(plane.api.actingAs('anna').create(named))).toBe(
      'Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP',
    );
  });

  test('every file of a tenant is an example of one', () => {
    expect(tenants.map(([file]) => basename(file, '.k8s.yaml')).sort()).toEqual(
      TENANTS.map((name) => `tenants-${name}`),
    );
  });
});

const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

const STRANGE: Ref = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'ListenerSet',
  metadata: { name: 'strange', namespace: 'team-a' },
  spec: { parentRef: { name: 'other' }, listeners: [{ name: 'strange', port: 1, protocol: 'TCP' }] },
};

const OPEN: Ref = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'open', namespace: 'team-a' },
  spec: { type: 'LoadBalancer', loadBalancerSourceRanges: ['0.0.0.0/0'], ports: [{ port: 80 }] },
};
