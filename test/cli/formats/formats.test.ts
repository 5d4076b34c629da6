import { DOMParser, type Element } from '@xmldom/xmldom';
import type { CheckReport } from '../../../src/cli/check-report';
import { FORMATS, type FormatName } from '../../../src/cli/formats/formats';
import type { CheckJson } from '../../../src/cli/formats/json';
import { exitCode, type FormatOptions, resultOfCheck, rulePage } from '../../../src/cli/formats/words';
import { printable } from '../../../src/contract/json';
import { FULL, findingOf, HOSTILE, hostile, RULES, reportOf, SERVICE, unknownOf } from '../../support/check-reports';
import { casesIn } from '../../support/yaml-cases';

const NAMES = Object.keys(FORMATS) as FormatName[];
const OPTIONS = { version: '1.2.3', rules: RULES };

function turned<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(turned) as Value;
  return typeof value === 'object' && value !== null
    ? (Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, part]) => [key, turned(part)]),
      ) as Value)
    : value;
}

describe.each(NAMES)('%s', (name) => {
  const format = FORMATS[name];

  test('ends its last line', () => {
    expect(format(FULL, OPTIONS)).toMatch(/[^\n]\n$/);
    expect(format(reportOf())).toMatch(/[^\n]\n$/);
  });

  test('is the same text for the same report, in whatever order it was made', () => {
    expect(format(turned(FULL), OPTIONS)).toBe(format(FULL, OPTIONS));
    expect(format(structuredClone(FULL), OPTIONS)).toBe(format(FULL, OPTIONS));
  });

  test('leaves the report as it is', () => {
    const before = JSON.stringify(FULL);
    format(FULL, OPTIONS);
    expect(JSON.stringify(FULL)).toBe(before);
  });

  test.each(HOSTILE)('%s: no sign that a terminal acts upon', (_, text) => {
    const lines = format(hostile(text), OPTIONS).split('\n');
    expect(lines.filter((line) => printable(line) !== line)).toEqual([]);
  });

  test.each(HOSTILE)('%s: nothing that a runner acts upon', (_, text) => {
    const lines = format(hostile(text), OPTIONS).split('\n');
    const isOwn = (line: string) => name === 'github' && /^::(error|warning|notice) [^:]*::/.test(line);
    expect(lines.filter((line) => !isOwn(line) && /^\s*::|##\[/.test(line))).toEqual([]);
  });

  test('names every object at which a rule found something', () => {
    const findings = ['a', 'b', 'c'].map((object) => findingOf({ object: { ...SERVICE, name: `service-${object}` } }));
    const text = format(reportOf({ findings, objects: 3 }));
    expect(['service-a', 'service-b', 'service-c'].filter((object) => !text.includes(object))).toEqual([]);
  });

  test('takes time in proportion to what was found', () => {
    const time = (number: number) => {
      const report = manyFindings(number);
      const start = process.cpuUsage();
      format(report, OPTIONS);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    time(1_000);
    expect(time(8_000)).toBeLessThan(8 * 8 * Math.max(time(1_000), 2_000));
  });
});

function manyFindings(number: number): CheckReport {
  const findings = Array.from({ length: number }, (_, index) =>
    findingOf({
      object: { ...SERVICE, name: `service-${index % 2}` },
      place: { file: `k8s/${index >> 1}.yaml`, line: 1, column: 1 },
    }),
  );
  return reportOf({ findings, objects: number });
}

test('a rule is in the reference of the repository of this package', () => {
  const { repository } = jest.requireActual<{ repository: { url: string } }>('../../../package.json');
  expect(rulePage('target-port-invalid')).toBe(
    `${repository.url.replace(/\.git$/, '')}/blob/main/docs/reference/rules.md#target-port-invalid`,
  );
});

test('an address holds no sign of an id that ends it', () => {
  expect(rulePage('a b\n\ud800')).toMatch(/#a%20b%0A%EF%BF%BD$/);
});

const accepted = { reason: 'as long as it is so' };
const unreadable = [{ place: { file: 'a.yaml', line: 1, column: 1 }, what: 'it ends', remedy: 'end it' }];

const ERROR = reportOf({ findings: [findingOf()] });
const WARNING = reportOf({ findings: [findingOf({ level: 'warning' })] });
const NOTE = reportOf({ findings: [findingOf({ level: 'note' })] });
const ACCEPTED = reportOf({ findings: [findingOf({ accepted }), findingOf({ level: 'warning', accepted })] });
const UNKNOWN = reportOf({ unknown: [unknownOf()] });
const UNREADABLE = reportOf({ unreadable });
const SECOND = reportOf({ findings: [findingOf({ accepted }), findingOf()] });

test.each<[string, CheckReport, plain: number, warnings: number, strict: number]>([
  ['nothing', reportOf(), 0, 0, 0],
  ['notes of what is not checked', reportOf({ notes: ['it is a chart'] }), 0, 0, 0],
  ['an error', ERROR, 1, 1, 1],
  ['a warning', WARNING, 0, 1, 0],
  ['a note', NOTE, 0, 0, 0],
  ['what is accepted', ACCEPTED, 0, 0, 0],
  ['an error beside what is accepted', SECOND, 1, 1, 1],
  ['an unknown answer', UNKNOWN, 0, 0, 1],
  ['a document that cannot be read', UNREADABLE, 2, 2, 2],
])('%s', (_, report, plain, warnings, strict) => {
  expect(exitCode(resultOfCheck(report))).toBe(plain);
  expect(exitCode(resultOfCheck(report), { failOn: 'warning' })).toBe(warnings);
  expect(exitCode(resultOfCheck(report), { strict: true })).toBe(strict);
});

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
      properties: { file: 'k8s/edge.yaml', line: '9', col: '5', title: 'target-port-invalid' },
      message:
        'Service edge/echo: targetPort is 0\nremedy: use a port from 1 to 65535\nhttps://github.com/cdk8s-load-balancers/cdk8s-load-balancers/blob/main/docs/reference/rules.md#target-port-invalid',
    },
  ]);
});

test('levels are those of GitHub, and what is accepted is not shown', () => {
  expect(commandsOf(FULL).map(({ name, properties }) => `${name} ${properties.title}`)).toEqual(
    casesIn(__dirname, 'formats.yaml')['levels are those of GitHub and what is accepted is not shown'],
  );
  expect(linesOf(FULL).at(-1)).toMatch(/^3 errors, 1 warning, 1 note in 12 objects; 1 accepted/);
});

test('what is on standard input is in no file', () => {
  const [{ properties, message }] = commandsOf(
    reportOf({ findings: [findingOf({ place: { file: '-', line: 4, column: 2 } })] }),
  );
  expect(properties).toEqual({ title: 'target-port-invalid' });
  expect(message).toMatch(/^standard input:4:2\nService edge\/echo/);
});

test.each([
  ['a comma', 'a,line=1.yaml', 'file=a%2Cline=1.yaml,'],
  ['a colon', 'a::b.yaml', 'file=a%3A%3Ab.yaml,'],
  ['a percent sign', 'a%0A.yaml', 'file=a%250A.yaml,'],
])('%s in a property', (_, file, written) => {
  const report = reportOf({ findings: [findingOf({ place: { file, line: 1, column: 1 } })] });
  expect(linesOf(report)[0]).toContain(written);
  expect(commandsOf(report)[0].properties).toEqual({ file, line: '1', col: '1', title: 'target-port-invalid' });
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
    'needs controllers: x, y for Service edge/a; Service edge/b; Service edge/c and 2 more',
  ]);
});

describe('json', () => {
  const read = (report = FULL) => JSON.parse(FORMATS.json(report)) as CheckJson;

  test('the summary counts what is accepted once', () => {
    expect(read().summary).toEqual(casesIn(__dirname, 'formats.yaml')['the summary counts what is accepted once']);
  });

  test('members are in one order', () => {
    const accepted = { reason: 'so it is', until: '2027-06-30' };
    const findings = [findingOf({ value: '0', pointer: '/spec', accepted })];
    const json = read(reportOf({ findings }));
    expect(Object.keys(json)).toEqual(['version', 'summary', 'context', 'findings', 'unknown', 'unreadable', 'notes']);
    expect(Object.keys(json.findings[0])).toEqual(casesIn(__dirname, 'formats.yaml')['members are in one order']);
  });

  test('everything of the report is in it', () => {
    const { findings, summary, version, ...rest } = read();
    const { findings: found, objects, ...others } = JSON.parse(JSON.stringify(FULL));
    expect(version).toBe(1);
    expect(rest).toEqual(others);
    expect(summary.objects).toBe(objects);
    expect(findings.map(({ help, ...finding }) => finding)).toEqual(found);
  });

  test('what is not known has no member', () => {
    const [finding] = read(reportOf({ findings: [findingOf()] })).findings;
    expect(Object.keys(finding)).toEqual(casesIn(__dirname, 'formats.yaml')['what is not known has no member']);
    expect(Object.keys(finding.object)).toEqual(['apiVersion', 'kind', 'namespace', 'name']);
  });

  test.each(HOSTILE)('%s: values are what they were, in full', (_, text) => {
    const [finding] = read(hostile(text)).findings;
    expect([finding.what, finding.value, finding.object.name]).toEqual([text, text, text]);
  });
});

describe('junit', () => {
  function parsed(xml: string): Element {
    const onError = (level: string, message: string) => {
      throw new Error(`${level}: ${message}`);
    };
    const { documentElement } = new DOMParser({ onError }).parseFromString(xml, 'text/xml');
    if (!documentElement) throw new Error('the document is empty');
    return documentElement;
  }

  const read = (report: CheckReport, options?: FormatOptions) => parsed(FORMATS.junit(report, options));
  const within = (element: Element, name: string) => [...element.getElementsByTagName(name)];
  const attributesOf = (element: Element) =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

  /** What became of each test: `Service edge/echo target-port-invalid: failure error`. */
  const outcomesOf = (report: CheckReport, options?: FormatOptions) =>
    within(read(report, options), 'testcase').map((test) => {
      const outcome = ['failure', 'error', 'skipped'].flatMap((name) => within(test, name))[0];
      const became = outcome ? [outcome.tagName, outcome.getAttribute('type')].filter(Boolean).join(' ') : 'passed';
      return `${test.getAttribute('classname')} ${test.getAttribute('name')}: ${became}`;
    });

  const OUTCOMES: string[] = casesIn(__dirname, 'formats.yaml').outcomes;

  test('a test is a rule at an object', () => expect(outcomesOf(FULL)).toEqual(OUTCOMES));

  test('warnings fail where they fail the check', () => {
    expect(outcomesOf(FULL, { failOn: 'warning' })).toEqual(
      OUTCOMES.map((line) => line.replace('deprecated: passed', 'deprecated: failure warning')),
    );
  });

  test('unknown answers fail where they fail the check', () => {
    expect(outcomesOf(FULL, { strict: true })).toEqual(
      OUTCOMES.map((line) =>
        line.replace(/(owner-does-not-claim-service|unsupported-version): skipped/, '$1: failure unknown'),
      ),
    );
  });

  test('suites are files, and sums are right', () => {
    const all = read(FULL);
    expect(attributesOf(all)).toMatchObject({ tests: '9', failures: '2', errors: '1' });
    const suites = within(all, 'testsuite');
    expect(suites.map((suite) => suite.getAttribute('name'))).toEqual([
      'k8s/broken.yaml',
      'k8s/kafka.yaml',
      'k8s/edge.yaml',
      'k8s/shop.yaml',
    ]);
    for (const suite of suites) {
      const outcomes = ['testcase', 'failure', 'error', 'skipped'].map((name) => `${within(suite, name).length}`);
      const { tests, failures, errors, skipped } = attributesOf(suite);
      expect([tests, failures, errors, skipped]).toEqual(outcomes);
    }
  });

  test('all that a rule finds at an object is in its one failure', () => {
    const [failure, ...others] = within(read(FULL), 'failure').filter(
      ({ textContent }) => textContent?.startsWith('Service edge/echo') ?? false,
    );
    expect(others).toEqual([]);
    expect(failure.textContent).toBe(
      [
        'Service edge/echo',
        'k8s/edge.yaml:9:5 error: targetPort is 0',
        'remedy: use a port from 1 to 65535',
        'k8s/edge.yaml:14:5 error: targetPort is 0',
        'remedy: use a port from 1 to 65535',
        'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers/blob/main/docs/reference/rules.md#target-port-invalid',
      ].join('\n'),
    );
  });

  test('a failure of a warning beside an error is that of the error', () => {
    const findings = [findingOf({ level: 'warning', what: 'it is odd' }), findingOf({ what: 'it is wrong' })];
    expect(attributesOf(within(read(reportOf({ findings })), 'failure')[0])).toEqual({
      message: 'it is wrong',
      type: 'error',
    });
  });

  test('what is accepted does not hide what is not', () => {
    const findings = [findingOf({ accepted: { reason: 'so it is' } }), findingOf()];
    expect(outcomesOf(reportOf({ findings }))).toEqual([
      'Service edge/echo target-port-invalid: skipped',
      'Service edge/echo target-port-invalid: failure error',
    ]);
  });

  test('where nothing was found, a test has passed', () => {
    expect(outcomesOf(reportOf({ objects: 7 }))).toEqual(['cdk8s-load-balancers check 7 objects: passed']);
  });

  test('standard input is a suite, and no file', () => {
    const test = unknownOf({ place: { file: '-', line: 1, column: 1 } });
    const all = read(reportOf({ unknown: [test] }));
    expect(within(all, 'testsuite').map((suite) => suite.getAttribute('name'))).toEqual(['standard input']);
    expect(within(all, 'testcase').map((one) => one.getAttribute('file'))).toEqual([null]);
  });

  test.each(HOSTILE)('%s: the document has the elements that the report gives it', (_, text) => {
    const all = read(hostile(text));
    const names = ['testsuite', 'testcase', 'failure', 'error', 'skipped', 'system-out'];
    expect(names.map((name) => within(all, name).length)).toEqual([1, 5, 2, 1, 2, 0]);
  });

  test('markup is read as it was written', () => {
    const what = `]]><a b="c" d='e'>&amp;</a>`;
    const report = reportOf({ findings: [findingOf({ what })] });
    const [failure] = within(read(report), 'failure');
    expect(failure.getAttribute('message')).toBe(what);
    expect(failure.textContent).toContain(`error: ${what}\n`);
    // strict parsers take it for the end of a section that was never begun; this one does not mind
    expect(FORMATS.junit(report)).not.toContain(']]>');
  });

  test('a sign that XML cannot hold is written in letters', () => {
    const xml = FORMATS.junit(reportOf({ findings: [findingOf({ what: 'a\uffffb\u0000c' })] }));
    expect(xml).toContain('message="a\\uffffb\\u0000c"');
  });
});
