import { App, Chart, Testing } from 'cdk8s';
import {
  AwsLoadBalancerController,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  SharedServicesAtRunTime,
  TenancyIdentity,
} from '../../src';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { definitionsFromFiles, haproxyDefinition, install } from '../real/objects';
import { permit, refusalOf, untilDenied, untilPoliciesHold } from '../real/policies';
import { count, until } from '../real/program';
import { lockedAsWished } from '../tenancy/shared/locked';
import { type Running, RunTime, type RunTimeApp, sharedService, untilGone, untilReason } from './harness/run-time';

// Services that are created at run time for HAProxy, with the real API server and the hook as it is shipped. No controller of
// HAProxy runs: what it makes of the objects is the matter of test/haproxy.

const GROUP = 'ingress.v3.haproxy.org';

let plane: ControlPlane;
let api: Api;
let tenant: Api;
const running: Running[] = [];

function app(): RunTimeApp {
  const platform = new Chart(new App(), 'platform', { namespace: 'infra' });
  const delivery = [TenancyIdentity.user('delivery')];
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    engine: SharedLoadBalancerEngine.haproxy({
      controller: AwsLoadBalancerController.nlb(),
      proxyProtocol: true,
      runtimePorts: { first: 31000, last: 31009 },
    }),
    platform: delivery,
    portLock: lockedAsWished(),
  });
  shared.addTenant('team-a', { runtimePorts: { first: 31000, last: 31009 }, maxConnections: 10 });
  const construct = new SharedServicesAtRunTime(platform, 'RunTime', { shared });
  return { documents: Testing.synth(platform), construct };
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  ({ api } = plane);
  const ofHaproxy = definitionsFromFiles(GROUP);
  await install(api, ofHaproxy.length > 0 ? ofHaproxy : [haproxyDefinition('TCP')]);
  await install(api, definitionsFromFiles('metacontroller.k8s.io'));
  await plane.startManager();
  for (const name of ['infra', 'metacontroller', 'team-a']) {
    const labels = { 'cdk8s-load-balancers/tenant': 'true' };
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(name === 'team-a' && { labels }) } });
  }
  const made = app();
  for (const document of made.documents.filter(({ kind }) => kind !== 'DecoratorController')) {
    await api.apply(document as Ref, { force: true });
  }
  await untilPoliciesHold(api);
  const balancer: Ref = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'shared', namespace: 'infra' } };
  const ingress = [{ hostname: 'shared.elb.example.com' }];
  await api.merge(balancer, { status: { loadBalancer: { ingress } } }, { subresource: 'status' });
  const all = { verbs: ['*'], resources: ['*'] };
  await permit(api, 'anna', [
    { ...all, apiGroups: [''] },
    { ...all, apiGroups: [GROUP] },
  ]);
  tenant = api.actingAs('anna');
  const runTime = await RunTime.of(plane);
  running.push(await runTime.startHook(made), await runTime.startController(made));
});

afterAll(async () => {
  for (const one of running.reverse()) {
    await one.stop();
  }
  await plane?.stop();
});

const tcpOf = ({ metadata }: Ref): Ref => ({
  apiVersion: `${GROUP}/v3`,
  kind: 'TCP',
  metadata: { name: `service-${metadata.name}`, namespace: 'team-a' },
});

async function published(one: Ref): Promise<Body> {
  await tenant.create(one);
  return untilReason(api, one, 'Published');
}

test('a Service is published, and goes after its object', async () => {
  const db = sharedService('db', 'team-a', 31000, { loadBalancerSourceRanges: ['10.0.0.0/8'] });
  const found = await published(db);
  expect(found.status.loadBalancer.ingress).toEqual([{ hostname: 'shared.elb.example.com' }]);
  const { spec, metadata } = await api.get(tcpOf(db));
  expect(metadata.annotations['ingress.class']).toBe('shared-haproxy');
  expect(spec[0]).toMatchObject({ name: 'team-a.db.31000', service: { name: 'db', port: 31000 } });
  // no moment without the Service and with its object
  let isAlone = 0;
  let isLooking = true;
  const looking = (async () => {
    while (isLooking) {
      const tcp = await api.find(tcpOf(db));
      const there = await api.find(db);
      isAlone += tcp && !there && (await api.find(tcpOf(db))) ? 1 : 0;
    }
  })();
  const begin = Date.now();
  await tenant.delete(db);
  await untilGone(api, db);
  isLooking = false;
  await looking;
  count('ms until a deleted Service of HAProxy was gone', Date.now() - begin);
  expect(isAlone).toBe(0);
  expect(await api.find(tcpOf(db))).toBeUndefined();
});

test('a published port stays with its Service until it is withdrawn', async () => {
  const PUBLISHED = /^Service web is published .* with port 31001, .*withdraw it there first/;
  const web = sharedService('web', 'team-a', 31001);
  await published(web);
  const other = { spec: { ports: [{ port: 31002, protocol: 'TCP' }] } };
  await untilDenied('the policy', () => tenant.merge(web, other, { dryRun: true }));
  expect(await refusalOf(tenant.merge(web, other))).toMatch(PUBLISHED);
  expect(await refusalOf(tenant.merge(web, { metadata: { finalizers: null } }))).toMatch(/is published|is removed by/);
  expect(await refusalOf(tenant.delete(tcpOf(web)))).toMatch(/written by the platform alone/);
  // of another type it is withdrawn, and then it is the tenant's
  const none = { type: 'ClusterIP', loadBalancerClass: null, allocateLoadBalancerNodePorts: null };
  await tenant.merge(web, { spec: none });
  await until('its object to be gone', async () => !(await api.find(tcpOf(web))));
  await until('its ports to be its own', async () => (await refusalOf(tenant.merge(web, other))) === undefined);
  await tenant.delete(web);
  await untilGone(api, web);
});
