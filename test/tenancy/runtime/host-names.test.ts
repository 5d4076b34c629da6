import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { builtinModules } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { hookServer, MOST_BYTES } from '../../../programs/shared-services-hook/server';
import { bundled, bundleOf } from '../../../scripts/programs/bundle';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import type { HookConfig } from '../../../src/tenancy/runtime/program-config';
import { programText } from '../../../src/tenancy/runtime/program-workload';
import { fileWith } from '../../support/files';
import { table } from '../../support/yaml-cases';
import { CONDITION, configOf, ENDPOINTS, HOSTNAMES, World } from './world';

const TENANT = { ports: { first: 31000, last: 31009 }, domain: 'team-a.tcp.example.com' };

function config(changes: Partial<HookConfig> = {}): HookConfig {
  return configOf({ publisher: 'envoy-gateway', tlsPort: 443, tenants: { 'team-a': TENANT }, ...changes });
}

interface Ask {
  readonly name?: string;
  readonly names?: string;
  readonly ports?: readonly number[];
  readonly spec?: Document;
}

function put(world: World, { name = 'api', names = `${name}.team-a.tcp.example.com`, ports = [8443], spec }: Ask = {}) {
  world.service({ name, ports, spec, annotations: { [HOSTNAMES]: names } });
}

test('a Service is served at the shared port, with a listener for each of its names', () => {
  const world = new World(config());
  put(world, { names: 'web.team-a.tcp.example.com, api.team-a.tcp.example.com' });
  world.settle();
  expect(world.get('ListenerSet', 'service-api')?.spec.listeners).toMatchObject(
    ['api', 'web'].map((label, i) => ({
      name: `tls-443-${i + 1}`,
      port: 443,
      protocol: 'TLS',
      hostname: `${label}.team-a.tcp.example.com`,
      tls: { mode: 'Passthrough' },
    })),
  );
  const { hostnames, parentRefs, rules } = world.get('TLSRoute', 'api-8443')?.spec ?? {};
  expect(hostnames).toEqual(['api.team-a.tcp.example.com', 'web.team-a.tcp.example.com']);
  expect(parentRefs).toEqual([{ group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: 'service-api' }]);
  expect(rules[0].backendRefs[0]).toMatchObject({ name: 'api', port: 8443 });
  expect(world.condition('api')).toMatchObject({ status: 'True', message: 'served at api.team-a.tcp.example.com' });
  expect(world.ingress('api')).toEqual([
    { hostname: 'api.team-a.tcp.example.com' },
    { hostname: 'web.team-a.tcp.example.com' },
  ]);
  expect(world.get('Service', 'api')?.metadata.annotations[ENDPOINTS]).toBe(
    '8443=api.team-a.tcp.example.com:443,8443=web.team-a.tcp.example.com:443',
  );
});

test('a listener that is not programmed keeps the Service waiting', () => {
  const world = new World(config());
  put(world, { names: 'web.team-a.tcp.example.com, api.team-a.tcp.example.com' });
  world.step('api');
  world.program();
  const set = structuredClone(world.get('ListenerSet', 'service-api')) as Document;
  set.status.listeners[1].conditions = [];
  world.put(set);
  world.step('api');
  expect(world.condition('api')).toMatchObject({ reason: 'Pending', message: expect.stringContaining('the listener') });
});

type Refusal = [string, Ask, Partial<HookConfig>, string, RegExp];

test.each<Refusal>([
  ...table<Refusal>('tenancy/runtime/host-names.yaml', 'refused host names'),
  [
    'more names than one Service may have',
    { names: Array.from({ length: 17 }, (_, i) => `a${i}.team-a.tcp.example.com`).join() },
    {},
    'TooManyHostNames',
    /17 .* 16/,
  ],
  [
    'a name that no message holds',
    { names: `${'x'.repeat(50_000)}.example.com,a,b,c,d,e` },
    {},
    'HostNameNotAllowed',
    /^a, b, c, d and 2 more: write/,
  ],
  ['one long name', { names: 'x'.repeat(50_000) }, {}, 'HostNameNotAllowed', /^x{64}…: write/],
])('%s is refused with a reason, and nothing is published', (_, ask, changes, reason, message) => {
  const world = new World(config(changes));
  put(world, ask);
  world.settle();
  expect(world.condition('api')).toMatchObject({ status: 'False', reason, message: expect.stringMatching(message) });
  expect([...world.of('ListenerSet'), ...world.of('TLSRoute')]).toEqual([]);
});

describe('a name that two Services want', () => {
  const names = 'same.team-a.tcp.example.com';

  test('belongs to the first, and to the second when the first goes', () => {
    const world = new World(config());
    put(world, { name: 'one', names });
    world.settle();
    put(world, { name: 'two', names });
    world.settle();
    expect(world.condition('one').reason).toBe('Programmed');
    expect(world.condition('two')).toMatchObject({
      reason: 'HostNameTaken',
      message: `${names} is that of Service one: choose another name, or take it from there`,
    });
    world.withdraw('one');
    world.settle();
    expect(world.condition('two').reason).toBe('Programmed');
  });

  test('belongs to one of them where both come at once', () => {
    const world = new World(config());
    put(world, { name: 'one', names });
    put(world, { name: 'two', names });
    const requests = ['one', 'two'].map((name) => world.request(world.get('Service', name) as Document));
    world.step('one', 'team-a', requests[0]);
    world.step('two', 'team-a', requests[1]);
    expect(world.of('TLSRoute')).toHaveLength(2);
    world.settle();
    expect([world.condition('one').reason, world.condition('two').reason]).toEqual(['Programmed', 'HostNameTaken']);
    expect(world.of('TLSRoute')).toHaveLength(1);
  });

  test('stays with what the platform publishes', () => {
    const world = new World(config());
    put(world, { name: 'one', names });
    world.settle();
    world.put({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'TLSRoute',
      metadata: { name: 'web-443', namespace: 'team-a' },
      spec: { parentRefs: [], hostnames: [names], rules: [] },
    });
    world.settle();
    expect(world.condition('one')).toMatchObject({
      reason: 'HostNameTaken',
      message: expect.stringContaining(`${names} is that of TLSRoute web-443`),
    });
    expect(world.ingress('one')).toBeUndefined();
  });

  test('leaves a Service the names that no other has, and their addresses', () => {
    const world = new World(config());
    put(world, { name: 'one', names });
    put(world, { name: 'three', names: 'third.team-a.tcp.example.com' });
    put(world, { name: 'two', names: 'own.team-a.tcp.example.com' });
    world.settle();
    const two = world.get('Service', 'two') as Document;
    const annotations = { [HOSTNAMES]: `own.team-a.tcp.example.com,${names},third.team-a.tcp.example.com` };
    world.put({ ...two, metadata: { ...two.metadata, annotations } });
    world.settle();
    expect(world.condition('two')).toMatchObject({
      status: 'False',
      reason: 'HostNameTaken',
      message: `${names} is that of Service one, third.team-a.tcp.example.com is that of Service three: choose other names, or take them from there`,
    });
    expect(world.ingress('two')).toEqual([{ hostname: 'own.team-a.tcp.example.com' }]);
    expect(world.get('TLSRoute', 'two-8443')?.spec.hostnames).toEqual(['own.team-a.tcp.example.com']);
  });

  test.each([
    ['waits at its own listeners', 'service-one', 'HostNameTaken'],
    ['is at listeners of others', 'shared', 'Programmed'],
  ])('is that of a star that %s: %s has it come to %s', (_, name, reason) => {
    const world = new World(config());
    world.put({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'TLSRoute',
      metadata: { name: 'star', namespace: 'team-a' },
      spec: {
        parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name }],
        hostnames: ['*.team-a.tcp.example.com'],
        rules: [],
      },
    });
    put(world, { name: 'one', names });
    world.settle();
    expect(world.condition('one').reason).toBe(reason);
  });
});

test('Services with names need no port of the table', () => {
  const world = new World(
    config({ capacity: { ports: 2, locked: [443] }, seats: { name: 'services', namespace: 'infra' } }),
  );
  put(world);
  world.service({ name: 'db', ports: [31000] });
  world.settle();
  expect([world.condition('api').reason, world.condition('db').reason]).toEqual(['Programmed', 'Programmed']);
});

describe('a namespace that publishes as many Services as its quota lets it', () => {
  const narrow = { tenants: { 'team-a': { ...TENANT, ports: { first: 31000, last: 31001 } } } };

  test('has no room for one more with names or ports, and tells it, until one goes', () => {
    const world = new World(config(narrow));
    for (const name of ['one', 'two', 'three', 'four']) {
      put(world, { name });
      world.settle();
    }
    world.service({ name: 'db', ports: [31000] });
    world.settle();
    const reasons = () => ['one', 'two', 'three', 'four', 'db'].map((name) => world.condition(name).reason);
    expect(reasons()).toEqual(['Programmed', 'Programmed', 'Programmed', 'TooManyServices', 'TooManyServices']);
    expect(world.condition('db')).toMatchObject({
      status: 'False',
      message: 'this namespace publishes as many Services as it may: delete one, or ask the platform for more',
    });
    expect([world.of('ListenerSet').length, world.of('TLSRoute').length, world.of('TCPRoute').length]).toEqual([
      3, 3, 0,
    ]);
    world.withdraw('two');
    world.settle();
    expect(world.of('ListenerSet')).toHaveLength(3);
    expect(['four', 'db'].map((name) => world.condition(name).reason)).toEqual(['Programmed', 'TooManyServices']);
  });

  test('keeps what it publishes where its quota becomes smaller', () => {
    const world = new World(config());
    for (const name of ['one', 'two', 'three', 'four']) {
      put(world, { name });
    }
    world.settle();
    world.config = config(narrow);
    world.settle();
    expect(world.of('ListenerSet')).toHaveLength(4);
    expect(world.condition('four').reason).toBe('Programmed');
  });
});

describe('the bundle', () => {
  test('the committed bundle is what its sources make', () => {
    expect(readFileSync(bundleOf('shared-services-hook'), 'utf8')).toBe(bundled('shared-services-hook'));
    expect(programText('shared-services-hook.js')).toBe(bundled('shared-services-hook'));
  });

  test('it needs Node alone, names no machine and fits into a ConfigMap', () => {
    const text = programText('shared-services-hook.js');
    const needed = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name.replace(/^node:/, ''));
    expect(needed.filter((name) => !builtinModules.includes(name))).toEqual([]);
    expect(text).not.toMatch(/\/(work|home|root|tmp)\//);
    expect(text.length).toBeLessThan(100_000);
  });

  test('as a program it answers, and ends when it is told to', async () => {
    const file = fileWith(JSON.stringify(configOf()), 'config.json');
    const port = await freePort();
    const child = spawn(process.execPath, [bundleOf('shared-services-hook'), file, String(port)], { stdio: 'ignore' });
    try {
      const url = `http://127.0.0.1:${port}`;
      for (let i = 0; i < 200 && !(await isUp(url)); i++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      const world = new World();
      const request = world.request(world.service({ name: 'db' }));
      const response = await fetch(`${url}/sync`, { method: 'POST', body: JSON.stringify(request) });
      const answer = (await response.json()) as { attachments: { kind: string }[] };
      expect(answer.attachments.map(({ kind }) => kind)).toEqual(['ListenerSet', 'TCPRoute']);
      const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test.each([
    [
      'an unknown publisher',
      JSON.stringify({ ...configOf(), publisher: 'carrier-pigeon' }),
      /publisher 'carrier-pigeon'/,
    ],
    ['no JSON', 'replicas: 1', /JSON/],
  ])('it does not start with %s', async (_, text, why) => {
    const file = fileWith(text, 'config.json');
    const child = spawn(process.execPath, [bundleOf('shared-services-hook'), file, '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, said]).toEqual([1, expect.stringMatching(why)]);
  });

  function isUp(url: string): Promise<boolean> {
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  function freePort(): Promise<number> {
    return new Promise((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
    });
  }

  describe('server', () => {
    let server: Server;
    let url: string;

    beforeAll(async () => {
      server = hookServer(configOf(), () => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });

    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    async function call(path: string, body?: string, method = 'POST') {
      const response = await fetch(`${url}${path}`, { method, body });
      return { status: response.status, answer: (await response.json()) as Record<string, never> };
    }

    test('a hook that is called answers with what is to be there', async () => {
      const world = new World();
      const { status, answer } = await call('/sync', JSON.stringify(world.request(world.service({ name: 'db' }))));
      expect(status).toBe(200);
      expect(answer).toMatchObject({
        attachments: [{ kind: 'ListenerSet' }, { kind: 'TCPRoute' }],
        status: { conditions: [{ type: CONDITION, lastTransitionTime: '2026-01-02T03:04:05Z' }] },
      });
    });

    test.each([['parent'], ['object']])(
      'what it wants to be told of is asked with the Service as %s',
      async (field) => {
        const service = { metadata: { name: 'db', namespace: 'team-a' } };
        const { answer } = await call('/customize', JSON.stringify({ [field]: service }));
        const version = 'gateway.networking.k8s.io/v1';
        expect(answer).toEqual({
          relatedResources: [
            { apiVersion: version, resource: 'gateways', namespace: 'infra', names: ['shared'] },
            { apiVersion: 'v1', resource: 'namespaces', names: ['team-a'] },
            { apiVersion: version, resource: 'listenersets', namespace: 'team-a' },
            { apiVersion: version, resource: 'listenersets', namespace: 'team-b' },
            { apiVersion: version, resource: 'tcproutes', namespace: 'team-a' },
            { apiVersion: version, resource: 'tlsroutes', namespace: 'team-a' },
          ],
        });
      },
    );

    test('it says that it is there', async () => {
      expect(await call('/healthz', undefined, 'GET')).toEqual({ status: 200, answer: { ok: true } });
    });

    test.each<[string, string, string | undefined, string, number, RegExp]>([
      ['a path that is no hook', '/finalise', '{}', 'POST', 404, /no such hook/],
      ['GET', '/sync', undefined, 'GET', 405, /POST/],
      ['no JSON', '/sync', 'hello', 'POST', 400, /cannot be read/],
      ['a message without an object', '/sync', '{"object": null}', 'POST', 400, /names no object/],
      ['a message that is too long', '/sync', ' '.repeat(MOST_BYTES + 1), 'POST', 413, /bytes/],
      ['an object that is no Service', '/sync', '{"object": {"metadata": {}}}', 'POST', 500, /\/sync/],
    ])('%s is an error with its reason', async (_, path, body, method, status, message) => {
      const got = await call(path, body, method);
      expect(got).toEqual({ status, answer: { error: expect.stringMatching(message) } });
    });
  });

  function published(): World {
    const world = new World(configOf());
    world.service({ name: 'db' });
    world.settle();
    return world;
  }

  test('a Service goes when its ports are closed, and was looked at once more a second later', () => {
    const world = published();
    const answers = world.withdraw('db');
    expect(answers.map(({ finalized, resyncAfterSeconds }) => [finalized, resyncAfterSeconds])).toEqual([
      [false, 1],
      [true, undefined],
    ]);
    expect([...world.of('ListenerSet'), ...world.of('TCPRoute')]).toEqual([]);
    expect(answers[0].status).toMatchObject({
      loadBalancer: {},
      conditions: [{ type: CONDITION, status: 'Unknown', reason: 'Withdrawing' }],
    });
    expect(answers[1].status?.conditions).toEqual([]);
  });

  test('a Service that was never served goes at once, with the status of others', () => {
    const world = new World();
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    const service = world.service({ name: 'web', spec: { loadBalancerClass: 'other.example/class' } });
    world.put({ ...service, status });
    const answers = world.withdraw('web');
    expect(answers).toEqual([expect.objectContaining({ finalized: true, status: null, attachments: [] })]);
  });

  test('what lost its owner is named until the platform has deleted it', () => {
    const world = published();
    const set = world.get('ListenerSet', 'service-db') as Document;
    const annotations = { 'metacontroller.k8s.io/decorator-controller': 'services' };
    world.put({ ...set, metadata: { ...set.metadata, annotations, ownerReferences: undefined } });
    const answers = world.withdraw('db');
    expect(answers.every(({ finalized }) => finalized === false)).toBe(true);
    expect(answers.at(-1)?.status?.conditions[0]).toMatchObject({
      reason: 'LeftBehind',
      message: expect.stringMatching(/^ListenerSet service-db has lost its owner .*ask the platform to delete it$/),
    });
  });

  test('what other controllers made, or nobody, is not waited for', () => {
    const world = published();
    const set = world.get('ListenerSet', 'service-db') as Document;
    const annotations = { 'metacontroller.k8s.io/decorator-controller': 'others' };
    world.put({ ...set, metadata: { ...set.metadata, annotations, ownerReferences: undefined } });
    expect(world.withdraw('db').at(-1)?.finalized).toBe(true);
  });
});
