import { AwsCloudProvider, AwsLoadBalancerController, Gke, HetznerCloud, KubernetesVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { definitionOf } from '../../src/rules/controller-definition';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { ROLLOUT_RULES } from '../../src/rules/node-rules';
import { sleepOf } from '../../src/rules/rollout';
import { service } from '../support/cases';
import { judge } from '../support/judge';

const LOCAL = { externalTrafficPolicy: 'Local' };
const OF_GKE = { ...LOCAL, loadBalancerClass: 'networking.gke.io/l4-regional-external' };
const hook = (preStop: Json) => ({ containers: [{ name: 'echo', lifecycle: { preStop } }] });
const sleeping = (seconds: number, more: Json = {}) => ({ ...hook({ sleep: { seconds } }), ...more });
const killedAfter = (terminationGracePeriodSeconds: number) => ({ terminationGracePeriodSeconds, containers: [{}] });
const named = (labels?: Json): Json => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } });
const GATES = { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' };

function warned(
  object: Json,
  pods: readonly Json[] | undefined,
  beside: readonly Json[] = [],
  owner: unknown = Gke.passthrough(),
) {
  const controller = owner as Gke;
  const objects = [object, ...beside].map((each, i) => ({ file: 'all.yaml', line: i + 1, object: each }));
  const [among] = new ManifestIndex(objects).all;
  const context = { kind: definitionOf(controller), controller, kubernetes: KubernetesVersion.V1_36, pods, among };
  const { errors, warnings } = judge(object, ROLLOUT_RULES, context, controller.name);
  expect(errors).toEqual([]);
  return warnings.map(({ ruleId, value }) => `${ruleId} ${value}`);
}

describe('pods that go before the balancer knows', () => {
  // 3 s × 2 failures on GKE
  test.each<[string, Json, string[]]>([
    ['a pod that is killed at once', killedAfter(0), ['rollout-cut-off 0']],
    ['a pod that is killed before', killedAfter(5), ['rollout-cut-off 5']],
    ['a hook that ends before', sleeping(5), ['rollout-cut-off 5']],
    ['a hook that is cut off', sleeping(9, { terminationGracePeriodSeconds: 4 }), ['rollout-cut-off 4']],
    ['a hook that lasts', sleeping(6), []],
    ['the default of Kubernetes without a hook, for nobody knows what the program does', { containers: [{}] }, []],
    ['a hook that does something else', hook({ httpGet: { port: 80 } }), []],
    ['garbage', { containers: 'x', terminationGracePeriodSeconds: 'y' }, []],
  ])('%s', (_, pod, expected) => {
    expect(warned(service(OF_GKE), [pod])).toEqual(expected);
  });

  test('with policy Cluster no node is left', () => {
    expect(warned(service({}), [killedAfter(0)])).toEqual([]);
  });

  test('a Classic Load Balancer takes a minute, which is more than the default grace period', () => {
    expect(warned(service(LOCAL), [{ containers: [{}] }], [], AwsCloudProvider.classic())).toEqual([
      'rollout-cut-off 30',
    ]);
  });

  test('nothing is said where no pods are known, or where the balancer asks them', () => {
    expect(warned(service(LOCAL), undefined)).toEqual([]);
    expect(warned(service(LOCAL), [killedAfter(0)], [], HetznerCloud.loadBalancer())).toEqual([]);
  });
});

describe('pods as targets', () => {
  const ip = service(
    {},
    { 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip' },
    { namespace: 'shop' },
  );
  const lbc = AwsLoadBalancerController.nlb();
  const pods = [{ containers: [{}] }];

  test.each<[string, Json[], readonly Json[], string[]]>([
    ['a Namespace without the label', [named()], pods, ['rollout-without-gate shop']],
    ['one with it', [named(GATES)], pods, []],
    ['one that says no', [named({ 'elbv2.k8s.aws/pod-readiness-gate-inject': 'disabled' })], pods, []],
    ['one that is elsewhere', [], pods, []],
    ['two of a name, of two clusters', [named(), named()], pods, []],
    ['pods with a gate of their own', [named()], [{ readinessGates: [{ conditionType: 'a/b' }] }], []],
    ['no pods', [named()], [], []],
  ])('%s', (_, beside, behind, expected) => {
    expect(warned(ip, behind, beside, lbc)).toEqual(expected);
  });

  test('instance targets need no label', () => {
    expect(warned(service({}, {}, { namespace: 'shop' }), pods, [named()], lbc)).toEqual([]);
  });
});

test.each<[Json, number | undefined]>([
  [{ sleep: { seconds: 5 } }, 5],
  [{ sleep: {} }, undefined],
  [{ exec: { command: ['sleep', '15'] } }, 15],
  [{ exec: { command: ['/bin/sleep', '15s'] } }, 15],
  [{ exec: { command: ['/bin/sh', '-c', 'sleep 2m'] } }, 120],
  [{ exec: { command: ['sh', '-c', 'sleep 5; nginx -s quit; sleep 2.5'] } }, 7.5],
  [{ exec: { command: ['sh', '-c', 'while nc -z localhost 80; do sleep 1; done'] } }, undefined],
  [{ exec: { command: ['sh', '-c', 'sleep 5 & nginx -s quit'] } }, undefined],
  [{ exec: { command: ['sh', '-c', 'sleep $DELAY'] } }, undefined],
  [{ exec: { command: ['/wait-shutdown'] } }, undefined],
  [{ exec: { command: 'x' } }, undefined],
  [{ httpGet: { path: '/sleep 5' } }, undefined],
])('the hook %j sleeps %p s', (given, seconds) => {
  expect(sleepOf(given)).toBe(seconds);
});
