import { ApiObject, type ApiObjectProps, App, Chart, Duration, JsonPatch } from 'cdk8s';
import { KubernetesVersion, StrimziVersion } from '../../../src';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/installation';
import { StrimziWatch } from '../../../src/installations/strimzi/options';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { operatorIn, type Props } from './operators';

const { V0_45, V0_49, V0_51, V1_0, V1_1, V1_2 } = StrimziVersion;

const PATH = '[strimzi/Operator] strimzi: ';

test.each<[string, Props, string, string]>([
  [
    'a name that no container can have',
    { name: 'Operator' },
    "name 'Operator' is not a valid DNS label",
    'strimzi-operator-name',
  ],
  [
    'a namespace that is none',
    { namespace: 'kafka_system' },
    "namespace 'kafka_system' is not a valid DNS label",
    'strimzi-namespace',
  ],
  ['nothing to watch', { watchNamespaces: [] }, 'the list of namespaces to watch is empty; name some', 'strimzi-watch'],
  [
    'a star in a list',
    { watchNamespaces: ['*'] },
    "'*' is in a list of namespaces; use StrimziWatch.allNamespaces()",
    'strimzi-watch',
  ],
  ['a namespace twice', { watchNamespaces: ['a', 'a'] }, 'namespace a is twice', 'strimzi-watch'],
  [
    'a namespace to watch that is none',
    { watchNamespaces: ['a,b'] },
    "'a,b' is not a valid DNS label",
    'strimzi-watch',
  ],
  [
    'two lists',
    { watchNamespaces: ['a'], watch: StrimziWatch.ownNamespace() },
    'watchNamespaces and watch are both set; set one of them',
    'strimzi-watch',
  ],
  [
    'a gate that is gone',
    { version: V1_2, featureGates: { serverSideApplyPhase1: true } },
    'Strimzi 1.2.0 has no feature gate ServerSideApplyPhase1, since it always uses server-side apply, and an operator that has it configured does not start; remove it; the gates of this version are UseConnectBuildWithBuildah, UseBackgroundPodDeletion',
    'strimzi-feature-gate',
  ],
  [
    'a gate that is not there yet',
    { version: V0_45, featureGates: { serverSideApplyPhase1: false } },
    'Strimzi 0.45.2 has no feature gate ServerSideApplyPhase1, and an operator',
    'strimzi-feature-gate',
  ],
  [
    'a gate of a younger version',
    { version: V1_0, featureGates: { useBackgroundPodDeletion: true } },
    'Strimzi 1.0.1 has no feature gate UseBackgroundPodDeletion',
    'strimzi-feature-gate',
  ],
  [
    'a gate that nobody knows',
    { featureGates: { others: { UseKRaft: true } } },
    'Strimzi 1.2.0 has no feature gate UseKRaft, and an operator',
    'strimzi-feature-gate',
  ],
  [
    'a gate that is no name',
    { featureGates: { others: { 'Use KRaft': true } } },
    "feature gate '+Use KRaft' is not written as +Name or -Name",
    'strimzi-feature-gate',
  ],
  [
    'a gate twice',
    { featureGates: { useConnectBuildWithBuildah: true, others: { 'X,-X': true } }, version: StrimziVersion.of('1.9') },
    'feature gate X is set twice',
    'strimzi-feature-gate',
  ],
  [
    'two opinions of a gate',
    { version: StrimziVersion.withServerSideApply(V0_49, true), featureGates: { serverSideApplyPhase1: false } },
    'version is one with server-side apply switched on, and featureGates switches it off; set it once',
    'strimzi-gate-contradicts',
  ],
  [
    'a release that is unknown',
    { version: StrimziVersion.of('1.3.0') },
    'the versions of Kafka that Strimzi 1.3.0 runs are unknown here',
    'strimzi-version-unknown',
  ],
  [
    'an old Kubernetes',
    { version: V0_51, kubernetes: KubernetesVersion.V1_29 },
    'kubernetes is 1.29, and Strimzi 0.51.0 needs 1.30 or newer; upgrade Kubernetes',
    'strimzi-kubernetes',
  ],
  [
    'two pods without an election',
    { replicas: 2, leaderElection: false },
    '2 pods without leader election work against each other',
    'strimzi-replicas',
  ],
  [
    'processors of no amount',
    { resources: { cpuRequest: 'lots' } },
    "resources.requests.cpu 'lots' is not a valid quantity; write one like 500m or 1Gi",
    'strimzi-resources',
  ],
  [
    'more processors than at most',
    { resources: { cpuRequest: '2', cpuLimit: '1' } },
    "resources.requests.cpu is '2', above its limit of '1'",
    'strimzi-resources',
  ],
  [
    'more processors than the usual limit',
    { resources: { cpuRequest: '1500m' } },
    "resources.requests.cpu is '1500m', above its limit of",
    'strimzi-resources',
  ],
  ['half a pod', { replicas: 1.5 }, 'replicas is 1.5; write a whole number', 'strimzi-replicas'],
  [
    'a budget over one pod',
    { podDisruptionBudget: true },
    'a PodDisruptionBudget (strimzi-cluster-operator-pdb) over one pod keeps the node',
    'strimzi-replicas',
  ],
  [
    'an address as registry',
    { imageRegistry: 'https://my.registry/' },
    "image 'https://my.registry//strimzi/operator:1.2.0' is not a valid image reference; write imageRegistry and",
    'strimzi-image',
  ],
  ['a label that is none', { labels: { 'bad key': 'x' } }, "labels: 'bad key'", 'strimzi-labels'],
  ['no time', { operationTimeout: Duration.millis(0) }, 'operationTimeout is 0', 'strimzi-interval'],
  [
    'a variable that has a prop',
    { extraEnv: { STRIMZI_OPERATION_TIMEOUT_MS: '1' } },
    'extraEnv sets STRIMZI_OPERATION_TIMEOUT_MS; use operationTimeout',
    'strimzi-variable',
  ],
  [
    'a prop that the version does not read',
    { version: V0_49, entityOperatorWatchedNamespace: false },
    'Strimzi 0.49.1 does not read entityOperatorWatchedNamespace, which came with 1.0.1; remove it',
    'strimzi-variable',
  ],
])('%s is an error', (_, props, message, rule) => {
  const { chart } = operatorIn(new App(), 'strimzi', props);
  const said = errorsOf(chart).filter((line) => line.endsWith(`(${rule})`));
  expect(said).not.toEqual([]);
  expect(said.join('\n')).toContain(message);
  expect(said.filter((line) => !line.startsWith(PATH))).toEqual([]);
});

test('a chart without a namespace is an error', () => {
  const chart = new Chart(new App(), 'strimzi');
  new StrimziClusterOperatorInstallation(chart, 'Operator', { version: V1_2 });
  expect(errorsOf(chart)).toEqual([
    `${PATH}the operator has no namespace, so nothing can be bound to its ServiceAccount; give the chart a namespace, or set namespace (strimzi-namespace)`,
  ]);
});

test.each([
  ['strimzi-kubernetes', { version: V1_0, kubernetes: KubernetesVersion.V1_30 }],
  ['strimzi-replicas', { replicas: 2, podDisruptionBudget: true }],
  [
    'strimzi-feature-gate',
    { version: V1_1, featureGates: { serverSideApplyPhase1: false, useBackgroundPodDeletion: true } },
  ],
] as [string, Props][])('%s keeps silent where all is right', (_, props) => {
  expect(stderrOf(() => expect(errorsOf(operatorIn(new App(), 'strimzi', props).chart)).toEqual([]))).toMatch(
    /^cdk8s-load-balancers: 1 warning\n.*strimzi-crds-missing/s,
  );
});

test.each([
  [
    '0.49.1',
    'Strimzi 0.49.1 has known vulnerabilities: CVE-2026-27133 (fixed in 0.50.1), CVE-2026-27134 (fixed in 0.50.1), CVE-2026-55225 (fixed in 1.0.1), CVE-2026-55226 (fixed in 1.0.1)\n      run Strimzi 1.0.1 or newer  (strimzi-vulnerable)',
  ],
  ['0.51.0', 'run Strimzi 1.0.1 or newer  (strimzi-vulnerable)'],
])('an installation of %s is warned of as a cluster of it is', (release, said) => {
  const version = StrimziVersion.of(release);
  expect(stderrOf(() => errorsOf(operatorIn(new App(), 'strimzi', { version }).chart))).toContain(said);
});

test('an unknown release is taken where its images are said', () => {
  const images = '4.9.0=kafka:4.9.0\n';
  const extraEnv = {
    STRIMZI_DEFAULT_KAFKA_EXPORTER_IMAGE: 'kafka:4.9.0',
    STRIMZI_DEFAULT_CRUISE_CONTROL_IMAGE: 'kafka:4.9.0',
    STRIMZI_KAFKA_IMAGES: images,
    STRIMZI_KAFKA_CONNECT_IMAGES: images,
    STRIMZI_KAFKA_MIRROR_MAKER_2_IMAGES: images,
  };
  const version = StrimziVersion.of('1.9.0');
  const errors = (props: Props) => errorsOf(operatorIn(new App(), 'strimzi', { version, ...props }).chart);
  expect(errors({ extraEnv }).join()).toContain('set STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE in extraEnv');
  const all = { ...extraEnv, STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE: 'bridge:2' };
  const warnings = stderrOf(() =>
    expect(errors({ extraEnv: all, featureGates: { others: { Newest: true } } })).toEqual([]),
  );
  expect(warnings).toContain(
    'Strimzi 1.9.0 is newer than 1.2.0, the newest one known here, so it is validated as that one',
  );
  expect(warnings).toContain('(strimzi-newer-than-facts)');
});

test('a gate that a patch writes is judged too', () => {
  const { chart, operator } = operatorIn(new App(), 'strimzi');
  const env = operator.deployment.toJson().spec.template.spec.containers[0].env;
  const index = env.findIndex(({ name }: { name: string }) => name === 'STRIMZI_FEATURE_GATES');
  operator.deployment.addJsonPatch(
    JsonPatch.replace(`/spec/template/spec/containers/0/env/${index}/value`, '+ServerSideApplyPhase1'),
  );
  expect(errorsOf(chart).join()).toContain('(strimzi-feature-gate)');
});

test('what an administrator must do is told where nothing of the whole cluster is made', () => {
  const said = (props: Props) =>
    stderrOf(() => synth(operatorIn(new App(), 'strimzi', { createClusterScoped: false, ...props }).chart));
  expect(said({})).toMatch(/racks by node label.* do not work without\n.*\(strimzi-cluster-scoped-missing\)/);
  expect(said({ watch: StrimziWatch.allNamespaces() })).toContain('watches all namespaces can do nothing without');
  expect(said({})).not.toContain('strimzi-crds-missing');
});

describe('the finished Deployment', () => {
  const IMAGE = '/spec/template/spec/containers/0/image';
  const budget = (namespace: string, labels: object) =>
    ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'of-somebody', namespace },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    }) as ApiObjectProps;
  const LABELS = { name: 'strimzi-cluster-operator' };

  function errorsWith(props: Props, patch?: JsonPatch, more?: ApiObjectProps, isElsewhere = false): string[] {
    const { chart, operator } = operatorIn(new App(), 'strimzi', props);
    operator.deployment.addJsonPatch(...(patch ? [patch] : []));
    if (more) {
      new ApiObject(isElsewhere ? new Chart(chart, 'other') : chart, 'More', more);
    }
    let errors: string[] = [];
    stderrOf(() => {
      errors = errorsOf(chart);
    });
    return errors;
  }

  test.each<[string, string, Parameters<typeof errorsWith>]>([
    ['2 pods without leader', 'strimzi-replicas', [{ leaderElection: false }, JsonPatch.replace('/spec/replicas', 2)]],
    [
      'over one pod',
      'strimzi-replicas',
      [{ replicas: 2, podDisruptionBudget: true }, JsonPatch.replace('/spec/replicas', 1)],
    ],
    ['(of-somebody) over one pod', 'strimzi-replicas', [{}, undefined, budget('strimzi', LABELS)]],
    [
      "Strimzi 1.2.0 is installed with the image 'quay.io/strimzi/operator:0.45.0'",
      'strimzi-image',
      [{}, JsonPatch.replace(IMAGE, 'quay.io/strimzi/operator:0.45.0')],
    ],
    [
      "image 'my operator' is not a valid image reference",
      'strimzi-image',
      [{}, JsonPatch.replace(IMAGE, 'my operator')],
    ],
  ])('%s is an error', (message, rule, given) => {
    expect(errorsWith(...given)).toEqual([expect.stringMatching(new RegExp(`\\(${rule}\\)$`))]);
    expect(errorsWith(...given)[0]).toContain(message);
  });

  test.each<[string, Parameters<typeof errorsWith>]>([
    ['a budget over two pods', [{ replicas: 2 }, undefined, budget('strimzi', LABELS)]],
    ['a budget in another namespace', [{}, undefined, budget('shop', LABELS)]],
    ['a budget over others', [{}, undefined, budget('strimzi', { ...LABELS, app: 'web' })]],
    ['a budget of another chart, which may be of another cluster', [{}, undefined, budget('strimzi', LABELS), true]],
    ['a mirror', [{}, JsonPatch.replace(IMAGE, 'my.registry:5000/strimzi/operator:1.2.0')]],
    ['a tag that is not a version', [{}, JsonPatch.replace(IMAGE, 'my.registry/strimzi/operator:stable')]],
    ['an image of another name', [{}, JsonPatch.replace(IMAGE, 'my.registry/our-operator:3.0.0')]],
    [
      'a registry that is known later',
      [{ imageRegistry: `$\{Token[TOKEN.1]}` }, JsonPatch.test('/kind', 'Deployment')],
    ],
  ])('%s is not', (_, given) => {
    expect(errorsWith(...given).filter((line) => !line.includes('token'))).toEqual([]);
  });
});
