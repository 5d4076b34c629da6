import { usageText } from '../../programs/tenant-watch/usage-text';
import { Watcher } from '../../programs/tenant-watch/watcher';
import type { Body } from '../real/api';
import { until } from '../real/program';
import { answerOf, Held } from './harness/client';
import { Engine, gatewayRef } from './harness/engine';
import type { Envoy } from './harness/envoy';

import { asWatch, DRAIN_TIME, PLATFORM, watchedTenants } from './harness/tenants';

// A tenant is cut off by one label of its namespace while its clients are connected, and is at its limit of connections.

const PORTS = { 'team-a': 5432, 'team-b': 5433 };
const LABEL = 'cdk8s-load-balancers/suspended';
/** Of 40 connections, over two proxies and one port. */
const SHARE = 20;

let engine: Engine;
let envoys: Envoy[];
let watcher: Watcher;
const held: Held[] = [];
const measured: Record<string, unknown> = {};

beforeAll(async () => {
  engine = await Engine.start();
  const { objects, config } = watchedTenants({
    'team-a': { port: PORTS['team-a'], maxConnections: 2 * SHARE },
    'team-b': { port: PORTS['team-b'] },
  });
  const api = engine.api.actingAs(PLATFORM.username, ['system:masters']);
  for (const object of objects) {
    await api.create(object);
  }
  envoys = await engine.envoys('shared', 2);
  await engine.listening(envoys, Object.values(PORTS));
  for (const port of Object.values(PORTS)) {
    await Promise.all(envoys.map(({ address: host }) => until('an answer', () => answered(host, port))));
  }
  watcher = new Watcher(
    asWatch(engine.api),
    async (url) => (await fetch(url, { signal: AbortSignal.timeout(5000), headers: { connection: 'close' } })).text(),
    config,
  );
});

// whatever a test comes to, it can be tried once more
afterEach(async () => {
  for (const each of held.splice(0)) each.close();
  await label(null);
});

afterAll(async () => {
  await engine?.stop();
  process.stdout.write(`${JSON.stringify(measured)}\n`);
});

async function answered(host: string, port: number): Promise<boolean> {
  return (await answerOf({ host, port })) !== '';
}

/** How many of some connections to both proxies are served. */
async function served(port: number, count = 20): Promise<number> {
  const held = await Held.open(count, (i) => ({ host: envoys[i % 2].address, port }));
  held.close();
  return held.served;
}

async function round(): Promise<void> {
  expect(await watcher.round(new Date())).toEqual([]);
}

async function eventsOf(namespace: string): Promise<Body[]> {
  const events = await engine.api.list({ apiVersion: 'v1', kind: 'Event' }, namespace);
  return events.filter(({ source }) => source?.component === 'tenant-watch');
}

/** The ports of the balancer in front. */
async function portsInFront(): Promise<number[]> {
  const metadata = { name: 'envoy-infra-shared', namespace: 'envoy-gateway-system' };
  const { spec } = await engine.api.get({ apiVersion: 'v1', kind: 'Service', metadata });
  return spec.ports.map(({ port }: Body) => port);
}

async function label(value: string | null): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } };
  await engine.api.merge(namespace, { metadata: { labels: { [LABEL]: value } } });
}

async function seconds(what: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await what();
  return Math.round(performance.now() - begin) / 1000;
}

test('at its limit a tenant is refused the rest, its Service says so, and what it takes is what Envoy counts', async () => {
  await round();
  const [{ address: host }] = envoys;
  const [a, b] = [
    await Held.open(50, { host, port: PORTS['team-a'] }),
    await Held.open(50, { host, port: PORTS['team-b'] }),
  ];
  held.push(a, b);
  expect([a.served, a.refused, b.served, b.refused]).toEqual([SHARE, 50 - SHARE, 50, 0]);
  const counted = async () => {
    await round();
    return watcher.tally.tenants.get('team-a')?.limited === 50 - SHARE && (await eventsOf('team-a')).length > 0;
  };
  await until('the event', counted);
  const [event, ...others] = await eventsOf('team-a');
  const service = await engine.api.get({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'db', namespace: 'team-a' },
  });
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    reason: 'ConnectionLimitReached',
    type: 'Warning',
    involvedObject: { kind: 'Service', name: 'db', uid: service.metadata.uid },
  });
  expect(event.message).toMatch(/^\d+ connections to port 5432 were refused: the tenant is at its limit of 40/);
  expect(await eventsOf('team-b')).toEqual([]);
  expect(watcher.proxies).toBe(2);
  expect(watcher.tally.tenants.get('team-a')?.connections).toBe(SHARE);
  expect(watcher.tally.tenants.get('team-b')?.connections).toBe(50);
  expect(watcher.tally.tenants.get('team-b')?.bytesOut).toBeGreaterThan(50 * 10);
  expect(usageText(watcher)).toContain(
    `shared_load_balancer_tenant_connections{shared_load_balancer="infra/shared",tenant="team-a"} ${SHARE}`,
  );
});

test('a suspended tenant gets no connection, others lose none, and it comes back to its ports', async () => {
  // what was held before is gone
  await until('all to be free', async () => {
    await round();
    return [...watcher.tally.tenants.values()].every(({ connections }) => connections === 0);
  });
  const hold = async (port: number) => {
    const some = await Held.open(10, (i) => ({ host: envoys[i % 2].address, port }));
    held.push(some);
    return some;
  };
  const [a, b] = [await hold(PORTS['team-a']), await hold(PORTS['team-b'])];
  expect([a.count, b.count]).toEqual([10, 10]);
  await round();

  measured['refused after'] = await seconds(async () => {
    await label('true');
    await until('all to be refused', async () => (await served(PORTS['team-a'], 4)) === 0);
  });
  expect([await served(PORTS['team-a']), await served(PORTS['team-b'])]).toEqual([0, 20]);
  expect([await a.alive(), await b.alive()]).toEqual([10, 10]);
  // the proxies hear of it before its status does
  await until('its status', async () => {
    const { Accepted } = await engine.conditions(gatewayRef('ListenerSet', 'team-a', 'shared'));
    return Accepted === 'False NotAllowed';
  });
  await until('the balancer to lose the port', async () => !(await portsInFront()).includes(PORTS['team-a']));
  expect(await portsInFront()).toContain(PORTS['team-b']);
  await round();
  expect((await eventsOf('team-a')).map(({ reason }) => reason)).toContain('Suspended');

  measured['held ones closed after'] = await seconds(() => until('the drain', () => a.count === 0));
  expect(Number(measured['held ones closed after'])).toBeLessThan(DRAIN_TIME.toSeconds() + 10);
  expect(await b.alive()).toBe(10);

  measured['served again after'] = await seconds(async () => {
    await label(null);
    await until('all to be served', async () => (await served(PORTS['team-a'], 4)) === 4);
  });
  await until('the balancer to have the port', async () => (await portsInFront()).includes(PORTS['team-a']));
  expect([await served(PORTS['team-a']), await served(PORTS['team-b'])]).toEqual([20, 20]);
  expect(await b.alive()).toBe(10);
  await round();
  expect((await eventsOf('team-a')).map(({ reason }) => reason)).toContain('Resumed');
});
