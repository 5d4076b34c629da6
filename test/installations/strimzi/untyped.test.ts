import { App, Chart } from 'cdk8s';
import { NodePool, StrimziClusterOperatorInstallation, StrimziCrds, StrimziVersion, StrimziWatch } from '../../../src';
import { stderrOf, synth } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';

const CASES = revived(casesIn(__dirname, 'untyped.yaml'));

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
  ...CASES.refusedPropWhat,
  [undefined, 'the props are undefined, and not an object; pass an object with version'],
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
