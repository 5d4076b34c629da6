import { Duration, Testing } from 'cdk8s';
import {
  AnnotatedController,
  ClientAddress,
  CustomController,
  FinalizerPolicy,
  IpFamily,
  KubernetesVersion,
  type LoadBalancerPlan,
  LoadBalancerRequest,
  type LoadBalancerRequestProps,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodePool,
  PortProtocol,
  TrafficPolicy,
} from '../src';
import type { Json } from '../src/contract/json';
import { sentenceOf } from '../src/contract/rule';
import { balancerModelOf, definitionOf } from '../src/rules/controller-definition';
import { ManifestIndex } from '../src/rules/manifest-objects';
import type { IndexedObject } from '../src/rules/objects';
import { caseTables, limitInWords, ONE_PORT } from './support/cases';
import { checkByRules } from './support/checks';
import { casesIn } from './support/yaml-cases';

const TO_REFUSE =
  'refuse the value where the controller is made, or say in anything of the row why every value is legal';

/** The first of some objects of one file, among all of them. */
function amongFiles(objects: readonly Json[]): IndexedObject {
  return new ManifestIndex(objects.map((object, i) => ({ file: 'all.yaml', line: i + 1, object }))).all[0];
}

/** What is thrown; nothing where it is not. */
function messageOf(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each([...caseTables])('%s', (_, cases) => {
  if (cases.options.length > 0) {
    test.each(cases.options)('option $option writes what the controller reads', ({ option, valid, writes, ...row }) => {
      const controller = cases.make({ ...row.with, [option]: valid }, row.factory);
      const plan = controller.bind(Testing.chart(), new LoadBalancerRequest({ ports: [{ port: 443 }] }));
      expect(plan.annotations).toMatchObject(writes);
      for (const [key, text] of Object.entries(writes)) {
        expect(cases.kind.catalogue.find(key)?.decode(text)).toHaveProperty('value');
      }
    });

    test.each(cases.options)('option $option refuses what the controller would not read', ({ option, ...row }) => {
      if (row.anything === undefined) {
        const refusal = messageOf(() => cases.make({ ...row.with, [option]: row.refused }, row.factory));
        expect(refusal ?? `nothing is thrown; ${TO_REFUSE}`).not.toContain(TO_REFUSE);
        expect(refusal).toContain(option);
      } else {
        expect(row.refused).toBeUndefined();
      }
    });
  }

  test.each(cases.requests)('$title', (row) => {
    const plan = row.controller().bind(Testing.chart(), new LoadBalancerRequest(row.request));
    const problems = (plan.problems ?? []).map(sentenceOf);
    expect(problems).toEqual((row.problems ?? []).map((text) => expect.stringContaining(text)));
    expect((plan.warnings ?? []).map((warning) => warning.ruleId)).toEqual(row.warnings ?? []);
    for (const [field, value] of Object.entries(row.plan ?? {})) {
      expect({ [field]: plan[field as keyof typeof plan] }).toEqual({ [field]: value });
    }
  });

  if (cases.services.length > 0) {
    test.each(cases.services)('reading: $title', (row) => {
      const controller = row.controller?.() ?? cases.kind.installed();
      const among = row.beside && amongFiles([row.service, ...row.beside]);
      const context = { kind: cases.kind, controller, kubernetes: KubernetesVersion.V1_36, among, ...row.known };
      const result = checkByRules(row.service, cases.kind.rules, context, cases.kind.name);
      expect(result.errors.map((error) => error.ruleId)).toEqual(row.errors ?? []);
      expect(result.warnings.map((warning) => warning.ruleId)).toEqual(row.warnings ?? []);
    });
  }

  if (cases.refusedOptions) {
    test.each(cases.refusedOptions)('refused at construction: $title', ({ make, message }) => {
      expect(make).toThrow(message);
    });
  }

  test.each(cases.rollouts)('rollout: $title', (row) => {
    const request = new LoadBalancerRequest({ ports: [{ port: 443 }], rollout: {}, ...row.wishes });
    const { rollout, answers, problems = [], ...plan } = row.controller().bind(Testing.chart(), request);
    const refused = problems.map(sentenceOf).join();
    expect(refused).toContain(row.refused ?? '');
    expect(refused === '').toBe(row.refused === undefined);
    expect(row.refused === undefined).toBe(row.stops !== undefined);
    if (row.refused === undefined) {
      expect(rollout?.stopsSendingAfter.toSeconds()).toBe(row.stops);
      expect(rollout?.startsSendingAfter?.toSeconds()).toBe(row.starts);
      expect(rollout?.namespaceLabels).toEqual(row.labels);
      expect(answers?.rollout).toContain(`pods serve on for ${row.stops} s`);
      expect(plan.annotations).toMatchObject(row.writes ?? {});
      expect(plan.externalTrafficPolicy).toBe(row.policy);
      const warned = (plan.warnings ?? []).filter(({ wish }) => wish === LoadBalancerWish.ROLLOUT).map(sentenceOf);
      expect(warned).toEqual(row.warns === undefined ? [] : [expect.stringContaining(row.warns)]);
    }
  });

  test.each(cases.made)('made: $title', (row) => {
    const made = balancerModelOf(row.service, row.controller?.() ?? cases.kind, row.beside);
    expect(made === undefined).toBe(row.made === undefined);
    for (const [field, value] of Object.entries(row.made ?? {})) {
      expect({ [field]: made?.[field as keyof typeof made] }).toEqual({ [field]: value });
    }
    expect(row.limits ?? made?.limits.map(limitInWords)).toEqual(made?.limits.map(limitInWords));
  });

  if (cases.claims) {
    test.each(cases.claims)('claim: $title', ({ service, controller, claimed }) => {
      expect(cases.kind.claim(service, controller?.() ?? cases.kind.installed()).claimed).toBe(claimed);
    });
  }
});

const owner = 'example-controller';
const bind = (plan: Partial<LoadBalancerPlan>, request: Partial<LoadBalancerRequestProps>) =>
  CustomController.of({ owner, ...plan }).bind(Testing.chart(), new LoadBalancerRequest({ ...ONE_PORT, ...request }));

/** Something for every wish, and how it is named in a message. */
const WISHES: Record<LoadBalancerWish, [Partial<LoadBalancerRequestProps>, string]> = {
  [LoadBalancerWish.SCHEME]: [{ scheme: LoadBalancerScheme.INTERNET_FACING }, 'internet-facing'],
  [LoadBalancerWish.PROTOCOLS]: [{ ports: [{ port: 53, protocol: PortProtocol.UDP }] }, 'UDP'],
  [LoadBalancerWish.TRAFFIC_POLICY]: [{ trafficPolicy: TrafficPolicy.LOCAL }, 'Local'],
  [LoadBalancerWish.CLIENT_ADDRESS]: [{ clientAddress: ClientAddress.PRESERVE }, 'preserve'],
  [LoadBalancerWish.SESSION_AFFINITY]: [{ sessionAffinity: { timeout: Duration.hours(1) } }, '{"timeout":'],
  [LoadBalancerWish.IP_FAMILIES]: [{ ipFamilies: [IpFamily.IPV6] }, '["IPv6"]'],
  [LoadBalancerWish.BACKEND_NODES]: [{ backendNodes: NodePool.labeled({ pool: 'edge' }) }, 'pool=edge'],
  [LoadBalancerWish.SOURCE_RANGES]: [{ sourceRanges: ['10.0.0.0/8'] }, '["10.0.0.0/8"]'],
  [LoadBalancerWish.STATIC_ADDRESSES]: [{ staticAddresses: ['10.0.0.7'] }, '["10.0.0.7"]'],
  [LoadBalancerWish.PROXY_PROTOCOL]: [{ proxyProtocol: true }, 'true'],
  [LoadBalancerWish.HEALTH_CHECK]: [{ healthCheck: { port: 80 } }, '{"port":80}'],
  [LoadBalancerWish.ROLLOUT]: [{ rollout: { drainTime: Duration.seconds(9) } }, 'drainTime 9 s'],
};

test('a plain request is answered with the plan', () => {
  const plan = { annotations: { 'a/b': 'c' }, finalizers: ['a/f'], loadBalancerClass: 'a/class', labels: { l: 'm' } };
  expect(bind(plan, {})).toEqual({ owner, ...plan, answers: {}, problems: [] });
});

test.each(Object.entries(WISHES))('%s without an answer is a problem', (wish, [request, value]) => {
  expect((bind({}, request).problems ?? []).map(sentenceOf)).toEqual([
    expect.stringContaining(`${owner}: ${wish} cannot be honoured, with value ${value}`),
  ]);
});

test.each(Object.entries(WISHES))('%s with an answer is none', (wish, [request]) => {
  const plan = bind({ answers: { [wish]: 'by its own means' } }, request);
  expect(plan.problems).toEqual([]);
  expect(plan.answers).toEqual({ [wish]: 'by its own means' });
});

test.each([
  [LoadBalancerWish.SESSION_AFFINITY, 'sessionAffinity', {}],
  [LoadBalancerWish.IP_FAMILIES, 'ipFamilies', [IpFamily.IPV4]],
  [LoadBalancerWish.SOURCE_RANGES, 'sourceRanges', ['0.0.0.0/0']],
] as const)('%s is a field: written when answered, compared when the plan says it', (wish, field, other) => {
  const [request] = WISHES[wish];
  const value = (request as Record<string, unknown>)[wish];
  expect(bind({ answers: { [wish]: 'by the field' } }, request)[field]).toEqual(value);
  expect(bind({ [field]: value }, request)).toMatchObject({ problems: [], answers: { [wish]: field } });
  expect(bind({ [field]: other, answers: { [wish]: 'by the field' } }, request).problems?.map(sentenceOf)).toEqual([
    expect.stringContaining(`${wish} asks for`),
  ]);
});

test.each([[FinalizerPolicy.LEAVE_TO_CONTROLLER, []]])('finalizer policy %s', (finalizerPolicy, finalizers) => {
  expect(bind({ finalizers: ['a/f'] }, { finalizerPolicy }).finalizers).toEqual(finalizers);
});

test('problems and warnings of the plan stay', () => {
  const finding = { ruleId: 'rule', who: owner, what: 'what', remedy: 'way out', at: '' };
  expect(bind({ problems: [finding], warnings: [finding] }, {})).toMatchObject({
    problems: [finding],
    warnings: [finding],
  });
});

test('a wish that a finding of the plan names is told already', () => {
  const finding = {
    ruleId: 'rule',
    who: owner,
    what: 'what',
    remedy: 'way out',
    at: '',
    wish: LoadBalancerWish.TRAFFIC_POLICY,
  };
  const request = { trafficPolicy: TrafficPolicy.LOCAL };
  expect(bind({ warnings: [finding] }, request)).toMatchObject({ problems: [], warnings: [finding] });
  expect(bind({ problems: [finding] }, request)).not.toHaveProperty('externalTrafficPolicy');
});

test('a plan without an owner is refused', () => {
  expect(() => CustomController.of({ owner: ' ' })).toThrow('the plan names no owner');
});

test('nothing is known of its kind', () => expect(definitionOf(CustomController.of({ owner }))).toBeUndefined());

const request = new LoadBalancerRequest({ ports: [{ port: 443 }] });
type Texts = Record<string, string>;
type Added = { annotations?: Texts; labels?: Texts };
type Row = { title: string; options: Added; plan: object; problem?: string };
const plain = () =>
  CustomController.of({ owner: 'example', annotations: { 'a/x': '1' }, labels: { l: '1' }, loadBalancers: 0 });

const annotated = ({ annotations = {}, labels }: Added) => AnnotatedController.of(plain(), annotations, labels);

test.each<Row>(casesIn(__dirname, 'controllers.yaml').plans)('$title', ({ options, plan, problem }) => {
  const answer = annotated(options).bind(Testing.chart(), request);
  expect(answer).toMatchObject(plan);
  expect((answer.problems ?? []).map(sentenceOf)).toEqual(problem ? [expect.stringContaining(problem)] : []);
});

test.each<[string, Added, string]>([
  ['nothing', {}, 'has nothing to add'],
  ['a key that is none', { annotations: { 'a b': '1' } }, "'a b' is not a qualified name"],
  ['a label value that is none', { labels: { a: 'b c' } }, "'b c' is not a valid label value"],
])('%s cannot be added', (_, options, message) => {
  expect(() => annotated(options)).toThrow(`example: `);
  expect(() => annotated(options)).toThrow(message);
});
