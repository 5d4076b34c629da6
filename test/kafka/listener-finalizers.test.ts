import { JsonPatch } from 'cdk8s';
import {
  EksAutoMode,
  FinalizerPolicy,
  Gke,
  GkeLoadBalancerGeneration,
  LoadBalancerScheme,
  LoadBalancers,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, stderrOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { listen, metalLb, nlb, type Props, present, RESOURCES, writtenListener } from './listeners';

const { V0_49, V0_51 } = StrimziVersion;
const { LEAVE_TO_CONTROLLER, DECLARE } = FinalizerPolicy;
const { CLASS, LEGACY, LEGACY_CLASS, BACKEND_SERVICE_ANNOTATION } = GkeLoadBalancerGeneration;
const ABOUT = /\((finalizer-[a-z]+)\)$/;

function rulesOf(errors: readonly string[]): (string | undefined)[] {
  return errors.map((error) => ABOUT.exec(error)?.[1]).filter(Boolean);
}

test.each<[string, GkeLoadBalancerGeneration, FinalizerPolicy, string[]]>([
  ['of the newer controllers', CLASS, DECLARE, ['finalizer-stripped']],
  ['of the newer controllers', CLASS, LEAVE_TO_CONTROLLER, ['finalizer-stripped']],
  ['of the newer controllers', BACKEND_SERVICE_ANNOTATION, DECLARE, ['finalizer-stripped']],
  ['of the newer controllers', BACKEND_SERVICE_ANNOTATION, LEAVE_TO_CONTROLLER, ['finalizer-stripped']],
  ['of the older one', LEGACY, DECLARE, []],
  ['of the older one', LEGACY, LEAVE_TO_CONTROLLER, ['finalizer-undeclared']],
  ['of the older one by its class', LEGACY_CLASS, DECLARE, []],
  ['of the older one by its class', LEGACY_CLASS, LEAVE_TO_CONTROLLER, ['finalizer-undeclared']],
])('the way out of GKE %s (%s, %s) is none that leads back', (_, generation, finalizerPolicy, rules) => {
  const { chart } = listen({ controller: Gke.passthrough({ generation }), finalizerPolicy }, V0_49);
  const errors = errorsOf(chart);
  expect(rulesOf(errors)).toEqual(rules);
  if (rules.includes('finalizer-stripped')) {
    expect(errors.join('\n')).not.toContain('use FinalizerPolicy.DECLARE');
  }
});

test.each<[string, Props, string]>(table('kafka/listener-finalizers.yaml', 'the way to a declared finalizer is'))(
  'the way to a declared finalizer is %s',
  (_, props, remedy) => {
    expect(errorsOf(listen(props, V0_49).chart)).toEqual([expect.stringContaining(`balancers behind; ${remedy}`)]);
  },
);

test('the way out of EKS Auto Mode leads out', () => {
  const { chart } = listen({ controller: EksAutoMode.nlb({ declareFinalizer: true }) }, V0_49);
  stderrOf(() => {
    expect(writtenListener(chart).configuration.finalizers).toEqual(['service.eks.amazonaws.com/resources']);
  });
});

/** A listener that nobody makes here, in a cluster in which we make another one. */
const vpc = (configuration: Json, more: Json = {}): Json => ({
  ...present(configuration, { authentication: { type: 'tls' }, ...more }),
  name: 'vpc',
  port: 9097,
});
const AWS_CLASS = { class: 'service.k8s.aws/nlb' };

test.each<[string, Json, StrimziVersion, string[], string[]]>(
  table('kafka/listener-finalizers.yaml', 'of a listener beside ours that says'),
)('of a listener beside ours that says %s is told', (_, other, strimzi, errors, warnings) => {
  const { chart } = listen({ controller: metalLb() }, strimzi, [other]);
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  const told = known.filter(({ ruleId }) => ruleId.startsWith('finalizer-')).map(({ what }) => what);
  expect(told).toEqual(warnings.map((text) => expect.stringContaining(text)));
  stderrOf(() => expect(errorsOf(chart)).toEqual(errors.map((text) => expect.stringContaining(text))));
});

const stripped = 'finalizer-stripped';

test.each<[string, Json[], Props, boolean]>([
  ['lives today is warned of', [present()], {}, true],
  ['is new is refused', [], {}, false],
  ['becomes load balanced is refused', [present({}, { type: 'nodeport' })], {}, false],
])('GKE below Strimzi 0.51: a listener that %s', (_, listeners, props, isWarning) => {
  const scheme = LoadBalancerScheme.INTERNAL;
  const { chart } = listen({ controller: Gke.passthrough(), scheme, ...props }, V0_49, listeners);
  const isTold = () => LoadBalancers.of(chart).warnings.filter(({ finding }) => finding.ruleId === stripped).length;
  stderrOf(() => expect(rulesOf(errorsOf(chart)).includes(stripped)).toBe(!isWarning));
  expect(isTold()).toBe(isWarning ? 1 : 0);
  LoadBalancers.of(chart).acknowledge(stripped, 'the upgrade is planned');
  stderrOf(() => expect(rulesOf(errorsOf(chart)).includes(stripped)).toBe(!isWarning));
  expect(stderrOf(() => errorsOf(chart))).not.toContain(stripped);
});

test('a finalizer that a patch takes away is missing', () => {
  const { chart, cluster } = listen({ controller: nlb() }, V0_49, [vpc({ ...AWS_CLASS, finalizers: [RESOURCES] })]);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1/configuration/finalizers'));
  expect(errorsOf(chart)).toEqual([expect.stringContaining("listener 'vpc': the listener does not declare finalizer")]);
});

test.each<[string, Props, StrimziVersion, string[]]>([
  ['left on request', { finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_51, ['finalizer-left']],
  ['declared', { finalizerPolicy: DECLARE }, V0_51, []],
  ['that only GKE writes', { controller: Gke.passthrough(), finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_51, []],
  ['of EKS Auto Mode', { controller: EksAutoMode.nlb(), finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_51, []],
  // there it is an error, which says more
  ['that is stripped', { finalizerPolicy: LEAVE_TO_CONTROLLER }, V0_49, []],
])('where none is stripped, a finalizer %s', (_, props, strimzi, expected) => {
  const { chart } = listen(props, strimzi);
  const left = LoadBalancers.of(chart)
    .warnings.map(({ finding }) => finding)
    .filter(({ ruleId }) => ruleId === 'finalizer-left');
  expect(left.map(({ ruleId }) => ruleId)).toEqual(expected);
  expect(left.filter(({ remedy }) => !remedy.endsWith('; trace: explain orphan-deleted-at-once'))).toEqual([]);
});
