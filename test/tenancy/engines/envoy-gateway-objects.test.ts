import { join } from 'node:path';
import { Chart, Duration, Testing, Yaml } from 'cdk8s';
import { IpFamily, type LoadBalancerPlan, NodePool, NodeTaint, PodSpread, TrafficPolicy } from '../../../src';
import { Gateway, type IGateway } from '../../../src/gateway';
import { SharedLoadBalancer, SharedLoadBalancerEngine } from '../../../src/tenancy';
import type { Attachment, Document } from '../../../src/tenancy/engines/contract/publishing';
import {
  envoyDocuments,
  gatewayClientPolicy,
  portsWithSeveralRanges,
} from '../../../src/tenancy/engines/envoy-gateway/documents';
import { type EnvoyProxyOptions, envoyProxy } from '../../../src/tenancy/engines/envoy-gateway/engine';
import { ENVOY_GATEWAY_VERSION } from '../../../src/tenancy/engines/envoy-gateway/facts';
import { impossiblePorts, podPort } from '../../../src/tenancy/engines/envoy-gateway/rules';
import { gatewayDocuments } from '../../../src/tenancy/engines/gateway/documents';
import { expectGolden } from '../../support/goldens';
import { casesIn, revived, table } from '../../support/yaml-cases';
import { lockFile } from '../shared/locked';

const GROUP = 'gateway.networking.k8s.io';

const plain: Attachment = {
  name: 'shared',
  namespace: 'team-a',
  balancer: { name: 'shared', namespace: 'infra' },
  services: [{ name: 'db', ports: [{ port: 30017, servicePort: 5432 }] }],
};

function attachment(changes: Partial<Attachment> & Partial<Attachment['services'][number]>): Attachment {
  const { sourceRanges, ports, ...others } = changes;
  const [db] = plain.services;
  return { ...plain, services: [{ ...db, ...(sourceRanges && { sourceRanges }), ...(ports && { ports }) }], ...others };
}

function policies(documents: readonly Document[]): Document[] {
  return documents.filter(({ apiVersion }) => apiVersion === 'gateway.envoyproxy.io/v1alpha1');
}

function clientPolicy(spec: Document): Document {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'ClientTrafficPolicy',
    metadata: { name: 'shared', namespace: 'team-a' },
    spec: { targetRefs: [{ group: GROUP, kind: 'ListenerSet', name: 'shared' }], ...spec },
  };
}

function allowing(name: string, target: Document, clientCIDRs: string[]): Document {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'SecurityPolicy',
    metadata: { name, namespace: 'team-a' },
    spec: {
      targetRefs: [{ group: GROUP, ...target }],
      authorization: {
        defaultAction: 'Deny',
        ...(clientCIDRs.length > 0 && { rules: [{ name: 'clients', action: 'Allow', principal: { clientCIDRs } }] }),
      },
    },
  };
}

const route = { kind: 'TCPRoute', name: 'db-5432' };

test.each<[string, Attachment, { proxyProtocol?: boolean }, Document[]]>(
  revived(table('tenancy/engines/envoy-gateway-objects.yaml', 'policies of a tenant', { plain }), {
    attachment,
    clientPolicy,
    allowing,
  }),
)('a tenant with %s', (_, of, settings, expected) => expect(policies(envoyDocuments(of, settings))).toEqual(expected));

test('a policy for each port, before the listeners and routes', () => {
  const ports = [
    { port: 30017, servicePort: 5432 },
    { port: 30018, servicePort: 5433 },
  ];
  const of = attachment({ ports, sourceRanges: ['10.0.0.0/8'] });
  expect(envoyDocuments(of)).toEqual([
    allowing('db-5432', route, ['10.0.0.0/8']),
    allowing('db-5433', { kind: 'TCPRoute', name: 'db-5433' }, ['10.0.0.0/8']),
    ...gatewayDocuments(of),
  ]);
});

describe('Services that share a port by host names', () => {
  const of = (...ranges: (string[] | undefined)[]): Attachment => ({
    ...plain,
    domain: 'team-a.example.com',
    services: ranges.map((sourceRanges, i) => ({
      name: `s${i}`,
      ports: [{ port: 443, servicePort: 8443, hostnames: [`s${i}.team-a.example.com`] }],
      ...(sourceRanges && { sourceRanges }),
    })),
  });

  test.each<[string, Attachment, Document[], number[]]>(
    revived(table('tenancy/engines/envoy-gateway-objects.yaml', 'policies of listeners'), { of, allowing }),
  )('have %s', (_, with_, expected, several) => {
    expect(policies(envoyDocuments(with_))).toEqual(expected);
    expect(portsWithSeveralRanges(with_)).toEqual(several);
  });
});

test.each([
  [{ proxyProtocol: true }, [{ proxyProtocol: { optional: false } }]],
  [{}, []],
])('the Gateway with %j', (settings, specs) => {
  const targetRefs = [{ group: GROUP, kind: 'Gateway', name: 'shared' }];
  expect(gatewayClientPolicy({ name: 'shared', namespace: 'infra' }, settings).map(({ spec }) => spec)).toEqual(
    specs.map((spec) => ({ targetRefs, ...spec })),
  );
});

const proxy = (plan: Partial<LoadBalancerPlan>, changes: Partial<EnvoyProxyOptions> = {}) =>
  envoyProxy({
    name: 'shared',
    namespace: 'infra',
    replicas: 2,
    plan: { owner: 'acme', ...plan },
    proxies: { spread: PodSpread.NONE },
    drain: { least: 60, whole: 300, ready: 60 },
    front: { name: 'acme' },
    ...changes,
  });

const SHUTDOWN = { drainTimeout: '300s', healthCheckFailureDelay: '60s', minDrainDuration: '60s' };

test.each<[string, Partial<LoadBalancerPlan>, Document, Document]>(
  table('tenancy/engines/envoy-gateway-objects.yaml', 'plans'),
)('a plan with %s', (_, plan, spec, service) => {
  const { provider, shutdown, ...others } = proxy(plan).spec;
  expect(shutdown).toEqual(SHUTDOWN);
  expect(others).toEqual(spec);
  // the type of Envoy Gateway is Local where nothing is said
  expect(provider.kubernetes.envoyService).toEqual({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Cluster',
    ...service,
  });
});

test.each<[number, number]>(casesIn(__dirname, 'envoy-gateway-objects.yaml')['port is in the pods'])(
  'port %i is %i in the pods',
  (port, expected) => expect(podPort(port)).toBe(expected),
);

test.each<[number[], [number, string][]]>([
  [[10443, 11024], []],
  [[10443, 443], [[10443, 'the pods of the proxies listen there for port 443']]],
  [[19001, 19004], [[19001, 'the pods of the proxies use it for statistics']]],
  [[11023, 1023, 11024, 1024], [[11023, 'the pods of the proxies listen there for port 1023']]],
])('of %j, %j are impossible', (ports, expected) => {
  expect(impossiblePorts(ports).map(({ port, why }) => [port, why])).toEqual(expected);
});

const plan: LoadBalancerPlan = {
  owner: 'aws-load-balancer-controller',
  annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' },
  labels: { team: 'edge' },
  loadBalancerClass: 'service.k8s.aws/nlb',
  externalTrafficPolicy: TrafficPolicy.LOCAL,
  allocateLoadBalancerNodePorts: false,
  sourceRanges: ['10.0.0.0/8'],
  loadBalancerIp: '192.0.2.1',
  finalizers: ['service.k8s.aws/resources'],
  ipFamilies: [IpFamily.IPV4, IpFamily.IPV6],
  sessionAffinity: { timeout: Duration.minutes(5) },
};

test('what a tenant and the Gateway get of the kinds of Envoy Gateway is written as it was checked', () => {
  const gateway = { name: 'shared', namespace: 'infra' };
  const documents = [
    envoyProxy({
      ...gateway,
      replicas: 2,
      plan,
      serviceName: 'shared',
      proxies: {
        nodePool: NodePool.labeled(
          { 'example.com/pool': 'edge' },
          { taints: [NodeTaint.noSchedule('example.com/edge', 'true')], zones: ['a', 'b'] },
        ),
        priorityClassName: 'edge',
        resources: { limits: { cpu: '2', memory: '2Gi' } },
      },
      drain: { least: 30, whole: 300, ready: 30 },
      front: { name: 'aws-load-balancer-controller' },
    }),
    ...gatewayClientPolicy(gateway, { proxyProtocol: true }),
    ...envoyDocuments(
      {
        name: 'shared',
        namespace: 'team-a',
        balancer: gateway,
        domain: 'team-a.example.com',
        connections: 100,
        services: [
          { name: 'db', ports: [{ port: 30017, servicePort: 5432 }], sourceRanges: ['10.1.0.0/16', '2001:db8::/48'] },
          {
            name: 'web',
            ports: [{ port: 443, servicePort: 8443, hostnames: ['web.team-a.example.com'] }],
            sourceRanges: ['10.2.0.0/16'],
          },
        ],
      },
      { proxyProtocol: true },
    ),
  ];
  const own = documents.filter(({ apiVersion }) => apiVersion === ENVOY_GATEWAY_VERSION);
  expectGolden(join(__dirname, 'goldens'), 'envoy-gateway', Yaml.stringify(...own));
});

function told(gateway: IGateway): string {
  const app = Testing.app();
  new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false }),
    portLock: lockFile({}),
  });
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('listeners of tenants need the namespace of a Gateway', () => {
  const nowhere = told(Gateway.fromName('edge', { controllerName: 'example.com/gateway' }));
  expect(nowhere).toContain('Gateway edge: its namespace is unknown');
  expect(nowhere).toContain('(existing-gateway-namespace-unknown)');
  expect(told(Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' }))).toBe('');
});
