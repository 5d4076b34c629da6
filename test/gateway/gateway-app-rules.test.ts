import { ApiObject, App, Chart } from 'cdk8s';
import type { Json } from '../../src/contract/json';
import {
  Gateway,
  GatewayAllowedListeners,
  GatewayAllowedRoutes,
  type GatewayListener,
  GatewayProtocol,
  GatewayTlsMode,
  type IGateway,
  ListenerSet,
  TcpRoute,
} from '../../src/gateway';
import { casesIn, revived } from '../support/yaml-cases';

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

test('the YAML of somebody else is told at the object that is judged', () => {
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

  test.each<[string, string | undefined, string | undefined]>([
    ...revived(CASES.attaches),
    ['team-a', 'db', undefined],
    ['team-a', undefined, undefined],
    ['team-a', 'ended', undefined],
    ['team-b', 'open', undefined],
  ])('of %s attaches to %s', (team, sectionName, text) => {
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
