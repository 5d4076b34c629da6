import { type Group, grouped } from '../../contract/json';
import { count, ownCommand } from '../../contract/rule';
import { clippedText, type Line, textOf, WIDTH, withoutCommands } from '../../report/document';
import type { CheckedObject, CheckFinding, CheckReport, Level, Place } from '../check-report';
import { formatJson, formatSarif, sourceOf } from './json';
import {
  contextLines,
  type FormatOptions,
  guessInWords,
  isFailure,
  isStandardInput,
  lackOf,
  nameOf,
  needsOf,
  placeOf,
  RULES_PAGE,
  rulePage,
  summaryOf,
  titleOf,
  unknownLines,
} from './words';

const NARROWEST = 40;
const MOST_ALSO = 8;

function formatText(report: CheckReport, options: FormatOptions = {}): string {
  const { context, unreadable, notes, unknown } = report;
  const open = report.findings.filter(({ accepted }) => !accepted);
  // a rule of this report stands for all
  const worst = open.find(({ level }) => level === 'error') ?? open[0];
  const needs = unknownLines(unknown, options.isVerbose).map((line) => `unknown: ${line}`);
  return textOf(
    [
      contextLines(context, 'inferred (findings that depend on the inferred owner are warnings)'),
      ...[...grouped(firstOfNotes(open), ([finding]) => sameObject(finding)).values()].map((all) =>
        objectLines(all, options),
      ),
      ...unreadable.map((document): Line[] => [
        `${placeOf(document.place)}  ${lackOf(document)}`,
        ['error', document.what],
        ['remedy', document.remedy],
      ]),
      notes.map((note) => [0, `note: ${clippedText(note)}`]),
      options.isVerbose ? report.findings.flatMap(acceptedLines) : [],
      [...needs, ...(needs.length > 0 ? [WHERE_TO_SAY] : [])].map((line) => [0, line]),
      worst ? [[0, `more on a rule: ${ownCommand(`explain ${worst.ruleId}`)}, or ${RULES_PAGE}`]] : [],
      [summaryOf(report), ...guessInWords(open, context).map((line) => [0, line] as const)],
    ],
    { indent: 2, label: 9, width: Math.max(options.width ?? WIDTH, NARROWEST) },
  );
}

function acceptedLines({ place, object, ruleId, accepted }: CheckFinding): Line[] {
  const until = accepted?.until === undefined ? '' : ` (until ${accepted.until})`;
  const why = `${placeOf(place)}  ${titleOf(object)}: ${ruleId}: ${accepted?.reason}${until}`;
  return accepted ? [[0, `accepted: ${clippedText(why)}`]] : [];
}

const WHERE_TO_SAY = 'load-balancers.yaml says what is needed (check --init creates it), or objects among the files do';

function sameObject({ place, object: { apiVersion, kind, namespace, name, madeBy, cluster } }: CheckFinding): string {
  return JSON.stringify([place.file, apiVersion, kind, namespace, name, madeBy, cluster]);
}

function firstOfNotes(findings: readonly CheckFinding[]): Group<CheckFinding>[] {
  const alike = grouped(findings, (one) =>
    one.level === 'note' ? [one.ruleId, one.what, one.remedy].join('\n') : one,
  );
  return [...alike.values()];
}

function objectLines(findings: Group<Group<CheckFinding>>, { isVerbose, rules = [] }: FormatOptions): Line[] {
  const [[{ object, place: first }]] = findings;
  const at = placeOf(first);
  return [
    `${at}  ${titleOf(object)}`,
    ['made in', object.construct],
    ['rendered', object.renderedFrom && `from ${object.renderedFrom}`],
    ['template', object.template],
    ...findings.flatMap(([{ level, what, remedy, ruleId, who, place }, ...also]): Line[] => {
      const most = isVerbose ? also.length : MOST_ALSO;
      const source = isVerbose && sourceOf(rules.find(({ id }) => id === ruleId));
      return [
        [level, what],
        ['at', placeOf(place) === at ? '' : placeOf(place)],
        ['remedy', remedy],
        ['rule', `${ruleId} (${who})`],
        ['source', source || ''],
        ...also.slice(0, most).map((one) => ['also', `${placeOf(one.place)}  ${titleOf(one.object)}`] as const),
        ['also', also.length > most ? `${also.length - most} more` : ''],
      ];
    }),
  ];
}

const COMMANDS: Record<Level, string> = { error: 'error', warning: 'warning', note: 'notice' };

/**
 * Annotations of a pull request, as commands of a workflow of GitHub Actions. What was accepted is none.
 *
 * @see https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
function formatGithub(report: CheckReport): string {
  const open = report.findings.filter(({ accepted }) => !accepted);
  const lines = [
    ...report.unreadable.map((document) =>
      annotation('error', document.place, lackOf(document), [
        clippedText(document.what),
        `remedy: ${clippedText(document.remedy)}`,
      ]),
    ),
    ...open.map(({ level, place, ruleId, object, what, remedy }) =>
      annotation(COMMANDS[level], place, ruleId, [
        `${titleOf(object)}: ${clippedText(what)}`,
        `remedy: ${clippedText(remedy)}`,
        rulePage(ruleId),
      ]),
    ),
    ...unknownLines(report.unknown).map((line) => annotation('notice', undefined, 'unknown', [line])),
    ...report.notes.map((note) => annotation('notice', undefined, 'not checked', [clippedText(note)])),
    withoutCommands(summaryOf(report)),
  ];
  return `${lines.join('\n')}\n`;
}

/** One command of a workflow. Standard input is no file of the repository: its place is in the message. */
export function annotation(command: string, place: Place | undefined, title: string, lines: readonly string[]): string {
  const isInFile = place !== undefined && !isStandardInput(place);
  const properties = [
    ...(isInFile ? [['file', place.file] as const, ['line', place.line] as const, ['col', place.column] as const] : []),
    ['title', title] as const,
  ];
  const message = [...(place && !isInFile ? [placeOf(place)] : []), ...lines].join('\n');
  const written = properties.map(([key, value]) => `${key}=${property(clippedText(`${value}`))}`).join(',');
  return `::${command} ${written}::${data(message)}`;
}

/** Syntax that a runner reads back. actions/runner 079cdb1, src/Runner.Common/ActionCommand.cs */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

interface TestCase {
  readonly suite: string;
  readonly outcome: 'failure' | 'error' | 'skipped' | 'passed';
  readonly element: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Passing objects are tests too, so that there is a test if nothing was found. */
const SUITE = 'cdk8s-load-balancers check';

/** JUnit XML, as servers of continuous integration read it: a suite for each file, a test for each rule at an object. */
function formatJunit(report: CheckReport, options: FormatOptions = {}): string {
  const tests = testsOf(report, options);
  const suites = [...grouped(tests, ({ suite }) => suite)].map(([name, own]) =>
    element(
      1,
      'testsuite',
      { name, ...sums(own) },
      own.map((test) => test.element),
    ),
  );
  const { skipped: _, ...all } = sums(tests);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(0, 'testsuites', { name: SUITE, ...all }, suites)}\n`;
}

function testsOf(report: CheckReport, options: FormatOptions): TestCase[] {
  const tests = [
    ...report.unreadable.map(({ place, what, remedy }) => {
      const text = `${placeOf(place)}\n${clippedText(what)}\nremedy: ${clippedText(remedy)}`;
      return testOf([place, 'documents', placeOf(place)], 'error', text, {
        message: clippedText(what),
        type: 'unreadable',
      });
    }),
    ...[...grouped(report.findings, sameTest).values()].map((findings) => findingsTest(findings, options)),
    ...report.unknown.map((answer) => {
      const { place, object, ruleId } = answer;
      const attributes = { message: `unknown: needs ${needsOf(answer)}`, type: 'unknown' };
      const outcome = options.strict ? 'failure' : 'skipped';
      return testOf([place, classNameOf(object), ruleId], outcome, placeOf(place), attributes);
    }),
  ];
  return tests.length > 0 ? tests : [testOf([undefined, SUITE, count(report.objects, 'object')], 'passed', '')];
}

function classNameOf(object: CheckedObject): string {
  return object.cluster === undefined ? nameOf(object) : `${clippedText(object.cluster)}: ${nameOf(object)}`;
}

/** Findings that do not fail are the output of their test; few readers show more of a skipped test than its message. */
function testOf(
  [place, classname, name]: readonly [place: Place | undefined, classname: string, name: string],
  outcome: TestCase['outcome'],
  text: string,
  { message, type }: Attributes = {},
): TestCase {
  const file = place && !isStandardInput(place) ? clippedText(place.file) : undefined;
  const output =
    outcome === 'passed'
      ? textElement('system-out', {}, text)
      : textElement(outcome, { message, type: outcome === 'skipped' ? undefined : type }, text);
  return {
    suite: file ?? (place ? 'standard input' : SUITE),
    outcome,
    element: element(2, 'testcase', { classname, name: clippedText(name), file }, text === '' ? [] : [output]),
  };
}

function sameTest({ place, object, ruleId, accepted }: CheckFinding): string {
  return JSON.stringify([place.file, titleOf(object), ruleId, Boolean(accepted)]);
}

function findingsTest(findings: Group<CheckFinding>, { failOn }: FormatOptions): TestCase {
  const [{ place, object, ruleId, accepted }] = findings;
  const text = [
    titleOf(object),
    ...findings.map(
      (finding) =>
        `${placeOf(finding.place)} ${finding.level}: ${clippedText(finding.what)}\nremedy: ${clippedText(finding.remedy)}`,
    ),
    rulePage(ruleId),
  ].join('\n');
  const named = [place, classNameOf(object), ruleId] as const;
  if (accepted) {
    return testOf(named, 'skipped', text, { message: `accepted: ${clippedText(accepted.reason)}` });
  }
  const failure = findings.find(({ level }) => isFailure(level, failOn));
  return failure
    ? testOf(named, 'failure', text, { message: clippedText(failure.what), type: failure.level })
    : testOf(named, 'passed', text);
}

function sums(tests: readonly TestCase[]) {
  const number = (outcome: TestCase['outcome']) => tests.filter((test) => test.outcome === outcome).length;
  return {
    tests: tests.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
}

function element(depth: number, name: string, attributes: Attributes, children: readonly string[]): string {
  const indent = '  '.repeat(depth);
  const start = `${indent}<${name}${written(attributes)}`;
  return children.length === 0 ? `${start}/>` : [`${start}>`, ...children, `${indent}</${name}>`].join('\n');
}

function textElement(name: string, attributes: Attributes, text: string): string {
  return `      <${name}${written(attributes)}>${escaped(text)}</${name}>`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(`${value}`)}"`)
    .join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Everything that XML takes for its own; the two signs that XML 1.0 cannot hold at all are written as JSON escapes them. */
function escaped(text: string): string {
  const written = text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign])
    .replace(/[\ufffe\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
  return withoutCommands(written, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const FORMATS = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
  junit: formatJunit,
} satisfies Record<string, (report: CheckReport, options?: FormatOptions) => string>;

export type FormatName = keyof typeof FORMATS;
