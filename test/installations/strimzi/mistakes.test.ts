import { App, Chart, JsonPatch } from 'cdk8s';
import { KubernetesVersion, StrimziVersion } from '../../../src';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/installation';
import { StrimziWatch } from '../../../src/installations/strimzi/watch';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { operatorIn, type Props } from './operators';

const { V0_45, V0_51, V1_0, V1_1, V1_2 } = StrimziVersion;

const PATH = '[strimzi/Operator] strimzi: ';

test.each<[string, Props, string, string]>([
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
    { version: V1_2, featureGates: { ServerSideApplyPhase1: true } },
    'Strimzi 1.2.0 has no feature gate ServerSideApplyPhase1, since it always uses server-side apply, and an operator that has it configured does not start; remove it; the gates of this version are UseConnectBuildWithBuildah, UseBackgroundPodDeletion',
    'strimzi-feature-gate',
  ],
  [
    'a gate that is not there yet',
    { version: V0_45, featureGates: { ServerSideApplyPhase1: false } },
    'Strimzi 0.45.2 has no feature gate ServerSideApplyPhase1, and an operator',
    'strimzi-feature-gate',
  ],
  [
    'a gate of a younger version',
    { version: V1_0, featureGates: { UseBackgroundPodDeletion: true } },
    'Strimzi 1.0.1 has no feature gate UseBackgroundPodDeletion',
    'strimzi-feature-gate',
  ],
  [
    'a gate that nobody knows',
    { featureGates: { UseKRaft: true } },
    'Strimzi 1.2.0 has no feature gate UseKRaft, and an operator',
    'strimzi-feature-gate',
  ],
  [
    'a gate that is no name',
    { featureGates: { 'Use KRaft': true } },
    "feature gate '+Use KRaft' is not written as +Name or -Name",
    'strimzi-feature-gate',
  ],
  [
    'a gate twice',
    { featureGates: { UseConnectBuildWithBuildah: true, 'X,-X': true }, version: StrimziVersion.of('1.9') },
    'feature gate X is set twice',
    'strimzi-feature-gate',
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
    'a variable that has a prop',
    { extraEnv: { STRIMZI_OPERATION_TIMEOUT_MS: '1' } },
    'extraEnv sets STRIMZI_OPERATION_TIMEOUT_MS; use operationTimeout',
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
  ['strimzi-replicas', { replicas: 2 }],
  [
    'strimzi-feature-gate',
    { version: V1_1, featureGates: { ServerSideApplyPhase1: false, UseBackgroundPodDeletion: true } },
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
  const warnings = stderrOf(() => expect(errors({ extraEnv: all, featureGates: { Newest: true } })).toEqual([]));
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
