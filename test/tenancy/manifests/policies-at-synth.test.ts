import { Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion } from '../../../src';
import { Gateway } from '../../../src/gateway';
import {
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  TenancyIdentity,
  TenantLoadBalancerGuard,
  type TenantLoadBalancerGuardProps,
} from '../../../src/tenancy';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import { lockedAsWished } from '../shared/locked';
import { BY_PORT, fileOf, quietly } from './tenant-apps';

// What the policies of an app would refuse of the files of tenants is known at synth, with file and line.

const DELIVERY = [TenancyIdentity.user('delivery')];
const HAPROXY = SharedLoadBalancerEngine.haproxy({ controller: AwsLoadBalancerController.nlb(), platform: DELIVERY });
const EDGE = Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' });
const EXISTING = SharedLoadBalancerEngine.existingGateway({ gateway: EDGE, routesBySni: false });
const WITH_HTTP = SharedLoadBalancerEngine.existingGateway({ gateway: EDGE, routesBySni: false, httpRoutes: true });

interface World {
  readonly guard?: Partial<TenantLoadBalancerGuardProps> | false;
  readonly balancer?: Partial<SharedLoadBalancerProps>;
  readonly keepType?: boolean;
  /** Whether the guard is made after the file was read. */
  readonly late?: boolean;
}

const SERVICE =
  'apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {type: LoadBalancer, ports: [{port: 5432}]}\n';

/** What synth says of one more object in the file of a tenant. */
function said(object: string, { guard = {}, balancer = {}, keepType, late }: World = {}): string {
  const app = Testing.app();
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const makeGuard = () =>
    guard &&
    new TenantLoadBalancerGuard(platform, 'Guard', {
      name: 'tenants',
      namespaceLabels: { tenant: 'true' },
      kubernetes: KubernetesVersion.V1_36,
      ...guard,
    });
  try {
    if (!late) {
      makeGuard();
    }
    const shared = new SharedLoadBalancer(platform, 'Shared', {
      engine: BY_PORT,
      hostname: 'tcp.example.com',
      namespaceLabels: { tenant: 'true' },
      platform: DELIVERY,
      portLock: lockedAsWished('team-a/db:5432'),
      ...balancer,
    });
    shared.addTenant('team-a');
    shared.addTenant('team-b');
    const chart = new Chart(app, 'tenant', { namespace: 'team-a' });
    new TenantManifests(chart, 'Manifests', { url: fileOf(`${SERVICE}---\n${object}`), shared, keepType });
    if (late) {
      makeGuard();
    }
    quietly(() => app.synthYaml());
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

const service = (spec: string, metadata = '') =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: x${metadata}}\nspec: {${spec}}\n`;
const ingress = (spec: string, metadata = '') =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: x${metadata}}\nspec: {${spec}}\n`;
const route = (parent: string, rule = '{backendRefs: [{name: db, port: 80}]}', kind = 'HTTPRoute') =>
  `apiVersion: gateway.networking.k8s.io/v1\nkind: ${kind}\nmetadata: {name: x}\nspec: {parentRefs: [{${parent}}], rules: [${rule}]}\n`;
const dns = (name: string) =>
  `apiVersion: externaldns.k8s.io/v1alpha1\nkind: DNSEndpoint\nmetadata: {name: x}\nspec: {endpoints: [{dnsName: ${name}, targets: [192.0.2.1], recordType: A}]}\n`;
const named = (name: string) => `, annotations: {external-dns.alpha.kubernetes.io/hostname: "${name}"}`;
const PORTS = 'ports: [{port: 80}]';
const DOMAINS = { guard: { dnsDomains: ['{namespace}.apps.example.com'] } };

test.each<[string, string, World, string]>([
  ['external IPs', service(`${PORTS}, externalIPs: [192.0.2.1]`), {}, 'spec.externalIPs is not allowed: remove it'],
  [
    'external IPs, before the guard is made',
    service(`${PORTS}, externalIPs: [192.0.2.1]`),
    { late: true },
    'externalIPs',
  ],
  ['a fixed address', service(`${PORTS}, loadBalancerIP: 192.0.2.1`), {}, 'spec.loadBalancerIP is not allowed'],
  ['type NodePort', service(`${PORTS}, type: NodePort`), {}, 'node ports are not allowed: use type ClusterIP'],
  [
    'a node port',
    service('type: NodePort, ports: [{port: 80, nodePort: 30080}]'),
    {},
    'node ports are not allowed (30080): use type ClusterIP',
  ],
  [
    'a Service that keeps its type without ranges',
    service(`type: LoadBalancer, ${PORTS}`),
    {
      keepType: true,
      guard: { minSourceRangePrefix: 16, sharedServices: true },
      balancer: { portLock: lockedAsWished('team-a/db:5432', 'team-a/x:80') },
    },
    'spec.loadBalancerSourceRanges is missing: name the clients that may connect',
  ],
  [
    'a port of a Service that keeps its type',
    service(`type: LoadBalancer, ${PORTS}`),
    {
      keepType: true,
      guard: { portRange: { first: 5000, last: 6000 }, sharedServices: true },
      balancer: { portLock: lockedAsWished('team-a/db:5432', 'team-a/x:80') },
    },
    'ports outside 5000 to 6000: 80',
  ],
  [
    'a Service that keeps its type, which nothing serves',
    service(`type: LoadBalancer, ${PORTS}`),
    { keepType: true, balancer: { portLock: lockedAsWished('team-a/db:5432', 'team-a/x:80') } },
    'Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP; change it',
  ],
  [
    'an Ingress of a cloud',
    ingress('ingressClassName: alb'),
    { guard: { ingressClasses: ['nginx'] } },
    'ingress class alb is not allowed',
  ],
  [
    'an Ingress without a class',
    ingress(''),
    { guard: { ingressClasses: [] } },
    'without a class are not allowed: remove the Ingress',
  ],
  ['IPv6 at an NLB', service(`${PORTS}, ipFamilies: [IPv6]`), {}, 'spec.ipFamilies must be IPv4 alone'],
  [
    'both families at an NLB',
    service(`${PORTS}, ipFamilyPolicy: RequireDualStack`),
    {},
    'spec.ipFamilies must be IPv4 alone',
  ],
  [
    'no selector and no address at an NLB, to which the API server gives both',
    service(`${PORTS}, clusterIP: None`),
    {},
    'set spec.ipFamilyPolicy to SingleStack and spec.ipFamilies to IPv4',
  ],
  [
    'an Ingress of the class of HAProxy',
    ingress('ingressClassName: shared-haproxy'),
    { balancer: { engine: HAPROXY } },
    'ingress class shared-haproxy is that of the shared load balancer: use another',
  ],
  [
    'an Ingress of the class of HAProxy by annotation',
    ingress('', ', annotations: {ingress.class: shared-haproxy}'),
    { balancer: { engine: HAPROXY } },
    'use another',
  ],
  [
    'a name of others',
    service(PORTS, named('shop.example.com')),
    DOMAINS,
    'names that external-dns makes must be in team-a.apps.example.com, not shop.example.com',
  ],
  [
    'a name of others among its own',
    service(PORTS, named('a.team-a.apps.example.com, b.team-b.apps.example.com.')),
    DOMAINS,
    'not b.team-b.apps.example.com;',
  ],
  ['a record of others', dns('shop.example.com'), DOMAINS, 'not shop.example.com'],
  [
    'a host of others',
    ingress('rules: [{host: shop.example.com}], tls: [{hosts: [x.example.com]}]'),
    DOMAINS,
    'not shop.example.com, x.example.com',
  ],
  [
    'any name',
    dns('a.team-a.example.com'),
    { guard: { dnsDomains: [] } },
    'external-dns may make no names in this namespace, remove a.team-a.example.com',
  ],
  [
    'a route at the shared Gateway',
    route('name: edge, namespace: infra'),
    { balancer: { engine: EXISTING } },
    'spec.parentRefs may not name a shared Gateway',
  ],
  [
    'a route at the listeners of a neighbour',
    route('kind: ListenerSet, name: shared, namespace: team-b', undefined, 'GRPCRoute'),
    { balancer: { engine: EXISTING } },
    'spec.parentRefs may not name a ListenerSet of another namespace',
  ],
  [
    'a route to a neighbour',
    route('name: edge, namespace: infra', '{backendRefs: [{name: db, namespace: team-b}]}'),
    { balancer: { engine: WITH_HTTP } },
    'backendRefs must be Services of this namespace: Service db',
  ],
  [
    'a route that copies requests to a neighbour',
    route('name: edge, namespace: infra', '{filters: [{requestMirror: {backendRef: {name: spy, namespace: team-b}}}]}'),
    { balancer: { engine: WITH_HTTP } },
    'backendRefs must be Services of this namespace: Service spy',
  ],
])('%s fails the synth as the API server would refuse it', (_, object, world, says) => {
  const message = said(object, world);
  expect(message).toContain(says);
  expect(message).toMatch(/ x \(tenant\/Manifests, \S+\.yaml:6\) would be refused by the policy /);
  expect(message).toContain('(tenant-refused)');
});

test.each<[string, string, World]>([
  [
    'external IPs that the guard allows',
    service(`${PORTS}, externalIPs: [192.0.2.1]`),
    { guard: { forbidExternalIps: false } },
  ],
  ['external IPs without a guard', service(`${PORTS}, externalIPs: [192.0.2.1]`), { guard: false }],
  [
    'external IPs under a guard for others',
    service(`${PORTS}, externalIPs: [192.0.2.1]`),
    { guard: { namespaceLabels: { tenant: 'no' } } },
  ],
  ['node ports that the guard allows', service(`${PORTS}, type: NodePort`), { guard: { forbidNodePorts: false } }],
  ['a headless Service without ports, as Patroni has one', service('clusterIP: None'), {}],
  ['a headless Service with a selector', service(`${PORTS}, clusterIP: None, selector: {app: x}`), {}],
  ['IPv6 at HAProxy', service(`${PORTS}, ipFamilies: [IPv6]`), { balancer: { engine: HAPROXY } }],
  ['names of its own', service(PORTS, named('db.team-a.apps.example.com,*.team-a.apps.example.com')), DOMAINS],
  ['names of no domain of tenants', dns('shop.example.com'), {}],
  [
    'an Ingress of a class that is allowed',
    ingress('ingressClassName: nginx'),
    { guard: { ingressClasses: ['nginx'] } },
  ],
  ['a route at another Gateway', route('name: web, namespace: infra'), { balancer: { engine: EXISTING } }],
  [
    'a route at a Gateway with listeners of HTTP',
    route('name: edge, namespace: infra'),
    { balancer: { engine: WITH_HTTP } },
  ],
  ['a Service of another group', service(`${PORTS}, externalIPs: [a]`).replace('v1', 'serving.knative.dev/v1'), {}],
])('%s pass', (_, object, world) => {
  expect(said(object, world)).toBe('nothing');
});

test.each<[string, string, string]>([
  [
    'the name of the shared load balancer',
    service(PORTS, named('tcp.example.com')),
    'tcp.example.com of the shared load balancer',
  ],
  [
    'the name of the shared load balancer, in a record',
    dns('TCP.example.com.'),
    'tcp.example.com of the shared load balancer',
  ],
  ['a name of a neighbour', dns('db.team-b.tcp.example.com'), 'db.team-b.tcp.example.com of tenant team-b'],
  ['all names of a neighbour', ingress('rules: [{host: "*.team-b.tcp.example.com"}]'), 'of tenant team-b'],
])('a tenant requests no DNS record for %s', (_, object, says) => {
  const message = said(object, { guard: false });
  expect(message).toContain(says);
  expect(message).toContain('(tenant-dns-name)');
  expect(said(object, { guard: false, balancer: { oneTeam: true } })).toBe('nothing');
});

test("names of its own in the domain of the balancers are a tenant's own", () => {
  expect(said(dns('db.team-a.tcp.example.com'), { guard: false })).toBe('nothing');
});
