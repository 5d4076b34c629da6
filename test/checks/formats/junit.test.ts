import { DOMParser, type Element } from '@xmldom/xmldom';
import type { CheckReport } from '../../../src/checks/check-report';
import { FORMATS } from '../../../src/checks/formats/formats';
import type { FormatOptions } from '../../../src/checks/formats/words';
import { FULL, findingOf, HOSTILE, hostile, reportOf, unknownOf } from '../../support/check-reports';

function parsed(xml: string): Element {
  const onError = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`);
  };
  const { documentElement } = new DOMParser({ onError }).parseFromString(xml, 'text/xml');
  if (!documentElement) {
    throw new Error('the document is empty');
  }
  return documentElement;
}

const read = (report: CheckReport, options?: FormatOptions) => parsed(FORMATS.junit(report, options));
const within = (element: Element, name: string) => [...element.getElementsByTagName(name)];
const attributesOf = (element: Element) =>
  Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

/** What became of each test: `Service edge/echo target-port: failure error`. */
const outcomesOf = (report: CheckReport, options?: FormatOptions) =>
  within(read(report, options), 'testcase').map((test) => {
    const outcome = ['failure', 'error', 'skipped'].flatMap((name) => within(test, name))[0];
    const became = outcome ? [outcome.tagName, outcome.getAttribute('type')].filter(Boolean).join(' ') : 'passed';
    return `${test.getAttribute('classname')} ${test.getAttribute('name')}: ${became}`;
  });

const OUTCOMES = [
  'documents k8s/broken.yaml:3:2: error unreadable',
  'Service kafka/events-kafka-external-0 finalizer-owner: failure error',
  'Service edge/echo target-port: failure error',
  'Service edge/echo annotation-deprecated: passed',
  'Service edge/echo local-without-pool: skipped',
  'Service edge/echo claimed-by-owner: skipped',
  'Service edge/echo annotation-too-new: skipped',
  'Service edge/db claimed-by-owner: skipped',
  'Service edge/db no-scheme: passed',
];

test('a test is a rule at an object', () => {
  expect(outcomesOf(FULL)).toEqual(OUTCOMES);
});

test('warnings fail where they fail the check', () => {
  expect(outcomesOf(FULL, { failOn: 'warning' })).toEqual(
    OUTCOMES.map((line) => line.replace('deprecated: passed', 'deprecated: failure warning')),
  );
});

test('unknown answers fail where they fail the check', () => {
  expect(outcomesOf(FULL, { strict: true })).toEqual(
    OUTCOMES.map((line) => line.replace(/(claimed-by-owner|too-new): skipped/, '$1: failure unknown')),
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
      'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers/blob/main/docs/reference/rules.md#target-port',
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
    'Service edge/echo target-port: skipped',
    'Service edge/echo target-port: failure error',
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
