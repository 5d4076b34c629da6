import { Duration } from 'cdk8s';
import type { Ref } from '../real/api';
import { pause, until } from '../real/program';
import { IsolationScene } from './harness/isolation-scene';

// All tenants with host names are one listener of Envoy. Without names that stay it has that of the tenant that comes first.

/** Not less than the health check of the balancer needs. */
const DRAIN = Duration.seconds(30);

let scene: IsolationScene;

beforeAll(async () => {
  scene = await IsolationScene.start({ minDrainTime: DRAIN, drainTime: DRAIN }, {});
});

afterAll(() => scene?.engine.stop());

test('without names that stay, others lose the connections that they hold when the tenant that came first is suspended', async () => {
  const [byName, byPort] = [await scene.held(10, 'api.team-b'), await scene.held(10, 5433)];
  const namespace: Ref = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } };
  await scene.platform.merge(namespace, { metadata: { labels: { 'cdk8s-load-balancers/suspended': 'true' } } });
  await until('it to be gone', async () => (await scene.named('api.team-a')) === '');
  expect(await scene.served()).toEqual({ port: 10, name: 10 });
  await pause((DRAIN.toSeconds() + 5) * 1000);
  expect([await byName.alive(), await byPort.alive()]).toEqual([0, 10]);
  expect(await scene.served()).toEqual({ port: 10, name: 10 });
  byPort.close();
});
