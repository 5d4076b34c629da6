import { foundIn, saidBy } from '../support/checked';
import { casesIn, titled } from '../support/yaml-cases';
import { fileOf, type Part, type Row } from './pieces';

const { pieces, rows, ports } = casesIn(__dirname, 'gateway-references.yaml');

const GRANTED = 'gateway-reference-granted';
const said = (ruleId: string, ...parts: readonly Part[]) => saidBy(ruleId, fileOf(pieces, parts));
const found = (word: string, ...parts: readonly Part[]) =>
  foundIn(fileOf(pieces, parts)).filter((one) => one.includes(word));

test.each(titled<Row>(rows))('%s', (_, { of, found: expected }) => {
  expect(found('gateway-reference-', ...of)).toEqual(expected);
});

test('a route leads to a Service of another namespace that nothing lets it refer to', () => {
  expect(said(GRANTED, 'route', 'backend')).toEqual([
    "error 9: backend Service data/db is in another namespace, and no ReferenceGrant there lets TCPRoutes of namespace 'shop' refer to it: no connection is sent to it; write a ReferenceGrant in namespace data from TCPRoute in namespace shop to Service, or name a Service of namespace shop",
  ]);
});

test('a Service that is not among the files may have its grant where it is itself', () => {
  expect(said('gateway-reference-elsewhere', 'route')).toEqual([
    "warning 9: backend Service data/db is in another namespace, and no ReferenceGrant here lets TCPRoutes of namespace 'shop' refer to it: without one no connection is sent to it; write a ReferenceGrant in namespace data from TCPRoute in namespace shop to Service, or acknowledge it where the grant is applied from elsewhere",
  ]);
});

test('a certificate of another namespace is not given to a listener that nothing lets refer to it', () => {
  expect(said(GRANTED, 'gateway', 'secret')).toEqual([
    "error 12: certificate of listener 'web' Secret data/web is in another namespace, and no ReferenceGrant there lets Gateways of namespace 'infra' refer to it: the listener does not get it; write a ReferenceGrant in namespace data from Gateway in namespace infra to Secret, or name a Secret of namespace infra",
  ]);
});

const listening = (listener: string, gatewayClassName = 'acme') => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: ${gatewayClassName}
  listeners: [{${listener}}]
`;
const ALL = 'allowedRoutes: {namespaces: {from: All}}';

test('VPC Lattice asks for no grant', () => {
  const gateway = (className: string) => listening(`name: db, port: 5432, protocol: TCP, ${ALL}`, className);
  const of = (className: string) => found('gateway-reference-', 'route', 'backend', gateway(className));
  expect([of('amazon-vpc-lattice'), of('acme')]).toEqual([[], [`error 9 ${GRANTED}`]]);
});

const web = (more = '', protocol = 'HTTP') => listening(`name: web, port: 80, protocol: ${protocol}${more}`);
const routed = (kind: string, hostnames = '') => ({ route: { kind, backend: 'weight: 1', hostnames } });

test.each<[string, string, string, string[]]>([
  ['a listener that takes routes of its namespace alone', 'HTTPRoute', web(), ['error 5 gateway-route-taken']],
  ['a listener that takes all', 'HTTPRoute', web(`, ${ALL}`), []],
  ['a listener that takes gRPC as well', 'GRPCRoute', web(`, ${ALL}`), []],
  ['a listener of TCP', 'HTTPRoute', web(`, ${ALL}`, 'TCP'), ['error 5 gateway-route-taken']],
  ['a protocol of its implementation', 'HTTPRoute', web(`, ${ALL}`, 'acme.example/h3'), []],
])('routes attach to %s', (_, kind, listener, expected) => {
  expect(found('route', routed(kind), listener)).toEqual(expected);
});

const named = (hostname: string) => web(`, hostname: "${hostname}", ${ALL}`);
const hosts = (...names: string[]) => routed('HTTPRoute', `  hostnames: ["${names.join('","')}"]\n`);

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
])('routes have %s', (_, names, isTaken) => {
  const listener = named(names.length > 1 ? 'a.example.com' : '*.example.com');
  expect(found('route', hosts(...names), listener)).toEqual(isTaken ? [] : ['error 5 gateway-route-taken']);
});

test('a route says which names the listener serves', () => {
  expect(said('gateway-route-taken', hosts('b.example.com'), named('a.example.com'))).toEqual([
    expect.stringContaining("'web' serves 'a.example.com' and none of b.example.com; attach it to a listener"),
  ]);
});

test('the port of a backend is one of its Service, and not one of its pods', () => {
  const service = { service: { ports: '{port: 80, targetPort: 5432}, {port: 81, name: b}' } };
  expect(said('gateway-backend-port', routed('TCPRoute'), service)).toEqual([
    'error 10: backend Service shop/db has no port 5432, but 80, 81: no connection is sent to it; write the port of the Service, not that of its pods',
  ]);
});

test.each(titled<Row>(ports))('%s', (_, { of, count }) => {
  expect(said('gateway-backend-port', ...of)).toHaveLength(count);
});
