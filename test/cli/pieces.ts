import { filled } from '../../src/contract/rule';

/** A text of manifests with `{{parameters}}`, and their defaults. */
export type Piece = Readonly<Record<string, string>> & { readonly text: string };

/** A piece by its name, alone or with parameters, or a text as it is. */
export type Part = string | Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Joins pieces of a table of cases into one file. */
export function fileOf(pieces: Readonly<Record<string, Piece>>, parts: readonly Part[]): string {
  const texts = parts.map((part) => {
    const [name, given] = typeof part === 'string' ? [part, {}] : Object.entries(part)[0];
    const { text, ...defaults } = pieces[name] ?? { text: name };
    return filled(text, { ...defaults, ...given });
  });
  return texts.join('---\n');
}

// biome-ignore lint/suspicious/noExplicitAny: rows are of any shape
export type Row = any;
