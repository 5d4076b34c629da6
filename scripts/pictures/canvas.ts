import { type Content, html, type Markup } from '../../src/report/page/markup';
import { variablesOf } from '../../src/report/page/page';
import { DARK, LIGHT } from '../../src/report/page/style.facts';

/** How wide every picture is: what a page of GitHub has place for. */
export const WIDTH = 720;

/** What a picture is for who does not see it. */
export interface Said {
  readonly title: string;
  readonly description: string;
}

// A picture in an `img` follows the colours of the system, and has its own ground: it is read on any page.
const STYLE = [
  `:root{${variablesOf(LIGHT)}}`,
  `@media (prefers-color-scheme:dark){:root{${variablesOf(DARK)}}}`,
  'text{font:13px system-ui,"Segoe UI",Helvetica,Arial,sans-serif;fill:var(--ink)}',
  '.heading{font-size:15px;font-weight:600}',
  '.note{font-size:12px;fill:var(--muted)}',
  '.middle{text-anchor:middle}.end{text-anchor:end}',
  '.good-ink{fill:var(--good)}.warn-ink{fill:var(--warn)}.bad-ink{fill:var(--bad)}',
  '.ground{fill:var(--page)}',
  '.frame{fill:var(--card);stroke:var(--line)}',
  '.box{fill:var(--accentSoft);stroke:var(--accent)}',
  '.good{fill:var(--goodSoft);stroke:var(--good)}',
  '.warn{fill:var(--warnSoft);stroke:var(--warn)}',
  '.bad{fill:var(--badSoft);stroke:var(--bad)}',
  '.off{fill:none;stroke:var(--edge);stroke-dasharray:4 3}',
  '.way{fill:none;stroke:var(--accent)}.head{fill:var(--accent)}',
  '.hop{fill:none;stroke:var(--warn);stroke-dasharray:5 3}.hop-head{fill:var(--warn)}',
  '.nothing{fill:none;stroke:var(--edge);stroke-dasharray:2 4}',
  '.lost{fill:none;stroke:var(--bad)}.lost-head{fill:var(--bad)}',
  '.curve{fill:none;stroke-width:2.5}',
  '.stroke-0{stroke:var(--accent)}.stroke-1{stroke:var(--good)}.stroke-2{stroke:var(--warn)}.stroke-3{stroke:var(--bad)}',
  '.dot-0{fill:var(--accent)}.dot-1{fill:var(--good)}.dot-2{fill:var(--warn)}.dot-3{fill:var(--bad)}',
  '.grid{stroke:var(--line)}',
];

/** An element; an attribute that is not set is left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly Content[]
): Markup {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : html` ${key}="${value}"`,
  );
  return html`<${name}${written}>${children}</${name}>`;
}

/** A picture as a file. */
export function svgFile({ title, description }: Said, height: number, ...contents: readonly Content[]): string {
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: 'img',
      'aria-labelledby': 'title description',
    },
    element('title', { id: 'title' }, title),
    element('desc', { id: 'description' }, description),
    '\n',
    element('style', {}, '@STYLE@'),
    '\n',
    element('rect', { class: 'ground', width: WIDTH, height, rx: 8 }),
    '\n',
    contents,
  );
  // the only text that is no text of the picture: what is written here, and escapes nothing
  return `${svg.text.replace('@STYLE@', () => STYLE.join('\n'))}\n`;
}

/** As many digits as are seen. */
export function round(length: number): number {
  return Math.round(length * 10) / 10;
}

export function text(content: string, x: number, y: number, kind?: string): Content {
  return [element('text', { class: kind, x: round(x), y: round(y) }, content), '\n'];
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function rectangle({ x, y, width, height }: Rectangle, kind: string, rx = 6): Markup {
  return element('rect', {
    class: kind,
    x: round(x),
    y: round(y),
    width: round(width),
    height: round(height),
    rx,
  });
}

/** A box with lines of text in it: each is as long as it has place for, or there is no picture. */
export function box(place: Rectangle, kind: string, ...lines: readonly string[]): Content {
  const { x, y, width, height } = place;
  const first = y + height / 2 + 4.5 - ((lines.length - 1) * LINE) / 2;
  return [
    rectangle(place, kind),
    '\n',
    lines.map((line, index) =>
      text(
        fitting(line, width - 2 * PADDING, index > 0),
        x + width / 2,
        first + index * LINE,
        `${index > 0 ? 'note ' : ''}middle`,
      ),
    ),
  ];
}

const LINE = 15;
const PADDING = 6;

/** How wide a letter is at most, on average, in the fonts that systems have. */
const LETTER = 7.4;
const SMALL_LETTER = 6.9;

/** How wide a text is at most. */
export function widthOf(content: string, isSmall: boolean): number {
  return content.length * (isSmall ? SMALL_LETTER : LETTER);
}

/**
 * The text, where there is place for it.
 *
 * @throws Error where there is not
 */
export function fitting(content: string, width: number, isSmall: boolean): string {
  if (widthOf(content, isSmall) > width) {
    throw new Error(`no place for '${content}': ${widthOf(content, isSmall)} of ${width}`);
  }
  return content;
}

/** A text in lines that have place for it. */
export function wrapped(content: string, width: number, isSmall: boolean): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, isSmall) <= width) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(fitting(word, width, isSmall));
    }
  }
  return lines;
}

/** Where a line comes from and where it goes. */
export type Ends = readonly [x: number, y: number, toX: number, toY: number];

/** A line with a head; the heavier, the more goes along it. */
export function arrow([x, y, toX, toY]: Ends, kind: 'way' | 'hop' | 'lost', share: number): Content {
  const head = 5 + 2 * share;
  const end = toX - head - 1;
  const half = round((x + end) / 2);
  const [from, to] = [round(y), round(toY)];
  const d =
    from === to
      ? `M${round(x)} ${from}H${round(end)}`
      : `M${round(x)} ${from}C${half} ${from} ${half} ${to} ${round(end)} ${to}`;
  const headKind = kind === 'way' ? 'head' : `${kind}-head`;
  return [
    element('path', { class: kind, d, 'stroke-width': round(1.2 + 3 * share) }),
    element('path', {
      class: headKind,
      d: `M${round(toX)} ${to}l${-round(head + 3)} ${-round(head)}v${round(2 * head)}z`,
    }),
    '\n',
  ];
}

/** A way that nothing takes. */
export function unused([x, y, toX, toY]: Ends): Content {
  const half = round((x + toX) / 2);
  return [
    element('path', {
      class: 'nothing',
      d: `M${round(x)} ${round(y)}C${half} ${round(y)} ${half} ${round(toY)} ${round(toX)} ${round(toY)}`,
    }),
    '\n',
  ];
}
