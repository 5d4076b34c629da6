import { LOSSES } from '../../contract/edit';
import { grouped } from '../../contract/json';
import { someOf } from '../../contract/rule';
import {
  clippedText,
  hangingIndent,
  type Line,
  markdownList,
  markdownTable,
  markdownText,
  textOf,
  WIDTH,
  withoutCommands,
} from '../../report/document';
import { annotation } from '../formats/formats';
import { contextLines, lackOf, NAME_CONTROLLERS, placeOf } from '../formats/words';
import {
  acceptedAs,
  balancersInWords,
  causeInWords,
  type DiffReport,
  detailsOfCause,
  fieldInWords,
  groupSimilar,
  isAccepted,
  isConditional,
  isListed,
  isOpenLoss,
  isOpenUnknown,
  placeOfChange,
  type ReportedChange,
  type SimilarChanges,
  summaryOf,
  tellingCauses,
  whyInWords,
} from './diff-report';

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

export function diffText(report: DiffReport, { width = WIDTH, isBrief = false }: TextOptions = {}): string {
  const { changes, context, unreadable, notes, money, steps } = report;
  const room = Math.max(width, NARROWEST);
  const listed = changes.filter(isListed);
  const kept = changes.filter((change) => !isListed(change));
  const isInferred = context.every((one) => one.isInferred);
  const unknown = changes.filter(({ outcome }) => outcome === 'unknown').flatMap(({ causes }) => causes);
  const isUnknown = unknown.some((one) => isOpenUnknown(one) && one.needs?.some((need) => need !== one.why));
  const isGuess = context.some((one) => one.isInferred) && changes.some(({ causes }) => causes.length > 0);
  const isOpen = changes.some(({ causes }) => causes.some((one) => isOpenLoss(one) || isOpenUnknown(one)));
  return textOf(
    [
      contextLines(context, 'inferred, and so a guess'),
      ...(isBrief ? [listed.map(briefLine)] : groupSimilar(listed).map((one) => changeLines(one, room))),
      kept.length === 0 ? [] : hangingIndent('KEPT'.padEnd(TITLES), keptInWords(kept, listed.length > 0), room),
      ...unreadable.map((document): Line[] => [
        `${placeOf(document.place)}  ${lackOf(document)}`,
        [CAUSES, clippedText(document.what)],
        ['remedy', document.remedy],
      ]),
      notes.map((note) => [0, `note: ${clippedText(note)}`]),
      money
        ? [
            [0, clippedText(`per month, by list price: ${clippedText(isBrief ? money.brief : money.text)}`)],
            ...(isBrief ? [] : money.unknown).map((one) => [CAUSES, clippedText(`not known: ${one}`)] as const),
          ]
        : [],
      isBrief ? [] : stepLines(steps),
      [
        ...(isBrief && listed.length > 0 ? ['causes, remedies and sources: --verbose'] : []),
        ...(isUnknown && isInferred ? [[0, `for more, ${NAME_CONTROLLERS}`] as const] : []),
        summaryOf(report),
        // all that is changed stays, by a guess
        ...(isGuess && !isOpen ? [[0, `this rests on a guess of the cluster; ${NAME_CONTROLLERS}`] as const] : []),
      ],
    ],
    { indent: ROWS, label: 9, width: room },
  );
}

function briefLine(change: ReportedChange): string {
  const { outcome, title } = change;
  const causes = tellingCauses(change);
  const cause = causes.find(({ notApplied, remedy }) => notApplied || remedy !== undefined) ?? causes[0];
  const what = cause === undefined ? '' : `: ${fieldInWords(cause)}`;
  const when = cause?.condition === undefined ? '' : `, if ${cause.condition}`;
  // these words alone do not say what to expect
  const isSilent =
    outcome === 'kept' || outcome === 'unknown' || (outcome === 'created' && cause?.remedy !== undefined);
  const why = cause !== undefined && isSilent ? `: ${cause.why}` : '';
  return `${labelOf(change)}${clippedText(`${title}${what}${when}${why}`)}`;
}

function labelOf(change: ReportedChange): string {
  const { outcome } = change;
  const label = isAccepted(change)
    ? `(${outcome})`
    : `${isConditional(change) ? 'may be ' : ''}${outcome}`.toUpperCase();
  return `${label.padEnd(TITLES - 1)} `;
}

function changeLines(one: SimilarChanges, width: number): Line[] {
  const { change, also } = one;
  // those of one maker are named by the first of them
  const others = also.filter((other) => placeOfChange(other)?.shown !== placeOfChange(change)?.shown);
  const [name, ...more] = hangingIndent(' '.repeat(TITLES), nameOf(one, clippedText), width);
  return [
    `${labelOf(change)}${name.trimStart()}`,
    ...more,
    ['owner', change.after?.guess ?? change.before?.guess],
    ['also', others.map(({ title }) => title).join('; ')],
    ...tellingCauses(change).flatMap((cause): Line[] => [
      [CAUSES, clippedText(causeInWords(cause))],
      ...detailsOfCause(cause),
    ]),
    ['accept', acceptedAs(one)],
  ];
}

function nameOf({ change, also }: SimilarChanges, shown: (text: string) => string): string {
  return `${shown(change.title)}${also.length > 0 ? ` and ${also.length} more` : ''}`;
}

function keptInWords(kept: readonly ReportedChange[], areOthers: boolean): string {
  const changed = kept.filter(({ causes }) => causes.length > 0);
  const names = someOf(
    changed.map(({ title }) => clippedText(title)),
    MOST_NAMES,
    '; ',
  );
  const changes = changed.length > 0 ? ` (with changes: ${names})` : '';
  return `${kept.length}${areOthers ? ` other${kept.length === 1 ? '' : 's'}` : ''}${changes}`;
}

function stepLines(steps: DiffReport['steps']): Line[] {
  const groups = grouped(steps, (one) => `${one.of} (${balancersInWords(one)})`);
  const lines = [...groups].flatMap(([title, all]): Line[] => [
    [CAUSES, clippedText(`${title}:`)],
    ...all.map(({ step }) => [ROWS, clippedText(`- ${step}`)] as const),
  ]);
  return steps.length === 0 ? [] : ['Before it:', ...lines];
}

export const MARK = '<!-- cdk8s-load-balancers diff -->';

/** A comment on GitHub has at most 65,536 characters; what is longer would be refused as a whole. */
const MOST_SIGNS = 60_000;

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
    ...markdownList(
      '**What cannot be read or rendered is not compared:**',
      report.unreadable.map(
        ({ place: { file, line }, what, remedy }) => `${text(`${file}:${line}`)}: ${text(what)}; ${text(remedy)}`,
      ),
    ),
    ...(open.length > 0 ? [markdownTable('| | balancer | what happens |', groupSimilar(open).map(cellsOf))] : []),
    ...markdownList(
      '**Before it is applied:**',
      report.steps.map((one) => `[ ] ${text(one.step)} (${text(one.of)}: ${text(balancersInWords(one))})`),
    ),
    ...folded('How, and what to do', groupSimilar(open).flatMap(details)),
    ...folded(`${accepted.length} accepted`, groupSimilar(accepted).flatMap(details)),
    ...folded(`${telling.length} created, or changed and kept`, groupSimilar(telling).flatMap(details)),
    ...folded('Notes', report.notes.map(text)),
    ...folded(
      'What is known of the cluster',
      report.context.map(({ what, from }) => `${text(what)}: from ${text(from)}`),
    ),
  ];
  return `${within([...head, ...parts, ...end]).join('\n\n')}\n`;
}

function text(value: string): string {
  return markdownText(clippedText(value));
}

function cellsOf(one: SimilarChanges): string[] {
  const [first] = tellingCauses(one.change);
  const what = first === undefined ? '' : `${text(fieldInWords(first))}: ${text(whyInWords(first))}`;
  return [`**${text(one.change.outcome)}**`, nameOf(one, text), what];
}

function details(one: SimilarChanges): string {
  const { change, also } = one;
  const accept = acceptedAs(one);
  const place = placeOfChange(change);
  const names = [change, ...also].map(({ title }) => text(title)).join(', ');
  return [
    `**${text(change.outcome)}** ${names}${place === undefined ? '' : `, ${text(place.shown)}`}`,
    ...tellingCauses(change).flatMap((cause) => [
      `  - ${text(fieldInWords(cause))}: ${text(whyInWords(cause))}`,
      ...detailsOfCause(cause).map(([label, value]) => `    - ${label}: ${text(value)}`),
    ]),
    ...(accept === undefined ? [] : [`  - accept: ${text(accept)}`]),
  ].join('\n');
}

function folded(title: string, items: readonly string[]): string[] {
  const [list] = markdownList(`<details><summary>${title}</summary>`, items);
  return list === undefined ? [] : [`${list}\n\n</details>`];
}

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
        let used = 0;
        const shown = [head, ...lines].filter((line) => {
          used += line.length + 1;
          return used <= room;
        });
        kept.push(shown.join('\n'), `${lines.length + 1 - shown.length} more rows are left out.`);
        room -= shown.join('\n').length;
      }
    }
  }
  return left === 0
    ? kept
    : [...kept, 'Something is left out, for a comment has no place for it: see the text or the JSON.'];
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
        clippedText(what),
        `remedy: ${clippedText(remedy)}`,
      ]);
    }),
    ...groupSimilar(open).map(({ change, also }) => {
      const causes = tellingCauses(change);
      const place = causes.find(({ after }) => after)?.after ?? change.after?.place;
      const names = [change, ...also].map(({ title }) => title).join(', ');
      const within = cluster === undefined ? '' : ` in ${cluster}`;
      const isLoss = LOSSES.has(change.outcome);
      const level = change.outcome === 'interrupted' ? 'warning' : isLoss ? 'error' : 'notice';
      return annotation(level, place, `load balancer ${change.outcome}`, [
        clippedText(`${names}${within}`),
        ...causes.flatMap((cause) => [
          clippedText(causeInWords(cause)),
          ...(cause.remedy === undefined ? [] : [`remedy: ${clippedText(cause.remedy)}`]),
        ]),
      ]);
    }),
    ...report.notes.map((note) => annotation('notice', undefined, 'not compared', [clippedText(note)])),
    withoutCommands(summaryOf(report)),
  ];
  return `${lines.join('\n')}\n`;
}
