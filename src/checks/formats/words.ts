import { grouped, printable } from '../../contract/json';
import { count, ownCommand } from '../../contract/rule';
import type {
  CheckedObject,
  CheckFinding,
  CheckReport,
  KnownContext,
  Place,
  UnknownAnswer,
  UnreadableDocument,
} from '../check-report';

const STANDARD_INPUT = 'standard input';

/** The longest text of a file that is printed for people: a value can be as long as its file. */
const LONGEST = 1_000;

const NAMED = 3;

const ABOUT = /^.+?:\d+: \w+ [^:]+(?=: )/;

/** Notes of one text about several objects as one, with the first place and the number of the others. */
export function folded(notes: readonly string[]): string[] {
  const all = grouped(new Set(notes), (note) => note.replace(ABOUT, ''));
  return [...all.values()].map(([first, ...more]) =>
    more.length === 0 ? first : first.replace(ABOUT, `$& and ${more.length} more`),
  );
}

export function isStandardInput({ file }: Place): boolean {
  return file === '-';
}

export function lackOf({ isSource }: Pick<UnreadableDocument, 'isSource'>): string {
  return isSource ? 'cannot be rendered' : 'cannot be read';
}

/** `k8s/edge.yaml:23:11` */
export function placeOf(place: Place): string {
  return seen(`${isStandardInput(place) ? STANDARD_INPUT : place.file}:${place.line}:${place.column}`);
}

/** `k8s/edge.yaml:23`; of standard input, in words. */
export function lineOf(file: string, line: number): string {
  return file === '-' ? `${STANDARD_INPUT}, line ${line}` : `${file}:${line}`;
}

export function nameOf({ kind, namespace, name }: CheckedObject): string {
  return clipped(`${kind} ${namespace ? `${namespace}/` : ''}${name === '' ? '(without a name)' : name}`);
}

/** `Service edge/echo, made by Kafka kafka/events, listener external in prod-eks`; the maker alone if the object is its own maker. */
export function titleOf(object: CheckedObject): string {
  const name = nameOf(object);
  const maker = clipped(object.madeBy ?? '');
  const title = maker === '' ? name : maker.startsWith(`${name},`) ? maker : `${name}, made by ${maker}`;
  return object.cluster === undefined ? title : `${title} in ${clipped(object.cluster)}`;
}

/** A text of a file as people read it: in one line, and not longer than they read. */
export function clipped(text: string): string {
  const signs = text.length > LONGEST ? [...text.slice(0, 2 * LONGEST + 2)] : [];
  return signs.length > LONGEST ? `${seen(signs.slice(0, LONGEST).join(''))}… (${text.length} characters)` : seen(text);
}

const PLAIN = /^[ -~]*$/;

function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

export function seen(text: string): string {
  return isPlain(text) ? text : printable(text);
}

/**
 * What a runner of GitHub Actions takes for a command in the output of any program: two colons at the beginning of a line,
 * and `##[` anywhere. actions/runner 079cdb1, src/Runner.Common/ActionCommand.cs
 */
const COMMAND = /:(?=:)(?<=^\s*:)|#(?=\[)(?<=##)/gm;

/** Texts of files with the sign escaped that makes them commands. */
export function withoutCommands(text: string, escaped = inJson): string {
  return text.replace(COMMAND, escaped);
}

function inJson(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export type Tally = ReturnType<typeof tallyOf>;

export function tallyOf({ findings, unknown, unreadable, objects }: CheckReport) {
  const open = (level: string) => findings.filter((finding) => !finding.accepted && finding.level === level).length;
  return {
    errors: open('error'),
    warnings: open('warning'),
    notes: open('note'),
    accepted: findings.filter(({ accepted }) => accepted).length,
    unknown: unknown.length,
    unreadable: unreadable.length,
    objects,
  };
}

export function summaryOf(report: CheckReport): string {
  const { errors, warnings, notes, accepted, unknown, unreadable, objects } = tallyOf(report);
  const found = [count(errors, 'error'), count(warnings, 'warning'), ...(notes > 0 ? [count(notes, 'note')] : [])].join(
    ', ',
  );
  const rest = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'answer')} unknown (needs ${neededFor(report)})`] : []),
    ...(unreadable > 0 ? [`${count(unreadable, 'document')} unreadable`] : []),
  ].join(', ');
  return `${found} in ${count(objects, 'object')}${rest === '' ? '' : `; ${rest}`}`;
}

/** A line for findings that are no errors since the cluster is a guess, and what to write. */
export function guessInWords(open: readonly CheckFinding[], context: readonly KnownContext[]): string[] {
  const guesses = open.filter(({ isGuess }) => isGuess).length;
  if (guesses === 0 || open.some(({ level }) => level === 'error')) {
    return [];
  }
  const what = `${count(guesses, 'warning')} would be ${guesses === 1 ? 'an error' : 'errors'} if the cluster were known`;
  const isInferred = context.every((one) => one.isInferred);
  return [`${what}; ${isInferred ? NAME_CONTROLLERS : 'write into load-balancers.yaml what the remedy asks for'}`];
}

export const NAME_CONTROLLERS = `name the controllers of the cluster in load-balancers.yaml (${ownCommand('check --init')})`;

function neededFor({ unknown }: CheckReport): string {
  return [...new Set(unknown.flatMap(({ needs }) => needs.map(clipped)))].sort().join(', ');
}

/** What is unknown for the same reason, in a line each: `needs controllers: 12 rules for Service edge/echo and 3 more`. */
export function unknownLines(unknown: readonly UnknownAnswer[], isVerbose = false): string[] {
  return [...grouped(unknown, needsOf)].map(([needs, answers]) => {
    const objects = [...new Set(answers.map(({ object }) => titleOf(object)))];
    const named = objects.slice(0, isVerbose ? objects.length : NAMED);
    const more = objects.length > named.length ? ` and ${objects.length - named.length} more` : '';
    const rules = [...new Set(answers.map(({ ruleId }) => ruleId))];
    const asked = isVerbose ? rules.join(', ') : count(rules.length, 'rule');
    return `needs ${needs}: ${asked} for ${named.join('; ')}${more}`;
  });
}

export function needsOf({ needs }: UnknownAnswer): string {
  return [...needs].sort().map(clipped).join(' and ');
}

/** `controllers metallb, Kubernetes 1.36: from load-balancers.yaml; region: from k8s/nodes.yaml` */
export function contextInWords(context: readonly KnownContext[]): string {
  return [...grouped(context, ({ from, cluster }) => JSON.stringify([cluster, from])).values()]
    .map((known) => {
      const [{ from, cluster }] = known;
      const of = cluster === undefined ? '' : `${clipped(cluster)}: `;
      return `${of}${known.map(({ what }) => clipped(what)).join(', ')}: from ${clipped(from)}`;
    })
    .join('; ');
}

export function clusterTitle(cluster: string | undefined, format = 'text'): string {
  const heading = { markdown: '## Cluster', mermaid: '%% cluster' }[format] ?? 'cluster';
  return cluster === undefined ? '' : `${heading} ${printable(cluster)}\n${format === 'mermaid' ? '' : '\n'}`;
}

export function json(report: unknown): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** The lines of a text; a word that is longer than a line is broken. */
export function wrapped(text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ').flatMap((long) => pieces(long, room))) {
    const last = lines[lines.length - 1];
    const line = last === '' ? word : `${last} ${word}`;
    if (last !== '' && columns(line) > room) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line;
    }
  }
  return lines;
}

function pieces(word: string, room: number): string[] {
  if (columns(word) <= room) {
    return [word];
  }
  const all = [''];
  let used = 0;
  for (const sign of word) {
    const wide = columns(sign);
    if (used + wide > room) {
      all.push('');
      used = 0;
    }
    all[all.length - 1] += sign;
    used += wide;
  }
  return all;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a text takes: emoji and the signs of East Asia take two. */
function columns(text: string): number {
  return isPlain(text) ? text.length : [...text].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);
}

/** A page of text: paragraphs, and rows with a label, in lines of a width. */
export class Page {
  /** @param indent the column in which labels begin */
  public constructor(
    private readonly width: number,
    private readonly indent: number,
  ) {}

  /** The first line begins at a column, the others two columns behind it. */
  public paragraph(text: string, from = 0): string[] {
    const lines = wrapped(text, this.width - from - 2);
    return lines.map((line, i) => `${' '.repeat(i === 0 ? from : from + 2)}${line}`);
  }

  /** A text behind a head, with its further lines below its beginning. */
  public hanging(head: string, text: string): string[] {
    const lines = wrapped(text, this.width - head.length);
    return lines.map((line, i) => `${i === 0 ? head : ' '.repeat(head.length)}${line}`);
  }

  public row(label: string, text: string | undefined): string[] {
    return text ? this.hanging(`${' '.repeat(this.indent)}${label.padEnd(LABEL)}`, clipped(text)) : [];
  }

  public context(context: readonly KnownContext[], guess: string): string[] {
    const [inferred, given] = [true, false].map((is) => context.filter(({ isInferred }) => isInferred === is));
    return [
      ...(inferred.length > 0 ? this.paragraph(`${guess}: ${contextInWords(inferred)}`) : []),
      ...(given.length > 0 ? this.paragraph(contextInWords(given)) : []),
    ];
  }
}

const LABEL = 9;

export function pageOf(sections: readonly (readonly string[])[]): string {
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return withoutCommands(`${blocks.join('\n\n')}\n`);
}

export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lineOfRow = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i])).join('  ');
  return rows.map((row) => lineOfRow(row).trimEnd()).join('\n');
}
