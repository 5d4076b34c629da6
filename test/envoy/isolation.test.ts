import type { Body, Ref } from '../real/api';
import { refusalOf } from '../real/policies';
import { pause, until } from '../real/program';
import { connectTo } from './harness/client';
import {
  DOMAIN,
  envoyObject,
  GROUP,
  gatewayObject,
  IsolationScene,
  listenerSet,
  SHARE,
  tcpListener,
  tcpRoute,
  tlsListener,
  tlsRoute,
} from './harness/isolation-scene';

// A tenant attacks those with whom it shares proxies: with its own rights, and past the policies, to know what the engine holds.

const ALL = { port: 10, name: 10 };
const BOTH = { port: true, name: true };
const GATEWAY = { group: GROUP, kind: 'Gateway', name: 'shared' };
const NOT_THEIRS = /written by the platform/;

let scene: IsolationScene;
const measured: Record<string, unknown> = {};

beforeAll(async () => {
  scene = await IsolationScene.start();
});

afterAll(async () => {
  await scene?.engine.stop();
  process.stdout.write(`${JSON.stringify(measured)}\n`);
});

const rejected = async () =>
  (await scene.envoy.statistics('lds.update_rejected'))['listener_manager.lds.update_rejected'];

/** Changes the one Service of the attacker behind its own port, and back. */
async function withService(spec: Body, act: () => Promise<unknown>): Promise<void> {
  const db: Ref = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db', namespace: 'team-a' } };
  const { spec: before } = await scene.platform.get(db);
  expect(await refusalOf(scene.tenant.merge(db, { spec }))).toBeUndefined();
  await act();
  const back = Object.fromEntries(Object.keys(spec).map((key) => [key, before[key] ?? null]));
  await scene.platform.merge(db, { spec: { ...back, type: 'ClusterIP' } });
  await until('its own port to be served again', async () => (await scene.at(5432)).startsWith('team-a/'));
}

/** Leads the own port of the attacker elsewhere, past the policies. */
async function leadingTo(backend: Body, act: () => Promise<unknown>): Promise<void> {
  const route = (await scene.platform.get(gatewayObject('TCPRoute', 'db-5432', {}))) as Ref;
  const backendRefs = [{ group: '', kind: 'Service', weight: 1, ...backend }];
  await scene.platform.merge(route, { spec: { rules: [{ backendRefs }] } });
  try {
    await act();
  } finally {
    await scene.platform.merge(route, { spec: { rules: route.spec.rules } });
    await until('its own port to be served again', async () => (await scene.at(5432)).startsWith('team-a/'));
  }
}

test('tenants whose names are the same text when they are joined are served by their own pods', async () => {
  expect(await scene.at(5434)).toMatch(/^a-b\/c-/);
  expect(await scene.at(5435)).toMatch(/^a\/b-c-/);
});

describe('a name that two routes have', () => {
  const twice = () => tlsRoute('twice', ['api.team-a']);

  test('a tenant has no routes of its own, and an operator names each once', async () => {
    for (const api of [scene.tenant, scene.strong]) {
      expect(await refusalOf(api.create(tlsRoute('own', ['own.team-a'])))).toMatch(NOT_THEIRS);
    }
    expect(await refusalOf(scene.operator.create(twice()))).toMatch(
      /^hostnames api\.team-a\.\S+ are those of TLSRoute api-8443/,
    );
    const own = tlsRoute('own', ['own.team-a']);
    await scene.operator.create(own);
    await until('the route of the operator', async () => (await scene.named('own.team-a')).startsWith('team-a/'));
    expect(await refusalOf(scene.operator.merge(own, { spec: { hostnames: [`api.team-a.${DOMAIN}`] } }))).toMatch(
      /are those of/,
    );
    await scene.operator.delete(own);
  });

  test('past the policies it stops every change at that port, the last good one serves, and a proxy that starts anew serves no name', async () => {
    const before = await rejected();
    await scene.pastPolicies([twice()], async () => {
      await until('a refusal of Envoy', async () => (await rejected()) > before);
      expect(await scene.served()).toEqual(ALL);
      expect(await scene.changesArrive(2)).toEqual({ port: true, name: false });
      await scene.envoy.restart();
      await until('the proxy', () => scene.envoy.isReady());
      await until('ports without TLS', async () => (await scene.served()).port === 10);
      expect((await scene.served()).name).toBe(0);
    });
    await until('everything to be served again', async () => (await scene.served()).name === 10);
    expect(await scene.changesArrive()).toEqual(BOTH);
  });

  const mine = { group: GROUP, kind: 'ListenerSet', name: 'shared' };
  const atOneTwice = (): Ref => {
    const route = tlsRoute('at-one-twice', ['own.team-a']);
    return { ...route, spec: { ...route.spec, parentRefs: [mine, { ...mine, namespace: 'team-a' }] } };
  };
  const narrow = () => listenerSet('narrow', [tlsListener('one', `one.team-a.${DOMAIN}`)]);
  const star = () => tlsRoute('star', ['*.team-a'], 'team-a', 'narrow');
  const one = () => tlsRoute('one', ['one.team-a'], 'team-a', 'narrow');

  test('an operator names a listener once, and no star over a name', async () => {
    expect(await refusalOf(scene.operator.create(atOneTwice()))).toMatch(
      /^spec\.parentRefs may name a ListenerSet once/,
    );
    expect(await refusalOf(scene.operator.create(star()))).toMatch(/^hostnames \*\.team-a\.\S+ are those of TLSRoute/);
  });

  test.each<[string, () => Ref[]]>([
    ['one route has by two names of its ListenerSet', () => [atOneTwice()]],
    ['a star and another route have at a listener of that name', () => [narrow(), star(), one()]],
  ])(
    'past the policies a name that %s stops every change at that port, and the last good one serves',
    async (_, objects) => {
      const before = await rejected();
      await scene.pastPolicies(objects(), async () => {
        await until('a refusal of Envoy', async () => (await rejected()) > before);
        expect(await scene.served()).toEqual(ALL);
        expect(await scene.changesArrive(2)).toEqual({ port: true, name: false });
      });
      expect(await scene.changesArrive(20)).toEqual(BOTH);
    },
  );

  test('past the policies each route has the whole limit of connections', async () => {
    const names = ['one.team-a', 'two.team-a', 'three.team-a'];
    await scene.pastPolicies(
      names.map((name, i) => tlsRoute(`more-names-${i}`, [name])),
      async () => {
        await until('the last name', async () => (await scene.named(names[2])) !== '');
        const held = await Promise.all([...names, 'api.team-a'].map((name) => scene.held(SHARE + 5, name)));
        // the connection that looked may still count
        expect(held.reduce((sum, { served }) => sum + served, 0)).toBeGreaterThan(3 * SHARE);
        for (const each of held) each.close();
      },
    );
  });
});

const SPECS: readonly (readonly [kind: string, spec: Body])[] = [
  ['ClientTrafficPolicy', { targetRefs: [{ ...GATEWAY, kind: 'ListenerSet', sectionName: 'tcp-5432' }] }],
  ['SecurityPolicy', { targetSelectors: [{ ...GATEWAY, name: undefined, kind: 'TCPRoute', matchLabels: {} }] }],
  [
    'BackendTrafficPolicy',
    { targetRefs: [{ ...GATEWAY, kind: 'TCPRoute', name: 'db-5432' }], connection: { bufferLimit: '1Gi' } },
  ],
  ['EnvoyPatchPolicy', { targetRef: GATEWAY, type: 'JSONPatch', jsonPatches: [] }],
  ['EnvoyExtensionPolicy', { targetRefs: [GATEWAY] }],
  ['EnvoyProxy', {}],
  ['Backend', { endpoints: [{ ip: { address: '10.61.0.1', port: 19_000 } }] }],
  ['HTTPRouteFilter', { urlRewrite: { hostname: { type: 'Header', header: 'x' } } }],
];

test.each(SPECS)('%s is kept from who has every right in its namespace', async (kind, spec) => {
  expect(await refusalOf(scene.tenant.create(envoyObject(kind, 'own', spec)))).toMatch(/forbidden: User/);
  expect(await refusalOf(scene.strong.create(envoyObject(kind, 'own', spec)))).toMatch(NOT_THEIRS);
});

describe('what a tenant may change', () => {
  test.each<[string, Body]>([
    [
      'leads to a name of another',
      { type: 'ExternalName', externalName: 'db.team-b.svc.cluster.local', selector: null },
    ],
    ['has another port', { ports: [{ port: 1, protocol: 'TCP' }] }],
    ['leads to a port that nobody has', { ports: [{ port: 5432, protocol: 'TCP', targetPort: 'none' }] }],
    ['has pods of nobody', { selector: { app: 'nobody' } }],
  ])('a Service that %s takes its own port away, and nothing from others', async (_, spec) => {
    await withService(spec, async () => {
      await until('its own port to be gone', async () => (await scene.at(5432)) === '');
      expect(await scene.served()).toEqual(ALL);
      expect(await scene.changesArrive()).toEqual(BOTH);
    });
  });

  test.each<[string, Body, Body]>([
    [
      'asks for pods that are near',
      { spec: { trafficDistribution: 'PreferClose' } },
      { spec: { trafficDistribution: null } },
    ],
    [
      'asks for them by annotation',
      { metadata: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } } },
      { metadata: { annotations: { 'service.kubernetes.io/topology-mode': null } } },
    ],
  ])('a Service that %s has no change of others wait', async (_, there, back) => {
    const db: Ref = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db', namespace: 'team-a' } };
    const modified = async () => Object.values(await scene.envoy.statistics('cluster_manager.cluster_modified'))[0];
    for (const change of [there, back, there, back]) {
      const before = await modified();
      expect(await refusalOf(scene.tenant.merge(db, change))).toBeUndefined();
      await until('its cluster to be another', async () => (await modified()) > before);
      expect(await scene.changesArrive()).toEqual(BOTH);
      expect(await scene.served()).toEqual(ALL);
    }
  });

  test('a Service that is changed in whatever field has no change of others wait', async () => {
    const db: Ref = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db', namespace: 'team-a' } };
    const { spec } = await scene.platform.get(db);
    const port = { ...spec.ports[0], targetPort: 5432 };
    const changes: [what: string, spec: Body][] = [
      ['sessionAffinity', { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }],
      ['internalTrafficPolicy', { internalTrafficPolicy: 'Local' }],
      ['publishNotReadyAddresses', { publishNotReadyAddresses: true }],
      ['trafficDistribution', { trafficDistribution: 'PreferSameNode' }],
      ['the name of the port', { ports: [{ ...port, name: 'other' }] }],
      ['appProtocol h2c', { ports: [{ ...port, appProtocol: 'kubernetes.io/h2c' }] }],
      ['appProtocol https', { ports: [{ ...port, appProtocol: 'https' }] }],
      [
        'a second port',
        {
          ports: [
            { ...port, name: 'one' },
            { name: 'two', port: 6543 },
          ],
        },
      ],
      ['targetPort', { ports: [{ ...port, targetPort: 5499 }] }],
      ['other pods', { selector: { app: 'api' } }],
      ['pods of nobody that are near', { selector: { app: 'nobody' }, trafficDistribution: 'PreferClose' }],
    ];
    const clusters = async () => Object.values(await scene.envoy.statistics('cluster_manager.cluster_modified'))[0];
    const waited: Record<string, [modified: number, milliseconds: number]> = {};
    for (const [what, change] of changes) {
      const before = await clusters();
      expect(await refusalOf(scene.tenant.merge(db, { spec: change }))).toBeUndefined();
      const begin = performance.now();
      expect([what, await scene.changesArrive(30)]).toEqual([what, BOTH]);
      waited[what] = [(await clusters()) - before, Math.round(performance.now() - begin)];
      expect(await scene.served()).toEqual(ALL);
      const back = Object.fromEntries(Object.keys(change).map((key) => [key, spec[key] ?? null]));
      await scene.tenant.merge(db, { spec: back });
      await until('its own port to be served again', async () => (await scene.at(5432)).startsWith('team-a/'));
    }
    measured['others wait for a change after one of a Service, clusters and ms'] = waited;
    expect(Math.max(...Object.values(waited).map(([, milliseconds]) => milliseconds))).toBeLessThan(10_000);
  });

  test('a Service that changes without end has no change of others wait', async () => {
    const db: Ref = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db', namespace: 'team-a' } };
    const clusters = async () => Object.values(await scene.envoy.statistics('cluster_manager.cluster_modified'))[0];
    const before = await clusters();
    let isOver = false;
    let changes = 0;
    const changing = (async () => {
      while (!isOver) {
        await scene.tenant.merge(db, { spec: { trafficDistribution: changes++ % 2 === 0 ? 'PreferClose' : null } });
      }
    })();
    const times: number[] = [];
    try {
      for (let i = 0; i < 10; i++) {
        const begin = performance.now();
        expect(await scene.changesArrive(30)).toEqual(BOTH);
        times.push(Math.round(performance.now() - begin));
        expect(await scene.served()).toEqual(ALL);
      }
    } finally {
      isOver = true;
      await changing;
    }
    await scene.tenant.merge(db, { spec: { trafficDistribution: null } });
    await until('its own port to be served again', async () => (await scene.at(5432)).startsWith('team-a/'));
    Object.assign(measured, {
      'changes of one Service': changes,
      'of its cluster': (await clusters()) - before,
      'others wait meanwhile, ms': times,
    });
    expect(await clusters()).toBeGreaterThan(before);
    expect(Math.max(...times)).toBeLessThan(10_000);
  });

  test('connections without end at its own port leave others theirs', async () => {
    const times = async () => {
      const all: number[] = [];
      for (let i = 0; i < 60; i++) {
        const { said, socket, milliseconds } = await connectTo({ host: scene.envoy.address, port: 5433 });
        socket.destroy();
        expect(said).toMatch(/^team-b\//);
        all.push(milliseconds);
      }
      return all.sort((one, other) => one - other)[30];
    };
    const before = await times();
    let isOver = false;
    let tried = 0;
    const flood = Array.from({ length: 40 }, async () => {
      while (!isOver) {
        tried++;
        await scene.at(5432);
      }
    });
    await pause(300);
    const during = await times();
    isOver = true;
    await Promise.all(flood);
    Object.assign(measured, {
      'median of others before, ms': before,
      'during a flood, ms': during,
      'flood, connections': tried,
    });
    // forty clients without a pause share two cores with everything here
    expect(during).toBeLessThan(before * 10 + 100);
  });

  test('1000 connections without a name at the shared port leave others theirs', async () => {
    const { address: host } = scene.envoy;
    const silent = await Promise.all(
      Array.from({ length: 1000 }, () => connectTo({ host, port: 10_443, patience: 1 })),
    );
    expect(await scene.served()).toEqual(ALL);
    expect(await scene.changesArrive()).toEqual(BOTH);
    for (const { socket } of silent) socket.destroy();
  });
});

test('the tenant that came first at the shared port is suspended, and others keep their connections', async () => {
  const held = [await scene.held(20, 'api.team-b'), await scene.held(20, 5433)];
  const namespace: Ref = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } };
  const suspend = (value: string | null) =>
    scene.platform.merge(namespace, { metadata: { labels: { 'cdk8s-load-balancers/suspended': value } } });
  const draining = async () =>
    (await scene.envoy.statistics('total_listeners_draining'))['listener_manager.total_listeners_draining'];
  await until('no listener to be draining from before', async () => (await scene.served()).name === 10);
  const body = JSON.parse(await scene.envoy.admin('/listeners?format=json')) as Body;
  expect(body.listener_statuses.map(({ name }: Body) => name)).toContain('tcp-443');
  await suspend('true');
  await until('it to be gone', async () => (await scene.at(5432)) === '' && (await scene.named('api.team-a')) === '');
  expect(await scene.served()).toEqual(ALL);
  expect(await Promise.all(held.map((each) => each.alive()))).toEqual([20, 20]);
  measured['listeners that drain'] = await draining();
  await suspend(null);
  await until('it to be back', async () => (await scene.named('api.team-a')) !== '' && (await scene.at(5432)) !== '');
  expect(await Promise.all(held.map((each) => each.alive()))).toEqual([20, 20]);
  for (const each of held) each.close();
});

describe('past the policies', () => {
  test('a port that another has stays with the older listener', async () => {
    const objects = [
      listenerSet('stolen', [tcpListener(5433)]),
      tcpRoute('stolen', 'stolen', { name: 'db', port: 5432 }),
    ];
    await scene.pastPolicies(objects, async () => {
      await until('the conflict to be told', async () => {
        const conditions = await scene.engine.conditions(objects[0], 'tcp-5433');
        return conditions.Conflicted?.startsWith('True');
      });
      expect(await scene.served()).toEqual(ALL);
      expect(await scene.changesArrive()).toEqual(BOTH);
    });
  });

  test('a name below the star of another is taken, a wider star takes nothing that another has', async () => {
    const set = listenerSet('names', [
      tlsListener('wide', `*.${DOMAIN}`),
      tlsListener('below', `taken.team-b.${DOMAIN}`),
    ]);
    await scene.pastPolicies([set, tlsRoute('names', ['taken.team-b'], 'team-a', 'names')], async () => {
      await until('the name', async () => (await scene.named('taken.team-b')).startsWith('team-a/'));
      expect(await scene.served()).toEqual(ALL);
      expect(await scene.named('API.team-b')).toMatch(/^team-b\//);
      expect(
        await Promise.all(['api.team-b.', 'deep.api.team-b', 'team-b', ''].map((name) => scene.named(name))),
      ).toEqual(['', '', '', '']);
    });
  });

  test('a route leads to a Service of another where that one grants it, and nowhere else', async () => {
    const grant = (namespace: string): Ref => ({
      ...{ apiVersion: `${GROUP}/v1beta1`, kind: 'ReferenceGrant', metadata: { name: 'grant', namespace } },
      spec: { from: [{ group: GROUP, kind: 'TCPRoute', namespace: 'team-a' }], to: [{ group: '', kind: 'Service' }] },
    });
    await leadingTo({ name: 'db', namespace: 'team-b', port: 5433 }, async () => {
      await until('the port to be shut', async () => (await scene.at(5432)) === '');
      expect(await refusalOf(scene.tenant.create(grant('team-a')))).toMatch(/forbidden: User/);
      expect(await refusalOf(scene.strong.create(grant('team-b')))).toMatch(/forbidden: User/);
      await scene.strong.create(grant('team-a'));
      expect(await scene.changesArrive()).toEqual(BOTH);
      expect(await scene.at(5432)).toBe('');
      await scene.pastPolicies([grant('team-b')], () =>
        until('the grant', async () => (await scene.at(5432)).startsWith('team-b/')),
      );
      await scene.strong.delete(grant('team-a'));
    });
  });

  test('endpoints are believed, unless they are local to the proxy: a tenant may write none', async () => {
    const slice = (name: string, address: string, port: number): Ref => ({
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { name, namespace: 'team-a', labels: { 'kubernetes.io/service-name': 'elsewhere' } },
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: '', port, protocol: 'TCP' }],
    });
    expect(await refusalOf(scene.tenant.create(slice('own', '10.61.0.1', 5433)))).toMatch(/forbidden: User/);
    expect(await refusalOf(scene.platform.create(slice('loopback', '127.0.0.1', 19_000)))).toMatch(/loopback range/);
    expect(await refusalOf(scene.platform.create(slice('metadata', '169.254.169.254', 80)))).toMatch(
      /link-local range/,
    );
    const elsewhere: Ref = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'elsewhere', namespace: 'team-a' },
      spec: { ports: [{ port: 1 }] },
    };
    await scene.pastPolicies([elsewhere, slice('statistics', scene.envoy.address, 19_001)], () =>
      leadingTo({ name: 'elsewhere', port: 1 }, () =>
        until('the statistics of the proxy', async () =>
          (await scene.at(5432, Buffer.from('GET / HTTP/1.0\r\n\r\n'))).startsWith('HTTP/1.1'),
        ),
      ),
    );
  });

  test('a policy at a Gateway of another namespace is about no Gateway', async () => {
    const objects = [
      envoyObject('ClientTrafficPolicy', 'away', {
        targetRefs: [GATEWAY],
        connection: { connectionLimit: { value: 1 } },
      }),
      envoyObject('SecurityPolicy', 'away', { targetRefs: [GATEWAY], authorization: { defaultAction: 'Deny' } }),
    ];
    await scene.pastPolicies(objects, async () => {
      expect(await scene.changesArrive()).toEqual(BOTH);
      expect(await scene.served()).toEqual(ALL);
    });
  });

  test('a policy of one about the PROXY protocol at the shared port is one of all', async () => {
    const targetRefs = [{ ...GATEWAY, kind: 'ListenerSet', sectionName: 'tls-443' }];
    await scene.pastPolicies(
      [envoyObject('ClientTrafficPolicy', 'header', { targetRefs, proxyProtocol: { optional: false } })],
      () => until('names to be gone', async () => (await scene.served()).name === 0),
    );
    await until('names to be back', async () => (await scene.served()).name === 10);
  });

  test('ports of the proxy itself are refused by Envoy, others change as they like', async () => {
    for (const port of [19_000, 19_001, 19_003]) {
      const before = await rejected();
      await scene.pastPolicies(
        [listenerSet('proxy', [tcpListener(port)]), tcpRoute('proxy', 'proxy', { name: 'db', port: 5432 })],
        async () => {
          await until(`Envoy to refuse ${port}`, async () => (await rejected()) > before);
          expect(await scene.changesArrive()).toEqual(BOTH);
          expect(await scene.envoy.isReady()).toBe(true);
        },
      );
    }
  });

  test('128 listeners more of one tenant leave changes of others their way', async () => {
    const many = (name: string, first: number) =>
      listenerSet(
        name,
        Array.from({ length: 64 }, (_, i) => tcpListener(first + i)),
      );
    await scene.pastPolicies([many('many', 20_000), many('more', 21_000)], async () => {
      await scene.engine.listening([scene.envoy], [20_063, 21_063]);
      expect(await scene.served()).toEqual(ALL);
      expect(await scene.changesArrive()).toEqual(BOTH);
    });
    expect(await scene.served()).toEqual(ALL);
  });

  test('300 routes with 16 names each are served, and leave changes of others their way', async () => {
    const routes = Array.from({ length: 300 }, (_, i) =>
      tlsRoute(
        `many-${i}`,
        Array.from({ length: 16 }, (__, j) => `n-${i}-${j}.team-a`),
      ),
    );
    const last = 'n-299-15.team-a';
    await scene.pastPolicies(routes, async () => {
      const begin = performance.now();
      await until('the last name', async () => (await scene.named(last)).startsWith('team-a/'));
      measured['4800 names served after the last was written, ms'] = Math.round(performance.now() - begin);
      expect(await scene.served()).toEqual(ALL);
      expect(await scene.changesArrive()).toEqual(BOTH);
      // the policy compares it with each of them
      const more = tlsRoute('one-more', ['one-more.team-a']);
      expect(await refusalOf(scene.operator.create(more))).toBeUndefined();
      await scene.operator.delete(more);
    });
    expect(await scene.served()).toEqual(ALL);
  });
});
