import { grouped } from '../../contract/json';
import { ownCommand } from '../../contract/rule';
import type { CheckFinding, CheckReport } from '../check-report';
import { type FormatOptions, RULES_PAGE } from './format';
import { clipped, guessInWords, lackOf, Page, pageOf, placeOf, summaryOf, titleOf, unknownLines } from './words';

const WIDTH = 120;
const NARROWEST = 40;
const MOST_ALSO = 8;

export function formatText(report: CheckReport, { width = WIDTH, ...options }: FormatOptions = {}): string {
  const page = new Page(Math.max(width, NARROWEST), 2);
  const { context, unreadable, notes, unknown } = report;
  const open = report.findings.filter(({ accepted }) => !accepted);
  // a rule of this report stands for all
  const worst = open.find(({ level }) => level === 'error') ?? open[0];
  const needs = unknownLines(unknown, options.isVerbose).map((line) => `unknown: ${line}`);
  return pageOf([
    page.context(context, 'inferred (findings that depend on the inferred owner are warnings)'),
    ...[...grouped(firstOfNotes(open), ({ finding }) => sameObject(finding)).values()].map((all) =>
      objectLines(page, all, options),
    ),
    ...unreadable.map((document) => [
      `${placeOf(document.place)}  ${lackOf(document)}`,
      ...page.row('error', document.what),
      ...page.row('remedy', document.remedy),
    ]),
    notes.flatMap((note) => page.paragraph(`note: ${clipped(note)}`)),
    [...needs, ...(needs.length > 0 ? [WHERE_TO_SAY] : [])].flatMap((line) => page.paragraph(line)),
    worst ? page.paragraph(`more on a rule: ${ownCommand(`explain ${worst.ruleId}`)}, or ${RULES_PAGE}`) : [],
    [summaryOf(report), ...guessInWords(open, context).flatMap((line) => page.paragraph(line))],
  ]);
}

const WHERE_TO_SAY = 'load-balancers.yaml says what is needed (check --init creates it), or objects among the files do';

function sameObject({ place, object: { apiVersion, kind, namespace, name, madeBy, cluster } }: CheckFinding): string {
  return JSON.stringify([place.file, apiVersion, kind, namespace, name, madeBy, cluster]);
}

/** A finding, and those that are the same note on other objects: a folder of Services without a class has one for each. */
interface Told {
  readonly finding: CheckFinding;
  readonly also: readonly CheckFinding[];
}

function firstOfNotes(findings: readonly CheckFinding[]): Told[] {
  const told: Told[] = [];
  const notes = new Map<string, CheckFinding[]>();
  for (const finding of findings) {
    const key = [finding.ruleId, finding.what, finding.remedy].join('\n');
    const also = finding.level === 'note' ? notes.get(key) : undefined;
    if (also) {
      also.push(finding);
    } else {
      const others: CheckFinding[] = [];
      told.push({ finding, also: others });
      if (finding.level === 'note') {
        notes.set(key, others);
      }
    }
  }
  return told;
}

function objectLines(
  page: Page,
  findings: readonly [Told, ...Told[]],
  { isVerbose, rules = [] }: FormatOptions,
): string[] {
  const [{ finding: first }] = findings;
  const { object } = first;
  const at = placeOf(first.place);
  const sourceOf = ({ ruleId }: CheckFinding) => {
    const { source } = rules.find(({ id }) => id === ruleId) ?? {};
    return source === 'ours'
      ? 'a rule of this package'
      : source && `${source.repository} ${source.version}, ${source.file}`;
  };
  return [
    `${at}  ${titleOf(object)}`,
    ...page.row('made in', object.construct),
    ...page.row('rendered', object.renderedFrom && `from ${object.renderedFrom}`),
    ...page.row('template', object.template),
    ...findings.flatMap(({ finding, also }) => {
      const { level, what, remedy, ruleId, who, place } = finding;
      const most = isVerbose ? also.length : MOST_ALSO;
      return [
        ...page.row(level, what),
        ...page.row('at', placeOf(place) === at ? '' : placeOf(place)),
        ...page.row('remedy', remedy),
        ...page.row('rule', `${ruleId} (${who})`),
        ...page.row('source', isVerbose ? sourceOf(finding) : ''),
        ...also.slice(0, most).flatMap((one) => page.row('also', `${placeOf(one.place)}  ${titleOf(one.object)}`)),
        ...page.row('also', also.length > most ? `${also.length - most} more` : ''),
      ];
    }),
  ];
}
