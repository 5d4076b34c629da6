import { join } from 'node:path';
import type { Chart } from 'cdk8s';
import {
  Gateway,
  GatewayAllowedListeners,
  GatewayAllowedRoutes,
  GatewayClass,
  GatewayProtocol,
  GatewayTlsMode,
  ListenerSet,
  ReferenceGrant,
  TcpRoute,
  TlsRoute,
} from '../../src/gateway';
import { newChart } from '../support/apps';
import { expectGolden, expectNoStrayGoldens, writtenBy } from '../support/golden-files';

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
