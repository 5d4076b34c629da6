import { join } from 'node:path';
import { until } from '../real/program';
import { Balancer } from './harness/balancer';
import { answerOf, Held } from './harness/client';
import { Engine } from './harness/engine';
import type { Envoy } from './harness/envoy';
import { Delivery, sharedApp } from './harness/tenants';

// A balancer in front of the proxies that speaks the PROXY protocol: HAProxy plays that of a cloud.

let engine: Engine;
let balancer: Balancer;
let envoys: readonly Envoy[];

beforeAll(async () => {
  engine = await Engine.start({
    behaviour: ({ metadata }) => (metadata.namespace === 'team-a' ? { ports: [5432], isSilent: true } : undefined),
  });
  const tenants = [
    { name: 'team-a', ports: [{ port: 5432 }], sourceRanges: ['203.0.113.0/24'], maxConnections: 60 },
    { name: 'team-b', ports: [{ port: 6379 }] },
  ];
  await new Delivery(engine).deliver(sharedApp({ proxyProtocol: true, tenants }));
  envoys = await engine.envoys('shared', 2);
  await engine.listening(envoys, [5432, 6379]);
  balancer = await Balancer.start({
    ...{ folder: join(engine.plane.folder, 'balancer'), ports: [5432, 6379], proxyProtocol: true },
    ...{ targets: envoys.map(({ address }) => address), interval: 200 },
  });
});

afterAll(async () => {
  await balancer?.stop();
  await engine?.stop();
});

const first = Buffer.from('hello\n');
const at = (port: number, from: string) => ({ host: balancer.address, port, from, first });

test('clients are let in by their own addresses, which the balancer tells and the proxies believe', async () => {
  await until('team-a', async () => (await answerOf(at(5432, '203.0.113.7'))).startsWith('team-a/'));
  let served: readonly number[] = [];
  let strangers = 0;
  // the balancer begins with what its first health checks say
  await until(
    'all forty of each who may',
    async () => {
      const held = await Promise.all([
        Held.open(40, at(5432, '203.0.113.7')),
        Held.open(40, at(5432, '198.51.100.7')),
        Held.open(40, at(6379, '198.51.100.7')),
      ]);
      served = held.map((each) => each.served);
      strangers += served[1];
      for (const each of held) each.close();
      return served[0] === 40 && served[2] === 40;
    },
    { seen: () => served },
  );
  expect(strangers).toBe(0);
});

test('the limit of a tenant is reached when each proxy has its share', async () => {
  const held = await until('60 of 100', async () => {
    const found = await Held.open(100, at(5432, '203.0.113.7'));
    if (found.served === 60) {
      return found;
    }
    found.close();
    return undefined;
  });
  const counts = await Promise.all(
    envoys.map((envoy) => envoy.statistics('^cluster\\.tcproute/team-a/.*upstream_cx_active$')),
  );
  expect(counts.flatMap((each) => Object.values(each))).toEqual([30, 30]);
  expect([held.served, held.refused]).toEqual([60, 40]);
  held.close();
});

test('who connects past the balancer is believed nothing: without a header it is refused', async () => {
  expect(await answerOf({ host: envoys[0].address, port: 6379, first: Buffer.from('words without a header\n') })).toBe(
    '',
  );
});

test('a proxy is lost, and the connections of the other stay; new ones succeed within the time of the health check', async () => {
  const held = await Held.open(100, at(6379, '198.51.100.7'));
  expect(held.served).toBe(100);
  const [lost, other] = envoys;
  const active = Object.values(await other.statistics('^cluster\\.tcproute/team-b/.*upstream_cx_active$'))[0];
  await lost.kill();
  await until('those of the lost one to end', () => held.count === active);
  expect(await held.alive()).toBe(active);
  const begin = Date.now();
  await until('twenty to succeed in a row', async () => {
    const more = await Held.open(20, at(6379, '198.51.100.7'));
    more.close();
    return more.served === 20;
  });
  expect(Date.now() - begin).toBeLessThan(5000);
  await lost.restart();
  await until('it to be back', () => lost.isReady());
  expect(await held.alive()).toBe(active);
  held.close();
});
