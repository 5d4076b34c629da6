import { join } from 'node:path';
import { MetalLb } from '../../src';
import { SharedLoadBalancerEngine } from '../../src/tenancy/engines/shared-load-balancer-engine';
import { PortConflictPolicy } from '../../src/tenancy/ports/options';
import { SHARED_CLASS } from '../../src/tenancy/tenancy.facts';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { definitionsFromFiles, definitionsOfGroup } from '../real/objects';
import { count, type Program, pause, until } from '../real/program';
import { GatewayController } from './harness/decorator-controller';
import {
  conditionOf,
  existingGateway,
  prepareRunTime,
  type Running,
  RunTime,
  type RunTimeApp,
  routesIn,
  runTimeApp,
  sharedService,
  untilGone,
  untilReason,
} from './harness/run-time';

// Services that are created while the cluster runs, with the real API server and the hook as it is shipped. The controller
// that calls it is Metacontroller where METACONTROLLER names its program and CRD_FILES a folder with its definitions, and
// else a stand-in; the controller of the Gateway is always one.

const TENANTS = Array.from({ length: 10 }, (_, i) => `team-${i}`);
const PER_TENANT = 20;
const FIXED = 'fixed';

let plane: ControlPlane;
let api: Api;
let gateways: GatewayController;
let runTime: RunTime;

/** The hook watches the ports of all tenants. */
const EXISTING = existingGateway(false, 300);

/** One that tells conflicts, and has policies of its own. */
const ENVOY = SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.layer2() });

/** What the platform team writes: tenants with ranges for exactly as many Services as come. */
function app(engine: SharedLoadBalancerEngine): RunTimeApp {
  const ranges = TENANTS.map((tenant, i) => {
    const first = 31_000 + i * PER_TENANT;
    return [tenant, [first, first + PER_TENANT - 1]] as const;
  });
  const portLock = join(plane.folder, 'ports.lock.json');
  return runTimeApp(
    { engine, portConflict: PortConflictPolicy.REMAP, portLock, oneTeam: true },
    { ...Object.fromEntries(ranges), [FIXED]: [32_000, 32_009] },
  );
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  ({ api } = plane);
  const ofEnvoy = ['BackendTrafficPolicy', 'ClientTrafficPolicy', 'SecurityPolicy'];
  const definitions = definitionsOfGroup('github.com/envoyproxy/gateway', 'gateway.envoyproxy.io', ...ofEnvoy);
  await prepareRunTime(plane, ['stranger', FIXED, ...TENANTS], definitions);
  runTime = await RunTime.of(plane);
  gateways = new GatewayController(api);
});

afterAll(async () => {
  await gateways?.stop();
  await plane?.stop();
});

test.each([
  ['an existing Gateway', EXISTING],
  ['Envoy Gateway', ENVOY],
])('everything that is made for %s is accepted, and gives its rights', async (_, engine) => {
  const { documents } = app(engine);
  const known = definitionsFromFiles('metacontroller.k8s.io').length > 0;
  const accepted = documents.filter(({ kind }) => known || kind !== 'DecoratorController') as Ref[];
  for (const document of accepted) {
    // it would be called at an address that nobody has here
    await api.apply(document, { dryRun: document.kind === 'DecoratorController', force: true });
  }
  count('objects of SharedServicesAtRunTime accepted', accepted.length);
  expect(accepted.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ConfigMap', 'Deployment', 'Service', 'NetworkPolicy', 'ClusterRole', 'Role']),
  );
});

/** What one test has started. */
const started: Running[] = [];

afterEach(async () => {
  for (const one of started.splice(0).reverse()) {
    await one.stop();
  }
});

function ends<T extends Running>(one: T): T {
  started.push(one);
  return one;
}

/** A Service that is deleted stays until its ports are closed. */
async function removed(ref: Ref): Promise<void> {
  await api.delete(ref);
  await untilGone(api, ref);
}

const see = (ref: Ref, reason: string) => untilReason(api, ref, reason);
const listenerSets = (namespace?: string) => routesIn(api, 'listenersets', namespace);

/** Everything that the controller writes, by version: the same twice means that nobody wrote. */
async function versions(): Promise<string[]> {
  const { items } = await api.call('GET', '/api/v1/services');
  const made = await Promise.all(['listenersets', 'tcproutes'].map((kind) => routesIn(api, kind)));
  return [...(items as Body[]), ...made.flat()].map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`);
}

/** Writes of Services and of what is made for them that the API server has counted, without the stand-in's of statuses. */
async function writes(): Promise<number> {
  const { text } = await api.call('GET', '/metrics');
  return String(text)
    .split('\n')
    .filter((line) => line.startsWith('apiserver_request_total{') && /code="2/.test(line))
    .filter((line) => /resource="(services|listenersets|tcproutes)"/.test(line))
    .filter((line) => /verb="(POST|PUT|DELETE)"/.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
}

describe('with hook and controller at work', () => {
  let hook: Program;
  let controller: Running;

  beforeAll(async () => {
    const existing = app(EXISTING);
    hook = await runTime.startHook(existing);
    controller = await runTime.startController(existing);
  });

  afterAll(async () => {
    await controller?.stop();
    await hook?.stop();
  });

  test('a Service gets its address when everything is programmed, and takes everything with it', async () => {
    gateways.isAtWork = false;
    const db = sharedService('db', FIXED, 32001);
    await api.create(db);
    await see(db, 'Pending');
    const [set] = await until('its listener', async () => {
      const found = await listenerSets(FIXED);
      return found.length > 0 && found;
    });
    expect(set.metadata.ownerReferences).toMatchObject([{ kind: 'Service', name: 'db', controller: true }]);
    expect((await api.get(db)).status.loadBalancer).toEqual({});
    gateways.isAtWork = true;
    const served = await see(db, 'Programmed');
    expect(served.status.loadBalancer).toEqual({ ingress: [{ hostname: 'tcp.example.com' }] });
    expect(served.metadata.finalizers).toEqual(['metacontroller.io/decoratorcontroller-shared-services']);
    await removed(db);
    await until('nothing of it to be left', async () => {
      const routes = await routesIn(api, 'tcproutes', FIXED);
      return (await listenerSets(FIXED)).length === 0 && routes.length === 0;
    });
  });

  test('conditions of others stay', async () => {
    const db = sharedService('watched', FIXED, 32004);
    await api.create(db);
    await see(db, 'Programmed');
    const other = {
      type: 'other.example/Seen',
      status: 'True',
      reason: 'Seen',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const { status } = await api.get(db);
    await api.merge(db, { status: { conditions: [...status.conditions, other] } }, { subresource: 'status' });
    await api.merge(db, { spec: { ports: [{ port: 32005 }] } });
    await until('its other port', async () => JSON.stringify(await listenerSets(FIXED)).includes('32005'));
    await see(db, 'Programmed');
    expect((await api.get(db)).status.conditions).toContainEqual(other);
    await removed(db);
  });
});

test('200 Services, with hook and controller away in between: all are served, and then nothing is written', async () => {
  const wanted = TENANTS.flatMap((tenant) =>
    Array.from({ length: PER_TENANT }, (_, i) => sharedService(`db-${i}`, tenant, 5432)),
  );
  const begin = await writes();
  const envoy = app(ENVOY);
  let hook = ends(await runTime.startHook(envoy));
  const first = ends(await runTime.startController(envoy));
  const beginning = Date.now();
  await Promise.all(wanted.slice(0, 120).map((one) => api.create(one)));
  await until('some to be served', async () => (await served()).length > 10);
  await hook.kill();
  await Promise.all(wanted.slice(120).map((one) => api.create(one)));
  await pause(1000);
  await first.stop();
  hook = ends(await runTime.startHook(envoy));
  ends(await runTime.startController(envoy));
  await until('all to be served', async () => (await served()).length === wanted.length, { seen: unserved });
  const seconds = Math.round((Date.now() - beginning) / 1000);
  const spent = (await writes()) - begin - wanted.length;
  count('writes for 200 Services at run time', spent);
  count('seconds until 200 Services were served, with restarts', seconds);
  expect(spent).toBeLessThan(wanted.length * 12);

  const sets = await listenerSets();
  const ports = sets.flatMap(({ spec }) => spec.listeners.map(({ port }: Body) => port));
  expect(new Set(ports).size).toBe(wanted.length);
  for (const { metadata, spec } of sets) {
    const lowest = 31000 + TENANTS.indexOf(metadata.namespace) * PER_TENANT;
    expect(spec.listeners[0].port - lowest).toBeGreaterThanOrEqual(0);
    expect(spec.listeners[0].port - lowest).toBeLessThan(PER_TENANT);
  }

  const quiet = await versions();
  const before = await writes();
  await pause(8000);
  expect(await versions()).toEqual(quiet);
  expect((await writes()) - before).toBe(0);

  await hook.kill();
  await pause(1500);
  expect(await versions()).toEqual(quiet); // nobody loses what they have
});

async function unserved(): Promise<unknown[]> {
  const { items } = await api.call('GET', '/api/v1/services');
  return (items as Body[])
    .filter((one) => one.metadata.labels?.[SHARED_CLASS] && conditionOf(one)?.reason !== 'Programmed')
    .map(({ metadata, status }) => [metadata.namespace, metadata.name, status]);
}

async function served(): Promise<Body[]> {
  const { items } = await api.call('GET', '/api/v1/services');
  return (items as Body[]).filter(
    (one) => conditionOf(one)?.reason === 'Programmed' && one.status.loadBalancer.ingress?.length === 1,
  );
}
