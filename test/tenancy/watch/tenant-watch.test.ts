import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { App, Chart, Duration, Size } from 'cdk8s';
import { bundled, bundleOf } from '../../../scripts/programs/bundle';
import { ClientAddress } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { AwsLoadBalancerController, NlbTargetType } from '../../../src/controllers';
import {
  HaproxyIngress,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  TenancyIdentity,
  TenantWatch,
  type TenantWatchProps,
} from '../../../src/tenancy';
import { programText } from '../../../src/tenancy/runtime/program-workload';
import { synth } from '../../support/apps';
import { lockFile } from '../shared/locked';

const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const ENVOY = SharedLoadBalancerEngine.envoyGateway({ controller });
const HAPROXY = SharedLoadBalancerEngine.haproxy({
  controller,
  installation: new HaproxyIngress({ release: 'edge' }),
  clientAddress: ClientAddress.PRESERVE,
});
const NLB = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
const DELIVERY = TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller');
const WATCH = TenancyIdentity.serviceAccount('infra', 'tenant-watch');

function made(shared: Partial<SharedLoadBalancerProps> = {}, props: Partial<TenantWatchProps> = {}) {
  const app = new App();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const [a, b] = ['team-a', 'team-b'].map((namespace) => new Chart(app, namespace, { namespace }));
  const balancer = new SharedLoadBalancer(chart, 'Shared', {
    engine: ENVOY,
    platform: [DELIVERY],
    portLock: lockFile({ 'team-a/db:5432': { balancer: 0, port: 5432 }, 'team-b/web:80': { balancer: 0, port: 80 } }),
    ...shared,
  });
  const watch = new TenantWatch(chart, 'Watch', { shared: balancer, ...props });
  // tenants come later, and count
  const isHaproxy = shared.engine === HAPROXY;
  const isNlb = shared.engine === NLB;
  balancer.addTenant('team-b', { runtimePorts: isHaproxy ? undefined : { first: 31000, last: 31009 } });
  balancer.addTenant('team-a', {
    ...(isNlb ? {} : { maxConnections: 200 }),
    ...(isHaproxy ? { bandwidth: Size.mebibytes(1) } : {}),
  });
  balancer.attach(b, { tenant: 'team-b', service: 'web', ports: [{ port: 80 }] });
  const sourceRanges = isNlb ? undefined : ['10.0.0.0/8'];
  balancer.attach(a, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }], sourceRanges });
  const objects = synth(chart).filter(({ metadata }) => metadata.name.startsWith(props.name ?? 'tenant-watch'));
  const program = objects.find(({ kind }) => kind === 'ConfigMap') as Json;
  return { watch, objects, config: JSON.parse(program.data['config.json']) };
}

function rights(objects: Json[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    .flatMap(({ kind, metadata, rules }) =>
      rules.map(
        ({ apiGroups, resources, verbs, resourceNames = [] }: Json) =>
          `${kind === 'Role' ? metadata.namespace : '*'}: ${verbs} ${apiGroups.join()}/${resources} ${resourceNames}`,
      ),
    )
    .map((text) => text.trim())
    .sort();
}

test('of Envoy Gateway it reads the proxies of each balancer, and knows who has which port', () => {
  const { config, watch } = made();
  expect(config).toEqual({
    shared: 'infra/shared',
    component: 'tenant-watch',
    intervalSeconds: 15,
    reader: 'envoy-gateway',
    balancers: [
      {
        name: 'shared',
        pods: {
          namespace: 'envoy-gateway-system',
          labels: {
            'gateway.envoyproxy.io/owning-gateway-name': 'shared',
            'gateway.envoyproxy.io/owning-gateway-namespace': 'infra',
          },
        },
        ports: { 80: 'team-b/web', 5432: 'team-a/db' },
      },
    ],
    tenants: {
      'team-a': { services: ['db'], connections: 200, hasSourceRanges: true },
      'team-b': { services: ['web'], range: { first: 31000, last: 31009 } },
    },
    suspension: { label: 'cdk8s-load-balancers/suspended', value: 'true' },
  });
  expect(watch.identity.username).toBe('system:serviceaccount:infra:tenant-watch');
});

test('of HAProxy it reads the pods of the release, and writes the list that the release reads', () => {
  const { config, objects } = made({ engine: HAPROXY });
  expect(config).toMatchObject({
    reader: 'haproxy',
    balancers: [{ pods: { namespace: 'infra', labels: { 'app.kubernetes.io/instance': 'edge' } } }],
    tenants: { 'team-a': { bytesPerSecond: 1024 * 1024 } },
    list: { namespace: 'infra', name: 'edge-tenants', key: 'suspended' },
  });
  const { extraArgs } = new HaproxyIngress({ release: 'edge' }).helmValues.controller;
  expect(extraArgs).toContain('--configmap-patternfiles=$(POD_NAMESPACE)/edge-tenants');
  expect(rights(objects)).toEqual([
    '*: create,patch /events',
    '*: get /services',
    '*: list /namespaces',
    'infra: create /configmaps',
    'infra: list /pods',
    'infra: patch /configmaps edge-tenants',
  ]);
});

test('of the NLB it reads nothing, and touches ListenerSets', () => {
  const { config, objects } = made({ engine: NLB, platform: [DELIVERY, WATCH] });
  expect(config).toMatchObject({ balancers: [], touchesListenerSets: true });
  expect(rights(objects)).toEqual([
    '*: create,patch /events',
    '*: get /services',
    '*: list /namespaces',
    '*: list,patch gateway.networking.k8s.io/listenersets',
  ]);
});

test('it may read and write no more than it does', () => {
  expect(rights(made().objects)).toEqual(
    [
      '*: create,patch /events',
      '*: get /services',
      '*: list /namespaces',
      '*: list gateway.networking.k8s.io/listenersets',
      'envoy-gateway-system: list /pods',
    ].sort(),
  );
});

test('one pod runs it, anew when something has changed, and only the monitoring reads what tenants take', () => {
  const { objects } = made({}, { name: 'tenant-watch-2', interval: Duration.seconds(30) });
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as Json;
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  const hash = (found: Json[]) =>
    (found.find(({ kind }) => kind === 'Deployment') as Json).spec.template.metadata.annotations;
  expect(hash(objects)).not.toEqual(hash(made({}, { name: 'tenant-watch-2' }).objects));
  const wall = objects.find(({ kind }) => kind === 'NetworkPolicy') as Json;
  expect(wall.spec.ingress[0].from).toEqual([
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
  ]);
});

test.each<[string, Partial<SharedLoadBalancerProps>, Partial<TenantWatchProps>, RegExp]>([
  [
    'half a second',
    {},
    { interval: Duration.millis(5500) },
    /interval is 5.5 seconds; use whole seconds from 5 to 300/,
  ],
  ['readers everywhere', {}, { metricsReaders: {} }, /metricsReaders is empty, which selects every namespace/],
  [
    'readers that no namespace can be',
    {},
    { metricsReaders: { 'a b': 'c' } },
    /metricsReaders: 'a b' is not a qualified name/,
  ],
  ['no name of an image', {}, { image: 'my image' }, /image 'my image' is not the name of an image/],
])('%s is refused', (_, shared, props, why) => {
  expect(() => made(shared, props)).toThrow(why);
});

describe('the program', () => {
  test('is what its sources make', () => {
    expect(readFileSync(bundleOf('tenant-watch'), 'utf8')).toBe(bundled('tenant-watch'));
    expect(programText('tenant-watch.js')).toBe(bundled('tenant-watch'));
  });

  test('needs Node alone, names no machine and fits into a ConfigMap', () => {
    const needed = [...programText('tenant-watch.js').matchAll(/require\("([^"]+)"\)/g)].map(([, name]) =>
      name.replace(/^node:/, ''),
    );
    expect(needed.filter((name) => !builtinModules.includes(name))).toEqual([]);
    expect(programText('tenant-watch.js')).not.toMatch(/\/(work|home|root|tmp)\//);
    expect(programText('tenant-watch.js').length).toBeLessThan(100_000);
  });
});
