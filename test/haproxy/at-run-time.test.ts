import { Chart, Testing } from 'cdk8s';
import { ClientAddress } from '../../src/contract';
import { AwsLoadBalancerController } from '../../src/controllers';
import {
  HaproxyIngress,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  SharedServicesAtRunTime,
  TenancyIdentity,
} from '../../src/tenancy';
import type { Document } from '../../src/tenancy/engines/contract/publishing';
import { freePorts } from '../real/program';
import { World } from '../tenancy/runtime/world';
import { lockFile } from '../tenancy/shared/locked';
import { newScene, type Rendered, rendered } from './harness/scene';

// Services that are created while HAProxy runs: what the hook publishes for them, rendered by the library of the controller,
// in a real HAProxy on the loopback interface.

const HAPROXY = process.env.HAPROXY ?? 'haproxy';
const scene = newScene();

/** What the platform writes: two tenants, the first with a limit. */
function platform(first: number, second: number): Document[] {
  const app = Testing.app();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const identities = [TenancyIdentity.user('delivery')];
  const shared = new SharedLoadBalancer(chart, 'Shared', {
    engine: SharedLoadBalancerEngine.haproxy({
      controller: AwsLoadBalancerController.nlb(),
      installation: new HaproxyIngress({ replicas: 1 }),
      clientAddress: ClientAddress.PRESERVE,
      runtimePorts: { first: Math.min(first, second), last: Math.max(first, second) },
      maxPorts: 60_000,
    }),
    platform: identities,
    portLock: lockFile({}),
  });
  shared.addTenant('team-a', { runtimePorts: { first, last: first }, maxConnections: 5 });
  shared.addTenant('team-b', { runtimePorts: { first: second, last: second } });
  new SharedServicesAtRunTime(chart, 'RunTime', { shared });
  return Testing.synth(chart);
}

/** A cluster whose balancer has an address. */
function worldOf(written: readonly Document[]): World {
  const configuration = written.find(({ kind, data }) => kind === 'ConfigMap' && data['config.json'])?.data[
    'config.json'
  ];
  const world = new World(JSON.parse(configuration));
  const balancer = written.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'shared') as Document;
  world.put({ ...balancer, status: { loadBalancer: { ingress: [{ hostname: 'shared.elb.example.com' }] } } });
  for (const table of written.filter(({ kind }) => kind === 'TCP')) {
    world.put(table);
  }
  return world;
}

/** The objects without what only the API server knows. */
function objectsIn(world: World): Document[] {
  return world.of('TCP').map(({ apiVersion, kind, spec, metadata: { name, namespace, annotations } }) => ({
    apiVersion,
    kind,
    metadata: { name, namespace, annotations },
    spec,
  }));
}

async function ask(port: number): Promise<string> {
  return (await scene.ask(port)).said;
}

test('a Service is served, its connections are counted, and it is withdrawn before it goes', async () => {
  const [a, b] = await freePorts(2);
  const written = platform(a, b);
  const world = worldOf(written);
  const services: Record<string, string> = { 'infra/shared-tenants': '' };
  const render = (): Rendered => rendered(objectsIn(world), services);
  const reload = async (ports: readonly number[]) => {
    const { configuration, leftOut } = render();
    expect(leftOut).toEqual([]);
    await scene.start(HAPROXY, configuration, ports);
  };
  for (const [namespace, port] of [
    ['team-a', a],
    ['team-b', b],
  ] as const) {
    services[`${namespace}/db`] = '';
    services[`${namespace}/db:${port}`] = await scene.named(namespace);
    world.service({
      name: 'db',
      namespace,
      ports: [port],
      spec: { loadBalancerClass: world.config.loadBalancerClass },
    });
  }
  world.settle();
  for (const namespace of ['team-a', 'team-b']) {
    expect(world.get('Service', 'db', namespace)?.status.loadBalancer.ingress).toEqual([
      { hostname: 'shared.elb.example.com' },
    ]);
  }
  await reload([a, b]);
  const said: string[] = [];
  for (let i = 0; i < 8; i++) {
    said.push(await ask(a));
  }
  expect(said.filter((one) => one === 'team-a')).toHaveLength(5);
  expect(said.filter((one) => one === '')).toHaveLength(3);
  expect(await ask(b)).toBe('team-b');

  // the object goes first, and the Service is still there for the last configuration
  const withdrawn = world.withdraw('db');
  expect(withdrawn.map(({ finalized }) => finalized)).toEqual([false, false, true].slice(-withdrawn.length));
  expect(world.of('TCP').map(({ metadata }) => metadata.namespace)).not.toContain('team-a');
  delete services['team-a/db'];
  await reload([b]);
  expect(await ask(b)).toBe('team-b');
  expect(await ask(a)).toBe('');
});

test('a Service that went before its object leaves a frontend that leads nowhere', async () => {
  const [a, b] = await freePorts(2);
  const world = worldOf(platform(a, b));
  world.service({ name: 'db', ports: [a], spec: { loadBalancerClass: world.config.loadBalancerClass } });
  world.settle();
  expect(rendered(objectsIn(world), { 'infra/shared-tenants': '' }).leftOut).toEqual([
    `team-a/team-a.db.${a}: service not found`,
  ]);
});
