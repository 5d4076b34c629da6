import { ownCommand } from '../../contract/own-command';
import { markdownText } from '../../report/markdown';
import { clipped } from '../formats/words';
import type { DiffReport, ReportedCause } from './diff-report';
import {
  acceptedAs,
  balancersInWords,
  fieldInWords,
  isAccepted,
  isListed,
  needsInWords,
  placeOfChange,
  sourceInWords,
  summaryOf,
  type Told,
  tellingCauses,
  told,
  whyInWords,
} from './words';

/** By what a workflow finds the comment that it has written before. */
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
    ...unreadable(report),
    ...table(told(open)),
    ...steps(report),
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

/** A text of a file: one that is no markup, mentions nobody and ends no table. */
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

/** As a list of tasks, which GitHub counts. */
function steps({ steps: all }: DiffReport): string[] {
  return all.length === 0
    ? []
    : [
        [
          '**Before it is applied:**',
          '',
          ...all.map((one) => `- [ ] ${text(one.step)} (${text(one.of)}: ${text(balancersInWords(one))})`),
        ].join('\n'),
      ];
}

function details(one: Told): string[] {
  const { change, also } = one;
  const accept = acceptedAs(one);
  const place = placeOfChange(change);
  const names = [change, ...also].map(({ title }) => text(title)).join(', ');
  return [
    `- **${text(change.outcome)}** ${names}${place === undefined ? '' : `, ${text(place.shown)}`}`,
    ...tellingCauses(change).flatMap((cause) => causeLines(cause)),
    ...(accept === undefined ? [] : [`  - accept: ${text(accept)}`]),
  ];
}

function causeLines(cause: ReportedCause): string[] {
  const { remedy, trace, accepted } = cause;
  const needs = needsInWords(cause);
  const source = sourceInWords(cause);
  const until = accepted?.until === undefined ? '' : ` (until ${accepted.until})`;
  return [
    `  - ${text(fieldInWords(cause))}: ${text(whyInWords(cause))}`,
    ...(needs === undefined ? [] : [`    - needs: ${text(needs)}`]),
    ...(remedy === undefined ? [] : [`    - remedy: ${text(remedy)}`]),
    ...(trace === undefined ? [] : [`    - trace: ${text(ownCommand(`explain ${trace}`))}`]),
    ...(source === undefined ? [] : [`    - source: ${text(source)}`]),
    ...(accepted ? [`    - accepted: ${text(accepted.reason)}${text(until)}`] : []),
  ];
}

function unreadable({ unreadable: documents }: DiffReport): string[] {
  return documents.length === 0
    ? []
    : [
        [
          '**What cannot be read or rendered is not compared:**',
          '',
          ...documents.map(
            ({ place: { file, line }, what, remedy }) => `- ${text(`${file}:${line}`)}: ${text(what)}; ${text(remedy)}`,
          ),
        ].join('\n'),
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
  const shown: string[] = [];
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) {
      break;
    }
    shown.push(line);
  }
  return shown;
}
