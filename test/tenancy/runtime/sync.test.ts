import { customize } from '../../../programs/shared-services-hook/customize';
import { sync } from '../../../programs/shared-services-hook/sync';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import type { HookConfig } from '../../../src/tenancy/runtime/program-config';
import { CLASS, CONDITION, CONFLICT, configOf, ENDPOINTS, type ServiceAsk, World, yes } from './world';

/** What stands in a world once nothing changes any more. */
function settled(asks: readonly ServiceAsk[], config: Partial<HookConfig> = {}): World {
  const world = new World(configOf(config));
  asks.forEach((ask) => void world.service(ask));
  world.settle();
  return world;
}

test.each<[string, Partial<HookConfig>, number[]]>([
  ['told as a conflict', {}, [31001]],
  ['passed over', { conflict: 'REMAP' }, [31000, 31003]],
])('a reserved port is taken from a Service: %s', (_, config, expected) => {
  const range = { 'team-a': { ports: { first: 31000, last: 31003 } } };
  const ports = config.conflict ? [31002, 31001] : [31001, 31002];
  const world = settled([{ name: 'db', ports }], {
    ...config,
    tenants: range,
    reserved: config.conflict ? [31001, 31002] : [31002],
  });
  const set = world.get('ListenerSet', 'service-db');
  expect(set?.spec.listeners.map(({ port }: Document) => port).sort()).toEqual(expected);
  if (!config.conflict) {
    expect(world.condition('db')).toMatchObject({ reason: 'PortConflict', message: expect.stringContaining('31002') });
  }
});

describe('a balancer that carries four ports, of which the lock file has two', () => {
  const capacity = { ports: 4, locked: [5432, 5433] };

  test('serves two more, and tells the next, of whatever namespace', () => {
    const world = settled(
      [
        { name: 'db', ports: [31000, 31001] },
        { name: 'late', namespace: 'team-b', ports: [31010] },
      ],
      { capacity },
    );
    expect(world.condition('db')).toMatchObject({ status: 'True' });
    expect(world.get('ListenerSet', 'service-late', 'team-b')).toBeUndefined();
    expect(world.ingress('late', 'team-b')).toBeUndefined();
    expect(world.condition('late', 'team-b')).toMatchObject({
      status: 'False',
      reason: 'BalancerFull',
      message:
        'the shared load balancer has no room left for port 31010: delete a Service, or ask the platform for another load balancer',
    });
  });

  test('serves whoever waits when somebody goes', () => {
    const world = settled(
      [
        { name: 'db', ports: [31000, 31001] },
        { name: 'late', namespace: 'team-b', ports: [31010] },
      ],
      { capacity },
    );
    world.remove('Service', 'db');
    world.settle();
    expect(world.condition('late', 'team-b')).toMatchObject({ status: 'True' });
  });

  test('serves the first ports of a Service that has too many', () => {
    const world = settled([{ name: 'db', ports: [31002, 31001, 31000] }], { capacity });
    expect(world.get('ListenerSet', 'service-db')?.spec.listeners.map(({ port }: Document) => port)).toEqual([
      31000, 31001,
    ]);
    expect(world.condition('db')).toMatchObject({
      reason: 'BalancerFull',
      message: expect.stringContaining('port 31002'),
    });
  });

  test('takes no port from the younger when an older Service wants another', () => {
    const world = settled(
      [
        { name: 'old', ports: [31000] },
        { name: 'young', ports: [31001] },
      ],
      { capacity },
    );
    const old = world.get('Service', 'old') as Document;
    world.put({ ...old, spec: { ...old.spec, ports: [{ port: 31000 }, { port: 31002 }] } });
    world.settle();
    expect(world.condition('young')).toMatchObject({ status: 'True' });
    expect(world.condition('old')).toMatchObject({ reason: 'BalancerFull', message: expect.stringContaining('31002') });
  });

  test('withdraws the youngest where more were published at one moment', () => {
    const world = settled(
      [
        { name: 'old', ports: [31000] },
        { name: 'middle', ports: [31001] },
        { name: 'young', ports: [31002] },
      ],
      {},
    );
    expect(world.of('ListenerSet')).toHaveLength(3);
    world.config = configOf({ capacity });
    world.settle();
    expect(world.of('ListenerSet').map(({ metadata }) => metadata.name)).toEqual(['service-old', 'service-middle']);
    expect(world.condition('young')).toMatchObject({ reason: 'BalancerFull' });
  });

  test('counts what the platform has published once, and listeners of tenants of their own as well', () => {
    const world = new World(configOf({ capacity }));
    world.put(foreignSet('shared', 'team-b', [5432, 5433], OLD));
    world.put(foreignSet('handmade', 'team-b', [31015], OLD));
    world.service({ name: 'db', ports: [31000, 31001] });
    world.settle();
    expect(world.get('ListenerSet', 'service-db')?.spec.listeners.map(({ port }: Document) => port)).toEqual([31000]);
  });

  test.each(['envoy-gateway', 'aws-network-load-balancer', 'existing-gateway'])('is counted with %s', (publisher) => {
    const world = settled(
      [
        { name: 'db', ports: [31000, 31001] },
        { name: 'late', namespace: 'team-b', ports: [31010] },
      ],
      { capacity, publisher },
    );
    expect(world.condition('late', 'team-b')).toMatchObject({ reason: 'BalancerFull' });
  });
});

function foreignSet(name: string, namespace: string, ports: number[], created: string): Document {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ListenerSet',
    metadata: { name, namespace, creationTimestamp: created },
    spec: {
      parentRef: { name: 'shared', namespace: 'infra' },
      listeners: ports.map((port) => ({ name: `p${port}`, port, protocol: 'TCP' })),
    },
  };
}

const OLD = '2020-01-01T00:00:00Z';
const LATER = '2030-01-01T00:00:00Z';

test('a Service gets a listener and a route for each port, and its address when all of it is programmed', () => {
  const world = settled([{ name: 'db', ports: [31001, 31000] }]);
  expect(world.get('ListenerSet', 'service-db')?.spec.listeners.map(({ port }: Document) => port)).toEqual([
    31000, 31001,
  ]);
  expect(world.of('TCPRoute').map(({ metadata }) => metadata.name)).toEqual(['db-31000', 'db-31001']);
  expect(world.ingress('db')).toEqual([{ hostname: 'tcp.example.com' }]);
  expect(world.condition('db')).toMatchObject({
    status: 'True',
    reason: 'Programmed',
    message: 'served at tcp.example.com',
  });
  expect(world.get('Service', 'db')?.metadata.finalizers).toBeUndefined();
});

test.each<[string, Document[] | undefined, Document[]]>([
  ['a host name as it is', [{ type: 'Hostname', value: 'a.example.com' }], [{ hostname: 'a.example.com' }]],
  ['an IP with the mode Proxy', [{ type: 'IPAddress', value: '192.0.2.1' }], [{ ip: '192.0.2.1', ipMode: 'Proxy' }]],
  ['an address without a type as an IP', [{ value: '2001:db8::1' }], [{ ip: '2001:db8::1', ipMode: 'Proxy' }]],
])('without a name of its own the balancer is told by the address of its Gateway: %s', (_, addresses, wanted) => {
  const world = new World(configOf({ balancers: [{ name: 'shared', namespace: 'infra' }] }));
  const gateway = world.get('Gateway', 'shared', 'infra') as Document;
  world.put({ ...gateway, status: { ...gateway.status, addresses } });
  world.service({ name: 'db' });
  world.settle();
  expect(world.ingress('db')).toEqual(wanted);
});

test.each<[string, string, Document | undefined, string]>([
  ['of a stranger', 'stranger', undefined, 'Programmed'],
  ['of a namespace named like what every object has', 'constructor', undefined, 'Programmed'],
  ['of a tenant', 'team-b', undefined, 'PortConflict'],
  ['of a tenant who is not let in', 'team-b', no('Accepted', 'NotAllowed'), 'Programmed'],
  ['of a tenant while the Gateway is not ready', 'team-b', no('Accepted', 'ParentNotAccepted'), 'PortConflict'],
])('a port in an older set %s', (_, namespace, condition, reason) => {
  const world = new World();
  world.put({ ...foreignSet('theirs', namespace, [31000], OLD), status: { conditions: condition && [condition] } });
  const service = world.service({ name: 'db' });
  const request = { ...world.request(service), related: relatedOf(world) };
  const answer = sync(request, world.config, world.now);
  expect(answer.attachments.some(({ kind }) => kind === 'ListenerSet')).toBe(reason === 'Programmed');
});

function relatedOf(world: World): Record<string, Record<string, Document>> {
  const sets = world.of('ListenerSet').map((set) => [`${set.metadata.namespace}/${set.metadata.name}`, set]);
  return { 'ListenerSet.gateway.networking.k8s.io/v1': Object.fromEntries(sets) };
}

describe('objects of others that the hook is sent', () => {
  const sets = (config: HookConfig) =>
    customize({ metadata: { name: 'db', namespace: 'team-a' } }, config).relatedResources.filter(
      ({ resource }) => resource === 'listenersets',
    );
  const named = { apiVersion: 'gateway.networking.k8s.io/v1', resource: 'listenersets' };

  test('are those of namespaces with the labels of tenants', () => {
    const namespaceLabels = { 'acme.example/tenant': 'true' };
    expect(sets(configOf({ namespaceLabels }))).toEqual([
      { ...named, namespace: 'team-a' },
      { ...named, labelSelector: {}, namespaceSelector: { matchLabels: namespaceLabels } },
    ]);
  });

  test('are those of all tenants, where the Gateway lets in whom somebody else wants', () => {
    expect(sets(configOf())).toEqual([
      { ...named, namespace: 'team-a' },
      { ...named, namespace: 'team-b' },
    ]);
  });

  test('are none where the Gateway tells of conflicts itself', () => {
    expect(sets(configOf({ publisher: 'envoy-gateway', namespaceLabels: { a: 'b' } }))).toEqual([
      { ...named, namespace: 'team-a' },
    ]);
  });
});

test('a balancer without an address serves nobody yet', () => {
  const world = new World(configOf({ balancers: [{ name: 'shared', namespace: 'infra' }] }));
  const gateway = world.get('Gateway', 'shared', 'infra') as Document;
  world.put({ ...gateway, status: { ...gateway.status, addresses: undefined } });
  world.service({ name: 'db' });
  world.settle();
  expect(world.ingress('db')).toBeUndefined();
  expect(world.condition('db')).toMatchObject({ status: 'False', reason: 'Pending' });
});

describe('no address before everything is there', () => {
  test.each<[string, (world: World) => void, string]>([
    ['no Gateway', (world) => world.remove('Gateway', 'shared', 'infra'), 'the shared Gateway is not accepted yet'],
    [
      'a Gateway that is not programmed',
      (world) => gatewayWith(world, [yes('Accepted')]),
      'the shared Gateway is not programmed yet',
    ],
    [
      'a Gateway that is not accepted',
      (world) => gatewayWith(world, [yes('Programmed'), no('Accepted', 'Invalid')]),
      'the shared Gateway is not accepted yet (Invalid)',
    ],
    [
      'a set that is not let in',
      (world) =>
        change(world, 'ListenerSet', 'service-db', (set) => {
          set.conditions = [no('Accepted', 'NotAllowed')];
        }),
      'the ListenerSet is not accepted yet (NotAllowed)',
    ],
    [
      'a listener of which nothing is said',
      (world) =>
        change(world, 'ListenerSet', 'service-db', (set) => {
          set.listeners = [];
        }),
      'the listener is not programmed yet',
    ],
    [
      'a route of which nothing is said',
      (world) =>
        change(world, 'TCPRoute', 'db-31000', (route) => {
          route.parents = [];
        }),
      'the route is not accepted yet',
    ],
    [
      'a route whose backend is not found',
      (world) =>
        change(world, 'TCPRoute', 'db-31000', (route) => {
          route.parents[0].conditions = [yes('Accepted'), no('ResolvedRefs', 'BackendNotFound')];
        }),
      'the route is not resolved yet (BackendNotFound)',
    ],
    [
      'a route that was accepted by another listener',
      (world) =>
        change(world, 'TCPRoute', 'db-31000', (route) => {
          route.parents[0].parentRef = { ...route.parents[0].parentRef, sectionName: 'tcp-1' };
        }),
      'the route is not accepted yet',
    ],
  ])('%s', (_, spoil, why) => {
    const world = new World();
    world.service({ name: 'db' });
    world.step('db');
    world.program();
    spoil(world);
    world.step('db');
    expect(world.ingress('db')).toBeUndefined();
    expect(world.condition('db')).toMatchObject({ status: 'False', reason: 'Pending', message: `port 31000: ${why}` });
  });
});

function no(type: string, reason: string): Document {
  return { type, status: 'False', reason };
}

function gatewayWith(world: World, conditions: Document[]): void {
  const gateway = world.get('Gateway', 'shared', 'infra') as Document;
  world.put({ ...gateway, status: { ...gateway.status, conditions } });
}

function change(world: World, kind: string, name: string, edit: (status: Document) => void): void {
  const object = structuredClone(world.get(kind, name)) as Document;
  edit(object.status);
  world.put(object);
}

describe('what is refused', () => {
  test.each<[string, ServiceAsk, Partial<HookConfig>, string, RegExp]>([
    ['a namespace that is no tenant', { name: 'db', namespace: 'stranger' }, {}, 'NotATenant', /ask the platform/],
    ['a namespace named like what every object has', { name: 'db', namespace: 'constructor' }, {}, 'NotATenant', /ask/],
    ['a tenant without ports for run time', { name: 'db' }, { tenants: { 'team-a': {} } }, 'NoRuntimePorts', /ask/],
    [
      'a suspended tenant',
      { name: 'db' },
      { tenants: { 'team-a': { suspended: true, ports: { first: 31000, last: 31009 } } } },
      'Suspended',
      /reserved/,
    ],
    [
      'UDP',
      { name: 'db', ports: [31000, { port: 31001, protocol: 'UDP' }] },
      {},
      'ProtocolNotServed',
      /TCP and not UDP/,
    ],
    ['SCTP', { name: 'db', ports: [{ port: 31001, protocol: 'SCTP' }] }, {}, 'ProtocolNotServed', /not SCTP/],
    [
      'more ports than a ListenerSet holds',
      { name: 'db', ports: Array.from({ length: 65 }, (_, i) => 31000 + i) },
      {},
      'TooManyPorts',
      /65 .* 64/,
    ],
    [
      'source ranges that the engine cannot keep',
      { name: 'db', spec: { loadBalancerSourceRanges: ['10.0.0.0/8'] } },
      {},
      'SourceRangesNotKept',
      /10\.0\.0\.0\/8/,
    ],
    [
      'IPv6 at a balancer that it would stop',
      { name: 'db', spec: { ipFamilies: ['IPv4', 'IPv6'] } },
      { publisher: 'aws-network-load-balancer' },
      'IpFamilyNotServed',
      /SingleStack/,
    ],
    [
      'the same as an annotation',
      {
        name: 'db',
        annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, 192.0.2.0/24' },
      },
      {},
      'SourceRangesNotKept',
      /192/,
    ],
    [
      'a port outside of those of the namespace',
      { name: 'db', ports: [5432] },
      {},
      'PortNotAllowed',
      /port 5432 is not among .* of 31000 to 31009/,
    ],
  ])('%s', (_, ask, config, reason, message) => {
    const world = settled([ask], config);
    expect(world.condition('db', ask.namespace)).toMatchObject({ status: 'False', reason });
    expect(world.condition('db', ask.namespace).message).toMatch(message);
    expect(world.ingress('db', ask.namespace)).toBeUndefined();
    expect([...world.of('ListenerSet'), ...world.of('TCPRoute')]).toEqual([]);
  });

  test.each(['existing-gateway', 'envoy-gateway', 'aws-network-load-balancer'])(
    'a label of the namespace withdraws what its Services have, with %s, and they come back to the same ports without it',
    (publisher) => {
      const world = new World(configOf({ publisher, conflict: 'REMAP' }));
      const namespace = (name: string, labels: Document) =>
        world.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
      namespace('team-a', { 'cdk8s-load-balancers/suspended': 'false' });
      world.service({ name: 'db', ports: [5432] });
      world.service({ name: 'other', namespace: 'team-b', ports: [31010] });
      world.settle();
      const before = world.of('ListenerSet').map(({ metadata, spec }) => [metadata.namespace, spec.listeners]);
      expect(before).toHaveLength(2);

      namespace('team-a', { 'cdk8s-load-balancers/suspended': 'true' });
      world.settle();
      expect(world.of('ListenerSet').map(({ metadata }) => metadata.namespace)).toEqual(['team-b']);
      expect(world.condition('db').reason).toBe('Suspended');
      expect(world.ingress('db')).toBeUndefined();
      expect(world.condition('other', 'team-b').status).toBe('True');

      namespace('team-a', {});
      world.settle();
      const after = world.of('ListenerSet').map(({ metadata, spec }) => [metadata.namespace, spec.listeners]);
      expect(new Map(after as [string, unknown][])).toEqual(new Map(before as [string, unknown][]));
      expect(world.condition('db').status).toBe('True');
    },
  );

  test('what is said of a suspended tenant is withdrawn, and comes back to the same port', () => {
    const world = settled([{ name: 'db', ports: [5432] }], { conflict: 'REMAP' });
    const port = world.get('ListenerSet', 'service-db')?.spec.listeners[0].port;
    const { config } = world;
    world.config = { ...config, tenants: { 'team-a': { ...config.tenants['team-a'], suspended: true } } };
    world.settle();
    expect([world.ingress('db'), world.of('ListenerSet'), world.condition('db').reason]).toEqual([
      undefined,
      [],
      'Suspended',
    ]);
    world.service({ name: 'other', ports: [5432] });
    world.config = config;
    world.step('db');
    world.settle();
    expect(world.get('ListenerSet', 'service-db')?.spec.listeners[0].port).toBe(port);
    expect(world.ingress('db')).toEqual([{ hostname: 'tcp.example.com' }]);
  });

  test('ranges that let everybody in are none', () => {
    const world = settled([{ name: 'db', spec: { loadBalancerSourceRanges: ['0.0.0.0/0', '::/0'] } }]);
    expect(world.condition('db').status).toBe('True');
  });

  test('an engine with source ranges keeps them', () => {
    const world = settled([{ name: 'db', spec: { loadBalancerSourceRanges: ['192.0.2.0/24', '10.0.0.0/8'] } }], {
      publisher: 'envoy-gateway',
    });
    expect(world.get('SecurityPolicy', 'db-31000')?.spec.authorization.rules[0].principal.clientCIDRs).toEqual([
      '10.0.0.0/8',
      '192.0.2.0/24',
    ]);
    expect(world.condition('db').status).toBe('True');
  });
});

describe('a port that somebody has', () => {
  const error = [{ hostname: 'tcp.example.com', ports: [{ port: 31000, protocol: 'TCP', error: CONFLICT }] }];

  test('is taken from nobody; the second is told, without a name', () => {
    const world = settled([{ name: 'first' }, { name: 'second' }]);
    expect(world.ingress('first')).toEqual([{ hostname: 'tcp.example.com' }]);
    expect(world.ingress('second')).toEqual(error);
    expect(world.condition('second')).toMatchObject({ status: 'False', reason: 'PortConflict' });
    expect(world.condition('second').message).toBe('port 31000 is taken: choose another of 31000 to 31009');
    expect(world.of('ListenerSet')).toHaveLength(1);
  });

  test('is free again when the first goes', () => {
    const world = settled([{ name: 'first' }, { name: 'second' }]);
    world.remove('Service', 'first');
    world.settle();
    expect(world.ingress('second')).toEqual([{ hostname: 'tcp.example.com' }]);
  });

  test('leaves the other ports of the Service alone', () => {
    const world = settled([{ name: 'first' }, { name: 'second', ports: [31000, 31001] }]);
    expect(world.get('ListenerSet', 'service-second')?.spec.listeners).toHaveLength(1);
    expect(world.ingress('second')).toEqual([
      { hostname: 'tcp.example.com', ports: [...error[0].ports, { port: 31001, protocol: 'TCP' }] },
    ]);
  });

  test.each<[string, Document]>([
    ['an older set of another namespace', foreignSet('sly', 'team-b', [31000], OLD)],
    ['a younger one that had the port first', foreignSet('sly', 'team-b', [31000], LATER)],
    ['what the platform publishes', foreignSet('shared', 'team-b', [31000], LATER)],
  ])('belongs to %s', (_, set) => {
    const world = new World();
    world.put(set);
    world.service({ name: 'db' });
    world.settle();
    expect(world.ingress('db')).toEqual(error);
    expect(world.condition('db').message).not.toMatch(/sly|elsewhere|team-b/);
    expect(world.get('ListenerSet', 'service-db')).toBeUndefined();
  });

  test('is not taken by a port that an older Service adds', () => {
    const world = settled([{ name: 'old', ports: [31001] }, { name: 'young' }]);
    const service = world.get('Service', 'old') as Document;
    world.put({ ...service, spec: { ...service.spec, ports: [{ port: 31000 }, { port: 31001 }] } });
    world.settle();
    expect(world.ingress('young')).toEqual([{ hostname: 'tcp.example.com' }]);
    expect(world.condition('old')).toMatchObject({ reason: 'PortConflict' });
    expect(world.get('ListenerSet', 'service-old')?.spec.listeners).toHaveLength(1);
  });

  test('a listener of the Gateway itself has its port', () => {
    const world = new World();
    const gateway = world.get('Gateway', 'shared', 'infra') as Document;
    world.put({ ...gateway, spec: { listeners: [{ name: 'own', port: 31000 }] } });
    world.service({ name: 'db' });
    world.settle();
    expect(world.ingress('db')).toEqual(error);
  });

  test.each<[string, Document, boolean]>([
    ['a younger set does not take the port that a Service has', foreignSet('sly', 'team-b', [31000], LATER), true],
    ['an older set that adds it does', foreignSet('sly', 'team-b', [31000], OLD), false],
    ['a set of the same age and a later name does not', foreignSet('sly', 'team-b', [31000], ''), true],
    ['a set of the same age and an earlier name does', foreignSet('aaa', 'team-a', [31000], ''), false],
    ['what the platform publishes does, however young', foreignSet('shared', 'team-b', [31000], LATER), false],
    [
      'a set with the name of a balancer in a namespace of nobody does not',
      foreignSet('shared', 'nobody', [31000], LATER),
      true,
    ],
    [
      'a set at another balancer does not',
      {
        ...foreignSet('sly', 'team-b', [31000], OLD),
        spec: { parentRef: { name: 'shared', namespace: 'other' }, listeners: [{ name: 'p', port: 31000 }] },
      },
      true,
    ],
  ])('%s', (_, set, stays) => {
    const world = settled([{ name: 'db' }]);
    const created = world.get('ListenerSet', 'service-db')?.metadata.creationTimestamp;
    world.put({ ...set, metadata: { ...set.metadata, creationTimestamp: set.metadata.creationTimestamp || created } });
    world.settle();
    expect(world.ingress('db')).toEqual(stays ? [{ hostname: 'tcp.example.com' }] : error);
  });

  test('is told where the controller of the Gateway knows of it', () => {
    const world = new World(configOf({ publisher: 'envoy-gateway' }));
    world.service({ name: 'db' });
    world.step('db');
    world.program();
    change(world, 'ListenerSet', 'service-db', ({ listeners }) => listeners[0].conditions.push(yes('Conflicted')));
    world.step('db');
    expect(world.ingress('db')).toEqual(error);
  });

  test('of two that come at once one stays', () => {
    const world = new World();
    world.service({ name: 'one' });
    world.service({ name: 'two' });
    const [first, second] = ['one', 'two'].map((name) => world.request(world.get('Service', name) as Document));
    expect([first.attachments, second.attachments]).toEqual([{}, {}]);
    world.put({
      ...foreignSet('service-two', 'team-a', [31000], OLD),
      metadata: {
        name: 'service-two',
        namespace: 'team-a',
        creationTimestamp: OLD,
        ownerReferences: [{ controller: true, uid: world.get('Service', 'two')?.metadata.uid }],
      },
    });
    world.settle();
    expect([world.condition('one').reason, world.condition('two').reason]).toEqual(['PortConflict', 'Programmed']);
  });
});

describe('REMAP', () => {
  const remap = { conflict: 'REMAP' } as const;
  const portsOf = (world: World, name: string) =>
    world.get('ListenerSet', `service-${name}`)?.spec.listeners.map(({ port }: Document) => port);

  test('keeps a port that the Service may have', () => {
    expect(portsOf(settled([{ name: 'db', ports: [31003] }], remap), 'db')).toEqual([31003]);
  });

  test('gives another where it may not, and tells which', () => {
    const world = settled([{ name: 'db', ports: [5432] }], remap);
    const [port] = portsOf(world, 'db');
    expect(port).toBeGreaterThanOrEqual(31000);
    expect(port).toBeLessThanOrEqual(31009);
    expect(world.get('Service', 'db')?.metadata.annotations).toEqual({ [ENDPOINTS]: `5432=tcp.example.com:${port}` });
    expect(world.get('TCPRoute', 'db-5432')?.spec.rules[0].backendRefs[0]).toMatchObject({ name: 'db', port: 5432 });
  });

  test('gives each Service its own, until none is left', () => {
    const world = settled(
      Array.from({ length: 11 }, (_, i) => ({ name: `db${i}`, ports: [5432] })),
      remap,
    );
    const ports = world.of('ListenerSet').map(({ spec }) => spec.listeners[0].port);
    expect(ports.sort()).toEqual(Array.from({ length: 10 }, (_, i) => 31000 + i));
    const left = world.of('Service').filter(({ metadata }) => world.condition(metadata.name).reason === 'NoFreePort');
    expect(left.map(({ metadata }) => metadata.name)).toEqual(['db10']);
    expect(world.condition('db10').message).toBe(
      'no port of 31000 to 31009 is left for port 5432: delete a Service, or ask the platform for more',
    );
  });

  test('never moves a port that is held, though the own one becomes free', () => {
    const world = settled([{ name: 'first' }, { name: 'second' }], remap);
    const before = portsOf(world, 'second');
    expect(before).not.toEqual([31000]);
    world.remove('Service', 'first');
    world.settle();
    expect(portsOf(world, 'second')).toEqual(before);
  });

  test('a new port of a Service takes none from an old one', () => {
    const world = settled([{ name: 'first' }, { name: 'second' }], remap);
    const [held] = portsOf(world, 'second');
    const service = world.get('Service', 'second') as Document;
    world.put({ ...service, spec: { ...service.spec, ports: [{ port: 31000 }, { port: held }] } });
    world.settle();
    expect(world.get('TCPRoute', 'second-31000')?.spec.parentRefs[0].sectionName).toBe(`tcp-${held}`);
    expect(portsOf(world, 'second')).toHaveLength(2);
  });

  test.each([
    ['a port of another namespace', '5432=x:31015'],
    ['a port that somebody has', '5432=x:31000'],
    ['no port', 'nonsense'],
  ])('who writes %s into the annotation does not get it', (_, text) => {
    const world = settled(
      [{ name: 'first' }, { name: 'db', ports: [5432], annotations: { [ENDPOINTS]: text } }],
      remap,
    );
    const [port] = portsOf(world, 'db');
    expect(port).toBeGreaterThan(31000);
    expect(port).toBeLessThanOrEqual(31009);
  });

  test('one that lost a port to an older set moves on', () => {
    const world = settled([{ name: 'db', ports: [5432] }], remap);
    const [port] = portsOf(world, 'db');
    world.put(foreignSet('sly', 'team-b', [port], OLD));
    world.settle();
    expect(portsOf(world, 'db')).not.toEqual([port]);
    expect(world.condition('db').status).toBe('True');
  });
});

describe('the address that clients have', () => {
  test('stays while a new port is pending, and the condition tells', () => {
    const world = settled([{ name: 'db' }]);
    const service = world.get('Service', 'db') as Document;
    world.put({ ...service, spec: { ...service.spec, ports: [{ port: 31000 }, { port: 31001 }] } });
    world.step('db');
    world.step('db');
    expect(world.ingress('db')).toEqual([{ hostname: 'tcp.example.com' }]);
    expect(world.condition('db')).toMatchObject({ status: 'False', reason: 'Pending' });
    world.settle();
    expect(world.condition('db').status).toBe('True');
  });

  test('is not one that somebody else wrote', () => {
    const world = new World();
    const service = world.service({ name: 'db' });
    world.put({ ...service, status: { loadBalancer: { ingress: [{ ip: '10.9.9.9' }] } } });
    world.step('db');
    expect(world.ingress('db')).toBeUndefined();
  });

  test('goes when the Service loses its ports', () => {
    const world = settled([{ name: 'db' }]);
    const service = world.get('Service', 'db') as Document;
    world.put({ ...service, spec: { ...service.spec, ports: [{ port: 80 }] } });
    world.settle();
    expect([world.ingress('db'), world.of('ListenerSet')]).toEqual([undefined, []]);
  });
});

describe('objects of others', () => {
  test.each<[string, Partial<HookConfig>, Document, string]>([
    ['a ListenerSet', {}, foreignSet('service-db', 'team-a', [40000], OLD), 'ListenerSet service-db'],
    [
      'a route',
      {},
      {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'TCPRoute',
        metadata: { name: 'db-31000', namespace: 'team-a' },
        spec: { parentRefs: [], rules: [] },
      },
      'TCPRoute db-31000',
    ],
    [
      'target settings',
      { publisher: 'aws-network-load-balancer' },
      {
        apiVersion: 'gateway.k8s.aws/v1',
        kind: 'TargetGroupConfiguration',
        metadata: { name: 'db', namespace: 'team-a' },
        spec: {},
      },
      'TargetGroupConfiguration db',
    ],
    [
      'a set of the same name and another Service',
      {},
      {
        ...foreignSet('service-db', 'team-a', [40000], OLD),
        metadata: {
          name: 'service-db',
          namespace: 'team-a',
          ownerReferences: [{ kind: 'Service', name: 'db', controller: true, uid: 'before' }],
        },
      },
      'ListenerSet service-db',
    ],
  ])('%s is not taken over', (_, config, object, named) => {
    const world = new World(configOf(config));
    world.put(object);
    const before = JSON.stringify(world.get(object.kind, object.metadata.name)?.spec);
    world.service({ name: 'db' });
    world.settle();
    expect(world.condition('db')).toMatchObject({ status: 'False', reason: 'NameTaken' });
    expect(world.condition('db').message).toContain(named);
    expect(world.ingress('db')).toBeUndefined();
    expect(JSON.stringify(world.get(object.kind, object.metadata.name)?.spec)).toBe(before);
    expect(
      world
        .of('ListenerSet')
        .filter(({ metadata }) => metadata.ownerReferences?.[0].uid !== 'before' && metadata.ownerReferences),
    ).toEqual([]);
  });

  test('conditions and fields of the status stay', () => {
    const world = new World();
    const other = { type: 'other.example/Seen', status: 'True' };
    const service = world.service({ name: 'db' });
    world.put({ ...service, status: { conditions: [other] } });
    world.settle();
    expect(world.get('Service', 'db')?.status.conditions).toEqual([
      other,
      expect.objectContaining({ type: CONDITION }),
    ]);
  });

  test.each<[string, Document]>([
    ['of another class', { loadBalancerClass: 'other.example/class' }],
    ['without a class', { loadBalancerClass: undefined }],
    ['of another type', { type: 'ClusterIP', loadBalancerClass: undefined }],
  ])('a Service %s is left alone', (_, spec) => {
    const world = new World();
    const service = world.service({ name: 'db', spec });
    const status = { loadBalancer: { ingress: [{ hostname: 'mine.example.com' }] } };
    world.put({ ...service, status });
    world.settle();
    expect(world.writes).toBe(0);
    expect(world.get('Service', 'db')?.status).toEqual(status);
  });

  test('a Service that leaves the class gives everything back', () => {
    const world = settled([{ name: 'db', ports: [5432] }], { conflict: 'REMAP' });
    const service = world.get('Service', 'db') as Document;
    world.put({ ...service, spec: { ...service.spec, type: 'ClusterIP', loadBalancerClass: undefined } });
    world.settle();
    expect(world.get('Service', 'db')?.status.conditions).toEqual([]);
    expect(world.get('Service', 'db')?.metadata.annotations).toEqual({});
    expect([...world.of('ListenerSet'), ...world.of('TCPRoute')]).toEqual([]);
  });

  test('a Service that is being deleted is not written', () => {
    const world = settled([{ name: 'db' }]);
    const service = world.get('Service', 'db') as Document;
    const { status } = service;
    world.put({ ...service, metadata: { ...service.metadata, deletionTimestamp: OLD } });
    world.step('db');
    expect(world.get('Service', 'db')?.status).toEqual(status);
  });
});

test('the time of the condition moves with its status alone', () => {
  const world = new World();
  world.service({ name: 'db' });
  world.step('db');
  const { lastTransitionTime } = world.condition('db');
  world.program();
  gatewayWith(world, [yes('Accepted'), no('Programmed', 'Busy')]);
  world.step('db');
  expect(world.condition('db')).toMatchObject({ message: expect.stringContaining('Busy'), lastTransitionTime });
  gatewayWith(world, [yes('Accepted'), yes('Programmed')]);
  world.step('db');
  expect(world.condition('db').lastTransitionTime > lastTransitionTime).toBe(true);
});

test('limits of the tenant come with its Services', () => {
  const world = settled([{ name: 'db' }], {
    publisher: 'envoy-gateway',
    settings: { proxyProtocol: true },
    tenants: { 'team-a': { ports: { first: 31000, last: 31009 }, connections: 7 } },
  });
  expect(world.get('ClientTrafficPolicy', 'service-db')?.spec).toMatchObject({
    connection: { connectionLimit: { value: 7 } },
    proxyProtocol: {},
  });
});

test('pods are the targets of every Service, with the settings of the engine', () => {
  const world = settled([{ name: 'db' }], {
    publisher: 'aws-network-load-balancer',
    settings: { preserveClientIp: true },
  });
  expect(world.get('TargetGroupConfiguration', 'db')?.spec.defaultConfiguration).toEqual({
    targetType: 'ip',
    targetGroupAttributes: [{ key: 'preserve_client_ip.enabled', value: 'true' }],
  });
});

test('the class is the one of the configuration', () => {
  expect(configOf().loadBalancerClass).toBe(CLASS);
});
