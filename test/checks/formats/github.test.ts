import type { CheckReport } from '../../../src/checks/check-report';
import { FORMATS } from '../../../src/checks/formats/formats';
import { FULL, findingOf, HOSTILE, hostile, reportOf, SERVICE, unknownOf } from '../../support/check-reports';

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const unescaped = (text: string, signs: Record<string, string>) =>
  Object.entries({ ...signs, '%25': '%' }).reduce((all, [code, sign]) => all.replaceAll(code, sign), text);

const LINE_ENDS = { '%0D': '\r', '%0A': '\n' };

function read(line: string): Command {
  const [, name, written, message] = /^::([a-z]+) (.*?)::(.*)$/.exec(line) ?? [];
  const properties = written.split(',').map((property): [string, string] => {
    const [key, ...value] = property.split('=');
    return [key, unescaped(value.join('='), { ...LINE_ENDS, '%3A': ':', '%2C': ',' })];
  });
  return { name, properties: Object.fromEntries(properties), message: unescaped(message, LINE_ENDS) };
}

const linesOf = (report: CheckReport) => FORMATS.github(report).trimEnd().split('\n');
const commandsOf = (report: CheckReport) =>
  linesOf(report)
    .filter((line) => line.startsWith('::'))
    .map(read);

test('a finding is at its line, and names its object, remedy and page', () => {
  expect(commandsOf(reportOf({ findings: [findingOf()] }))).toEqual([
    {
      name: 'error',
      properties: { file: 'k8s/edge.yaml', line: '9', col: '5', title: 'target-port' },
      message:
        'Service edge/echo: targetPort is 0\nremedy: use a port from 1 to 65535\nhttps://github.com/cdk8s-load-balancers/cdk8s-load-balancers/blob/main/docs/reference/rules.md#target-port',
    },
  ]);
});

test('levels are those of GitHub, and what is accepted is not shown', () => {
  expect(commandsOf(FULL).map(({ name, properties }) => `${name} ${properties.title}`)).toEqual([
    'error cannot be read',
    'error finalizer-owner',
    'error target-port',
    'error target-port',
    'warning annotation-deprecated',
    'notice no-scheme',
    'notice unknown',
    'notice unknown',
    'notice not checked',
  ]);
  expect(linesOf(FULL).at(-1)).toMatch(/^3 errors, 1 warning, 1 note in 12 objects; 1 accepted/);
});

test('what is on standard input is in no file', () => {
  const [{ properties, message }] = commandsOf(
    reportOf({ findings: [findingOf({ place: { file: '-', line: 4, column: 2 } })] }),
  );
  expect(properties).toEqual({ title: 'target-port' });
  expect(message).toMatch(/^standard input:4:2\nService edge\/echo/);
});

test.each([
  ['a comma', 'a,line=1.yaml', 'file=a%2Cline=1.yaml,'],
  ['a colon', 'a::b.yaml', 'file=a%3A%3Ab.yaml,'],
  ['a percent sign', 'a%0A.yaml', 'file=a%250A.yaml,'],
])('%s in a property', (_, file, written) => {
  const report = reportOf({ findings: [findingOf({ place: { file, line: 1, column: 1 } })] });
  expect(linesOf(report)[0]).toContain(written);
  expect(commandsOf(report)[0].properties).toEqual({ file, line: '1', col: '1', title: 'target-port' });
});

test('a percent sign in a message stays one', () => {
  const [{ message }] = commandsOf(reportOf({ findings: [findingOf({ what: '100%0A of it: a, b' })] }));
  expect(message.split('\n')[0]).toBe('Service edge/echo: 100%0A of it: a, b');
});

test.each(HOSTILE)('%s: no file writes a line of its own', (_, text) => {
  const report = hostile(text);
  expect(linesOf(report).filter((line) => !line.startsWith('::'))).toHaveLength(1);
  expect(commandsOf(report).map(({ name, properties }) => [name, ...Object.keys(properties)])).toEqual([
    ['error', 'file', 'line', 'col', 'title'],
    ['error', 'file', 'line', 'col', 'title'],
    ['error', 'file', 'line', 'col', 'title'],
    ['notice', 'title'],
    ['notice', 'title'],
  ]);
});

test('what is unknown for one reason is one annotation', () => {
  const objects = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...SERVICE, name }));
  const unknown = objects.flatMap((object) => ['x', 'y'].map((ruleId) => unknownOf({ object, ruleId })));
  expect(commandsOf(reportOf({ unknown })).map(({ message }) => message)).toEqual([
    'needs controllers: 2 rules for Service edge/a; Service edge/b; Service edge/c and 2 more',
  ]);
});
