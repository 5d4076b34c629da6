import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/docs/files';
import { whichControllerPage } from '../scripts/docs/which-controller-page';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  EksAutoMode,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancerOwner,
  MetalLb,
  OwnershipState,
} from '../src';
import type { Json } from '../src/contract/json';
import { VENDOR_WRITINGS } from '../src/controllers/vendors/writings.facts';
import { billOf } from '../src/cost/bill';
import { PriceList } from '../src/cost/price-list';
import { HOURS_PER_MONTH } from '../src/cost/prices.facts';
import { allKinds, knownKinds } from '../src/rules/known-kinds';
import { balancer } from './cost/balancers';
import { service } from './support/cases';
import { run } from './support/command';
import { fileWith, folderWith } from './support/files';
import { runExample } from './support/pasted-page';
import { casesIn } from './support/yaml-cases';

const lbc = AwsLoadBalancerController.nlb();
const webhook = AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true });
const ccm = AwsCloudProvider.classic();
const auto = EksAutoMode.nlb();
const eks = [lbc, ccm];

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const TARGET = 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type';
const classed = (loadBalancerClass: string) => service({ loadBalancerClass });

/** The Service of the Kubernetes documentation: no class, no annotation. */
const SAMPLE = service();

const rows: [string, Json, ILoadBalancerController[], string][] = [
  ['the class of the AWS controller', classed('service.k8s.aws/nlb'), eks, 'aws-load-balancer-controller'],
  ['the class of Auto Mode', classed('eks.amazonaws.com/nlb'), [...eks, auto], 'eks-auto-mode'],
  ['a class of nobody', classed('example.com/lb'), eks, 'unclaimed'],
  [
    'a class that the controller was started with',
    classed('example.com/lb'),
    [AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/lb' }), ccm],
    'aws-load-balancer-controller',
  ],
  [
    'type external with ip targets',
    service({}, { [TYPE]: 'external', [TARGET]: 'ip' }),
    eks,
    'aws-load-balancer-controller',
  ],
  [
    'type external with nodes',
    service({}, { [TYPE]: 'external', [TARGET]: 'instance' }),
    eks,
    'aws-load-balancer-controller',
  ],
  [
    'type external on a Service of another type',
    service({ type: 'ClusterIP' }, { [TYPE]: 'external', [TARGET]: 'ip' }),
    eks,
    'aws-load-balancer-controller',
  ],
  ['type nlb on a Service of another type', service({ type: 'NodePort' }, { [TYPE]: 'nlb' }), eks, 'not-applicable'],
  ['type nlb-ip', service({}, { [TYPE]: 'nlb-ip' }), eks, 'aws-load-balancer-controller'],
  ['type external without a target type', service({}, { [TYPE]: 'external' }), eks, 'unclaimed'],
  ['type nlb', service({}, { [TYPE]: 'nlb' }), eks, 'cloud-provider-aws'],
  ['type nlb where the webhook is on', service({}, { [TYPE]: 'nlb' }), [webhook, ccm], 'aws-load-balancer-controller'],
  ['the sample under the cloud provider', SAMPLE, eks, 'cloud-provider-aws'],
  ['the sample where the webhook is on', SAMPLE, [webhook, ccm], 'aws-load-balancer-controller'],
  [
    'a live Service that its webhook did not see',
    { ...SAMPLE, metadata: { ...SAMPLE.metadata, uid: '1' } },
    [webhook, ccm],
    'cloud-provider-aws',
  ],
  ['the sample on Auto Mode', SAMPLE, [ccm, auto], 'eks-auto-mode'],
  ['the sample on AKS', SAMPLE, [AzureCloudProvider.standard()], 'cloud-provider-azure'],
  ['the sample on GKE', SAMPLE, [Gke.passthrough()], 'gke'],
  ['the sample on Hetzner', SAMPLE, [HetznerCloud.loadBalancer()], 'hcloud-cloud-controller-manager'],
  ['the sample on bare metal', SAMPLE, [MetalLb.layer2()], 'metallb'],
  ['the sample where MetalLB runs beside a cloud provider', SAMPLE, [MetalLb.layer2(), ccm], 'contested'],
  ['the sample with nothing installed', SAMPLE, [], 'unclaimed'],
  ['a Service of another type', service({ type: 'ClusterIP' }), eks, 'not-applicable'],
];

test.each(rows)('%s is owned by the right one', (_, object, controllers, expected) => {
  const owner = LoadBalancerOwner.of(object, controllers);
  expect(owner.name ?? owner.state).toBe(expected);
  expect(owner.because).not.toBe('');
});

test('without knowing the cluster, a class decides and its absence does not', () => {
  expect(LoadBalancerOwner.of(classed('service.k8s.aws/nlb')).name).toBe('aws-load-balancer-controller');
  expect(LoadBalancerOwner.of(classed('example.com/lb')).state).toBe(OwnershipState.UNKNOWN);
  const unknown = LoadBalancerOwner.of(SAMPLE);
  expect(unknown.state).toBe(OwnershipState.UNKNOWN);
  expect(unknown.candidates.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cloud-provider-aws', 'cloud-provider-azure', 'gke', 'metallb', 'eks-auto-mode']),
  );
});

test("a user's own controller cannot be asked, and that is said", () => {
  const acme = { name: 'acme', bind: () => ({ owner: 'acme' }) };
  const owner = LoadBalancerOwner.of(classed('acme.example.com/lb'), [...eks, acme]);
  expect(owner.state).toBe(OwnershipState.UNKNOWN);
  expect(owner.because).toContain('acme cannot be asked');
});

test.each([undefined, null, 'text', 7, []])('anything may be asked about: %j', (object) => {
  expect(LoadBalancerOwner.of(object).state).toBe(OwnershipState.NOT_APPLICABLE);
});

test('the classless sample is a public Classic balancer under the cloud provider, and said so', () => {
  const owner = LoadBalancerOwner.of(SAMPLE, eks);
  expect(owner.because).toMatch(/[Cc]lassic/);
  expect(owner.because).toContain('public');
});

const vendors = allKinds().filter((kind) => !knownKinds().includes(kind));
const PAGE = whichControllerPage(knownKinds(), vendors);

/** The cells of the rows of one controller, on one cluster of three nodes with one pod on each. */
function rowsOf(controller: string): string[][] {
  const rows = PAGE.split('\n').filter((line) => line.startsWith(`| ${controller} |`));
  return rows.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

test.each(vendors.map(({ name }) => [name]))(
  '%s is on the page, with the factory that writes for it if there is one',
  (name) => {
    const [row] = rowsOf(name);
    const isWritten = name in VENDOR_WRITINGS;
    expect(/^`[A-Z]\w+\.\w+`/.test(row[2])).toBe(isWritten);
  },
);

test.each(knownKinds().map(({ name }) => [name]))('%s is on the page, with its finalizer', (name) => {
  expect(rowsOf(name).length).toBeGreaterThan(0);
  expect(PAGE).toContain(`| [${name}](reference/annotations/${name}.md) | `);
});

test('two of three connections have a second hop with policy Cluster, and none with Local', () => {
  const ways = rowsOf('aws-load-balancer-controller').map(([, , way, , second, address]) => [way, second, address]);
  expect(ways).toEqual([
    ['nodes, Cluster', '67 %', 'lost at the node'],
    ['pods', 'none', 'lost at the balancer'],
    ['nodes, Local', 'none', 'kept'],
    ['pods, clientAddress PRESERVE', 'none', 'kept'],
    ['nodes, Cluster, PROXY protocol', '67 %', 'in the PROXY header'],
    ['pods, PROXY protocol', 'none', 'in the PROXY header'],
  ]);
});

test('each price has its terms, region and date', () => {
  const rows = PAGE.split('\n').filter((line) => / (USD|EUR) \d/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    expect(row).toMatch(/ (USD|EUR) \d+\.\d\d = [\d.].* \([a-z][a-z0-9-]+, \d{4}-\d\d-\d\d(, \d{4}-\d\d-\d\d)*\) \| /);
  }
});

test('nothing on it is missing or no number', () => expect(PAGE).not.toMatch(/NaN|undefined|needs /));

test('the page on addresses that stay has the prices of the tables', () => {
  const page = readFileSync(join(ROOT, 'docs', 'how-to', 'keep-load-balancers.md'), 'utf8');
  const { text } = billOf([balancer('aws/nlb')], { zones: 3, region: 'us-east-1' });
  expect(page).toContain(`${text.split(', traffic')[0]}`);
  for (const product of ['aws/nlb', 'azure/standard']) {
    const price = new PriceList(product, {}).price('address');
    expect('value' in price && Number(String(price.value)) * HOURS_PER_MONTH).toBeCloseTo(3.65);
  }
  expect(page).toContain('USD 3.65 = 0.005 × 730 h');
});

// An app is a folder that is rendered first: with the context that its constructs know, `check` of its output finds what its synth
// finds. A rule that only one of the two can check is listed with its row.

interface Row {
  readonly context: string;
  readonly onlySynth?: readonly string[];
  readonly onlyCheck?: readonly string[];
}

const AWS = 'controllers: [aws-load-balancer-controller, cloud-provider-aws]';

const ROWS: Readonly<Record<string, Row>> = {
  aks: {
    context: `clusters:
  - { name: standard, controllers: [{ name: cloud-provider-azure, sku: standard }], sources: [{ files: [aks-standard.k8s.yaml] }] }
  - { name: several, controllers: [{ name: cloud-provider-azure, sku: multipleStandard }], sources: [{ files: [aks-multiple.k8s.yaml] }] }
  - { name: basic, controllers: [{ name: cloud-provider-azure, sku: basic }], sources: [{ files: [aks-basic.k8s.yaml] }] }`,
    // acknowledged in the app, which its output does not show
    onlyCheck: ['azure-basic-retired'],
  },
  eks: { context: AWS },
  'eks-adopted': { context: AWS },
  'pinned-elsewhere': {
    context: `clusters:
  - { name: gke, controllers: [gke], sources: [{ files: [gke.k8s.yaml] }] }
  - { name: hetzner, controllers: [hcloud-cloud-controller-manager], sources: [{ files: [hetzner.k8s.yaml] }] }
  - { name: metal, controllers: [metallb], sources: [{ files: [metal.k8s.yaml] }] }`,
    // other advertisements of the pool may be in the cluster: in files they are not
    onlySynth: ['metallb-advertisement-overlap'],
  },
  'kafka-on-eks': { context: `${AWS}\nstrimzi: '1.2'` },
  'kafka-behind-a-gateway': { context: "strimzi: '1.2'" },
  tenants: { context: AWS },
  // acknowledged in the app, which its output does not show
  platform: { context: `${AWS}\nstrimzi: '1.2'`, onlyCheck: ['strimzi-crds-missing'] },
};

/** The rule ids of warnings that a synth prints: the last word of a line, in parentheses. */
const idsOfSynth = (said: string) => [...said.matchAll(/ {2}\(([a-z0-9-]+)\)$/gm)].map(([, id]) => id);
const idsOfCheck = (out: string) =>
  (JSON.parse(out) as { findings: { level: string; ruleId: string }[] }).findings
    .filter(({ level }) => level !== 'note')
    .map(({ ruleId }) => ruleId);
const without = (all: readonly string[], others: readonly string[]) =>
  [...new Set(all)].filter((one) => !others.includes(one)).sort();

test.each(Object.entries(ROWS))('%s', (example, { context, onlySynth = [], onlyCheck = [] }) => {
  const { files, said } = runExample(example);
  expect(Object.keys(files)).not.toEqual([]);
  const folder = folderWith({ ...files, 'load-balancers.yaml': `${context}\n` });
  const { out, code } = run('check', folder, '--format', 'json');
  expect(code).toBe(0);
  const [synth, checked] = [idsOfSynth(said), idsOfCheck(out)];
  expect(without(synth, checked)).toEqual(onlySynth);
  expect(without(checked, synth)).toEqual(onlyCheck);
});

test.each<[string, string, boolean]>(casesIn(__dirname, 'owners.yaml')['beside OpenStack a pool of Cilium'])(
  'beside OpenStack, a pool of Cilium %s',
  (_, selector, isAmbiguous) => {
    const pool = `{ apiVersion: cilium.io/v2, kind: CiliumLoadBalancerIPPool, metadata: { name: lan }, spec: { ${selector} blocks: [ { cidr: 192.0.2.0/28 } ] } }`;
    const echo =
      '{ apiVersion: v1, kind: Service, metadata: { name: echo, namespace: shop, labels: { app: echo } }, spec: { type: LoadBalancer, selector: { app: echo }, ports: [ { port: 80 } ] } }';
    const file = fileWith(`${pool}\n---\n${echo}\n`);
    const { out } = run('check', '--controllers', 'openstack-cloud-controller-manager,cilium', file);
    expect(out.includes('rule     owner-ambiguous')).toBe(isAmbiguous);
  },
);

const CLASSLESS =
  '{ apiVersion: v1, kind: Service, metadata: { name: echo, namespace: shop }, spec: { type: LoadBalancer, selector: { app: echo }, ports: [ { port: 80 } ] } }';
const CILIUM_POOL =
  '{ apiVersion: cilium.io/v2, kind: CiliumLoadBalancerIPPool, metadata: { name: lan }, spec: { blocks: [ { cidr: 192.0.2.0/28 } ] } }';
const findingsOf = (out: string) => (JSON.parse(out) as { findings: Record<string, string>[] }).findings;

test.each<[string, data: string, owner: string | null]>(
  casesIn(__dirname, 'owners.yaml')['beside OpenStack the ConfigMap of Cilium'],
)('beside OpenStack, a ConfigMap of Cilium %s', (_, data, owner) => {
  const config = `{ apiVersion: v1, kind: ConfigMap, metadata: { name: cilium-config, namespace: kube-system }, data: { ${data} } }`;
  const file = fileWith(`${CILIUM_POOL}\n---\n${CLASSLESS}\n---\n${config}\n`);
  const installed = ['--controllers', 'openstack-cloud-controller-manager,cilium'];
  const [report] = JSON.parse(run('list', '--format', 'json', ...installed, file).out);
  expect(report.owner).toBe(owner ?? 'contested');
  const { out } = run('check', '--format', 'json', ...installed, file);
  expect(findingsOf(out).some(({ ruleId }) => ruleId === 'owner-ambiguous')).toBe(owner === null);
});

describe.each<[string, (values: string) => string]>([
  [
    'Flux',
    (values) =>
      `{ apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: { name: cilium }, spec: { chart: { spec: { chart: cilium, sourceRef: { kind: HelmRepository, name: cilium } } }, values: { ${values} } } }`,
  ],
  [
    'k3s',
    (values) =>
      `{ apiVersion: helm.cattle.io/v1, kind: HelmChart, metadata: { name: cilium }, spec: { chart: cilium, repo: https://helm.cilium.io, valuesContent: '${values}' } }`,
  ],
  [
    'Argo CD',
    (values) =>
      `{ apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: { name: cilium }, spec: { source: { chart: cilium, repoURL: https://helm.cilium.io, helm: { valuesObject: { ${values} } } } } }`,
  ],
])('by %s', (_, releaseWith) => {
  test.each<[string, values: string, owner: string | null]>(
    casesIn(__dirname, 'owners.yaml')['beside OpenStack a release of the chart of Cilium'],
  )('beside OpenStack, a release of Cilium %s', (__, values, owner) => {
    const file = fileWith(`${CILIUM_POOL}\n---\n${CLASSLESS}\n---\n${releaseWith(values)}\n`);
    const installed = ['--controllers', 'openstack-cloud-controller-manager,cilium'];
    const reports = JSON.parse(run('list', '--format', 'json', ...installed, file).out) as Json[];
    expect(reports.map((report) => report.owner)).toEqual([owner ?? 'contested']);
  });
});

test('Cilium that its ConfigMap has leave Services without a class is no doubt about who claims them', () => {
  const config =
    '{ apiVersion: v1, kind: ConfigMap, metadata: { name: cilium-config }, data: { default-lb-service-ipam: none } }';
  const node = '{ apiVersion: v1, kind: Node, metadata: { name: a }, spec: { providerID: "openstack:///1" } }';
  const of = (...objects: readonly string[]) =>
    run('check', fileWith([node, CILIUM_POOL, CLASSLESS, ...objects].join('\n---\n'))).out;
  expect(of()).toContain('both take Services without a class');
  expect(of(config)).not.toContain('both take Services without a class');
});

test.each<[string, remedy: string]>(casesIn(__dirname, 'owners.yaml')['the remedy of a contested Service'])(
  'the remedy of a Service that %s contest can be followed',
  (controllers, remedy) => {
    const { out } = run(
      'check',
      '--format',
      'json',
      '--controllers',
      controllers,
      fileWith(`${CILIUM_POOL}\n---\n${CLASSLESS}\n`),
    );
    const found = findingsOf(out).find(({ ruleId }) => ruleId === 'owner-ambiguous');
    expect(found?.remedy.split('; otherwise ')[1]).toBe(remedy);
  },
);

test('the classes that Cilium serves leave a Service without a class to OpenStack', () => {
  const folder = folderWith({
    'a.yaml': `${CILIUM_POOL}\n---\n${CLASSLESS}\n`,
    'load-balancers.yaml':
      'controllers: [ openstack-cloud-controller-manager, { name: cilium, classes: [ io.cilium/l2-announcer ] } ]\n',
  });
  expect(run('check', folder).out).not.toContain('owner-ambiguous');
});

test('of a Service whose owner is open, the controllers that the files show are named', () => {
  const pool =
    '{ apiVersion: metallb.io/v1beta1, kind: IPAddressPool, metadata: { name: a, namespace: metallb-system }, spec: { addresses: [ 192.0.2.16/28 ] } }';
  const { out } = run('check', '--format', 'json', fileWith([CILIUM_POOL, pool, CLASSLESS].join('\n---\n')));
  const { what } = findingsOf(out).find(({ ruleId }) => ruleId === 'owner-unspecified') ?? {};
  expect(what).toContain('as its address pool decides with metallb, cilium; or another one');
});
