import { changedFindings, messagesByRule, type RecordedFinding } from '../scripts/findings/recorded';

const found = (rule: string, what = 'it is wrong', value = '1'): RecordedFinding => [
  ...(['0a', rule, 'spec.type', value, what, 'mend it'] as const),
];

test('a finding that is gone is named by its rule, and other words are the same finding', () => {
  const before = [found('a'), found('b')];
  expect(changedFindings(before, [found('a', 'the type is wrong'), found('b')]).gone).toBe(0);
  expect(changedFindings(before, [found('b'), found('b', 'it is wrong', '2')])).toEqual({
    gone: 1,
    lines: [
      "a: 1 gone, 0 new; spec.type '1': it is wrong",
      "b: 0 gone, 1 new; spec.type '2': it is wrong",
      '2 before, 1 gone, 1 new',
    ],
  });
});

test('messages are listed by rule, each once', () => {
  expect(messagesByRule([found('b'), found('a'), found('b', 'it is wrong', '2')])).toBe(
    '## a\n\n- it is wrong: mend it\n\n## b\n\n- it is wrong: mend it\n',
  );
});
