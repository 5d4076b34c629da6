import '../../src';
import { check } from '../../src/cli/check';
import type { CheckReport } from '../../src/cli/check-report';
import { type CheckContext, NO_CONTEXT } from '../../src/cli/context/check-context';
import { readManifests } from '../../src/cli/manifests';
import { filled } from '../../src/contract/rule';
import { folderWith } from '../support/files';

/** What a check says of some files, by their names. */
export function checkedFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  context: Partial<CheckContext> = {},
): CheckReport {
  return check(readManifests([folderWith(files)]), { ...NO_CONTEXT, ...context });
}

/** What a check says of a file. */
export function checked(content: string | Uint8Array, context: Partial<CheckContext> = {}): CheckReport {
  return checkedFiles({ 'a.yaml': content }, context);
}

/** Everything that is wrong and no mere note, each as line and rule: `7 annotation-value-invalid`; what cannot be read is `7 unreadable`. */
export function linesOf({ findings, unreadable }: CheckReport): string[] {
  return [
    ...unreadable.map(({ place }) => `${place.line} unreadable`),
    ...findings.filter(({ level }) => level !== 'note').map(({ place, ruleId }) => `${place.line} ${ruleId}`),
  ];
}

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
