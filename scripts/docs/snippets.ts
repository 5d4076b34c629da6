import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { ROOT } from './files';

/** A page with snippets. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

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

const HERE = /^[ \t]*\/{3}[ \t]*here[ \t]*$/m;

/**
 * Compiles the `ts` fences of some pages, each in the fixture that rosetta uses, or alone where it is fenced as
 * `ts nofixture`. One program for all of them: the library is read once.
 */
export function faultsIn(pages: readonly Page[]): SnippetFault[] {
  const fixture = readFileSync(join(ROOT, 'rosetta', 'default.ts-fixture'), 'utf8');
  const snippets = new Map(
    pages.flatMap((page) => snippetsOf(page, fixture)).map((snippet, i) => [join(ROOT, `snippet-${i}.ts`), snippet]),
  );
  const program = programOf(new Map([...snippets].map(([name, { source }]) => [name, source])));
  return [...snippets].flatMap(([name, snippet]) => {
    const file = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map((diagnostic) => faultOf(snippet, diagnostic));
  });
}

/** How many `ts` fences a page has. */
export function snippetCount(page: Page): number {
  return snippetsOf(page, '/// here').length;
}

function snippetsOf({ file, text }: Page, fixture: string): Snippet[] {
  return [...text.matchAll(/^[ \t]*```ts\b([^\n]*)\n(.*?)^[ \t]*```$/gms)].map((fence) => {
    const [, words, source] = fence;
    const line = text.slice(0, fence.index).split('\n').length;
    if (words.includes('nofixture')) {
      return { file, above: line, source: `${source}export {};\n` };
    }
    const before = fixture.slice(0, fixture.search(HERE)).split('\n').length - 1;
    return { file, above: line - before, source: fixture.replace(HERE, () => source) };
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
