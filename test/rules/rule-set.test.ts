import type { Json } from '../../src/contract/json';
import type { Finding } from '../../src/contract/rule';
import type { Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';
import '../../src';
import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { AwsCloudProvider, AwsLoadBalancerController, Gke, HetznerCloud, KubernetesVersion } from '../../src';
import { findTrace } from '../../src/cli/explain/traces';
import { RenderStage, renderBy, renderingOf, renderLate } from '../../src/contract/late-rendering';
import { FinalizerPolicy } from '../../src/contract/options';
import { OWNERS } from '../../src/lifecycle/owners';
import { definitionOf } from '../../src/rules/controller-definition';
import {
  type FinalizerWriter,
  finalizerLeft,
  finalizerTrace,
  hangTrace,
  withTrace,
} from '../../src/rules/finalizer-rules';
import { allKinds } from '../../src/rules/known-kinds';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { ROLLOUT_RULES } from '../../src/rules/node-rules';
import { sleepOf } from '../../src/rules/rollout';
import { service } from '../support/cases';
import { checkByRules } from '../support/checks';
import { casesIn, table } from '../support/yaml-cases';

interface Context {
  readonly version?: string;
}

const found = (at = ''): Finding => ({ what: 'it is so', remedy: 'make it otherwise', at });

function rule(id: string, more: Partial<Rule<Context>> = {}): Rule<Context> {
  return { id, severity: 'error', says: 'it is otherwise', source: 'docs/README.md', check: () => found(), ...more };
}

function ids(rules: readonly Rule<Context>[], object: Json = {}, context: Context = {}): string[] {
  const { errors, warnings } = new RuleSet(rules, 'us').check(object, context);
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

test.each<[string, readonly string[], Json, boolean]>(
  casesIn(__dirname, 'rule-set.yaml')['a rule is asked of an object with'],
)('a rule is asked of an object with %s', (_, on, object, isAsked) => {
  expect(ids([rule('one', { on })], object)).toEqual(isAsked ? ['one'] : []);
});

test('objects with the same keys are told apart below them, also where they are asked one after the other', () => {
  const set = new RuleSet<Context>([rule('one', { on: ['spec.a.b'] })]);
  const errors = [{ b: 1 }, {}, { b: 1 }].map((a) => set.check({ spec: { a } }, {}).errors.length);
  expect(errors).toEqual([1, 0, 1]);
});

test.each<[string, Json]>([
  ['an annotation', { metadata: { annotations: { a: 'x' } }, spec: {} }],
  ['a field of the object', { metadata: {}, spec: {}, a: 'x' }],
])('a field of spec and %s of the same name are two things', (_, other) => {
  const set = new RuleSet<Context>([rule('one', { on: ['spec.a'] })]);
  expect(set.check(other, {}).errors).toEqual([]);
  expect(set.check({ metadata: {}, spec: { a: 'x' } }, {}).errors).toHaveLength(1);
});

test('a rule that must know something has no answer without it', () => {
  const set = new RuleSet<Context>([rule('one', { needs: ['version'] }), rule('two')], 'us');
  const { errors, unknown } = set.check({}, {});
  expect(errors.map(({ ruleId }) => ruleId)).toEqual(['two']);
  expect(unknown).toEqual([{ ruleId: 'one', needs: ['version'] }]);
  expect(ids(set.rules, {}, { version: '1' })).toEqual(['one', 'two']);
});

test.each<[string, string | undefined, string | undefined, string[]]>(
  casesIn(__dirname, 'rule-set.yaml')['what has the same cause is reported once'],
)('what has the same cause is reported once, %s', (_, cause, effect, expected) => {
  const rules = [
    rule('cause', { supersedes: ['effect'], check: () => found(cause) }),
    rule('effect', { check: () => found(effect) }),
  ];
  expect(ids(rules)).toEqual(expected);
});

test('a rule that finds nothing supersedes nothing', () => {
  expect(ids([rule('cause', { supersedes: ['effect'], check: () => undefined }), rule('effect')])).toEqual(['effect']);
});

test('findings name the component of their rule, or else that of the set', () => {
  const { errors } = new RuleSet<Context>([rule('one', { who: 'them' }), rule('two')], 'us').check({}, {});
  expect(errors.map(({ who }) => who)).toEqual(['them', 'us']);
});

const LOCAL = { externalTrafficPolicy: 'Local' };
const OF_GKE = { ...LOCAL, loadBalancerClass: 'networking.gke.io/l4-regional-external' };
const killedAfter = (terminationGracePeriodSeconds: number) => ({ terminationGracePeriodSeconds, containers: [{}] });
const named = (labels?: Json): Json => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } });
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
  const { errors, warnings } = checkByRules(object, ROLLOUT_RULES, context, controller.name);
  expect(errors).toEqual([]);
  return warnings.map(({ ruleId, value }) => `${ruleId} ${value}`);
}

describe('pods that go before the balancer knows', () => {
  // 3 s × 2 failures on GKE
  test.each<[string, Json, string[]]>(table('rules/rule-set.yaml', 'pods that go before the balancer knows'))(
    '%s',
    (_, pod, expected) => expect(warned(service(OF_GKE), [pod])).toEqual(expected),
  );

  test('with policy Cluster no node is left', () => expect(warned(service({}), [killedAfter(0)])).toEqual([]));

  test('a Classic Load Balancer takes a minute, which is more than the default grace period', () => {
    expect(warned(service(LOCAL), [{ containers: [{}] }], [], AwsCloudProvider.classic())).toEqual([
      'rollout-connections-dropped 30',
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

  test.each<[string, Json[], readonly Json[], string[]]>(table('rules/rule-set.yaml', 'pods as targets'))(
    '%s',
    (_, beside, behind, expected) => expect(warned(ip, behind, beside, lbc)).toEqual(expected),
  );

  test('instance targets need no label', () => {
    expect(warned(service({}, {}, { namespace: 'shop' }), pods, [named()], lbc)).toEqual([]);
  });
});

test.each<[Json, number | undefined]>(casesIn(__dirname, 'rule-set.yaml')['the hook sleeps s'])(
  'the hook %j sleeps %p s',
  (given, seconds) => expect(sleepOf(given)).toBe(seconds),
);

const { SCOPE, PIN, WRITE } = RenderStage;

function object(): ApiObject {
  return new ApiObject(new Chart(Testing.app(), 'c'), 'o', { apiVersion: 'v1', kind: 'ConfigMap', data: { way: '-' } });
}

function adds(letter: string) {
  return (json: Record<string, { way: string }>) => ({ ...json, data: { way: json.data.way + letter } });
}

test.each([
  ['scope, pin, write', [SCOPE, PIN, WRITE]],
  ['write, pin, scope', [WRITE, PIN, SCOPE]],
  ['pin, write, scope', [PIN, WRITE, SCOPE]],
])('stages follow each other in their order, asked for as %s', (_, order) => {
  const made = object();
  for (const stage of order) {
    renderLate(made, stage, adds(RenderStage[stage][0]));
  }
  expect(made.toJson().data.way).toBe('-SPW');
});

test('a later change of one stage follows the earlier one', () => {
  const made = object();
  renderLate(made, PIN, adds('1'));
  renderLate(made, PIN, adds('2'));
  expect(made.toJson().data.way).toBe('-12');
});

test('what is rendered before a stage has the earlier stages that were added later, and no later one', () => {
  const made = object();
  const before = renderingOf(made, WRITE);
  renderBy(made, WRITE, () => ({ written: before() }));
  renderLate(made, SCOPE, adds('S'));
  expect(made.toJson().written.data.way).toBe('-S');
  expect(renderingOf(made, SCOPE)().data.way).toBe('-S');
  expect(renderingOf(made, PIN)().data.way).toBe('-S');
});

test('JSON patches that are added last are seen by every stage', () => {
  const made = object();
  renderLate(made, WRITE, adds('W'));
  made.addJsonPatch(JsonPatch.replace('/data/way', 'patched '));
  expect(made.toJson().data.way).toBe('patched W');
});

const WRITERS: readonly FinalizerWriter[] = ['client-apply', 'server-apply', 'put'];

test('every trace that a rule names can be explained', () => {
  const all = OWNERS.flatMap(({ name }) =>
    (['left', 'wrong'] as const).flatMap((policy) => WRITERS.map((writer) => finalizerTrace(name, policy, writer))),
  ).filter((name) => name !== undefined);
  expect(all.length).toBeGreaterThan(20);
  const names = [...new Set([...all, hangTrace() ?? ''])];
  expect(names.filter((name) => findTrace(name)?.trace.name !== name)).toEqual([]);
  expect(hangTrace()).toBe('hang-wrong-finalizer');
  expect(withTrace('take it out', hangTrace())).toBe('take it out; trace: explain hang-wrong-finalizer');
});

test('what is left on request is a warning where the finalizer is declared by default', () => {
  const { DECLARE, LEAVE_TO_CONTROLLER } = FinalizerPolicy;
  const warned = allKinds().filter(
    (kind) => finalizerLeft(kind, kind.name, LEAVE_TO_CONTROLLER, 'client-apply').length > 0,
  );
  const declaring = OWNERS.filter(({ declares }) => declares === 'by default');
  expect(warned.map(({ name }) => name).sort()).toEqual([...new Set(declaring.map(({ name }) => name))].sort());
  expect(allKinds().flatMap((kind) => finalizerLeft(kind, kind.name, DECLARE, 'client-apply'))).toEqual([]);
  expect(finalizerLeft(undefined, 'my-controller', LEAVE_TO_CONTROLLER, 'client-apply')).toEqual([]);
});
