import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration, Include, JsonPatch } from 'cdk8s';
import {
  AdoptedService,
  type AdoptedServiceProps,
  AwsLoadBalancerController,
  AwsLoadBalancerType,
  AzureCloudProvider,
  ClientAddress,
  type ILoadBalancerController,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  NodePool,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import { type ControllerDefinition, definitionOf, schemeIn } from '../../src/rules/controller-definition';
import { errorsOf, newChart, stderrOf, written } from '../support/apps';
import { fileWith } from '../support/files';
import { casesIn, revived, table, tablesOf } from '../support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'adopted-service.yaml'));

const instance = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });
const ip = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

function included(service: Json): { chart: ReturnType<typeof newChart>; include: Include } {
  const chart = newChart();
  const base = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo' } };
  const spec = { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 80, targetPort: 'http' }] };
  const file = fileWith(
    JSON.stringify({
      ...base,
      ...service,
      metadata: { ...base.metadata, ...service.metadata },
      spec: { ...spec, ...service.spec },
    }),
  );
  return { chart, include: new Include(chart, 'Manifests', { url: file }) };
}

test('the plan is rendered into a Service that exists, and the rest of it stays', () => {
  const { chart, include } = included({
    metadata: { labels: { team: 'a' } },
    spec: { externalTrafficPolicy: 'Local' },
  });
  const controller = AzureCloudProvider.standard();
  new AdoptedService(chart, 'Adopted', { service: include, controller, scheme: LoadBalancerScheme.INTERNAL });
  expect(written(chart, 'Service')).toEqual(
    casesIn(__dirname, 'adopted-service.yaml')['the plan is rendered into a Service that exists and the'],
  );
});

test.each<[string, Json, string]>(tables.manifestSaysError)(
  'a manifest that says %s is an error that names it',
  (_, manifest, message) => {
    const { chart, include } = included(manifest);
    new AdoptedService(chart, 'Adopted', { service: include, controller: AzureCloudProvider.standard() });
    expect(errorsOf(chart)).toContainEqual(expect.stringContaining(message));
  },
);

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
  LoadBalancers.of(chart).acknowledge('metallb-advertisement-overlap', 'there are no others');
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
  expect(told()).toEqual(['class-added-to-live-service']);
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
  expect(errorsOf(chart).filter((error) => error.includes('(adopted-scheme-unknown)'))).toHaveLength(errors);
});

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const { INTERNET_FACING } = LoadBalancerScheme;
const external = () =>
  AwsLoadBalancerController.nlb({ type: AwsLoadBalancerType.EXTERNAL, targetType: NlbTargetType.IP });

/** A manifest that says who can reach the balancer, and the owner whose words these are. */
test.each<[string, ILoadBalancerController, Json, LoadBalancerScheme]>(
  revived(table('services/adopted-service.yaml', 'the scheme of a manifest'), { instance }),
)('what a manifest says of its scheme counts as wished for, in the words of %s', (_, controller, manifest, scheme) => {
  const plain = included(manifest);
  new AdoptedService(plain.chart, 'Adopted', { service: plain.include, controller });
  stderrOf(() => expect(errorsOf(plain.chart)).toEqual([]));

  const other = included(manifest);
  const wish = scheme === INTERNET_FACING ? LoadBalancerScheme.INTERNAL : INTERNET_FACING;
  new AdoptedService(other.chart, 'Adopted', { service: other.include, controller, scheme: wish });
  const kind = definitionOf(controller) as ControllerDefinition;
  stderrOf(() => {
    // either it is an error, or the finished Service says what was wished
    expect(errorsOf(other.chart).length > 0 || schemeIn(written(other.chart, 'Service'), kind) === wish).toBe(true);
  });
});

/** Manifests whose balancer is another's, and what leads away from an orphan. */
test.each<[string, () => ILoadBalancerController, Json, [string, string][]]>(
  table('services/adopted-service.yaml', 'a Service is handed over not changed in place', { external, ip }),
)('a Service %s is handed over, not changed in place', (_, controller, manifest, expected) => {
  const { chart, include } = included(manifest);
  new AdoptedService(chart, 'Adopted', {
    service: include,
    controller: controller(),
    scheme: LoadBalancerScheme.INTERNAL,
  });
  const errors = errorsOf(chart);
  const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => sentenceOf(finding));
  const told = (texts: string[], severity: string) =>
    texts.map((text) => [severity, text.slice(text.lastIndexOf('(') + 1, -1)]);
  expect([...told(errors, 'error'), ...told(warnings, 'warning')]).toEqual(expected);
  for (const text of [...errors, ...warnings].filter((one) => !one.includes('manifest-with-server-fields'))) {
    expect(text).toContain('docs/how-to/change-a-controller.md#hand-services-over');
  }
});

test('a live Service that the same controller claims by annotation goes on being claimed so', () => {
  const annotations = { [`${AWS}type`]: 'external', [`${AWS}nlb-target-type`]: 'ip' };
  const { chart, include } = included({ metadata: { annotations } });
  new AdoptedService(chart, 'Adopted', { service: include, controller: ip(), scheme: LoadBalancerScheme.INTERNAL });
  const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(told.filter(({ ruleId }) => ruleId === 'class-added-to-live-service').map(({ remedy }) => remedy)).toEqual([
    expect.stringContaining('type: AwsLoadBalancerType.EXTERNAL'),
  ]);
});

const EXPORT = casesIn(__dirname, 'adopted-service.yaml').export;

test('what the API server wrote into an export is left out, and told', () => {
  const { chart, include } = included(EXPORT);
  const { service } = new AdoptedService(chart, 'Adopted', { service: include, controller: external() });
  const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(told.map(({ ruleId }) => ruleId)).toEqual([
    'manifest-with-server-fields',
    'finalizer-of-service-controller',
    'session-affinity-ignored',
  ]);
  expect(told[0].what).toMatch(
    /metadata\.uid, metadata\.resourceVersion, metadata\.creationTimestamp, metadata\.managedFields, .*last-applied-configuration, status, spec\.clusterIP, spec\.clusterIPs, spec\.ports\.0\.nodePort, .* are ignored/,
  );
  const { metadata, spec, status } = written(chart, 'Service');
  expect(Object.keys(metadata).sort()).toEqual(['annotations', 'finalizers', 'name', 'namespace']);
  expect(status).toBeUndefined();
  expect(spec).toEqual(
    casesIn(__dirname, 'adopted-service.yaml')['what the API server wrote into an export is left out and'],
  );
  service.addJsonPatch(JsonPatch.add('/spec/ports/0/nodePort', 31_500));
  expect(written(chart, 'Service').spec.ports[0].nodePort).toBe(31_500);
});

test('what a manifest without a server says stays', () => {
  const { chart, include } = included({
    metadata: { creationTimestamp: null },
    spec: { type: 'ClusterIP', clusterIP: '10.0.0.9', ports: [{ port: 80, nodePort: 31_000 }] },
    status: { loadBalancer: {} },
  });
  new AdoptedService(chart, 'Adopted', { service: include, controller: instance() });
  expect(LoadBalancers.of(chart).warnings).toEqual([]);
  const { metadata, spec, status } = written(chart, 'Service');
  expect(metadata.creationTimestamp ?? status).toBeUndefined();
  expect(spec).toMatchObject({ clusterIP: '10.0.0.9', ports: [{ port: 80, nodePort: 31_000 }] });
});

describe('of a manifest in a local file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-'));
  const file = join(folder, 'echo.yaml');
  writeFileSync(
    file,
    `apiVersion: v1
kind: ConfigMap
metadata: {name: echo}
---
apiVersion: v1
kind: Service
metadata:
  name: echo
  annotations:
    ${AWS}type: external
    ${AWS}nlb-target-type: instance
    ${AWS}scheme: internet-facing
spec:
  type: LoadBalancer
  externalTrafficPolicy: Cluster
  selector: {app: echo}
  ports: [{port: 80}]
`,
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  const errorsWith = (props: Partial<AdoptedServiceProps>) => {
    const chart = newChart();
    const service = new Include(chart, 'Existing', { url: file });
    new AdoptedService(chart, 'Adopted', { service, controller: external(), manifestFile: file, ...props });
    return stderrAside(() => errorsOf(chart));
  };

  test.each<[string, Partial<AdoptedServiceProps>, string[]]>([
    [
      'an option',
      {},
      [
        `${AWS}nlb-target-type 'instance' (${file}:11), but the plan, which option targetType of the controller decides, has 'ip'; set the same with option targetType of the controller; or remove it from the manifest`,
        "patch the object in include.apiObjects with JsonPatch.remove('/metadata/annotations/service.beta.kubernetes.io~1aws-load-balancer-nlb-target-type')",
      ],
    ],
    [
      'a prop',
      { scheme: LoadBalancerScheme.INTERNAL },
      [`${AWS}scheme 'internet-facing' (${file}:12), but the plan, which scheme decides, has 'internal'`],
    ],
    [
      'a wish that the manifest makes impossible',
      {
        controller: AwsLoadBalancerController.nlb({
          type: AwsLoadBalancerType.EXTERNAL,
          targetType: NlbTargetType.INSTANCE,
        }),
        clientAddress: ClientAddress.PRESERVE,
      },
      [
        `the manifest sets spec.externalTrafficPolicy 'Cluster' (${file}:15): set trafficPolicy in the props, or remove it from the manifest`,
      ],
    ],
  ])('errors name file and line, and what else says it: %s', (_, props, expected) => {
    const errors = errorsWith(props).join('\n');
    for (const text of expected) expect(errors).toContain(text);
  });

  test('a file that is not there is an error', () => {
    expect(() => errorsWith({ manifestFile: 'nope.yaml' })).toThrow(
      /manifestFile 'nope\.yaml' cannot be read \(ENOENT\); pass the path of a local file, which counts from the working directory/,
    );
  });
});

function stderrAside<T>(action: () => T): T {
  let result: T | undefined;
  stderrOf(() => {
    result = action();
  });
  return result as T;
}
