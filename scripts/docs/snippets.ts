import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { ROOT } from './files';

/** A page with snippets. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

/** "Modifiers cannot appear here": a snippet may declare what it goes on from, and the block around it is the fixture's. */
export const DECLARES_IN_BLOCK = 1184;

/** What is wrong in a snippet, and where. */
export interface SnippetFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

interface Snippet {
  readonly file: string;
  /** The line of the page above the first line of the snippet. */
  readonly above: number;
  readonly source: string;
}

/** Where a snippet goes in a fixture. */
export const HERE = /^[ \t]*\/{3}[ \t]*here[ \t]*$/m;
/** An import of a snippet, which stands above its fixture. */
export const IMPORT = /^import [^;]*;$/gm;

/**
 * Compiles the `ts` fences of some pages, each in the fixture that rosetta uses, or alone where it is fenced as
 * `ts nofixture`. One program for all of them: the library is read once.
 */
export function faultsIn(pages: readonly Page[]): SnippetFault[] {
  const snippets = new Map(pages.flatMap(snippetsOf).map((snippet, i) => [join(ROOT, `snippet-${i}.ts`), snippet]));
  const program = programOf(new Map([...snippets].map(([name, { source }]) => [name, source])));
  return [...snippets].flatMap(([name, snippet]) => {
    const file = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.filter(({ code }) => code !== DECLARES_IN_BLOCK).map((diagnostic) => faultOf(snippet, diagnostic));
  });
}

/** How many `ts` fences a page has. */
export function snippetCount(page: Page): number {
  return fencesIn(page.text).length;
}

/** The `ts` fences of a page, with the words beside the language. */
export function fencesIn(text: string): RegExpMatchArray[] {
  return [...text.matchAll(/^[ \t]*```ts\b([^\n]*)\n(.*?)^[ \t]*```$/gms)];
}

/** The fixture of a fence, by the words beside its language. */
export function fixtureOf(words: string): string {
  const [, name = 'default'] = /\bfixture=([\w-]+)/.exec(words) ?? [];
  return readFileSync(join(ROOT, 'rosetta', `${name}.ts-fixture`), 'utf8');
}

function snippetsOf({ file, text }: Page): Snippet[] {
  return fencesIn(text).map((fence) => {
    const [, words, source] = fence;
    const line = text.slice(0, fence.index).split('\n').length;
    if (words.includes('nofixture')) {
      return { file, above: line, source: `${source}export {};\n` };
    }
    const fixture = fixtureOf(words);
    // as rosetta does: imports are the program's, wherever the snippet is; lines stay where they are
    const imports = (source.match(IMPORT) ?? []).join(' ').replace(/\n/g, ' ');
    const body = source.replace(IMPORT, (found) => found.replace(/[^\n]/g, ''));
    const before = fixture.slice(0, fixture.search(HERE)).split('\n').length - 1;
    return { file, above: line - before, source: `${imports}${fixture.replace(HERE, () => body)}` };
  });
}

function faultOf({ file, above }: Snippet, { file: where, start, messageText }: ts.Diagnostic): SnippetFault {
  const line = where ? where.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
  return { file, line: above + line, message: ts.flattenDiagnosticMessageText(messageText, ' ') };
}

function programOf(sources: ReadonlyMap<string, string>): ts.Program {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.scripts.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const snippetOptions = { ...options, noUnusedLocals: false, noUnusedParameters: false, types: ['node'] };
  const host = ts.createCompilerHost(snippetOptions);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => sources.has(name) || fileExists(name);
  host.readFile = (name) => sources.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...others) => {
    const source = sources.get(name);
    return source === undefined
      ? getSourceFile(name, languageVersion, ...others)
      : ts.createSourceFile(name, source, languageVersion);
  };
  return ts.createProgram([...sources.keys()], snippetOptions, host);
}
