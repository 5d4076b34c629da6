import {
  Gateway,
  GatewayAllowedRoutes,
  type GatewayListener,
  GatewayProtocol,
  ReferenceGrant,
  type ReferenceGrantProps,
  TcpRoute,
  type TcpRouteProps,
  TlsRoute,
  type TlsRouteProps,
} from '../../src/gateway';
import { REFERENCE_GRANT_RULES } from '../../src/gateway/gateway-rules';
import { routeFault, servesHost } from '../../src/gateway/route-admission';
import { TLS_ROUTE_RULES } from '../../src/gateway/route-rules';
import { errorsOf, newChart, written } from '../support/apps';
import { faultsIn, findingsOf } from '../support/checks';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'routes.yaml');

const edge = Gateway.fromName('edge', { namespace: 'infra' });

function route(props: Partial<TcpRouteProps> = {}) {
  const chart = newChart('shop');
  new TcpRoute(chart, 'Route', {
    name: 'shop',
    parentRefs: [{ gateway: edge, sectionName: 'db' }],
    backendRefs: [{ name: 'db', port: 5432 }],
    ...props,
  });
  return chart;
}

test('a route is written as the API takes it', () => {
  const chart = route({
    backendRefs: [
      { name: 'db', port: 5432, weight: 9 },
      { name: 'new', port: 5432, namespace: 'beta', weight: 0 },
    ],
    annotations: { 'acme.example/owner': 'shop' },
    labels: { stage: 'live' },
  });
  expect(written(chart, 'TCPRoute')).toEqual(
    casesIn(__dirname, 'routes.yaml')['a route is written as the API takes it'],
  );
});

test.each<[string, Partial<TcpRouteProps>, string[]]>([
  ...CASES.wrongRoute,
  [
    'one parent twice',
    { parentRefs: [{ gateway: edge }, { gateway: edge, sectionName: 'db' }] },
    [
      'more than once, and not each time by the name of a listener; set sectionName each time (tcp-route-parent-invalid)',
    ],
  ],
])('wrong with a route: %s', (_, props, texts) => {
  const errors = errorsOf(route(props));
  expect(errors).toHaveLength(Math.min(texts.length, 1));
  for (const text of texts) {
    expect(errors[0]).toContain(text);
  }
});

describe('tls route', () => {
  const CASES = casesIn(__dirname, 'tls-route.yaml');

  function route(props: Partial<TlsRouteProps> = {}) {
    const chart = newChart('shop');
    new TlsRoute(chart, 'Route', {
      name: 'shop',
      parentRefs: [{ gateway: edge, sectionName: 'tls' }],
      hostnames: ['shop.example.com'],
      backendRefs: [{ name: 'shop', port: 8443 }],
      ...props,
    });
    return chart;
  }

  test('a route is written as the API takes it', () => {
    const chart = route({
      parentRefs: [{ gateway: edge, sectionName: 'tls' }, { gateway: Gateway.fromName('own') }],
      backendRefs: [
        { name: 'shop', port: 8443, weight: 9 },
        { name: 'new', port: 8443, namespace: 'beta', weight: 1 },
      ],
      annotations: { 'acme.example/owner': 'shop' },
      labels: { stage: 'live' },
    });
    expect(written(chart, 'TLSRoute')).toEqual(CASES['written TLSRoute']);
  });

  const many = (length: number) => Array.from({ length }, (_, i) => `h${i}.example.com`);

  test.each<[string, Partial<TlsRouteProps>, string[]]>([
    ...revived(CASES.wrongRoute, { many }),
    ['several parents', { parentRefs: ['a', 'b'].map((name) => ({ gateway: Gateway.fromName(name) })) }, []],
    ['several sections', { parentRefs: ['a', 'b'].map((sectionName) => ({ gateway: edge, sectionName })) }, []],
    [
      'many backends',
      { backendRefs: many(17).map((name) => ({ name, port: 1 })) },
      ['there are 17 backends, more than 16'],
    ],
    [
      'one section twice',
      { parentRefs: [1, 2].map(() => ({ gateway: edge, sectionName: 'tls' })) },
      ['the route attaches twice to gateway.networking.k8s.io/Gateway/infra/edge by sectionName tls'],
    ],
    [
      'many parents',
      { parentRefs: many(33).map((name) => ({ gateway: Gateway.fromName(name) })) },
      ['there are 33 parents, more than 32'],
    ],
  ])('wrong with a route: %s', (_, props, texts) => {
    expect(errorsOf(route(props))).toEqual(texts.map((text) => expect.stringContaining(text)));
  });

  test('two rules, and a route of nonsense', () => {
    const rules = [{ backendRefs: [{ name: 'a', port: 1 }] }, { backendRefs: [{ name: 'b', port: 1 }] }];
    const spec = { hostnames: ['a.b'], rules };
    expect(faultsIn({ metadata: { name: 'x' }, spec }, TLS_ROUTE_RULES)).toEqual([
      'kubernetes: the route has 2 rules; write one rule with at least one Service (tls-route-backend-invalid)',
    ]);
    expect(faultsIn({ spec: null }, TLS_ROUTE_RULES)).toHaveLength(3);
  });

  test.each<[object, string]>([
    [{ hostnames: [7] }, 'hostname 7 is not a valid DNS name'],
    [{ hostnames: ['2001:db8::1'] }, "hostname '2001:db8::1' is an address"],
  ])('wrong with a route as YAML: %j', (more, text) => {
    const spec = { hostnames: ['a.b'], rules: [{ backendRefs: [{ name: 'a', port: 1 }] }], ...more };
    expect(findingsOf({ metadata: { name: 'x' }, spec }, TLS_ROUTE_RULES)).toEqual([expect.stringContaining(text)]);
  });
});

describe('reference grant', () => {
  const CASES = casesIn(__dirname, 'routes.yaml');

  function grant(props: Partial<ReferenceGrantProps> = {}) {
    const chart = newChart('shop');
    new ReferenceGrant(chart, 'Grant', {
      name: 'from-edge',
      fromKinds: [{ kind: 'TCPRoute', namespace: 'edge' }],
      toKinds: [{ kind: 'Service' }],
      ...props,
    });
    return chart;
  }

  test('a grant is written as the API takes it', () => {
    const chart = grant({
      fromKinds: [
        { kind: 'TCPRoute', namespace: 'edge' },
        { group: 'acme.example', kind: 'Policy', namespace: 'edge' },
      ],
      toKinds: [{ kind: 'Service', name: 'db' }, { kind: 'Secret' }],
      annotations: { 'acme.example/owner': 'shop' },
      labels: { stage: 'live' },
    });
    expect(written(chart, 'ReferenceGrant')).toEqual(
      casesIn(__dirname, 'routes.yaml')['a grant is written as the API takes it'],
    );
  });

  test.each<[string, Partial<ReferenceGrantProps>, string[]]>(CASES.wrongGrant)(
    'wrong with a grant: %s',
    (_, props, texts) => expect(errorsOf(grant(props))).toEqual(texts.map((text) => expect.stringContaining(text))),
  );

  test.each<[object, string]>(CASES.wrongGrantAs)('wrong with a grant as YAML: %j', (more, text) => {
    const from = [{ group: 'gateway.networking.k8s.io', kind: 'TCPRoute', namespace: 'edge' }];
    const spec = { from, to: [{ group: '', kind: 'Service' }], ...more };
    expect(findingsOf({ metadata: { name: 'x' }, spec }, REFERENCE_GRANT_RULES)).toEqual([
      expect.stringContaining(text),
    ]);
  });
});

describe('route admission', () => {
  const CASES = casesIn(__dirname, 'routes.yaml');

  const listener: GatewayListener = { name: 'tls', port: 443, protocol: GatewayProtocol.TLS };
  const NAME = 'kubernetes.io/metadata.name';
  const selected = (...matchExpressions: object[]) =>
    GatewayAllowedRoutes._of({ namespaces: { from: 'Selector', selector: { matchExpressions } } });
  const fromOthers = "admits routes of other namespaces than 'kafka'";

  test.each<[string, GatewayAllowedRoutes | undefined, string | undefined, string | undefined]>([
    ['no namespace that is known', undefined, undefined, undefined],
    ['its own namespace', GatewayAllowedRoutes.sameNamespace(), 'infra', undefined],
    ['another namespace', undefined, 'kafka', "admits routes of its own namespace 'infra' alone"],
    ['a label that nobody knows', selected({ key: 'team', operator: 'In', values: ['web'] }), 'kafka', undefined],
    ['a name among others', selected({ key: NAME, operator: 'In', values: ['web', 'kafka'] }), 'kafka', undefined],
    ['a name not among others', selected({ key: NAME, operator: 'In', values: ['web'] }), 'kafka', fromOthers],
    ['a name that is not left out', selected({ key: NAME, operator: 'NotIn', values: ['web'] }), 'kafka', undefined],
    ['any name', selected({ key: NAME, operator: 'Exists' }), 'kafka', undefined],
    ['no name', selected({ key: NAME, operator: 'DoesNotExist' }), 'kafka', fromOthers],
    ['another kind', GatewayAllowedRoutes.allNamespaces(['TCPRoute']), 'kafka', 'admits TCPRoute alone'],
    [
      'the kind of another group',
      GatewayAllowedRoutes._of({ kinds: [{ group: 'acme.example', kind: 'TLSRoute' }], namespaces: { from: 'All' } }),
      'kafka',
      'admits TLSRoute alone',
    ],
  ])('routes of %s', (_, allowedRoutes, namespace, fault) => {
    const route = { kind: 'TLSRoute', protocol: 'TLS', namespace };
    expect(routeFault({ ...listener, allowedRoutes }, 'infra', route)).toBe(fault);
  });

  test('a Gateway of an unknown namespace may be in that of the route', () => {
    expect(routeFault(listener, undefined, { kind: 'TLSRoute', protocol: 'TLS', namespace: 'kafka' })).toBeUndefined();
  });

  test.each<[string | undefined, string, boolean]>([...CASES.hostnameHost, [undefined, 'a.example.com', true]])(
    'hostname %j and host %s: %s',
    (hostname, host, expected) => expect(servesHost({ ...listener, hostname }, host)).toBe(expected),
  );
});
