import { foundIn, saidBy } from '../support/checked';

const GRANTED = 'gateway-reference-granted';
const ELSEWHERE = 'gateway-reference-elsewhere';

const DB = `
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: data}
spec: {selector: {app: db}, ports: [{port: 5432}]}`;

const SECRET = `
---
apiVersion: v1
kind: Secret
metadata: {name: web, namespace: data}`;

interface Wanted {
  readonly kind?: string;
  readonly namespace?: string;
  readonly backend?: string;
  readonly parent?: string;
}

function route({ kind = 'TCPRoute', namespace = 'shop', backend = 'namespace: data', parent = '' }: Wanted = {}) {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: ${kind}
metadata: {name: db${namespace && `, namespace: ${namespace}`}}
spec:
  parentRefs: [{name: edge, namespace: infra${parent}}]
  rules:
    - backendRefs:
        - name: db
          ${backend}
          port: 5432`;
}

function gateway(kind = 'Gateway') {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: ${kind}
metadata: {name: edge, namespace: infra}
spec:
  ${kind === 'Gateway' ? 'gatewayClassName: acme' : 'parentRef: {name: shared}'}
  listeners:
    - name: web
      port: 443
      protocol: HTTPS
      tls:
        certificateRefs:
          - {name: web, namespace: data}`;
}

interface Grant {
  readonly namespace?: string;
  readonly from?: string;
  readonly to?: string;
}

const FROM = 'group: gateway.networking.k8s.io, kind: TCPRoute, namespace: shop';

function grant({ namespace = 'namespace: data', from = FROM, to = 'group: "", kind: Service' }: Grant = {}) {
  return `
---
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: {name: of-data${namespace && `, ${namespace}`}}
spec:
  from: [{${from}}]
  to: [{${to}}]`;
}

const ofReferences = (content: string) => foundIn(content).filter((found) => found.includes('gateway-reference-'));

test('a route leads to a Service of another namespace that nothing lets it refer to', () => {
  expect(saidBy(GRANTED, route() + DB)).toEqual([
    "error 9: backend Service data/db is in another namespace, and no ReferenceGrant there lets TCPRoutes of namespace 'shop' refer to it: no connection is sent to it; write a ReferenceGrant in namespace data from TCPRoute in namespace shop to Service, or name a Service of namespace shop",
  ]);
});

test('a Service that is not among the files may have its grant where it is itself', () => {
  expect(saidBy(ELSEWHERE, route())).toEqual([
    "warning 9: backend Service data/db is in another namespace, and no ReferenceGrant here lets TCPRoutes of namespace 'shop' refer to it: without one no connection is sent to it; write a ReferenceGrant in namespace data from TCPRoute in namespace shop to Service, or acknowledge it where the grant is applied from elsewhere",
  ]);
});

test.each<[string, string, string[]]>([
  ['is granted', grant(), []],
  ['is granted by name', grant({ to: 'group: "", kind: Service, name: db' }), []],
  ['has a grant that may be for its namespace', grant({ namespace: '' }), []],
  ['is granted for another name', grant({ to: 'group: "", kind: Service, name: web' }), [GRANTED]],
  ['is granted to another kind', grant({ from: FROM.replace('TCP', 'HTTP') }), [GRANTED]],
  ['is granted to another namespace', grant({ from: FROM.replace('shop', 'infra') }), [GRANTED]],
  ['is granted to the group of Services', grant({ from: FROM.replace('gateway.networking.k8s.io', '""') }), [GRANTED]],
  ['has its grant in the namespace of the route', grant({ namespace: 'namespace: shop' }), [GRANTED]],
])('a backend %s', (_, more, expected) => {
  expect(ofReferences(route() + DB + more)).toEqual(expected.map((id) => `error 9 ${id}`));
});

test.each<[string, Wanted, string[]]>([
  ['of its own namespace', { backend: 'namespace: shop' }, []],
  ['without a namespace', { backend: 'weight: 1' }, []],
  ['of any namespace, where its own is not known', { namespace: '' }, []],
  ['of a namespace that is filled in later', { backend: 'namespace: $(DATA)' }, []],
  ['that goes by the mesh', { parent: ', kind: Service, group: ""' }, []],
  ['by HTTP', { kind: 'HTTPRoute' }, [`error 9 ${GRANTED}`]],
  ['by gRPC', { kind: 'GRPCRoute' }, [`error 9 ${GRANTED}`]],
  ['by UDP', { kind: 'UDPRoute' }, [`error 9 ${GRANTED}`]],
  [
    'that is a route itself',
    { backend: 'namespace: data\n          kind: TCPRoute\n          group: gateway.networking.k8s.io' },
    [],
  ],
  [
    'of another kind',
    { backend: 'namespace: data\n          kind: ServiceImport\n          group: acme.example' },
    [`warning 9 ${ELSEWHERE}`],
  ],
])('a backend %s', (_, wanted, expected) => {
  expect(ofReferences(route(wanted) + DB)).toEqual(expected);
});

test('VPC Lattice asks for no grant', () => {
  const of = (gatewayClassName: string) =>
    ofReferences(`${route()}${DB}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: ${gatewayClassName}
  listeners: [{name: db, port: 5432, protocol: TCP, allowedRoutes: {namespaces: {from: All}}}]`);
  expect([of('amazon-vpc-lattice'), of('acme')]).toEqual([[], [`error 9 ${GRANTED}`]]);
});

describe('a certificate of another namespace', () => {
  test('is not given to a listener that nothing lets refer to it', () => {
    expect(saidBy(GRANTED, gateway() + SECRET)).toEqual([
      "error 12: certificate of listener 'web' Secret data/web is in another namespace, and no ReferenceGrant there lets Gateways of namespace 'infra' refer to it: the listener does not get it; write a ReferenceGrant in namespace data from Gateway in namespace infra to Secret, or name a Secret of namespace infra",
    ]);
  });

  const of = (kind: string) =>
    grant({ from: `group: gateway.networking.k8s.io, kind: ${kind}, namespace: infra`, to: 'group: "", kind: Secret' });

  test.each<[string, string, string[]]>([
    ['is granted', gateway() + SECRET + of('Gateway'), []],
    ['is elsewhere', gateway(), [`warning 12 ${ELSEWHERE}`]],
    ['is granted to a Gateway alone', gateway('ListenerSet') + SECRET + of('Gateway'), [`error 12 ${GRANTED}`]],
    ['is granted to a ListenerSet', gateway('ListenerSet') + SECRET + of('ListenerSet'), []],
  ])('%s', (_, content, expected) => {
    expect(ofReferences(content)).toEqual(expected);
  });
});

describe('routes of HTTP and gRPC', () => {
  const HTTP = `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: acme
  listeners:`;
  const listener = (more = '') => `\n    - {name: web, port: 80, protocol: HTTP${more}}`;
  const ALL = ', allowedRoutes: {namespaces: {from: All}}';
  const to = (kind: string, listeners: string) =>
    foundIn(route({ kind, backend: 'weight: 1' }) + HTTP + listeners).filter((found) => found.includes('route'));

  test.each<[string, string, string, string[]]>([
    ['a listener that takes routes of its namespace alone', 'HTTPRoute', listener(), ['error 5 gateway-route-taken']],
    ['a listener that takes all', 'HTTPRoute', listener(ALL), []],
    ['a listener that takes gRPC as well', 'GRPCRoute', listener(ALL), []],
    ['a listener of TCP', 'HTTPRoute', listener(ALL).replace('HTTP', 'TCP'), ['error 5 gateway-route-taken']],
    ['a protocol of its implementation', 'HTTPRoute', listener(ALL).replace('HTTP', 'acme.example/h3'), []],
  ])('attach to %s', (_, kind, listeners, expected) => {
    expect(to(kind, listeners)).toEqual(expected);
  });

  const named = (hostname: string) => listener(`, hostname: "${hostname}"${ALL}`);
  const hosts = (...names: string[]) =>
    foundIn(
      route({ kind: 'HTTPRoute', backend: 'weight: 1' }).replace(
        '  rules:',
        `  hostnames: ["${names.join('","')}"]\n  rules:`,
      ) +
        HTTP +
        named(names.length > 1 ? 'a.example.com' : '*.example.com'),
    ).filter((found) => found.includes('route'));

  test.each<[string, string[], boolean]>([
    ['one name of a star', ['a.example.com'], true],
    ['a name of a label more', ['a.b.example.com'], true],
    ['the same star', ['*.example.com'], true],
    ['a narrower star', ['*.b.example.com'], true],
    ['the name below the star', ['example.com'], false],
    ['a name of another domain', ['a.example.org'], false],
    ['two names, one of which is served', ['b.example.com', 'a.example.com'], true],
    ['a star that takes in what is served', ['b.example.org', '*.example.com'], true],
    ['two names that are not served', ['b.example.com', 'c.example.com'], false],
  ])('have %s', (_, names, isTaken) => {
    expect(hosts(...names)).toEqual(isTaken ? [] : ['error 5 gateway-route-taken']);
  });

  test('say which names the listener serves', () => {
    const content = route({ kind: 'HTTPRoute', backend: 'weight: 1' }).replace(
      '  rules:',
      '  hostnames: [b.example.com]\n  rules:',
    );
    expect(saidBy('gateway-route-taken', content + HTTP + named('a.example.com'))).toEqual([
      expect.stringContaining("'web' serves 'a.example.com' and none of b.example.com; attach it to a listener"),
    ]);
  });
});

describe('the port of a backend', () => {
  const service = (ports: string, more = '') => `
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {selector: {app: db}, ports: [${ports}]${more}}`;
  const own = (port: number | string, kind = 'TCPRoute') =>
    route({ kind, backend: 'weight: 1' }).replace('port: 5432', `port: ${port}`);
  const said = (content: string) => saidBy('gateway-backend-port', content);

  test('is one of its Service, and not one of its pods', () => {
    expect(said(own(5432) + service('{port: 80, targetPort: 5432}, {port: 81, name: b}'))).toEqual([
      'error 10: backend Service shop/db has no port 5432, but 80, 81: no connection is sent to it; write the port of the Service, not that of its pods',
    ]);
  });

  test.each<[string, string, number]>([
    ['is there', own(80) + service('{port: 80}'), 0],
    ['is not there, for a route of HTTP', own(81, 'HTTPRoute') + service('{port: 80}'), 1],
    ['is of a Service that is elsewhere', own(81), 0],
    ['is of a Service that names another host', own(81) + service('{port: 80}', ', type: ExternalName'), 0],
    ['is filled in later', own('$(PORT)', 'HTTPRoute') + service('{port: 80}'), 0],
    ['is of one that is filled in later', own(81) + service('{port: $(PORT)}'), 0],
    ['is missing, of which another rule speaks', own('null', 'HTTPRoute') + service('{port: 80}'), 0],
    ['is of another Service of that name', own(81).replace('weight: 1', 'namespace: data') + service('{port: 80}'), 0],
    [
      'is of another kind',
      own(81).replace('weight: 1', 'kind: Backend\n          group: acme.example') + service('{port: 80}'),
      0,
    ],
  ])('%s', (_, content, count) => {
    expect(said(content)).toHaveLength(count);
  });
});
