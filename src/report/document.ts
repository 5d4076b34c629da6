import { printable } from '../contract/json';

/**
 * A line of an answer: a text as it is, a paragraph that begins in a column, or a text behind its label, which is left out without
 * a text.
 */
export type Line =
  | string
  | readonly [column: number, text: string]
  | readonly [label: string, text: string | undefined];

/** Layout of lines. With a width, texts are wrapped and clipped, and nothing is a command to a runner. */
export interface Layout {
  readonly indent: number;
  readonly label: number;
  readonly width?: number;
}

export const WIDTH = 120;

export function textOf(sections: readonly (readonly Line[])[], layout: Layout): string {
  const blocks = sections.map((lines) => lines.flatMap((line) => linesOf(line, layout)).join('\n'));
  const text = `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  return layout.width === undefined ? text : withoutCommands(text);
}

function linesOf(line: Line, { indent, label, width }: Layout): string[] {
  if (typeof line === 'string') {
    return [width === undefined ? line.split('\n').map(printable).join('\n') : line];
  }
  const [start, text] = line;
  if (text === undefined) {
    return [];
  }
  if (typeof start === 'number') {
    if (width === undefined) {
      return [printable(' '.repeat(start) + text).trimEnd()];
    }
    const more = ' '.repeat(start + 2);
    return wrapped(text, width - start - 2).map((one, i) => `${i > 0 ? more : ' '.repeat(start)}${one}`);
  }
  const head = `${' '.repeat(indent)}${start.padEnd(label - 1)} `;
  return width === undefined
    ? [printable(head + text).trimEnd()]
    : text === ''
      ? []
      : hangingIndent(head, clippedText(text), width);
}

export function hangingIndent(head: string, text: string, width: number): string[] {
  return wrapped(text, width - head.length).map((line, i) => `${i === 0 ? head : ' '.repeat(head.length)}${line}`);
}

/** The longest text of a file that is printed for people: a value can be as long as its file. */
const LONGEST = 1_000;

export function clippedText(text: string): string {
  const signs = text.length > LONGEST ? [...text.slice(0, 2 * LONGEST + 2)] : [];
  return signs.length > LONGEST
    ? `${printableText(signs.slice(0, LONGEST).join(''))}… (${text.length} characters)`
    : printableText(text);
}

const PLAIN = /^[ -~]*$/;

export function printableText(text: string): string {
  return PLAIN.test(text) ? text : printable(text);
}

/**
 * Commands of GitHub Actions in the output of a program: two colons at the beginning of a line,
 * and `##[` anywhere. actions/runner 079cdb1, src/Runner.Common/ActionCommand.cs
 */
const COMMAND = /:(?=:)(?<=^\s*:)|#(?=\[)(?<=##)/gm;

export function withoutCommands(
  text: string,
  escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
): string {
  return text.replace(COMMAND, escaped);
}

function wrapped(text: string, room: number): string[] {
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

/** Number of terminal columns of a text: emoji and the signs of East Asia take two. */
function columns(text: string): number {
  return PLAIN.test(text) ? text.length : [...text].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);
}

export function textTable(rows: readonly (readonly string[])[], indent = '', gap = '  '): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lineOfRow = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i])).join(gap);
  return rows.map((row) => `${indent}${lineOfRow(row)}`.trimEnd()).join('\n');
}

/** The signs that mean something to a reader of Markdown, HTML or mentions. */
const MARKUP = /[\\`*_{}[\]<>&|#~!@$]/g;

export function markdownText(text: string): string {
  return printable(text)
    .replace(MARKUP, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/:\/\//g, '&#58;//');
}

/** A table with the heading as it is written, and cells that are Markdown already. */
export function markdownTable(heading: string, rows: readonly (readonly string[])[]): string {
  const columns = heading.split('|').length - 2;
  return [heading, `|${' --- |'.repeat(columns)}`, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

/** A list under its heading; nothing without items. */
export function markdownList(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`];
}
