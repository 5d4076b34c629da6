import { printable } from '../../contract/json';
import { type Figure, isUnknown, type Unknown } from '../../traffic/fraction';

/** Text that is markup already; only `html` makes it, and everything else is escaped. */
export class Markup {
  public constructor(public readonly text: string) {}

  public toString(): string {
    return this.text;
  }
}

/** Content of an element: texts are escaped, and what is not set leaves nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return printable(text)
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign])
    .replace(/[\ufffe\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
}

/** Markup as it stands here, with what is filled in escaped: lines and their indentation are no part of it. */
export function html(texts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(texts.map((text, i) => text.replace(/\n\s*/g, '') + textOf(contents[i])).join(''));
}

function textOf(content: Content): string {
  if (content === undefined) {
    return '';
  }
  if (content instanceof Markup) {
    return content.text;
  }
  return typeof content === 'object' ? content.map(textOf).join('') : escaped(String(content));
}

/** A name of a third party: its direction of writing stays its own. */
export function named(name: string): Markup {
  return html`<bdi class="name">${name}</bdi>`;
}

export function limitedList(names: readonly string[], most: number): Markup {
  const shown = names.slice(0, most).map((name, index) => [index === 0 ? '' : ', ', named(name)]);
  return html`${shown}${moreOf(names, most, ' and ')}`;
}

/** `and 3 more`, where a list has more than are shown. */
export function moreOf(all: readonly unknown[], most: number, before = 'and '): string | undefined {
  return all.length > most ? `${before}${inThousands(all.length - most)} more` : undefined;
}

export function inThousands(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function folded(summary: Content, content: Content, isOpen = false): Markup {
  return html`<details${isOpen ? html` open="open"` : ''}><summary>${summary}</summary>${content}</details>`;
}

/**
 * A table whose first column names its rows; it scrolls by itself where the page is narrow.
 *
 * @param columns their titles; one that begins with `#` has numbers, which are aligned at their end
 */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  const titles = columns.map((column) => column.replace(/^#/, ''));
  const kinds = columns.map((column) => (column.startsWith('#') ? html` class="number"` : ''));
  const head = titles.map((title, i) => html`<th scope="col"${kinds[i]}>${title}</th>`);
  const cellOf = (cell: Content, i: number) =>
    i === 0
      ? html`<th scope="row"${kinds[i]}>${cell}</th>`
      : html`<td${kinds[i]} data-title="${titles[i]}">${cell}</td>`;
  return html`
    <table>
      <caption>${caption}</caption>
      <thead><tr>${head}</tr></thead>
      <tbody>${rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>`)}</tbody>
    </table>`;
}

export function tag(kind: 'good' | 'warn' | 'bad', words: string): Markup {
  return html`<span class="tag ${kind}">${words}</span>`;
}

export function termsOf(terms: Content): Markup {
  return html`<small class="terms">${terms}</small>`;
}

export function mutedText(words: Content): Markup {
  return html`<p class="muted">${words}</p>`;
}

export function figureIn(figure: Figure | Unknown, inWords: (value: number) => string): Markup {
  if (isUnknown(figure)) {
    return html`<span class="unknown">${figure.unknown}</span>`;
  }
  const terms = figure.terms === '0' ? undefined : [' ', termsOf(`= ${figure.terms}`)];
  return html`<span class="value">${inWords(figure.value)}</span>${terms}`;
}

export function facts(entries: readonly (readonly [string, Content])[]): Markup {
  const rows = entries.map(([name, content]) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`);
  return html`<dl class="facts">${rows}</dl>`;
}

export function bullets(items: readonly Content[], most: number): Markup | undefined {
  const more = moreOf(items, most) ?? [];
  const shown = [...items.slice(0, most), ...[more].flat()];
  return items.length === 0 ? undefined : html`<ul>${shown.map((item) => html`<li>${item}</li>`)}</ul>`;
}

export function card(title: Content, ...content: readonly Content[]): Markup {
  return html`<div class="card">${title === undefined ? '' : html`<h3>${title}</h3>`}${content}</div>`;
}

/** A part of the page with a heading, which is its name for a screen reader. */
export function section(id: string, title: string, ...content: readonly Content[]): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

/** A picture of its own sizes; the title and the description are for who does not see it. */
export function svg(
  [id, kind, width, height]: readonly [id: string, kind: string, width: number, height: number],
  title: string,
  description: string,
  ...content: readonly Content[]
): Markup {
  return html`
    <svg class="${kind}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-t ${id}-d">
      <title id="${id}-t">${title}</title>
      <desc id="${id}-d">${description}</desc>
      ${content}
    </svg>`;
}
