import { Testing } from 'cdk8s';
import {
  AnnotatedController,
  type AnnotatedControllerOptions,
  CustomController,
  HetznerCloud,
  LoadBalancerRequest,
} from '../src';
import { sentenceOf } from '../src/contract/rule';
import { definitionOf } from '../src/rules/controller-definition';

const request = new LoadBalancerRequest({ ports: [{ port: 443 }] });
type Row = { title: string; options: AnnotatedControllerOptions; plan: object; problem?: string };
const plain = () =>
  CustomController.of({ owner: 'example', annotations: { 'a/x': '1' }, labels: { l: '1' }, loadBalancers: 0 });

test.each<Row>([
  {
    title: 'annotations and labels are added',
    options: { annotations: { 'a/y': '2' }, labels: { m: '2' } },
    plan: { annotations: { 'a/x': '1', 'a/y': '2' }, labels: { l: '1', m: '2' }, problems: [], loadBalancers: 0 },
  },
  {
    title: 'the same value again is no problem',
    options: { annotations: { 'a/x': '1' } },
    plan: { annotations: { 'a/x': '1' }, labels: { l: '1' }, problems: [] },
  },
  {
    title: 'an annotation of another value is a problem that names both',
    options: { annotations: { 'a/x': '2' } },
    plan: { annotations: { 'a/x': '1' } },
    problem: "example: annotation a/x is added as '2', but the controller writes '1'",
  },
  {
    title: 'a label of another value is a problem that names both',
    options: { labels: { l: '2' } },
    plan: { labels: { l: '1' } },
    problem: "example: label l is added as '2', but the controller writes '1'",
  },
])('$title', ({ options, plan, problem }) => {
  const answer = AnnotatedController.of(plain(), options).bind(Testing.chart(), request);
  expect(answer).toMatchObject(plan);
  expect((answer.problems ?? []).map(sentenceOf)).toEqual(problem ? [expect.stringContaining(problem)] : []);
});

test.each<[string, AnnotatedControllerOptions, string]>([
  ['nothing', {}, 'has nothing to add'],
  ['a key that is none', { annotations: { 'a b': '1' } }, "'a b' is not a qualified name"],
  ['a label value that is none', { labels: { a: 'b c' } }, "'b c' is not a valid label value"],
])('%s cannot be added', (_, options, message) => {
  expect(() => AnnotatedController.of(plain(), options)).toThrow(`example: `);
  expect(() => AnnotatedController.of(plain(), options)).toThrow(message);
});

test('the inner controller stays what it is, however deep', () => {
  const inner = HetznerCloud.loadBalancer();
  const outer = AnnotatedController.of(AnnotatedController.of(inner, { labels: { a: '1' } }), { labels: { b: '2' } });
  expect(outer.name).toBe(inner.name);
  expect(definitionOf(outer)).toBe(HetznerCloud._kind.definition);
  expect(definitionOf(AnnotatedController.of(plain(), { labels: { a: '1' } }))).toBeUndefined();
  expect(outer.bind(Testing.chart(), request)).toEqual({
    ...inner.bind(Testing.chart(), request),
    labels: { a: '1', b: '2' },
  });
});
