import { LOSSES, type Outcome } from '../../contract/edit';
import { grouped } from '../../contract/json';
import { markdownText } from '../../report/formats';
import { annotation } from '../formats/formats';
import { clipped, lackOf, NAME_CONTROLLERS, Page, pageOf, placeOf, withoutCommands } from '../formats/words';
import {
  acceptedAs,
  balancersInWords,
  type DiffReport,
  detailsOfCause,
  fieldInWords,
  isAccepted,
  isConditional,
  isListed,
  isOpenLoss,
  isOpenUnknown,
  placeOfChange,
  type ReportedCause,
  type ReportedChange,
  summaryOf,
  type Told,
  tellingCauses,
  told,
  whyInWords,
} from './diff-report';

const WIDTH = 120;
const NARROWEST = 60;
const MOST_NAMES = 8;

const TITLES = 13;
const CAUSES = 2;
const ROWS = 4;

export interface TextOptions {
  readonly cluster?: string;
  readonly width?: number;
  readonly isBrief?: boolean;
}

/** What a change does to live balancers, for people: worst first, and what stays in a line. */
export function diffText(report: DiffReport, { width = WIDTH, isBrief = false }: TextOptions = {}): string {
  const page = new Page(Math.max(width, NARROWEST), ROWS);
  const { changes, context, unreadable, notes, money, steps } = report;
  const listed = changes.filter(isListed);
  const kept = changes.filter((change) => !isListed(change));
  const isInferred = context.every((one) => one.isInferred);
  const unknown = changes.filter(({ outcome }) => outcome === 'unknown').flatMap(({ causes }) => causes);
  const isUnknown = unknown.some((one) => isOpenUnknown(one) && one.needs?.some((need) => need !== one.why));
  const isGuess = context.some((one) => one.isInferred) && changes.some(({ causes }) => causes.length > 0);
  const isOpen = changes.some(({ causes }) => causes.some((one) => isOpenLoss(one) || isOpenUnknown(one)));
  return pageOf([
    page.context(context, 'inferred, and so a guess'),
    ...(isBrief ? [listed.map(briefLine)] : told(listed).map((one) => changeLines(page, one))),
    keptLines(page, kept, listed.length > 0),
    ...unreadable.map((document) => [
      `${placeOf(document.place)}  ${lackOf(document)}`,
      ...page.paragraph(clipped(document.what), CAUSES),
      ...page.row('remedy', document.remedy),
    ]),
    notes.flatMap((note) => page.paragraph(`note: ${clipped(note)}`)),
    money
      ? [
          ...page.paragraph(clipped(`per month, by list price: ${clipped(isBrief ? money.brief : money.text)}`)),
          ...(isBrief ? [] : money.unknown).flatMap((one) => page.paragraph(clipped(`not known: ${one}`), CAUSES)),
        ]
      : [],
    isBrief ? [] : stepLines(page, steps),
    [
      ...(isBrief && listed.length > 0 ? ['causes, remedies and sources: --verbose'] : []),
      ...(isUnknown && isInferred ? page.paragraph(`for more, ${NAME_CONTROLLERS}`) : []),
      summaryOf(report),
      // all that is changed stays, by a guess
      ...(isGuess && !isOpen ? page.paragraph(`this rests on a guess of the cluster; ${NAME_CONTROLLERS}`) : []),
    ],
  ]);
}

function briefLine(change: ReportedChange): string {
  const { outcome, title } = change;
  const causes = tellingCauses(change);
  const cause = causes.find(({ notApplied, remedy }) => notApplied || remedy !== undefined) ?? causes[0];
  const what = cause === undefined ? '' : `: ${fieldInWords(cause)}`;
  const when = cause?.condition === undefined ? '' : `, if ${cause.condition}`;
  // these words alone do not say what to expect
  const why = cause !== undefined && (outcome === 'kept' || outcome === 'unknown') ? `: ${cause.why}` : '';
  return `${labelOf(change)}${clipped(`${title}${what}${when}${why}`)}`;
}

function labelOf(change: ReportedChange): string {
  const { outcome } = change;
  const label = isAccepted(change)
    ? `(${outcome})`
    : `${isConditional(change) ? 'may be ' : ''}${outcome}`.toUpperCase();
  return `${label.padEnd(TITLES - 1)} `;
}

function changeLines(page: Page, one: Told): string[] {
  const { change, also } = one;
  // those of one maker are named by the first of them
  const others = also.filter((other) => placeOfChange(other)?.shown !== placeOfChange(change)?.shown);
  const [name, ...more] = page.hanging(
    ' '.repeat(TITLES),
    `${clipped(change.title)}${also.length > 0 ? ` and ${also.length} more` : ''}`,
  );
  return [
    `${labelOf(change)}${name.trimStart()}`,
    ...more,
    ...page.row('owner', change.after?.guess ?? change.before?.guess),
    ...page.row('also', others.map(({ title }) => title).join('; ')),
    ...tellingCauses(change).flatMap((cause) => [
      ...page.paragraph(clipped(`${fieldInWords(cause)}: ${whyInWords(cause)}`), CAUSES),
      ...detailsOfCause(cause).flatMap(([label, text]) => page.row(label, text)),
    ]),
    ...page.row('accept', acceptedAs(one)),
  ];
}

function keptLines(page: Page, kept: readonly ReportedChange[], areOthers: boolean): string[] {
  const changed = kept.filter(({ causes }) => causes.length > 0);
  const names = changed.slice(0, MOST_NAMES).map(({ title }) => clipped(title));
  const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : '';
  const text = `${kept.length}${areOthers ? ` other${kept.length === 1 ? '' : 's'}` : ''}`;
  const changes = changed.length > 0 ? ` (with changes: ${names.join('; ')}${more})` : '';
  return kept.length === 0 ? [] : page.hanging('KEPT'.padEnd(TITLES), `${text}${changes}`);
}

function stepLines(page: Page, steps: DiffReport['steps']): string[] {
  const groups = grouped(steps, (one) => `${one.of} (${balancersInWords(one)})`);
  const lines = [...groups].flatMap(([title, all]) => [
    ...page.paragraph(clipped(`${title}:`), CAUSES),
    ...all.flatMap(({ step }) => page.paragraph(clipped(`- ${step}`), ROWS)),
  ]);
  return steps.length === 0 ? [] : ['Before it:', ...lines];
}

export const MARK = '<!-- cdk8s-load-balancers diff -->';

/** A comment on GitHub has at most 65,536 characters; what is longer would be refused as a whole. */
const MOST_SIGNS = 60_000;

/** What a change does to live balancers, for a comment on a pull request: losses in a table, the rest folded. */
export function diffMarkdown(report: DiffReport): string {
  const open = report.changes.filter((one) => isListed(one) && one.outcome !== 'created' && !isAccepted(one));
  const accepted = report.changes.filter((one) => isAccepted(one));
  const rest = report.changes.filter((one) => !open.includes(one) && !accepted.includes(one));
  const quiet = rest.filter(({ causes }) => causes.length === 0).length;
  const telling = rest.filter(({ causes }) => causes.length > 0);
  const head = [
    `${MARK}\n### Load balancers: ${markdownText(summaryOf(report))}`,
    `${markdownText(report.before.name)} → ${markdownText(report.after.name)}`,
  ];
  const end = [
    ...(quiet > 0 ? [`${quiet} stay${quiet === 1 ? 's' : ''} as ${quiet === 1 ? 'it is' : 'they are'}.`] : []),
    ...(report.money
      ? [
          [
            `Per month, by list price: ${text(report.money.text)}`,
            ...report.money.unknown.map((one) => `not known: ${text(one)}`),
          ].join('<br>'),
        ]
      : []),
  ];
  const parts = [
    ...listed(
      'What cannot be read or rendered is not compared',
      report.unreadable.map(
        ({ place: { file, line }, what, remedy }) => `- ${text(`${file}:${line}`)}: ${text(what)}; ${text(remedy)}`,
      ),
    ),
    ...table(told(open)),
    ...listed(
      'Before it is applied',
      report.steps.map((one) => `- [ ] ${text(one.step)} (${text(one.of)}: ${text(balancersInWords(one))})`),
    ),
    ...folded('How, and what to do', told(open).flatMap(details)),
    ...folded(`${accepted.length} accepted`, told(accepted).flatMap(details)),
    ...folded(`${telling.length} created, or changed and kept`, told(telling).flatMap(details)),
    ...folded(
      'Notes',
      report.notes.map((note) => `- ${text(note)}`),
    ),
    ...folded(
      'What is known of the cluster',
      report.context.map(({ what, from }) => `- ${text(what)}: from ${text(from)}`),
    ),
  ];
  return `${within([...head, ...parts, ...end]).join('\n\n')}\n`;
}

function text(value: string): string {
  return markdownText(clipped(value));
}

function table(all: readonly Told[]): string[] {
  if (all.length === 0) {
    return [];
  }
  const rows = all.map(({ change, also }) => {
    const [first] = tellingCauses(change);
    const what = first === undefined ? '' : `${text(fieldInWords(first))}: ${text(whyInWords(first))}`;
    const name = `${text(change.title)}${also.length > 0 ? ` and ${also.length} more` : ''}`;
    return `| **${text(change.outcome)}** | ${name} | ${what} |`;
  });
  return [['| | balancer | what happens |', '| --- | --- | --- |', ...rows].join('\n')];
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`**${title}:**\n\n${items.join('\n')}`];
}

function details(one: Told): string[] {
  const { change, also } = one;
  const accept = acceptedAs(one);
  const place = placeOfChange(change);
  const names = [change, ...also].map(({ title }) => text(title)).join(', ');
  return [
    `- **${text(change.outcome)}** ${names}${place === undefined ? '' : `, ${text(place.shown)}`}`,
    ...tellingCauses(change).flatMap((cause) => [
      `  - ${text(fieldInWords(cause))}: ${text(whyInWords(cause))}`,
      ...detailsOfCause(cause).map(([label, value]) => `    - ${label}: ${text(value)}`),
    ]),
    ...(accept === undefined ? [] : [`  - accept: ${text(accept)}`]),
  ];
}

function folded(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

/** The parts that have place together; what is left out is said. */
function within(parts: readonly string[]): string[] {
  const kept: string[] = [];
  let room = MOST_SIGNS;
  let left = 0;
  for (const part of parts) {
    if (part.length <= room) {
      kept.push(part);
      room -= part.length;
    } else {
      left += 1;
      const [head, ...lines] = part.split('\n');
      if (part.startsWith('| ')) {
        const shown = fitting([head, ...lines], room);
        kept.push(shown.join('\n'), `${part.split('\n').length - shown.length} more rows are left out.`);
        room -= shown.join('\n').length;
      }
    }
  }
  return left === 0
    ? kept
    : [...kept, 'Something is left out, for a comment has no place for it: see the text or the JSON.'];
}

function fitting(lines: readonly string[], room: number): string[] {
  let used = 0;
  return lines.filter((line) => {
    used += line.length + 1;
    return used <= room;
  });
}

/** Annotations of a pull request, as commands of a workflow of GitHub Actions. What stays as it should and what was accepted is none. */
export function diffGithub(report: DiffReport, { cluster }: TextOptions = {}): string {
  const open = report.changes.filter(
    (change) => !isAccepted(change) && isListed(change) && change.outcome !== 'created',
  );
  const lines = [
    ...report.unreadable.map((document) => {
      const { side, place, what, remedy } = document;
      return annotation('error', side === 'after' ? place : undefined, lackOf(document), [
        ...(side === 'after' ? [] : [`${place.file}:${place.line}`]),
        clipped(what),
        `remedy: ${clipped(remedy)}`,
      ]);
    }),
    ...told(open).map(({ change, also }) => {
      const causes = tellingCauses(change);
      const place = causes.find(({ after }) => after)?.after ?? change.after?.place;
      const names = [change, ...also].map(({ title }) => title).join(', ');
      const within = cluster === undefined ? '' : ` in ${cluster}`;
      return annotation(commandFor(change.outcome), place, `load balancer ${change.outcome}`, [
        clipped(`${names}${within}`),
        ...causes.flatMap(githubLines),
      ]);
    }),
    ...report.notes.map((note) => annotation('notice', undefined, 'not compared', [clipped(note)])),
    withoutCommands(summaryOf(report)),
  ];
  return `${lines.join('\n')}\n`;
}

function commandFor(outcome: Outcome): string {
  return outcome === 'interrupted' ? 'warning' : LOSSES.has(outcome) ? 'error' : 'notice';
}

function githubLines(cause: ReportedCause): string[] {
  const { remedy } = cause;
  return [
    clipped(`${fieldInWords(cause)}: ${whyInWords(cause)}`),
    ...(remedy === undefined ? [] : [`remedy: ${clipped(remedy)}`]),
  ];
}
