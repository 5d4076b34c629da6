import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import * as fc from 'fast-check';
import {
  HetznerCloud,
  type LoadBalancerPlan,
  LoadBalancerRequest,
  LoadBalancers,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../../src';
import { requestFaults } from '../../src/contract/bound-plan';
import { hasProblems, hosted, inChart, LAWS } from '../support/controller-laws';
import { requests } from '../support/generator';
import { tries } from '../support/random';
import { kinds, type Subject, subjectsOf } from '../support/subjects';

// The same requests every time; look at others with LAWS_SEED, and dig deeper with LAWS_RUNS (requests for each
// controller and law).
const RUNS = Number(process.env.LAWS_RUNS ?? tries(25));
const SEED = Number(process.env.LAWS_SEED ?? 980);

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const subjects = subjectsOf(kind);

  test.each(Object.keys(LAWS))('%s', (name) => {
    for (const subject of subjects) {
      const property = fc.property(requests, (request) => {
        const broken = LAWS[name](subject, request);
        if (broken !== undefined) throw new Error(`${subject.title}: ${broken}`);
      });
      fc.assert(property, { numRuns: RUNS, seed: SEED });
    }
  });

  test('a plain request is served without a problem and without a warning', () => {
    const plain = new LoadBalancerRequest({ ports: [{ port: 443, targetPort: 8080 }] });
    const { service, errors } = hosted(subjects[0], plain);
    expect(errors).toEqual([]);
    expect(service.plan.problems ?? []).toEqual([]);
    expect(service.plan.warnings ?? []).toEqual([]);
    expect(LoadBalancers.of(service).warnings).toEqual([]);
    expect(service.toJson()).toHaveProperty('spec.type', 'LoadBalancer');
  });
});

test('the requests of the generator are legal, and some controller honours each wish', () => {
  const wished = new Set<string>();
  const honoured = new Set<string>();
  const installed = kinds.map((kind) => kind.installed());
  for (const request of fc.sample(requests, { numRuns: 500, seed: SEED })) {
    expect(requestFaults(request)).toEqual([]);
    for (const wish of request.wishes) wished.add(wish);
    for (const controller of installed) {
      const { answers = {}, ...plan } = controller.bind(inChart(), request);
      if (!hasProblems(plan)) for (const wish of Object.keys(answers)) honoured.add(wish);
    }
  }
  expect([...wished].sort()).toEqual(Object.values(LoadBalancerWish).sort());
  expect([...honoured].sort()).toEqual([...wished].sort());
});

describe('a controller is found out', () => {
  const plain = new LoadBalancerRequest({ ports: [{ port: 443 }], trafficPolicy: TrafficPolicy.LOCAL });
  const kind = HetznerCloud._kind.definition;
  const known = kind.catalogue.annotations[0].key();
  const noFinalizer = { finalizers: [] };

  /** A controller that answers like the real one, but for one thing. */
  function liar(lie: (plan: LoadBalancerPlan, scope: Construct, request: LoadBalancerRequest) => object): Subject {
    const honest = kind.installed();
    const bind = (scope: Construct, request: LoadBalancerRequest) => {
      const plan = honest.bind(scope, request);
      return { ...plan, ...lie(plan, scope, request) };
    };
    return {
      title: 'liar',
      kind,
      controller: { name: honest.name, bind, _kind: { definition: kind } } as never,
      adds: [],
      wishesMayBreak: [],
    };
  }

  let asked = 0;
  test.each<[string, Subject]>([
    ['the same request gives the same plan, whatever was asked before', liar(() => ({ loadBalancers: asked++ }))],
    ['a request stays as it was', liar((_, __, request) => ({ x: request.ports.push({ port: 80 }) }))],
    ['the owner of the plan is the controller', liar(() => ({ owner: 'somebody' }))],
    [
      'annotations and labels are texts and finalizers are names, as the API server demands',
      liar(() => ({ annotations: { [known]: true } })),
    ],
    [
      'annotations and labels are texts and finalizers are names, as the API server demands',
      liar(() => ({ labels: { 'a b': 'c' } })),
    ],
    [
      'annotations and labels are texts and finalizers are names, as the API server demands',
      liar(() => ({ finalizers: ['cleanup'] })),
    ],
    [
      'an annotation is one that the controller knows, with a value that it reads',
      liar(() => ({ annotations: { [`${known}-x`]: 'a' } })),
    ],
    [
      'an annotation is one that the controller knows, with a value that it reads',
      liar(() => ({ annotations: { [known]: ' ' } })),
    ],
    ['every wish is answered', liar(() => ({ answers: {} }))],
    [
      'what a plan reports is of a rule that the definition names',
      liar(({ owner: who }) => ({ warnings: [{ ruleId: 'a-b', who, what: 'x', remedy: 'y' }] })),
    ],
    [
      'nothing is answered that nobody wished',
      liar(({ answers }) => ({ answers: { ...answers, [LoadBalancerWish.SCHEME]: 'internal' } })),
    ],
    [
      'an answer that names an annotation tells what was written',
      liar(({ answers }) => ({ answers: { ...answers, [LoadBalancerWish.TRAFFIC_POLICY]: `${known}: local` } })),
    ],
    [
      'an answer that names a field of the Service tells what was written',
      liar(() => ({ externalTrafficPolicy: undefined })),
    ],
    ['a finalizer is one that the controller removes', liar(() => ({ finalizers: ['service.k8s.aws/resources'] }))],
    ['a finalizer is one that the controller removes', liar(() => ({ loadBalancerClass: 'example.com/lb' }))],
    [
      'its own rules and those of the API server find no error in a Service that was planned without a problem',
      liar(() => ({ sourceRanges: ['everybody'] })),
    ],
    ['the owner claims the Service as it is written', liar(() => ({ ...noFinalizer, loadBalancerClass: 'a.b/lb' }))],
    [
      'there is a side object where the plan says so, and nowhere else',
      liar(() => ({ nodeRestriction: NodeRestriction.ON_SIDE_OBJECT })),
    ],
    [
      'there is a side object where the plan says so, and nowhere else',
      liar((_, scope) => ({ x: new ApiObject(scope, 'aside', { apiVersion: 'v1', kind: 'ConfigMap' }) && 1 })),
    ],
    [
      'a balancer is internal unless somebody says otherwise',
      liar(({ annotations }, _, { scheme }) => ({ annotations: scheme ? annotations : {} })),
    ],
  ])('that breaks the law: %s', (name, subject) => {
    expect(LAWS[name](subject, plain)).toEqual(expect.any(String));
  });
});
