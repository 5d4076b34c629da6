import { printable } from '../../contract/json';

/** Text that is markup already; only `html` makes it, and everything else is escaped. */
export class Markup {
  public constructor(public readonly text: string) {}

  public toString(): string {
    return this.text;
  }
}

/** What may be in an element: texts are escaped, and what is not set leaves nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any text as it can be in an element or an attribute: it ends neither, and hides nothing. */
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
