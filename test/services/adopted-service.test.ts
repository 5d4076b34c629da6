import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration, Include, JsonPatch } from 'cdk8s';
import {
  AdoptedService,
  AwsLoadBalancerController,
  AzureCloudProvider,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  NodePool,
} from '../../src';
import type { Json } from '../../src/contract/late-rendering';
import { errorsOf, newChart, written } from '../support/apps';

const instance = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });
const ip = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

/** A manifest as somebody else wrote it. */
function included(service: Json): { chart: ReturnType<typeof newChart>; include: Include } {
  const chart = newChart();
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-'));
  const file = join(folder, 'service.yaml');
  const base = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo' } };
  const spec = { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 80, targetPort: 'http' }] };
  writeFileSync(
    file,
    JSON.stringify({
      ...base,
      metadata: { ...base.metadata, ...service.metadata },
      spec: { ...spec, ...service.spec },
    }),
  );
  const include = new Include(chart, 'Manifests', { url: file });
  rmSync(folder, { recursive: true });
  return { chart, include };
}

test('the plan is rendered into a Service that exists, and the rest of it stays', () => {
  const { chart, include } = included({
    metadata: { labels: { team: 'a' } },
    spec: { externalTrafficPolicy: 'Local' },
  });
  const controller = AzureCloudProvider.standard();
  new AdoptedService(chart, 'Adopted', { service: include, controller, scheme: LoadBalancerScheme.INTERNAL });
  expect(written(chart, 'Service')).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'echo',
      namespace: 'echo',
      labels: { team: 'a' },
      annotations: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
      finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
    },
    spec: {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      selector: { app: 'echo' },
      ports: [{ port: 80, targetPort: 'http' }],
    },
  });
});

test.each<[string, Json, string]>([
  ['a class of somebody else', { spec: { loadBalancerClass: 'tailscale' } }, "spec.loadBalancerClass 'tailscale'"],
  [
    'another scheme',
    { metadata: { annotations: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'false' } } },
    "azure-load-balancer-internal 'false'",
  ],
  ['that it is balanced already, and not whether it is public', {}, 'whether that is public nobody says'],
  [
    'that it is headless',
    { spec: { type: 'ClusterIP', clusterIP: 'None' } },
    'clusterIP None stands on a Service of type LoadBalancer',
  ],
  [
    'the finalizer of another owner',
    { metadata: { finalizers: ['service.k8s.aws/resources'] } },
    'finalizer service.k8s.aws/resources belongs to aws-load-balancer-controller, and this balancer is owned by cloud-provider-azure',
  ],
])('a manifest that says %s is an error that names it', (_, manifest, message) => {
  const { chart, include } = included(manifest);
  new AdoptedService(chart, 'Adopted', { service: include, controller: AzureCloudProvider.standard() });
  expect(errorsOf(chart)).toContainEqual(expect.stringContaining(message));
});

test('what a plan and the wishes of no controller say arrives in an adopted Service too', () => {
  const { chart, include } = included({
    spec: {
      type: 'ClusterIP',
      ports: [{ name: 'dns', port: 53, protocol: 'UDP' }],
      loadBalancerSourceRanges: undefined,
      ipFamilies: ['IPv4'],
    },
  });
  new AdoptedService(chart, 'Adopted', {
    service: include,
    controller: MetalLb.layer2({ addressPool: 'edge' }),
    backendNodes: NodePool.labeled({ pool: 'edge' }),
    dnsName: 'dns.example.com',
    sourceRanges: ['10.0.0.0/8'],
    sessionAffinity: { timeout: Duration.minutes(5) },
    publishNotReadyAddresses: true,
  });
  LoadBalancers.of(chart).acknowledge('metallb-other-advertisements', 'there are no others');
  const { metadata, spec } = written(chart, 'Service');
  expect(metadata.annotations).toMatchObject({ 'external-dns.alpha.kubernetes.io/hostname': 'dns.example.com' });
  expect(metadata.labels).toEqual(written(chart, 'L2Advertisement').spec.serviceSelectors[0].matchLabels);
  expect(spec).toMatchObject({
    ports: [{ name: 'dns', port: 53, protocol: 'UDP' }],
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    ipFamilies: ['IPv4'],
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 300 } },
    publishNotReadyAddresses: true,
  });
});

test('a patch of an adopted Service that contradicts the plan is an error, not overwritten', () => {
  const { chart, include } = included({ spec: { type: 'ClusterIP' } });
  const { service } = new AdoptedService(chart, 'Adopted', { service: include, controller: ip() });
  service.addJsonPatch(JsonPatch.add('/spec/loadBalancerClass', 'example.com/lb'));
  expect(errorsOf(chart)).toEqual([expect.stringContaining("spec.loadBalancerClass 'example.com/lb'")]);
});

test('a Service is adopted once', () => {
  const { chart, include } = included({ spec: { type: 'ClusterIP' } });
  new AdoptedService(chart, 'First', { service: include, controller: ip() });
  expect(() => new AdoptedService(chart, 'Second', { service: include, controller: ip() })).toThrow(
    'is adopted already',
  );
});

test('a class that the plan adds to a Service that may be live is told, with the way out', () => {
  const { chart, include } = included({});
  const adopted = { service: include, scheme: LoadBalancerScheme.INTERNAL };
  new AdoptedService(chart, 'ByClass', { ...adopted, controller: instance() });
  const told = () => LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId);
  expect(told()).toEqual(['class-on-live-service']);
});

test('a Service that claims nothing yet becomes one of type LoadBalancer, internal like every other', () => {
  const { chart, include } = included({ spec: { type: 'ClusterIP' } });
  new AdoptedService(chart, 'Adopted', { service: include, controller: ip() });
  expect(LoadBalancers.of(chart).warnings).toEqual([]);
  const { metadata, spec } = written(chart, 'Service');
  expect(spec).toMatchObject({ type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb' });
  expect(metadata.annotations).toMatchObject({ 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' });
});

test.each([
  ['metallb, whose pool decides it', () => MetalLb.layer2({ addressPool: 'edge' }), 0],
  ['aws-load-balancer-controller', ip, 1],
])('who can reach a live balancer must be said, but not to %s', (_, controller, errors) => {
  const { chart, include } = included({});
  new AdoptedService(chart, 'Adopted', { service: include, controller: controller() });
  expect(errorsOf(chart).filter((error) => error.includes('(adopted-scheme)'))).toHaveLength(errors);
});
