import { grouped } from '../../contract/grouped';
import { ownCommand } from '../../contract/own-command';
import type { CheckFinding, CheckReport, KnownContext, UnreadableDocument } from '../check-report';
import { type FormatOptions, RULES_PAGE } from './format';
import {
  clipped,
  contextInWords,
  guessInWords,
  lackOf,
  placeOf,
  summaryOf,
  titleOf,
  unknownLines,
  withoutCommands,
} from './words';
import { wrapped } from './wrapped';

const WIDTH = 120;

/** What is left of a narrow terminal for the text beside the labels. */
const NARROWEST = 40;

const INDENT = '  ';
const LABEL = 9;

/** What was found, for people: grouped by object, and what is unknown in as few lines as can be. */
export function formatText(report: CheckReport, { width = WIDTH, ...options }: FormatOptions = {}): string {
  const page = new Page(Math.max(width, NARROWEST), options);
  const open = report.findings.filter(({ accepted }) => !accepted);
  const sections = [
    page.context(report.context),
    ...[...grouped(firstOfNotes(open), ({ finding }) => sameObject(finding)).values()].map((all) => page.object(all)),
    ...report.unreadable.map((document) => page.unreadable(document)),
    page.notes(report.notes),
    page.unknown(report),
    page.more(open),
    [page.summary(report), ...guessInWords(open, report.context).flatMap((line) => page.paragraph(line))],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return withoutCommands(`${blocks.join('\n\n')}\n`);
}

/** Two files that hold an object of the same name hold two objects. */
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

const MOST_ALSO = 8;

class Page {
  public constructor(
    private readonly width: number,
    private readonly options: FormatOptions,
  ) {}

  /** What was inferred comes first: it can be wrong. */
  public context(context: readonly KnownContext[]): string[] {
    const inferred = context.filter(({ isInferred }) => isInferred);
    const given = context.filter(({ isInferred }) => !isInferred);
    return [
      ...(inferred.length > 0
        ? this.paragraph(`inferred (what rests on it is a warning at most): ${contextInWords(inferred)}`)
        : []),
      ...(given.length > 0 ? this.paragraph(contextInWords(given)) : []),
    ];
  }

  public object(findings: readonly [Told, ...Told[]]): string[] {
    const [
      {
        finding: { object, place },
      },
    ] = findings;
    const at = placeOf(place);
    return [
      `${at}  ${titleOf(object)}`,
      ...(object.construct ? this.row('made in', object.construct) : []),
      ...(object.renderedFrom ? this.row('rendered', `from ${object.renderedFrom}`) : []),
      ...(object.template ? this.row('template', object.template) : []),
      ...findings.flatMap(({ finding, also }) => [
        ...this.row(finding.level, finding.what),
        ...(placeOf(finding.place) === at ? [] : this.row('at', placeOf(finding.place))),
        ...this.row('remedy', finding.remedy),
        ...this.row('rule', `${finding.ruleId} (${finding.who})`),
        ...this.source(finding),
        ...this.also(also),
      ]),
    ];
  }

  private source({ ruleId }: CheckFinding): string[] {
    const { isVerbose, rules = [] } = this.options;
    const { source } = rules.find(({ id }) => id === ruleId) ?? {};
    const text =
      source === 'ours' ? 'a rule of this package' : source && `${source.repository} ${source.version}, ${source.file}`;
    return isVerbose && text ? this.row('source', text) : [];
  }

  private also(findings: readonly CheckFinding[]): string[] {
    const most = this.options.isVerbose ? findings.length : MOST_ALSO;
    const more = findings.length - most;
    return [
      ...findings.slice(0, most).flatMap((one) => this.row('also', `${placeOf(one.place)}  ${titleOf(one.object)}`)),
      ...(more > 0 ? this.row('also', `${more} more`) : []),
    ];
  }

  public unreadable(document: UnreadableDocument): string[] {
    const { place, what, remedy } = document;
    return [`${placeOf(place)}  ${lackOf(document)}`, ...this.row('error', what), ...this.row('remedy', remedy)];
  }

  public notes(notes: readonly string[]): string[] {
    return notes.flatMap((note) => this.paragraph(`note: ${clipped(note)}`));
  }

  public unknown({ unknown }: CheckReport): string[] {
    const lines = unknownLines(unknown, this.options.isVerbose).flatMap((line) => this.paragraph(`unknown: ${line}`));
    return lines.length > 0
      ? [
          ...lines,
          ...this.paragraph(
            'what is needed is read from load-balancers.yaml, which check --init begins, or from objects among the files',
          ),
        ]
      : [];
  }

  /** Where to read on: a rule of this report stands for all. */
  public more(findings: readonly CheckFinding[]): string[] {
    const worst = findings.find(({ level }) => level === 'error') ?? findings[0];
    return worst ? this.paragraph(`more on a rule: ${ownCommand(`explain ${worst.ruleId}`)}, or ${RULES_PAGE}`) : [];
  }

  public summary(report: CheckReport): string {
    return summaryOf(report);
  }

  private row(label: string, text: string): string[] {
    const lines = wrapped(clipped(text), this.width - INDENT.length - LABEL);
    return lines.map((line, index) => `${INDENT}${(index === 0 ? label : '').padEnd(LABEL)}${line}`);
  }

  public paragraph(text: string): string[] {
    return wrapped(text, this.width - INDENT.length).map((line, index) => `${index === 0 ? '' : INDENT}${line}`);
  }
}
