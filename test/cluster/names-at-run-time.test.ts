import { HOSTNAMES_ANNOTATION } from '../../src/tenancy/tenancy.facts';
import type { Api, Body, Ref } from '../real/api';
import { count, pause, until } from '../real/program';
import {
  conditionOf,
  existingGateway,
  portsOfEach,
  RunTimeScene,
  routesIn,
  runTimeApp,
  sharedService,
} from './harness/run-time';

// Host names that many Services want at once, with the real API server and the hook as it is shipped; the controller that calls it is
// Metacontroller where METACONTROLLER names its program, and a stand-in else.

const TENANTS = ['team-a', 'team-b', 'team-c'];
const ROOM = 8;

let scene: RunTimeScene;
let api: Api;

const app = () => runTimeApp({ engine: existingGateway(true) }, portsOfEach(TENANTS, ROOM));

beforeAll(async () => {
  scene = await RunTimeScene.start(app(), TENANTS);
  ({ api } = scene);
});

afterAll(() => scene?.stop());

const service = (name: string, namespace: string, labels: readonly string[], domain = namespace): Ref =>
  sharedService(name, namespace, 8443, {
    annotations: { [HOSTNAMES_ANNOTATION]: labels.map((label) => `${label}.${domain}.tcp.example.com`).join() },
  });

interface Said {
  readonly name: string;
  readonly reason?: string;
  readonly message?: string;
  readonly ingress: readonly string[];
}

async function said(namespace: string): Promise<Said[]> {
  const { items } = await api.call('GET', `/api/v1/namespaces/${namespace}/services`);
  return (items as Body[]).map(({ metadata, status }) => {
    const condition = conditionOf({ status });
    const ingress = (status.loadBalancer.ingress ?? []).map(({ hostname }: Body) => hostname);
    return { name: metadata.name, reason: condition?.reason, message: condition?.message, ingress };
  });
}

/** How many Services of each reason there are. */
function tally(all: readonly Said[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { reason } of all) {
    found[reason ?? ''] = (found[reason ?? ''] ?? 0) + 1;
  }
  return found;
}

const tallied = (namespace: string, wanted: Record<string, number>) =>
  until(
    `the Services of ${namespace} to be ${JSON.stringify(wanted)}`,
    async () => {
      const now = await said(namespace);
      const found = tally(now);
      return Object.keys({ ...wanted, ...found }).every((reason) => found[reason] === wanted[reason]) && now;
    },
    { seen: () => said(namespace) },
  );

async function routesFor(namespace: string, hostname: string): Promise<string[]> {
  const routes = await routesIn(api, 'tlsroutes', namespace);
  return routes.filter(({ spec }) => spec.hostnames.includes(hostname)).map(({ metadata }) => metadata.name);
}

test('of eight Services that want one name at once exactly one has it and keeps it, and the others say who', async () => {
  const name = 'same.team-a.tcp.example.com';
  const served = new Set<string>();
  let most = 0;
  let isLooking = true;
  const looking = (async () => {
    while (isLooking) {
      most = Math.max(most, (await routesFor('team-a', name)).length);
      for (const { name: one, ingress } of await said('team-a')) {
        if (ingress.includes(name)) served.add(one);
      }
      await pause(5);
    }
  })();
  const all = Array.from({ length: ROOM }, (_, i) => service(`same-${i}`, 'team-a', ['same']));
  await Promise.all(all.map((one) => api.create(one)));
  const end = await tallied('team-a', { Programmed: 1, HostNameTaken: ROOM - 1 });
  await pause(2000);
  isLooking = false;
  await looking;
  const [holder] = end.filter(({ reason }) => reason === 'Programmed');
  count('routes with one name at most, of eight Services at once', most);
  expect([...served]).toEqual([holder.name]);
  expect(await routesFor('team-a', name)).toEqual([`${holder.name}-8443`]);
  for (const { message, ingress } of end.filter((one) => one !== holder)) {
    expect(message).toBe(`${name} is that of Service ${holder.name}: choose another name, or take it from there`);
    expect(ingress).toEqual([]);
  }
  // it goes, and exactly one other has it
  await api.delete(service(holder.name, 'team-a', []));
  await tallied('team-a', { Programmed: 1, HostNameTaken: ROOM - 2 });
  await Promise.all(all.map((one) => api.delete(one).catch(() => undefined)));
  await tallied('team-a', {});
});

test('of two tenants that ask for one name at once the one whose domain has it is served', async () => {
  const own = service('api', 'team-b', ['api']);
  const strange = service('api', 'team-c', ['api'], 'team-b');
  await Promise.all([own, strange].map((one) => api.create(one)));
  await tallied('team-b', { Programmed: 1 });
  const [{ message }] = await tallied('team-c', { HostNameNotAllowed: 1 });
  expect(message).toBe(
    'api.team-b.tcp.example.com: write names of one label in team-c.tcp.example.com, such as api.team-c.tcp.example.com',
  );
  expect(await routesFor('team-c', 'api.team-b.tcp.example.com')).toEqual([]);
  await Promise.all([own, strange].map((one) => api.delete(one)));
  await tallied('team-b', {});
  await tallied('team-c', {});
});
