import { join } from 'node:path';
import { type ApiObject, Chart, Duration, JsonPatch, Testing } from 'cdk8s';
import { HealthCheckProtocol } from '../../src/contract';
import { AwsLoadBalancerController, NlbTargetType } from '../../src/controllers';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../src/tenancy';
import { ENVOY_GATEWAY_NAMESPACE } from '../../src/tenancy/engines/envoy-gateway/facts';
import { ApiRefusal, type Body } from '../real/api';
import { pause, until } from '../real/program';
import { lockFile } from '../tenancy/shared/locked';
import { Balancer } from './harness/balancer';
import { answerOf, Held, Load } from './harness/client';
import { Engine } from './harness/engine';
import type { Envoy } from './harness/envoy';

// Two real Envoys behind a model of a cloud's balancer: HAProxy, which asks as often as the plan says. One loses its node, and
// one is evicted from it, with connections on both. A model of a kubelet runs the hooks that Envoy Gateway wrote.

const PLATFORM = 'system:serviceaccount:flux-system:kustomize-controller';
const PORT = 5432;

/** Of the health check, as it is wished for and as the model has it. */
const CHECK = { interval: 5, failures: 2 };
const NOTICED = CHECK.interval * CHECK.failures * 1000;
const DRAIN_TIME = 25;

/** Nothing answers in the network of a node that is lost: the last question is waited for as well. */
const NOTICED_IN_SILENCE = NOTICED + CHECK.interval * 1000;

/** A machine that is busy may be so much later. */
const SLACK = 3000;

let engine: Engine;

/** By shared balancer, the Service of its tenant. */
const SERVICES = { shared: 'db', hasty: 'queue' };

/** Two shared balancers of one tenant; the proxies of `hasty` go at once. */
function objects(): Body[] {
  const app = Testing.app();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  for (const [name, service] of Object.entries(SERVICES)) {
    const portLock = lockFile({ [`team-a/${service}:${PORT}`]: { balancer: 0, port: PORT } }, name);
    const shared = new SharedLoadBalancer(chart, name, {
      name,
      portLock,
      oneTeam: true,
      isolationPolicies: false,
      platform: [TenancyIdentity.user(PLATFORM)],
      engine: SharedLoadBalancerEngine.envoyGateway({
        controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
        healthCheck: {
          protocol: HealthCheckProtocol.HTTP,
          port: 19_003,
          path: '/ready',
          interval: Duration.seconds(CHECK.interval),
          unhealthyThreshold: CHECK.failures,
          healthyThreshold: CHECK.failures,
        },
        proxies: {
          minDrainTime: Duration.seconds(CHECK.interval * CHECK.failures),
          drainTime: Duration.seconds(DRAIN_TIME),
        },
      }),
    });
    shared.addTenant('team-a');
    shared.attach(new Chart(app, `team-a-${name}`, { namespace: 'team-a' }), {
      tenant: 'team-a',
      service,
      ports: [{ port: PORT }],
    });
    if (name === 'hasty') {
      const proxies = shared.node.findChild('Proxies') as ApiObject;
      proxies.addJsonPatch(JsonPatch.add('/spec/shutdown', { drainTimeout: '0s', minDrainDuration: '0s' }));
    }
  }
  return app.charts.flatMap((each) => each.toJson());
}

const workload: Body[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'app', namespace: 'team-a' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'app' } },
      template: {
        metadata: { labels: { app: 'app' } },
        spec: { containers: [{ name: 'app', image: 'app', ports: [{ containerPort: PORT }] }] },
      },
    },
  },
  ...Object.values(SERVICES).map((name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'team-a' },
    spec: { selector: { app: 'app' }, ports: [{ port: PORT }] },
  })),
];

beforeAll(async () => {
  engine = await Engine.start();
  const api = engine.api.actingAs(PLATFORM, ['system:masters']);
  for (const name of ['infra', 'team-a']) {
    const labels = { 'cdk8s-load-balancers/tenant': 'true' };
    await api.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: name === 'infra' ? {} : labels },
    });
  }
  for (const object of [...workload, ...objects()] as never[]) {
    await api.create(object);
  }
});

afterAll(() => engine?.stop());

/** Two proxies that serve, and a balancer in front of them. */
async function serving(gateway: string, address: string) {
  const envoys = await engine.envoys(gateway, 2);
  await engine.listening(envoys, [PORT]);
  for (const { address: host } of envoys) {
    await until('the tenant to answer', async () => (await answerOf({ host, port: PORT })) || undefined);
  }
  const balancer = await Balancer.start({
    folder: join(engine.plane.folder, address),
    address,
    ports: [PORT],
    targets: envoys.map((each) => each.address),
    interval: CHECK.interval * 1000,
    threshold: CHECK.failures,
  });
  return { envoys, balancer, target: { host: address, port: PORT } };
}

/** Connections that one proxy has, as it counts them. */
async function connectionsOf(envoy: Envoy): Promise<number> {
  const counts = await envoy.statistics(`^listener\\..*_${PORT}\\.downstream_cx_active$`);
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

const evict = (name: string) =>
  engine.api.call('POST', `/api/v1/namespaces/${ENVOY_GATEWAY_NAMESPACE}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: ENVOY_GATEWAY_NAMESPACE },
  });

/** Evicts a pod as soon as its budget allows it. */
const evicted = (name: string) =>
  until(`${name} to be evicted`, () =>
    evict(name).then(
      () => true,
      (error) => {
        if (error instanceof ApiRefusal && error.status === 429) {
          return false;
        }
        throw error;
      },
    ),
  );

/** What Envoy Gateway made for a Gateway. */
async function madeFor(gateway: string, apiVersion: string, kind: string): Promise<Body | undefined> {
  const all = await engine.api.list({ apiVersion, kind }, ENVOY_GATEWAY_NAMESPACE);
  return all.find(({ spec }) => spec.selector.matchLabels?.['gateway.envoyproxy.io/owning-gateway-name'] === gateway);
}

test('Envoy Gateway makes of it what was asked for', async () => {
  const [envoy] = await engine.envoys('shared', 2);
  const { spec } = (await madeFor('shared', 'apps/v1', 'Deployment')) ?? {};
  expect(spec).toMatchObject({
    minReadySeconds: CHECK.interval * CHECK.failures,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  });
  const pod = spec.template.spec;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_TIME);
  expect(pod.topologySpreadConstraints).toHaveLength(2);
  for (const { labelSelector } of pod.topologySpreadConstraints) {
    expect(envoy.pod.metadata.labels).toMatchObject(labelSelector.matchLabels);
  }
  const budget = await until('the budget to count both', async () => {
    const found = await madeFor('shared', 'policy/v1', 'PodDisruptionBudget');
    return found?.status?.expectedPods === 2 && found;
  });
  expect(budget.spec.maxUnavailable).toBe(1);
});

test('proxies that go at once lose connections, those that they have and those that come', async () => {
  const { envoys, balancer, target } = await serving('hasty', '10.62.0.2');
  const held = await Held.open(40, target);
  const load = Load.start(target, 20);
  await pause(1000);
  await evicted(envoys[0].name);
  await pause(NOTICED + SLACK);
  await load.stop();
  const lost = load.lostSince();
  process.stdout.write(
    `hasty: ${held.served - held.count} of 40 held, ${lost.length} of ${load.attempts.length} new lost\n`,
  );
  expect(held.count).toBeLessThan(held.served);
  expect(lost.length).toBeGreaterThan(0);
  held.close();
  await balancer.stop();
});

test('a proxy that is evicted loses none: it serves until the balancer has noticed, and until its clients have gone', async () => {
  const { envoys, balancer, target } = await serving('shared', '10.62.0.3');
  const [leaving, staying] = envoys;
  const held = await Held.open(40, target);
  expect(held.served).toBe(40);
  const load = Load.start(target, 20);
  await pause(1000);
  const began = load.now;
  await evicted(leaving.name);

  // the budget takes one at a time
  const refusal = await evict(staying.name).then(
    () => undefined,
    (error) => error,
  );
  expect(refusal).toBeInstanceOf(ApiRefusal);
  expect(refusal.status).toBe(429);

  await pause(NOTICED + SLACK);
  expect(leaving.isRunning).toBe(true);
  expect(await held.alive()).toBe(40);
  const leftBehind = await connectionsOf(leaving);
  expect(leftBehind).toBeGreaterThan(0);

  // clients go in their own time
  held.close();
  await until('the proxy to go', () => !leaving.isRunning, { seconds: DRAIN_TIME });
  const gone = (load.now - began) / 1000;
  await pause(2000);
  await load.stop();
  process.stdout.write(
    `evicted: 0 of 40 held and ${load.lostSince().length} of ${load.attempts.length} new lost; gone after ${gone.toFixed(1)} s\n`,
  );
  expect(load.lostSince()).toEqual([]);
  expect(load.attempts.length).toBeGreaterThan(200);
  expect(gone).toBeLessThan(DRAIN_TIME);
  await balancer.stop();
});

test('a proxy that loses its node takes its own connections with it, and new ones succeed when the balancer has noticed', async () => {
  const { envoys, balancer, target } = await serving('shared', '10.62.0.4');
  const [lost, staying] = envoys;
  const held = await Held.open(40, target);
  const kept = await connectionsOf(staying);
  expect(kept).toBeGreaterThan(0);
  expect(await connectionsOf(lost)).toBeGreaterThan(0);
  const load = Load.start(target, 20);
  await pause(1000);
  lost.plug(false);
  const moment = load.now;
  await pause(NOTICED_IN_SILENCE + SLACK + 10_000);
  await load.stop();
  const failed = load.lostSince(moment);
  const last = Math.max(...failed.map(({ at }) => at)) - moment;
  process.stdout.write(
    `lost: ${failed.length} of ${load.attempts.length} new lost, the last began ${(last / 1000).toFixed(1)} s after; ${await held.alive(3000)} of 40 held stay\n`,
  );
  expect(failed.length).toBeGreaterThan(0);
  expect(load.lostSince(moment + NOTICED_IN_SILENCE + SLACK)).toEqual([]);
  expect(load.attempts.filter(({ at }) => at > moment + NOTICED_IN_SILENCE + SLACK).length).toBeGreaterThan(50);
  expect(await held.alive(3000)).toBeGreaterThanOrEqual(kept);
  held.close();
  lost.plug(true);
  await balancer.stop();
});
