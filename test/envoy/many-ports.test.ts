import { MetalLb } from '../../src/controllers';
import { pause, until } from '../real/program';
import { answerOf } from './harness/client';
import { Engine } from './harness/engine';
import { resourceVersions } from './harness/envoy';
import { Delivery, sharedApp } from './harness/tenants';

// Many tenants with many ports: all are served, and then nothing is written any more.

const TENANTS = 30;
const PORTS = 10;

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start();
});

afterAll(() => engine?.stop());

test(`${TENANTS} tenants with ${PORTS} ports each are all served by both proxies, and the API server comes to rest`, async () => {
  const tenants = Array.from({ length: TENANTS }, (_, tenant) => ({
    name: `tenant-${tenant}`,
    ports: Array.from({ length: PORTS }, (_, port) => ({ port: 20_000 + tenant * PORTS + port })),
    maxConnections: 400,
  }));
  await new Delivery(engine).deliver(sharedApp({ tenants, engineOptions: { controller: MetalLb.layer2() } }));
  const envoys = await engine.envoys('shared', 2);
  const ports = tenants.flatMap(({ name, ports: each }) => each.map(({ port }) => ({ name, port })));
  const missing = new Set(envoys.flatMap(({ address: host }) => ports.map((each) => ({ host, ...each }))));
  await until('all ports of all tenants', async () => {
    const asked = [...missing].map(async (each) => {
      if ((await answerOf(each)).startsWith(`${each.name}/`)) {
        missing.delete(each);
      }
    });
    await Promise.all(asked);
    return missing.size === 0;
  });
  const rest = await until('rest', async () => {
    const before = await resourceVersions(engine.api);
    await pause(2000);
    return JSON.stringify(before) === JSON.stringify(await resourceVersions(engine.api)) && before;
  });
  await pause(5000);
  expect(await resourceVersions(engine.api)).toEqual(rest);
}, 180_000);
