import { GatewayAllowedRoutes, type GatewayListener, GatewayProtocol } from '../../src/gateway';
import { routeFault, servesHost } from '../../src/gateway/route-admission';
import { casesIn } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'route-admission.yaml');

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
  ['a name that is left out', selected({ key: NAME, operator: 'NotIn', values: ['kafka'] }), 'kafka', fromOthers],
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
  (hostname, host, expected) => {
    expect(servesHost({ ...listener, hostname }, host)).toBe(expected);
  },
);
