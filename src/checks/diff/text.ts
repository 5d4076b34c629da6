import { grouped } from '../../contract/grouped';
import { ownCommand } from '../../contract/own-command';
import { clipped, contextInWords, lackOf, NAME_CONTROLLERS, placeOf, withoutCommands } from '../formats/words';
import { wrapped } from '../formats/wrapped';
import type { DiffReport, ReportedCause, ReportedChange } from './diff-report';
import {
  acceptedAs,
  balancersInWords,
  fieldInWords,
  isAccepted,
  isConditional,
  isListed,
  isOpenLoss,
  isOpenUnknown,
  needsInWords,
  placeOfChange,
  sourceInWords,
  summaryOf,
  type Told,
  tellingCauses,
  told,
  whyInWords,
} from './words';

const WIDTH = 120;

/** What is left of a narrow terminal for the text. */
const NARROWEST = 60;

/** Where titles begin, where causes do, and where what is said of a cause does. */
const TITLES = 13;
const CAUSES = 2;
const ROWS = 4;

/** How a report is printed for people. */
export interface TextOptions {
  /** The cluster, if there are several. */
  readonly cluster?: string;
  readonly width?: number;
  /** Whether each balancer has one line, without remedies and sources. */
  readonly isBrief?: boolean;
}

/** What a change does to live balancers, for people: worst first, and what stays in a line. */
export function diffText(report: DiffReport, { width = WIDTH, isBrief }: TextOptions = {}): string {
  const page = new Page(Math.max(width, NARROWEST));
  const listed = report.changes.filter(isListed);
  const kept = report.changes.filter((change) => !isListed(change));
  const sections = [
    page.context(report),
    ...(isBrief ? [listed.map((one) => page.line(one))] : told(listed).map((one) => page.change(one))),
    page.kept(kept, listed.length > 0),
    ...report.unreadable.map((document) => page.unreadable(document)),
    report.notes.flatMap((note) => page.paragraph(`note: ${clipped(note)}`)),
    page.money(report, isBrief),
    isBrief ? [] : page.steps(report),
    [
      ...(isBrief && listed.length > 0 ? ['causes, remedies and sources: --verbose'] : []),
      ...page.more(report),
      summaryOf(report),
      ...page.guess(report),
    ],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return withoutCommands(`${blocks.join('\n\n')}\n`);
}

class Page {
  public constructor(private readonly width: number) {}

  public context({ context }: DiffReport): string[] {
    const inferred = context.filter(({ isInferred }) => isInferred);
    const given = context.filter(({ isInferred }) => !isInferred);
    return [
      ...(inferred.length > 0 ? this.paragraph(`inferred, and so a guess: ${contextInWords(inferred)}`) : []),
      ...(given.length > 0 ? this.paragraph(contextInWords(given)) : []),
    ];
  }

  /** A balancer with what changes most for it. */
  public line(change: ReportedChange): string {
    const { outcome, title } = change;
    const causes = tellingCauses(change);
    const cause = causes.find(({ notApplied, remedy }) => notApplied || remedy !== undefined) ?? causes[0];
    const what = cause === undefined ? '' : `: ${fieldInWords(cause)}`;
    const when = cause?.condition === undefined ? '' : `, if ${cause.condition}`;
    // these words alone do not say what to expect
    const why = cause !== undefined && (outcome === 'kept' || outcome === 'unknown') ? `: ${cause.why}` : '';
    return `${this.label(change)} ${clipped(`${title}${what}${when}${why}`)}`;
  }

  private label(change: ReportedChange): string {
    const { outcome } = change;
    const label = isAccepted(change)
      ? `(${outcome})`
      : `${isConditional(change) ? 'may be ' : ''}${outcome}`.toUpperCase();
    return label.padEnd(TITLES - 1);
  }

  public change(told: Told): string[] {
    const { change, also } = told;
    const accept = acceptedAs(told);
    const { title } = change;
    const named = `${clipped(title)}${also.length > 0 ? ` and ${also.length} more` : ''}`;
    const owner = change.after?.guess ?? change.before?.guess;
    // those of one maker are named by the first of them
    const others = also.filter((one) => placeOfChange(one)?.shown !== placeOfChange(change)?.shown);
    const [name, ...more] = wrapped(named, this.width - TITLES);
    return [
      `${this.label(change)} ${name}`,
      ...more.map((line) => `${' '.repeat(TITLES)}${line}`),
      ...(owner === undefined ? [] : this.row('owner', owner)),
      ...(others.length > 0 ? this.row('also', others.map((one) => one.title).join('; ')) : []),
      ...tellingCauses(change).flatMap((cause) => this.cause(cause)),
      ...(accept === undefined ? [] : this.row('accept', accept)),
    ];
  }

  private cause(cause: ReportedCause): string[] {
    const { remedy, trace, accepted } = cause;
    const needs = needsInWords(cause);
    const source = sourceInWords(cause);
    const until = accepted?.until === undefined ? '' : ` (until ${accepted.until})`;
    return [
      ...this.paragraph(`${fieldInWords(cause)}: ${whyInWords(cause)}`, CAUSES),
      ...(needs === undefined ? [] : this.row('needs', needs)),
      ...(remedy === undefined ? [] : this.row('remedy', remedy)),
      ...(trace === undefined ? [] : this.row('trace', ownCommand(`explain ${trace}`))),
      ...(source === undefined ? [] : this.row('source', source)),
      ...(accepted ? this.row('accepted', `${accepted.reason}${until}`) : []),
    ];
  }

  /** What stays is counted, what is changed in place with its names. */
  public kept(kept: readonly ReportedChange[], areOthers: boolean): string[] {
    if (kept.length === 0) {
      return [];
    }
    const changed = kept.filter(({ causes }) => causes.length > 0);
    const names = changed.slice(0, MOST_NAMES).map(({ title }) => clipped(title));
    const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : '';
    const head = 'KEPT'.padEnd(TITLES);
    const text = `${kept.length}${areOthers ? ` other${kept.length === 1 ? '' : 's'}` : ''}`;
    const changes = changed.length > 0 ? ` (with changes: ${names.join('; ')}${more})` : '';
    const [first, ...rest] = wrapped(`${text}${changes}`, this.width - TITLES);
    return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(TITLES)}${line}`)];
  }

  public unreadable(document: DiffReport['unreadable'][number]): string[] {
    const { place, what, remedy } = document;
    return [`${placeOf(place)}  ${lackOf(document)}`, ...this.paragraph(what, CAUSES), ...this.row('remedy', remedy)];
  }

  public money({ money }: DiffReport, isBrief = false): string[] {
    return money === undefined
      ? []
      : [
          ...this.paragraph(`per month, by list price: ${clipped(isBrief ? money.brief : money.text)}`),
          ...(isBrief ? [] : money.unknown).flatMap((one) => this.paragraph(`not known: ${one}`, CAUSES)),
        ];
  }

  /** What to write if the answer is open. */
  public more({ changes, context }: DiffReport): string[] {
    const isOpen = changes.some(({ outcome }) => outcome === 'unknown') && context.every((one) => one.isInferred);
    return isOpen ? this.paragraph(`for more, ${NAME_CONTROLLERS}`) : [];
  }

  /** What to write if all that is changed stays, by a guess of the cluster. */
  public guess({ changes, context }: DiffReport): string[] {
    const isGuess = context.some(({ isInferred }) => isInferred) && changes.some(({ causes }) => causes.length > 0);
    const isOpen = changes.some(({ causes }) => causes.some((one) => isOpenLoss(one) || isOpenUnknown(one)));
    return isGuess && !isOpen ? this.paragraph(`this rests on a guess of the cluster; ${NAME_CONTROLLERS}`) : [];
  }

  /** What has to be done first, each step once, under what it is for. */
  public steps({ steps }: DiffReport): string[] {
    const groups = grouped(steps, (one) => `${one.of} (${balancersInWords(one)})`);
    return steps.length === 0
      ? []
      : [
          'Before it:',
          ...[...groups].flatMap(([title, all]) => [
            ...this.paragraph(`${title}:`, CAUSES),
            ...all.flatMap(({ step }) => this.paragraph(`- ${step}`, ROWS)),
          ]),
        ];
  }

  /** The first line begins at a column, the others two columns behind it. */
  public paragraph(text: string, from = 0): string[] {
    const lines = wrapped(clipped(text), this.width - from - 2);
    return lines.map((line, i) => `${' '.repeat(i === 0 ? from : from + 2)}${line}`);
  }

  private row(label: string, text: string): string[] {
    const lines = wrapped(clipped(text), this.width - ROWS - LABEL);
    return lines.map((line, i) => `${' '.repeat(ROWS)}${(i === 0 ? label : '').padEnd(LABEL)}${line}`);
  }
}

const LABEL = 9;
const MOST_NAMES = 8;
