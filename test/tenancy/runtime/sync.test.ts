import { customize } from '../../../programs/shared-services-hook/customize';
import { sync } from '../../../programs/shared-services-hook/sync';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import type { HookConfig } from '../../../src/tenancy/runtime/program-config';
import { casesIn, revived, table, titled } from '../../support/yaml-cases';
import { CLASS, CONDITION, CONFLICT, configOf, ENDPOINTS, type ServiceAsk, World, yes } from './world';

/** What stands in a world once nothing changes any more. */
function settled(asks: readonly ServiceAsk[], config: Partial<HookConfig> = {}): World {
  const world = new World(configOf(config));
  asks.forEach((ask) => void world.service(ask));
  world.settle();
  return world;
}

interface Happening {
  readonly set?: string;
  readonly namespace?: string;
  readonly ports?: number[];
  readonly created?: string;
  readonly at?: string;
  readonly owner?: string;
  readonly object?: Document;
  readonly gateway?: Document;
  readonly change?: string;
  readonly remove?: string;
  readonly config?: Partial<HookConfig>;
}

interface Story {
  readonly title: string;
  readonly config?: Partial<HookConfig>;
  readonly objects?: readonly Happening[];
  readonly services: readonly (ServiceAsk & { readonly count?: number })[];
  readonly then?: readonly Happening[];
  readonly conditions?: Readonly<Record<string, Document>>;
  readonly ingress?: Readonly<Record<string, Document[] | null>>;
  readonly ports?: Readonly<Record<string, number[] | null>>;
  /** The condition of the only Service, for which there is nothing else. */
  readonly nothing?: Document;
  /** Services whose port is another one, which stays whatever happens. */
  readonly moves?: Readonly<Record<string, number>>;
  /** An object that stays as it is, and whose name the Service would need. */
  readonly foreign?: Readonly<Record<string, string>>;
}

function happen(world: World, it: Happening): void {
  const { set, namespace = 'team-b', ports = [], created, at = 'infra', owner, object, gateway, change: changed } = it;
  if (set) {
    const own = created ?? world.get('ListenerSet', 'service-db')?.metadata.creationTimestamp;
    const { metadata, spec, ...rest } = foreignSet(set, namespace, ports, own);
    const ownerReferences = owner && [{ kind: 'Service', name: 'db', controller: true, uid: owner }];
    const parentRef = { name: 'shared', namespace: at };
    world.put({ ...rest, metadata: { ...metadata, ...(owner && { ownerReferences }) }, spec: { ...spec, parentRef } });
  }
  if (object) world.put(object);
  if (gateway) {
    const before = world.get('Gateway', 'shared', 'infra') as Document;
    world.put({ ...before, ...gateway, status: { ...before.status, ...revived(gateway.status ?? {}) } });
  }
  if (changed) {
    const before = world.get('Service', changed) as Document;
    world.put({ ...before, spec: { ...before.spec, ports: ports.map((port) => ({ port })) } });
  }
  if (it.remove) world.remove('Service', it.remove);
  if (it.config) world.config = configOf(it.config);
}

const STORIES: readonly Story[] = casesIn(__dirname, 'sync.yaml');

test.each(titled(STORIES))('%s', (_, { config, objects = [], services, then = [], ...end }) => {
  const world = new World(configOf(config));
  const listeners = (namespace: string, name: string) =>
    world
      .get('ListenerSet', `service-${name}`, namespace)
      ?.spec.listeners.map(({ port }: Document) => port)
      .sort();
  const named = (key: string) => (key.includes('/') ? key : `team-a/${key}`).split('/') as [string, string];
  for (const one of objects) {
    happen(world, one);
  }
  const foreign = Object.entries(end.foreign ?? {}).map(([kind, name]) => ({ kind, name, was: world.get(kind, name) }));
  for (const { count, ...ask } of services) {
    world.service(count ? { ...ask, ports: Array.from({ length: count }, (_, i) => 31000 + i) } : ask);
  }
  world.settle();
  const moved = Object.keys(end.moves ?? {}).map((key) => listeners(...named(key)));
  for (const one of then) {
    happen(world, one);
    world.settle();
  }
  for (const [key, { message = '', ...condition }] of Object.entries(end.conditions ?? {})) {
    const [namespace, name] = named(key);
    expect(world.condition(name, namespace)).toMatchObject(condition);
    expect(world.condition(name, namespace).message).toMatch(new RegExp(message));
  }
  for (const [key, ingress] of Object.entries(end.ingress ?? {})) {
    const [namespace, name] = named(key);
    expect(world.ingress(name, namespace)).toEqual(ingress ?? undefined);
  }
  for (const [key, ports] of Object.entries(end.ports ?? {})) {
    expect(listeners(...named(key))).toEqual(ports ?? undefined);
  }
  Object.entries(end.moves ?? {}).forEach(([key, own], i) => {
    expect(listeners(...named(key))).toEqual(moved[i]);
    expect(moved[i][0]).toBeGreaterThan(own);
    expect(moved[i][0]).toBeLessThanOrEqual(31009);
  });
  if (end.nothing) {
    const [{ name, namespace }] = services;
    const { message, ...condition } = end.nothing;
    expect(world.condition(name, namespace)).toMatchObject(condition);
    expect(world.condition(name, namespace).message).toMatch(new RegExp(message));
    expect(world.ingress(name, namespace)).toBeUndefined();
    expect([...world.of('ListenerSet'), ...world.of('TCPRoute')]).toEqual([]);
  }
  for (const { kind, name, was } of foreign) {
    expect(world.condition('db')).toMatchObject({ status: 'False', reason: 'NameTaken' });
    expect(world.condition('db').message).toContain(`${kind} ${name}`);
    expect(world.ingress('db')).toBeUndefined();
    expect(world.get(kind, name)?.spec).toEqual(was?.spec);
    const { uid } = (world.get('Service', 'db') as Document).metadata;
    expect(world.of('ListenerSet').filter(({ metadata }) => metadata.ownerReferences?.[0].uid === uid)).toEqual([]);
  }
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

test.each<[string, string, Document | undefined, string]>(
  table('tenancy/runtime/sync.tables.yaml', 'a port in an older set'),
)('a port in an older set %s', (_, namespace, condition, reason) => {
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

describe('a tenant', () => {
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

  test('a new port of a Service takes none from an old one', () => {
    const world = settled([{ name: 'first' }, { name: 'second' }], remap);
    const [held] = portsOf(world, 'second');
    const service = world.get('Service', 'second') as Document;
    world.put({ ...service, spec: { ...service.spec, ports: [{ port: 31000 }, { port: held }] } });
    world.settle();
    expect(world.get('TCPRoute', 'second-31000')?.spec.parentRefs[0].sectionName).toBe(`tcp-${held}`);
    expect(portsOf(world, 'second')).toHaveLength(2);
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
});

describe('objects of others', () => {
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

test('the class is the one of the configuration', () => expect(configOf().loadBalancerClass).toBe(CLASS));
