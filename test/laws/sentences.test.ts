import * as ts from 'typescript';
import { nodesOf, programs, sources } from '../support/sources';
import { casesIn } from '../support/yaml-cases';

// A finding is data: rule, place, value. Its sentences are for people, and no code decides by them.

const SENTENCES = ['what', 'message', 'remedy', 'says'];

/** Methods that test, search or split a text. */
const READERS = casesIn(__dirname, 'sentences.yaml').readers;

const EXCEPTIONS: Readonly<Record<string, string>> = {
  'cli/explain/likely-causes.ts': 'events and conditions of controllers are text',
  'policies/policy-objects.ts': 'the message of a policy is a template',
  'cli/check.ts': 'a rule does not state that it is about ports, which are unknown without their Gateway',
};

/** Errors of other programs are text, and a text is split into lines to print it. */
const ALLOWED = /\berror\b.*\.message\b|\.split\('\\n'\)$/;

function isSentence(node: ts.Node): boolean {
  return ts.isIdentifier(node)
    ? SENTENCES.includes(node.text)
    : ts.isPropertyAccessExpression(node) && SENTENCES.includes(node.name.text);
}

/** True if an expression is a sentence, or a text that has one in it. */
function holdsSentence(node: ts.Node): boolean {
  return ts.isTemplateExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)
    ? nodesOf(node).some(isSentence)
    : isSentence(node);
}

/** Calls that test, search or split a sentence: `what.includes(…)`, `/…/.test(finding.what)`. */
function readingsIn(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const { expression: on, name } = node.expression;
    const isRead = READERS.includes(name.text) && holdsSentence(on);
    const isTested = ['test', 'exec'].includes(name.text) && node.arguments.some(holdsSentence);
    const text = node.getText();
    return (isRead || isTested) && !ALLOWED.test(text) ? [text] : [];
  });
}

const found = [...sources, ...programs]
  .map(({ path, file }) => [path, readingsIn(file)] as const)
  .filter(([, readings]) => readings.length > 0);

test('no code tests or splits the sentence of a finding', () => {
  const wrong = found.filter(([path]) => !Object.hasOwn(EXCEPTIONS, path) && !path.endsWith('.facts.ts'));
  expect(Object.fromEntries(wrong)).toEqual({});
});

test('every exception is one', () => {
  expect(Object.keys(EXCEPTIONS).filter((path) => !found.some(([own]) => own === path))).toEqual([]);
});

test.each<[string, number]>(casesIn(__dirname, 'sentences.yaml')['reads sentences'])(
  '%s reads %d sentences',
  (code, count) => {
    expect(readingsIn(ts.createSourceFile('a.ts', code, ts.ScriptTarget.ES2022, true))).toHaveLength(count);
  },
);
