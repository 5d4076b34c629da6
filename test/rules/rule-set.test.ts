import type { Json } from '../../src/contract/json';
import type { Finding } from '../../src/contract/rule';
import type { Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';

interface Context {
  readonly version?: string;
}

const found = (at = ''): Finding => ({ what: 'it is so', remedy: 'make it otherwise', at });

function rule(id: string, more: Partial<Rule<Context>> = {}): Rule<Context> {
  return { id, severity: 'error', says: 'it is otherwise', source: 'ours', judge: () => found(), ...more };
}

function ids(rules: readonly Rule<Context>[], object: Json = {}, context: Context = {}): string[] {
  const { errors, warnings } = new RuleSet(rules, 'us').judge(object, context);
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

test.each<[string, readonly string[], Json, boolean]>([
  ['a field of spec', ['spec.a'], { spec: { a: 1 } }, true],
  ['another field of spec', ['spec.a'], { spec: { b: 1 } }, false],
  ['a field that is null', ['spec.a'], { spec: { a: null } }, true],
  ['a field below another', ['spec.a.b'], { spec: { a: { b: 1 } } }, true],
  ['no field below another', ['spec.a.b'], { spec: { a: {} } }, false],
  ['a text above a field', ['spec.a.b'], { spec: { a: 'b' } }, false],
  ['one of two', ['spec.a', 'spec.b'], { spec: { b: 1 } }, true],
  ['a field outside of spec', ['metadata.finalizers'], { metadata: { finalizers: [] } }, true],
  ['no field outside of spec', ['metadata.finalizers'], { metadata: {} }, false],
  ['a spec that is a list', ['spec.a'], { spec: ['a'] }, false],
])('a rule is asked of an object with %s', (_, on, object, isAsked) => {
  expect(ids([rule('one', { on })], object)).toEqual(isAsked ? ['one'] : []);
});

test('objects with the same keys are told apart below them, also where they are asked one after the other', () => {
  const set = new RuleSet<Context>([rule('one', { on: ['spec.a.b'] })]);
  const errors = [{ b: 1 }, {}, { b: 1 }].map((a) => set.judge({ spec: { a } }, {}).errors.length);
  expect(errors).toEqual([1, 0, 1]);
});

test.each<[string, Json]>([
  ['an annotation', { metadata: { annotations: { a: 'x' } }, spec: {} }],
  ['a field of the object', { metadata: {}, spec: {}, a: 'x' }],
])('a field of spec and %s of the same name are two things', (_, other) => {
  const set = new RuleSet<Context>([rule('one', { on: ['spec.a'] })]);
  expect(set.judge(other, {}).errors).toEqual([]);
  expect(set.judge({ metadata: {}, spec: { a: 'x' } }, {}).errors).toHaveLength(1);
});

test('a rule that must know something has no answer without it', () => {
  const set = new RuleSet<Context>([rule('one', { needs: ['version'] }), rule('two')], 'us');
  const { errors, unknown } = set.judge({}, {});
  expect(errors.map(({ ruleId }) => ruleId)).toEqual(['two']);
  expect(unknown).toEqual([{ ruleId: 'one', needs: ['version'] }]);
  expect(ids(set.rules, {}, { version: '1' })).toEqual(['one', 'two']);
});

test.each<[string, string | undefined, string | undefined, string[]]>([
  ['anywhere', undefined, undefined, ['cause']],
  ['at the same place', '/spec/a', '/spec/a', ['cause']],
  ['at an unknown place', '/spec/a', undefined, ['cause']],
  ['at a place in another', '/spec/a/0', '/spec/a', ['cause']],
  ['at a place around another', '/spec/a', '/spec/a/0', ['cause', 'effect']],
  ['at a place that begins alike', '/spec/ab', '/spec/a', ['cause', 'effect']],
  ['at another place', '/spec/a', '/spec/b', ['cause', 'effect']],
])('what has the same cause is reported once, %s', (_, cause, effect, expected) => {
  const rules = [
    rule('cause', { supersedes: ['effect'], judge: () => found(cause) }),
    rule('effect', { judge: () => found(effect) }),
  ];
  expect(ids(rules)).toEqual(expected);
});

test('a rule that finds nothing supersedes nothing', () => {
  expect(ids([rule('cause', { supersedes: ['effect'], judge: () => undefined }), rule('effect')])).toEqual(['effect']);
});

test('findings name the component of their rule, or else that of the set', () => {
  const { errors } = new RuleSet<Context>([rule('one', { who: 'them' }), rule('two')], 'us').judge({}, {});
  expect(errors.map(({ who }) => who)).toEqual(['them', 'us']);
});
