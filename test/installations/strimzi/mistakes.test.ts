import { App, Chart, JsonPatch } from 'cdk8s';
import { KubernetesVersion, StrimziVersion } from '../../../src';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/installation';
import { StrimziWatch } from '../../../src/installations/strimzi/watch';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';
import { operatorIn, type Props } from './operators';

const CASES = casesIn(__dirname, 'mistakes.yaml');

const { V1_0, V1_1, V1_2 } = StrimziVersion;

const PATH = '[strimzi/Operator] strimzi: ';

test.each<[string, Props, string, string]>([...revived(CASES.mistakes), ...revived(CASES.error)])(
  '%s is an error',
  (_, props, message, rule) => {
    const { chart } = operatorIn(new App(), 'strimzi', props);
    const said = errorsOf(chart).filter((line) => line.endsWith(`(${rule})`));
    expect(said).not.toEqual([]);
    expect(said.join('\n')).toContain(message);
    expect(said.filter((line) => !line.startsWith(PATH))).toEqual([]);
  },
);

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

test.each<[string, string]>(revived(CASES.installationWarnedAs))(
  'an installation of %s is warned of as a cluster of it is',
  (release, said) => {
    const version = StrimziVersion.of(release);
    expect(stderrOf(() => errorsOf(operatorIn(new App(), 'strimzi', { version }).chart))).toContain(said);
  },
);

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
