import { PortConflictPolicy } from '../../src';
import type { Api, Body, Ref } from '../real/api';
import { permit, refusalOf } from '../real/policies';
import { count, pause, until } from '../real/program';
import {
  conditionOf,
  existingGateway,
  portsOf,
  portsOfEach,
  RunTimeScene,
  routesIn,
  runTimeApp,
  sharedService,
} from './harness/run-time';

// Many Services at once for few ports, with the real API server and the hook as it is shipped; the controller that calls it is
// Metacontroller where METACONTROLLER names its program, and a stand-in else.

const TENANTS = ['team-a', 'team-b', 'team-c', 'team-d'];
const ROOM = 10;
const EACH = 10;

let scene: RunTimeScene;
let api: Api;

/** Four tenants with ten ports each, at a balancer that carries ten in all. */
const app = () =>
  runTimeApp(
    { engine: existingGateway(false, ROOM), portConflict: PortConflictPolicy.REMAP },
    portsOfEach(TENANTS, EACH),
  );

beforeAll(async () => {
  scene = await RunTimeScene.start(app(), TENANTS);
  ({ api } = scene);
});

afterAll(() => scene?.stop());

const all = TENANTS.flatMap((namespace) =>
  Array.from({ length: EACH }, (_, i) => sharedService(`db-${i}`, namespace, 5432)),
);

async function services(): Promise<Body[]> {
  return (await api.call('GET', '/api/v1/services')).items;
}

function tally(items: readonly Body[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const item of items) {
    const reason = conditionOf(item)?.reason;
    if (reason) {
      found[reason] = (found[reason] ?? 0) + 1;
    }
  }
  return found;
}

test('of forty Services that come at once exactly ten are served, and never is there one more', async () => {
  let most = 0;
  let twice = 0;
  let isLooking = true;
  const looking = (async () => {
    while (isLooking) {
      const ports = await portsOf(api);
      most = Math.max(most, ports.length);
      twice += ports.length - new Set(ports).size;
      await pause(5);
    }
  })();
  await Promise.all(all.map((one) => api.create(one)));
  await until(
    'all to be served or refused',
    async () => {
      const found = tally(await services());
      return found.Programmed === ROOM && found.BalancerFull === all.length - ROOM;
    },
    { seen: async () => tally(await services()) },
  );
  // five go at once, and five others come in their place
  const served = (await services()).filter(({ status }) => status.conditions?.[0]?.reason === 'Programmed');
  await Promise.all(served.slice(0, 5).map((one) => api.delete({ ...one, apiVersion: 'v1', kind: 'Service' } as Ref)));
  await until(
    'others to be served',
    async () => {
      const found = tally(await services());
      return found.Programmed === ROOM && found.BalancerFull === all.length - ROOM - 5;
    },
    { seen: async () => tally(await services()) },
  );
  isLooking = false;
  await looking;
  count('ports at most of ten, with forty Services at once', most);
  expect(most).toBe(ROOM);
  expect(twice).toBe(0);
});

test('a tenant has as many ListenerSets as ports at most, however many are created at once', async () => {
  await permit(api, 'anna', [{ apiGroups: ['gateway.networking.k8s.io'], resources: ['listenersets'], verbs: ['*'] }]);
  const anna = api.actingAs('anna');
  const before = (await routesIn(api, 'listenersets', 'team-d')).length;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      refusalOf(
        anna.create({
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'ListenerSet',
          metadata: { name: `own-${i}`, namespace: 'team-d' },
          spec: {
            parentRef: { kind: 'Gateway', name: 'elsewhere', namespace: 'infra' },
            listeners: [{ name: 'a', port: 80, protocol: 'TCP' }],
          },
        }),
      ),
    ),
  );
  const items = await routesIn(api, 'listenersets', 'team-d');
  count('ListenerSets of one tenant, of forty at once', items.length - before);
  expect(items.length).toBe(EACH + 1);
  expect(answers.filter((said) => said === undefined)).toHaveLength(EACH + 1 - before);
  expect(answers.find((said) => said !== undefined)).toMatch(/exceeded quota: shared-services/);
});

test('a Service of a tenant that has the label of the table is told nothing of what others have', async () => {
  const table = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'shared-services', namespace: 'infra' } };
  const { metadata } = await api.get(table);
  expect(metadata.annotations['cdk8s-load-balancers/seats']).toMatch(/=31\d\d\d/);
  const labels = { 'cdk8s-load-balancers/seats': metadata.labels['cdk8s-load-balancers/seats'] };
  const curious: Ref = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'curious', namespace: 'team-a', labels },
    spec: { ports: [{ port: 80 }] },
  };
  await api.create(curious);
  // long enough for several turns of the controller
  await pause(2000);
  expect((await api.get(curious)).metadata.annotations).toBeUndefined();
  const written = {
    ...curious,
    metadata: { ...curious.metadata, name: 'written', annotations: { 'cdk8s-load-balancers/seats': 'x/1=31000' } },
  };
  await api.create(written);
  await pause(1000);
  expect((await api.get(table)).metadata.annotations).toEqual(metadata.annotations);
});
