import { type Figure, isUnknown, type Unknown } from '../../traffic/figure';
import { type Content, element, type Markup, together } from './markup';

/** A name of a third party: its direction of writing stays its own. */
export function named(name: string): Markup {
  return element('bdi', { class: 'name' }, name);
}

/** A list in a line, cut after so many: `a, b and 3 more`. */
export function listed(names: readonly string[], most: number): Markup {
  const shownNames = names.slice(0, most).map((name, index) => together(index === 0 ? '' : ', ', named(name)));
  return together(shownNames, moreOf(names, most, ' and '));
}

/** `and 3 more`, where a list has more than are shown. */
export function moreOf(all: readonly unknown[], most: number, before = 'and '): string | undefined {
  return all.length > most ? `${before}${inThousands(all.length - most)} more` : undefined;
}

/** `10,000` */
export function inThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Something that opens without a script. */
export function folded(summary: Content, content: Content, isOpen = false): Markup {
  return element('details', { open: isOpen ? true : undefined }, element('summary', {}, summary), content);
}

/** A column of a table: numbers are aligned at their end. */
export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table whose first column names its rows; it scrolls by itself where the page is narrow. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Content[])[]): Markup {
  const classOf = (index: number) => (columns[index].isNumber ? 'number' : undefined);
  const head = columns.map(({ title }, index) => element('th', { scope: 'col', class: classOf(index) }, title));
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      cells.map((cell, index) =>
        index === 0
          ? element('th', { scope: 'row', class: classOf(index) }, cell)
          : element('td', { class: classOf(index), 'data-title': columns[index].title }, cell),
      ),
    ),
  );
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, head)),
    element('tbody', {}, body),
  );
}

/** A word on a coloured ground. */
export function tag(kind: 'good' | 'warn' | 'bad', words: string): Markup {
  return element('span', { class: `tag ${kind}` }, words);
}

/** What a number is made of, in small under it. */
export function termsOf(terms: Content): Markup {
  return element('small', { class: 'terms' }, terms);
}

/** A number in words with its terms, or what is needed for it. */
export function figureIn(figure: Figure | Unknown, inWords: (value: number) => string): Markup {
  return isUnknown(figure)
    ? element('span', { class: 'unknown' }, figure.unknown)
    : together(
        element('span', { class: 'value' }, inWords(figure.value)),
        figure.terms === '0' ? undefined : [' ', termsOf(`= ${figure.terms}`)],
      );
}

/** Names and what is said of each. */
export function facts(entries: readonly (readonly [string, Content])[]): Markup {
  return element(
    'dl',
    { class: 'facts' },
    entries.map(([name, content]) => element('div', {}, element('dt', {}, name), element('dd', {}, content))),
  );
}

/** A list of sentences, cut after so many. */
export function bullets(items: readonly Content[], most: number): Markup | undefined {
  const more = moreOf(items, most);
  return items.length === 0
    ? undefined
    : element(
        'ul',
        {},
        items.slice(0, most).map((item) => element('li', {}, item)),
        more === undefined ? undefined : element('li', {}, more),
      );
}

/** A part of the page with a heading, which is its name for a screen reader. */
export function section(id: string, title: string, ...content: readonly Content[]): Markup {
  return element(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    content,
  );
}
