import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import type { HookConfig } from '../../../src/tenancy/runtime/program-config';
import { configOf, ENDPOINTS, HOSTNAMES, World } from './world';

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

test.each<[string, Ask, Partial<HookConfig>, string, RegExp]>([
  ['an engine that does not route by name', {}, { tlsPort: undefined }, 'HostNamesNotServed', /does not route/],
  [
    'the domain of another tenant',
    { names: 'api.team-b.tcp.example.com' },
    {},
    'HostNameNotAllowed',
    /^api\.team-b.*such as api\.team-a/,
  ],
  ['the domain itself', { names: 'team-a.tcp.example.com' }, {}, 'HostNameNotAllowed', /one label in team-a/],
  ['two labels', { names: 'a.b.team-a.tcp.example.com' }, {}, 'HostNameNotAllowed', /one label/],
  ['all names', { names: '*.team-a.tcp.example.com' }, {}, 'HostNameNotAllowed', /one label/],
  ['no name', { names: '' }, {}, 'HostNameNotAllowed', /\(nothing\)/],
  ['upper case', { names: 'API.team-a.tcp.example.com' }, {}, 'HostNameNotAllowed', /API/],
  ['no domain', {}, { tenants: { 'team-a': { ports: TENANT.ports } } }, 'HostNameNotAllowed', /has no domain/],
  ['several ports', { ports: [8443, 9443] }, {}, 'HostNamesNeedOnePort', /one port/],
  [
    'source ranges',
    { spec: { loadBalancerSourceRanges: ['10.0.0.0/8'] } },
    {},
    'SourceRangesNotKept',
    /shared by host name/,
  ],
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
