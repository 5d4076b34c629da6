import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import {
  Gateway,
  GatewayAllowedListeners,
  GatewayAllowedRoutes,
  GatewayClass,
  type GatewayListener,
  GatewayProtocol,
  GatewayTlsMode,
  type IGateway,
  ListenerSet,
  type ListenerSetProps,
  ReferenceGrant,
  TcpRoute,
  TlsRoute,
} from '../../src/gateway';
import { LISTENER_SET_RULES } from '../../src/gateway/gateway-rules';
import { editedKinds, editedKindsOf } from '../../src/predicted/predicted';
import { objectEdits } from '../../src/rules/edits-of-values';
import { errorsOf, newChart, written } from '../support/apps';
import { faultsIn, findingsOf } from '../support/checks';
import { expectGolden, expectNoStrayGoldens, writtenBy } from '../support/goldens';
import { kinds } from '../support/subjects';
import { casesIn, revived, table } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'gateway-edits.yaml');

const all = editedKinds(kinds);
const ENVOY = 'gateway.envoyproxy.io/gatewayclass-controller';
const NLB = 'gateway.k8s.aws/nlb';
const AWS = kinds.find(({ name }) => name === 'aws-load-balancer-controller');

function edits(before: Json | undefined, after: Json | undefined, who?: string): string[] {
  const [kind] = editedKindsOf(before ?? after ?? {}, all).filter((one) => one.who === who);
  return objectEdits(kind, before, after, AWS).map(
    ({ field: { row }, edit, concerns: { listener } }) =>
      `${row}: ${wordOf(edit)}${listener === undefined ? '' : ` (${listener})`}`,
  );
}

const HTTPS = { name: 'https', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } };
const TCP = { name: 'tcp', port: 9094, protocol: 'TCP' };

function gateway(spec: Json = {}, name = 'edge'): Json {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace: 'infra', resourceVersion: name },
    spec: { gatewayClassName: 'eg', listeners: [HTTPS, TCP], ...spec },
  };
}

const CHANGES: readonly (readonly [string, Json, readonly string[], readonly string[]])[] = [
  ...CASES.changes,
  [
    'what the API server fills in',
    gateway({
      allowedListeners: undefined,
      listeners: [
        { ...HTTPS, allowedRoutes: { namespaces: { from: 'Same' } } },
        { ...TCP, allowedRoutes: {} },
      ],
    }),
    [],
    [],
  ],
];

test.each(CHANGES)('Gateway: %s', (_, after, envoy, nlb) => {
  expect(edits(gateway(), after, ENVOY)).toEqual(envoy);
  expect(edits(gateway(), after, NLB)).toEqual(nlb);
});

test('a Gateway comes or goes', () => {
  expect(edits(gateway(), undefined, ENVOY)).toEqual([': deleted']);
  expect(edits(undefined, gateway(), NLB)).toEqual([': kept']);
});

test.each<[string, Json, Json, readonly string[]]>(CASES.envoyproxy)('EnvoyProxy: %s', (_, before, after, expected) => {
  expect(edits(before, after)).toEqual(expected);
});

function own(kind: string, apiVersion: string, spec: Json): Json {
  return { apiVersion, kind, metadata: { name: 'one', namespace: 'infra' }, spec };
}

test.each<[string, string, Json, Json, readonly string[]]>(CASES.from)(
  '%s of %s: from %j to %j',
  (kind, apiVersion, before, after, expected) => {
    expect(edits(own(kind, apiVersion, before), own(kind, apiVersion, after))).toEqual(expected);
  },
);

describe('goldens', () => {
  const FOLDER = join(__dirname, 'goldens');
  const { TCP, TLS } = GatewayProtocol;
  const allowedRoutes = (kind: string) => GatewayAllowedRoutes.sameNamespace([kind]);

  function shared(): Chart {
    const chart = newChart('infra');
    const gatewayClass = new GatewayClass(chart, 'Class', {
      name: 'acme',
      controllerName: 'acme.example/gateways',
      description: 'shared by tenants',
    });
    const gateway = new Gateway(chart, 'Gateway', {
      name: 'shared',
      gatewayClass,
      listeners: [{ name: 'own', port: 65535, protocol: TCP, allowedRoutes: allowedRoutes('TCPRoute') }],
      allowedListeners: GatewayAllowedListeners.namespacesLabeled({ 'example.com/tenant': 'true' }),
      infrastructureAnnotations: { 'acme.example/scheme': 'internal' },
      parametersRef: { group: 'acme.example', kind: 'Settings', name: 'shared' },
    });
    const namespace = 'team-a';
    const set = new ListenerSet(chart, 'Ports', {
      name: 'ports',
      namespace,
      gateway,
      listeners: [
        { name: 'tcp-5432', port: 5432, protocol: TCP, allowedRoutes: allowedRoutes('TCPRoute') },
        {
          name: 'tls-443',
          port: 443,
          protocol: TLS,
          hostname: '*.team-a.example.com',
          tlsMode: GatewayTlsMode.PASSTHROUGH,
          allowedRoutes: allowedRoutes('TLSRoute'),
        },
        { name: 'ended', port: 444, protocol: TLS, certificateRefs: [{ name: 'team-a' }] },
      ],
    });
    new TcpRoute(chart, 'Database', {
      name: 'db',
      namespace,
      parentRefs: [{ gateway: set, sectionName: 'tcp-5432' }],
      backendRefs: [
        { name: 'db', port: 5432, weight: 9 },
        { name: 'db', namespace: 'team-a-next', port: 5432, weight: 1 },
      ],
    });
    new TlsRoute(chart, 'Web', {
      name: 'web',
      namespace,
      parentRefs: [{ gateway: set, sectionName: 'tls-443' }],
      hostnames: ['web.team-a.example.com'],
      backendRefs: [{ name: 'web', port: 8443 }],
    });
    new ReferenceGrant(chart, 'Grant', {
      name: 'from-team-a',
      namespace: 'team-a-next',
      fromKinds: [{ kind: 'TCPRoute', namespace }],
      toKinds: [{ kind: 'Service', name: 'db' }],
    });
    return chart;
  }

  test('a Gateway with the ports of a tenant is written as it was checked', () => {
    const { yaml, said } = writtenBy(shared);
    expectGolden(FOLDER, 'shared', yaml);
    expect(said).toBe('');
    expectNoStrayGoldens(FOLDER, ['shared']);
  });
});

describe('listener set', () => {
  const CASES = casesIn(__dirname, 'gateway-edits.yaml');

  const edge = Gateway.fromName('edge', { namespace: 'infra', controllerName: 'acme.example/gateways' });
  const db: GatewayListener = { name: 'db', port: 5432, protocol: GatewayProtocol.TCP };

  function set(props: Partial<ListenerSetProps> = {}) {
    const chart = newChart('team-a');
    const made = new ListenerSet(chart, 'Ports', { name: 'ports', gateway: edge, listeners: [db], ...props });
    return { chart, made };
  }

  test('a ListenerSet is written as the API takes it', () => {
    const { chart } = set({
      listeners: [{ ...db, allowedRoutes: GatewayAllowedRoutes.sameNamespace(['TCPRoute']) }],
      annotations: { 'acme.example/owner': 'team-a' },
      labels: { stage: 'live' },
    });
    expect(written(chart, 'ListenerSet')).toEqual(CASES['written ListenerSet']);
  });

  test('it tells routes what it is, who serves it, and its listeners as they are written', () => {
    const { made } = set();
    made.addJsonPatch(JsonPatch.replace('/spec/listeners/0/port', 5433));
    expect(made).toMatchObject({
      gatewayName: 'ports',
      namespace: 'team-a',
      parentKind: 'ListenerSet',
      controllerName: 'acme.example/gateways',
    });
    expect(made.findListener('db')?.port).toBe(5433);
    expect(made.findListener('web')).toBeUndefined();
  });

  test('a route attaches to a ListenerSet of elsewhere by its kind', () => {
    const chart = newChart('team-a');
    const gateway = ListenerSet.fromName('ports', { namespace: 'team-a', listeners: [db] });
    new TlsRoute(chart, 'Route', {
      parentRefs: [{ gateway, sectionName: 'tls' }],
      hostnames: ['a.example.com'],
      backendRefs: [{ name: 'a', port: 1 }],
    });
    expect(written(chart, 'TLSRoute').spec.parentRefs).toEqual(
      casesIn(__dirname, 'gateway-edits.yaml')['a route attaches to a ListenerSet of elsewhere by its kind'],
    );
    expect(gateway.findListener('db')).toBe(db);
  });

  const LISTENER = { name: 'db', port: 5432, protocol: 'TCP' };

  test.each<[string, Partial<ListenerSetProps>, string[]]>(
    table('gateway/gateway-edits.yaml', 'wrong with a ListenerSet'),
  )('wrong with a ListenerSet: %s', (_, props, texts) => {
    const errors = errorsOf(set(props).chart);
    expect(errors).toHaveLength(Math.min(texts.length, 1));
    for (const text of texts) {
      expect(errors[0]).toContain(text);
    }
  });

  test('TLS that is terminated carries TCP, and TLS that is passed through does not', () => {
    const allowedRoutes = GatewayAllowedRoutes.sameNamespace(['TCPRoute']);
    const tls = { ...db, protocol: GatewayProtocol.TLS, allowedRoutes };
    const certificateRefs = [{ name: 'db' }];
    expect(errorsOf(set({ listeners: [{ ...tls, certificateRefs }] }).chart)).toEqual([]);
    expect(errorsOf(set({ listeners: [{ ...tls, tlsMode: GatewayTlsMode.PASSTHROUGH }] }).chart)).toHaveLength(1);
  });

  test('a ListenerSet of nonsense is refused, and nothing is thrown', () => {
    for (const spec of [undefined, null, 7, { listeners: 'x', parentRef: [] }, { listeners: [null, {}] }]) {
      expect(faultsIn({ metadata: null, spec }, LISTENER_SET_RULES).length).toBeGreaterThan(1);
    }
  });

  test.each<[object, string]>(CASES.wrongListenersetAs)('wrong with a ListenerSet as YAML: %j', (more, text) => {
    const spec = { parentRef: { name: 'edge' }, listeners: [LISTENER], ...more };
    expect(findingsOf({ metadata: { name: 'ports' }, spec }, LISTENER_SET_RULES)).toEqual([
      expect.stringContaining(text),
    ]);
  });
});

describe('rules of an app', () => {
  const CASES = casesIn(__dirname, 'gateway-app-rules.yaml');

  const { TCP, TLS } = GatewayProtocol;

  class Tenants {
    public readonly app = new App();
    public readonly platform = new Chart(this.app, 'platform', { namespace: 'infra' });
    private readonly charts = new Map<string, Chart>();

    public gateway(allowed?: GatewayAllowedListeners, listeners: GatewayListener[] = [tcp('own', 19999)]): Gateway {
      return new Gateway(this.platform, 'Shared', {
        name: 'shared',
        gatewayClassName: 'acme',
        listeners,
        allowedListeners: allowed,
      });
    }

    public chart(team: string): Chart {
      const chart = this.charts.get(team) ?? new Chart(this.app, team, { namespace: team });
      this.charts.set(team, chart);
      return chart;
    }

    public set(team: string, gateway: IGateway, ...listeners: GatewayListener[]): ListenerSet {
      return new ListenerSet(this.chart(team), 'Ports', { name: 'ports', gateway, listeners });
    }

    public route(team: string, id: string, gateway: IGateway, sectionName?: string): TcpRoute {
      return new TcpRoute(this.chart(team), id, {
        parentRefs: [{ gateway, sectionName }],
        backendRefs: [{ name: 'db', port: 5432 }],
      });
    }

    /** What the synth of the whole app refuses. */
    public get errors(): string[] {
      return errorsIn(this.app);
    }
  }

  function errorsIn(app: App): string[] {
    try {
      app.synthYaml();
      return [];
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    }
  }

  function tcp(name: string, port: number): GatewayListener {
    return { name, port, protocol: TCP };
  }

  const all = GatewayAllowedListeners.allNamespaces();
  const edge = Gateway.fromName('edge', { namespace: 'infra' });

  test('the port of the Gateway itself, and a Gateway of elsewhere', () => {
    const tenants = new Tenants();
    tenants.set('team-a', tenants.gateway(all), tcp('db', 19999));
    tenants.set('team-b', edge, tcp('db', 5432));
    tenants.set('team-c', edge, tcp('db', 5432));
    expect(tenants.errors).toEqual([
      expect.stringContaining("conflicts with listener 'own' of Gateway infra/shared (platform/Shared)"),
      expect.stringContaining('both use TCP port 5432 of Gateway infra/edge'),
    ]);
  });

  const passed = { tlsMode: GatewayTlsMode.PASSTHROUGH };
  const ended = { certificateRefs: [{ name: 'web' }] };

  test.each<[string, Omit<GatewayListener, 'name' | 'port'>, Omit<GatewayListener, 'name' | 'port'>, boolean]>(
    revived(CASES.onOnePort),
  )('%s on one port', (_, first, second, conflict) => {
    const tenants = new Tenants();
    const gateway = tenants.gateway(all);
    tenants.set('team-a', gateway, { name: 'one', port: 443, ...first });
    tenants.set('team-b', gateway, { name: 'two', port: 443, ...second });
    expect(tenants.errors).toHaveLength(conflict ? 1 : 0);
  });

  test('three tenants on one port are told two by two, in one set it is the set that is told', () => {
    const tenants = new Tenants();
    const gateway = tenants.gateway(all);
    for (const team of ['team-a', 'team-b', 'team-c']) {
      tenants.set(team, gateway, tcp('db', 5432));
    }
    tenants.set('team-d', gateway, tcp('db', 1), { name: 'tls', port: 1, protocol: TLS, ...passed });
    expect(tenants.errors.map((error) => /^\[(.*?)\]/.exec(error)?.[1])).toEqual([
      'team-b/Ports',
      'team-c/Ports',
      'team-d/Ports',
    ]);
    expect(tenants.errors[2]).toContain("listener 'tls' conflicts with listener 'db'");
  });

  function foreignSet(namespace: string, port: number): Json {
    return {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: { name: 'theirs', namespace },
      spec: { parentRef: { name: 'shared', namespace: 'infra' }, listeners: [{ name: 'db', port, protocol: 'TCP' }] },
    };
  }

  test('the YAML of somebody else is told at the object that is checked', () => {
    const tenants = new Tenants();
    tenants.set('team-a', tenants.gateway(all), tcp('db', 5432));
    new ApiObject(tenants.chart('team-b'), 'Theirs', foreignSet('team-b', 5432) as never);
    expect(tenants.errors).toEqual([
      "[team-a/Ports] gateway-api: listener 'db' conflicts with listener 'db' of ListenerSet team-b/theirs (team-b/Theirs), of protocol TCP: both use TCP port 5432 of Gateway infra/shared; give one of them another port (gateway-port-conflict)",
    ]);
  });

  test.each<[string, GatewayAllowedListeners | undefined, string | undefined]>([
    ...revived(CASES.setJoinsGateway),
    ['says nothing', undefined, 'admits no ListenerSets'],
    ['admits this one', GatewayAllowedListeners.namespaces(['team-a']), undefined],
    ['asks for labels', GatewayAllowedListeners.namespacesLabeled({ tenant: 'true' }), undefined],
    ['admits all', all, undefined],
  ])('a set joins a Gateway that %s', (_, allowed, text) => {
    const tenants = new Tenants();
    tenants.set('team-a', tenants.gateway(allowed), tcp('db', 5432));
    expect(tenants.errors).toEqual(
      text === undefined
        ? []
        : [
            expect.stringMatching(
              new RegExp(`^\\[team-a/Ports\\] gateway-api: Gateway infra/shared \\(platform/Shared\\) ${text}`),
            ),
          ],
    );
  });

  describe('a TCPRoute', () => {
    const listeners: GatewayListener[] = [
      tcp('db', 5432),
      { name: 'tls', port: 443, protocol: TLS, ...passed },
      { name: 'ended', port: 444, protocol: TLS, ...ended },
      { ...tcp('open', 6000), allowedRoutes: GatewayAllowedRoutes.allNamespaces(['TCPRoute']) },
    ];

    test.each<[string, string | undefined, string | undefined]>(
      casesIn(__dirname, 'gateway-edits.yaml')['of attaches to'],
    )('of %s attaches to %s', (team, sectionName, text) => {
      const tenants = new Tenants();
      const set = tenants.set('team-a', tenants.gateway(all), ...listeners);
      tenants.route(team, 'Route', set, sectionName);
      expect(tenants.errors).toEqual(text === undefined ? [] : [expect.stringContaining(text)]);
    });

    test('is alone at its listener, since nothing but age could choose between two', () => {
      const tenants = new Tenants();
      const set = tenants.set('team-a', tenants.gateway(all), ...listeners.slice(0, 1), tcp('other', 1));
      tenants.route('team-a', 'One', set, 'db');
      tenants.route('team-a', 'Other', set, 'other');
      tenants.route('team-a', 'Two', set, 'db');
      expect(tenants.errors).toEqual([
        expect.stringMatching(
          /^\[team-a\/Two\] gateway-api: the older of two routes gets every connection: TCPRoute team-a\/\S+ \(team-a\/One\) also attaches to listener 'db' of ListenerSet team-a\/ports; .* \(gateway-tcp-route-conflict\)$/,
        ),
      ]);
    });

    test('attaches to what is not in the app', () => {
      const tenants = new Tenants();
      tenants.route('team-a', 'Route', ListenerSet.fromName('ports'), 'db');
      tenants.route('team-b', 'Route', edge);
      expect(tenants.errors).toEqual([]);
    });
  });

  describe('an app for two clusters', () => {
    test('and leaves alone what it cannot tell apart', () => {
      const app = new App();
      for (const name of ['one', 'two']) {
        const chart = new Chart(app, name, { namespace: 'team-a' });
        new ListenerSet(chart, 'Ports', { name: 'ports', gateway: edge, listeners: [tcp('db', 5432)] });
      }
      expect(errorsIn(app)).toEqual([]);
    });
  });
});
