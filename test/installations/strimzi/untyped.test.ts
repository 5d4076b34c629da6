import { App, Chart } from 'cdk8s';
import { NodePool, StrimziClusterOperatorInstallation, StrimziCrds, StrimziVersion, StrimziWatch } from '../../../src';
import { stderrOf, synth } from '../../support/apps';

/** What a caller without types may pass. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested
type Anything = any;

function made(props: Anything): Chart {
  const chart = new Chart(new App(), 'strimzi', { namespace: 'strimzi' });
  new StrimziClusterOperatorInstallation(chart, 'Operator', props);
  return chart;
}

const version = StrimziVersion.V1_2;

test.each<[Anything, string]>([
  [undefined, 'the props are undefined, and not an object; pass an object with version'],
  [null, 'the props are null, and not an object; pass an object with version'],
  [{}, 'version is missing; pass a StrimziVersion'],
  [{ version: '1.2.0' }, "version is '1.2.0', which is not a StrimziVersion; pass a StrimziVersion"],
  [{ version: null }, 'version is null, which is not a StrimziVersion'],
  [{ watchNamespaces: 'kafka' }, "watchNamespaces is 'kafka', which is not a list of strings"],
  [{ watchNamespaces: ['kafka', 7] }, 'watchNamespaces[1] is 7, which is not a string'],
  [{ watchNamespaces: null }, 'watchNamespaces is null'],
  [{ watch: '*' }, "watch is '*', which is not a StrimziWatch"],
  [{ namespace: 7 }, 'namespace is 7, which is not a string'],
  [{ name: {} }, 'name is {}, which is not a string'],
  [{ replicas: '2' }, "replicas is '2', which is not a number"],
  [{ leaderElection: 'false' }, "leaderElection is 'false', which is not true or false"],
  [{ imageRegistry: null }, 'imageRegistry is null, which is not a string'],
  [{ operationTimeout: 300 }, 'operationTimeout is 300, which is not a Duration; pass a Duration'],
  [{ featureGates: null }, 'featureGates is null, which is not a map'],
  [
    { featureGates: { UseBackgroundPodDeletion: '+' } },
    "featureGates.UseBackgroundPodDeletion is '+', which is not true",
  ],
  [{ featureGates: { New: 1 } }, 'featureGates.New is 1, which is not true or false'],
  [{ resources: [] }, 'resources is [], which is not a map'],
  [{ nodePool: 'system' }, "nodePool is 'system', which is not a NodePool"],
  [{ extraEnv: { STRIMZI_X: 1 } }, 'extraEnv.STRIMZI_X is 1, which is not a string'],
  [{ crds: 'crds.yaml' }, "crds is 'crds.yaml', which is not a StrimziCrds"],
  [{ kubernetes: '1.34' }, "kubernetes is '1.34', which is not a KubernetesVersion"],
  [{ kubernetes: version }, 'kubernetes is a StrimziVersion, which is not a KubernetesVersion'],
  [{ name: () => 'x' }, 'name is a function, which is not a string'],
  [{ name: new Chart(new App(), 'x') }, 'name is a Chart, which is not a string'],
])('%j is refused with the prop and what it must be', (props, message) => {
  const given = props && Object.keys(props).length > 0 ? { version, ...props } : props;
  expect(() => made(given)).toThrow(`strimzi/Operator: ${message}`);
});

test('props that are undefined have their defaults, and those that are unknown are a warning', () => {
  const nodePool = NodePool.labeled({ pool: 'system' });
  const props = { version, name: undefined, nodePool, resources: { limits: { memory: '1Gi' } }, somethingElse: 7 };
  expect(stderrOf(() => synth(made(props)))).toMatch(/somethingElse is unknown.*strimzi-crds-missing/s);
});

test.each<[() => unknown, string]>([
  [
    () => StrimziWatch.namespaces('kafka' as Anything),
    'strimzi: namespaces to watch are "kafka", which is not a list of strings; pass their names in a list',
  ],
  [() => StrimziWatch.namespaces(undefined as Anything), 'strimzi: namespaces to watch are not set'],
  [() => StrimziWatch.namespaces([null] as Anything), 'strimzi: namespaces to watch are [null]'],
  [
    () => StrimziCrds.fromFile(null as Anything),
    'strimzi: definitions cannot be read from null; pass the path of a file',
  ],
  [
    () => StrimziCrds.fromManifest('crds.yaml' as Anything),
    'strimzi: fromManifest() takes the construct that holds the definitions',
  ],
  [() => StrimziVersion.of(null as Anything), "strimzi: 'null' is not a version; write it like 1.2.0"],
])('%p says what to pass', (make, message) => {
  expect(make).toThrow(message);
});
