import { PortConflictPolicy } from '../../src/tenancy';
import type { Body, Ref } from '../real/api';
import { pause, until } from '../real/program';
import { answerOf, Held } from './harness/client';
import { Engine, gatewayRef } from './harness/engine';
import type { Envoy } from './harness/envoy';
import { Delivery, sharedApp, workload } from './harness/tenants';

// What two tenants want, and what one of them gets wrong: the other is served as before.

let engine: Engine;
let delivery: Delivery;

beforeAll(async () => {
  engine = await Engine.start();
  delivery = new Delivery(engine);
});

afterAll(() => engine?.stop());

const at = ({ address: host }: Envoy, port: number, from?: string) => ({ host, port, from });

function serves(envoy: Envoy, port: number, tenant: string): Promise<unknown> {
  return until(`${tenant} at ${port}`, async () => (await answerOf(at(envoy, port))).startsWith(`${tenant}/`));
}

describe('two tenants that want one port', () => {
  const tenants = [
    { name: 'first', ports: [{ port: 5432 }] },
    { name: 'second', ports: [{ port: 5432 }] },
  ];

  test('SHARD: each has it, at a balancer of its own', async () => {
    const locked = { 'second/db:5432': { balancer: 1, port: 5432 } };
    const options = { name: 'shard', replicas: 1, portConflict: PortConflictPolicy.SHARD };
    await new Delivery(engine).deliver(sharedApp({ ...options, tenants, locked }));
    const [one] = await engine.envoys('shard', 1);
    const [two] = await engine.envoys('shard-2', 1);
    await serves(one, 5432, 'first');
    await serves(two, 5432, 'second');
  });

  test('REMAP: the second has another port at the same one', async () => {
    const locked = { 'second/db:5432': { balancer: 0, port: 30_000 } };
    const options = { name: 'remap', replicas: 1, portConflict: PortConflictPolicy.REMAP };
    await new Delivery(engine).deliver(sharedApp({ ...options, tenants, locked }));
    const [envoy] = await engine.envoys('remap', 1);
    await serves(envoy, 5432, 'first');
    await serves(envoy, 30_000, 'second');
  });
});

describe('the others', () => {
  const name = 'others';
  const good = { name: 'good', ports: [{ port: 5432 }], maxConnections: 200, sourceRanges: ['10.0.0.0/16'] };
  const bad = { name: 'bad', ports: [{ port: 6379 }, { port: 6380 }], maxConnections: 200 };
  const FROM = '10.0.0.7';
  let envoys: readonly Envoy[];
  let held: readonly Held[];

  const set = (namespace: string, setName: string, listeners: Body[]): Ref => ({
    ...gatewayRef('ListenerSet', namespace, setName),
    spec: { parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name, namespace: 'infra' }, listeners },
  });
  const route = (namespace: string, routeName: string, parent: string, backend: Body): Ref => ({
    ...gatewayRef('TCPRoute', namespace, routeName),
    spec: {
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: parent }],
      rules: [{ backendRefs: [backend] }],
    },
  });

  /** Those that were held are, and as many more are let in. */
  async function mustBeUntouched(): Promise<void> {
    expect((await Promise.all(held.map((each) => each.alive()))).reduce((sum, each) => sum + each, 0)).toBe(100);
    for (const envoy of envoys) {
      const more = await Held.open(60, at(envoy, 5432, FROM));
      expect([more.served, more.refused]).toEqual([50, 10]);
      more.close();
    }
  }

  /** Until what was written has come to the proxies, or never will. */
  const settled = () => pause(3000);

  beforeAll(async () => {
    await delivery.deliver(sharedApp({ name, tenants: [good, bad] }));
    envoys = await engine.envoys(name, 2);
    await engine.listening(envoys, [5432, 6379, 6380]);
    for (const envoy of envoys) {
      await until('good', async () => (await answerOf(at(envoy, 5432, FROM))).startsWith('good/'));
      await serves(envoy, 6379, 'bad');
    }
    held = await Promise.all(envoys.map((envoy) => Held.open(50, at(envoy, 5432, FROM))));
  });

  afterAll(() => {
    for (const each of held ?? []) each.close();
  });

  test('keep a port that a later ListenerSet wants too: that one is in conflict, and its status says so', async () => {
    // a second passes, since what is older is told by whole seconds
    await pause(1100);
    const later = set('bad', 'later', [{ name: 'stolen', port: 5432, protocol: 'TCP' }]);
    const leads = route('bad', 'stolen', 'later', { name: 'db', port: 6379 });
    for (const object of [later, leads]) {
      await delivery.api.create(object);
    }
    const conditions = await until('a conflict', async () => {
      const found = await engine.conditions(later, 'stolen');
      return found.Conflicted?.startsWith('True') && found;
    });
    expect(conditions).toMatchObject({
      Conflicted: 'True ProtocolConflict',
      Programmed: expect.stringMatching(/^False/),
    });
    expect(
      (await engine.conditions(gatewayRef('ListenerSet', 'good', name), 'tcp-5432')).Conflicted ?? 'False',
    ).toMatch(/^False/);
    await mustBeUntouched();
    for (const object of [leads, later]) {
      await delivery.api.delete(object);
    }
  });

  const policy = (kind: string, policyName: string, spec: Body): Ref => ({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind,
    metadata: { name: policyName, namespace: 'bad' },
    spec,
  });
  const target = (kind: string, targetName: string, sectionName?: string) => [
    { group: 'gateway.networking.k8s.io', kind, name: targetName, sectionName },
  ];

  test.each<[string, () => Ref[]]>([
    ['a route to a Service that is not there', () => [route('bad', 'db-6380', name, { name: 'nowhere', port: 1 })]],
    [
      'a Service without a pod',
      () =>
        workload('bad', [6379, 6380]).map((each) =>
          each.kind === 'Service' ? { ...each, spec: { ...each.spec, selector: { app: 'none' } } } : each,
        ),
    ],
    [
      'a policy of clients for a listener that is not there',
      () => [
        policy('ClientTrafficPolicy', 'broken', {
          targetRefs: target('ListenerSet', name, 'none'),
          connection: { connectionLimit: { value: 1 } },
        }),
      ],
    ],
    [
      'a second policy of clients for its ListenerSet',
      () => [
        policy('ClientTrafficPolicy', 'second', {
          targetRefs: target('ListenerSet', name),
          connection: { connectionLimit: { value: 1 } },
        }),
      ],
    ],
    [
      'a policy that asks a Secret that is not there for TLS',
      () => [
        policy('ClientTrafficPolicy', 'tls', {
          targetRefs: target('ListenerSet', name),
          tls: { clientValidation: { caCertificateRefs: [{ group: '', kind: 'Secret', name: 'none' }] } },
        }),
      ],
    ],
    [
      'a policy for an HTTP filter at its TCP route',
      () => [
        policy('SecurityPolicy', 'http', {
          targetRefs: target('TCPRoute', 'db-6379'),
          basicAuth: { users: { name: 'none' } },
        }),
      ],
    ],
    [
      'a listener whose certificate is not there',
      () => [
        set('bad', 'tls', [
          { name: 'tls', port: 7443, protocol: 'TLS', tls: { mode: 'Terminate', certificateRefs: [{ name: 'none' }] } },
        ]),
      ],
    ],
    [
      'a listener at a port of the proxies themselves',
      () => [
        set('bad', 'own', [{ name: 'own', port: 19_001, protocol: 'TCP' }]),
        route('bad', 'own', 'own', { name: 'db', port: 6379 }),
      ],
    ],
  ])('lose no connection to %s', async (_what, objects) => {
    const written = objects();
    const before = await Promise.all(written.map((each) => delivery.api.find(each)));
    for (const object of written) {
      await delivery.api.apply(object, { as: 'tenant', force: true });
    }
    await settled();
    await mustBeUntouched();
    for (const [i, object] of written.entries()) {
      const old = before[i] as Ref | undefined;
      if (old) {
        await delivery.api.rewrite(object, (current) => ({ ...current, spec: { ...old.spec } }) as unknown as Ref);
      } else {
        await delivery.api.delete(object);
      }
    }
    for (const envoy of envoys) {
      await serves(envoy, 6379, 'bad');
    }
    expect(envoys.every(({ isRunning }) => isRunning) && engine.gateway.isRunning).toBe(true);
  });
});
