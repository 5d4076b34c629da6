import {
  BatchSnippetTranslator,
  CSharpVisitor,
  GoVisitor,
  JavaVisitor,
  PythonVisitor,
  rosettaDiagFromTypescript,
  typeScriptSnippetFromVisibleSource,
} from 'jsii-rosetta';
import { withLibraryInstalled } from '../docs/installed-library';
import { DECLARES_IN_BLOCK, fixtureOf, HERE, IMPORT } from '../docs/snippets';

/** A language into which jsii translates, and how its snippets are highlighted. */
export interface Language {
  readonly name: string;
  readonly highlighted: string;
}

const LANGUAGES = [
  [{ name: 'Python', highlighted: 'python' }, () => new PythonVisitor()],
  [{ name: 'Java', highlighted: 'java' }, () => new JavaVisitor()],
  [{ name: 'C#', highlighted: 'csharp' }, () => new CSharpVisitor()],
  [{ name: 'Go', highlighted: 'go' }, () => new GoVisitor()],
] as const;

/** A `ts` fence of a page. */
export interface Snippet {
  /** The page and the line of the fence. */
  readonly place: string;
  /** What stands behind `ts`. */
  readonly words: string;
  readonly source: string;
}

/** A snippet in the languages into which it can be translated: none where TypeScript has what they have not. */
export type Translations = ReadonlyMap<Language, string>;

/** What rosetta writes into other languages word for word, and they have not. */
const OF_TYPESCRIPT_ALONE = [
  /\bfrom 'node:|\b__dirname\b|\bprocess\./,
  // a class needs a base, or a mark of jsii
  /\bclass \w+ implements\b/,
  // jsii leaves out what is not declared, and their ApiObject has no such prop
  /\bnew ApiObject\([^;]*\bspec\b/,
];

/** Whether a snippet makes sense in TypeScript alone, although rosetta translates it. */
export function isOfTypescriptAlone(source: string): boolean {
  return OF_TYPESCRIPT_ALONE.some((words) => words.test(source));
}

/** How rosetta says that a translation has no words for something. */
const UNTRANSLATABLE = 'is not supported in examples';

/**
 * Snippets in all languages, in their order.
 *
 * @throws Error with every snippet that does not compile
 */
export function translated(snippets: readonly Snippet[]): Translations[] {
  const complete = snippets.map((snippet, index) => ({
    // each is a file of its own in one program, which reads the library once
    ...typeScriptSnippetFromVisibleSource(snippet.source, { api: { api: 'file', fileName: `snippet-${index}` } }, true),
    completeSource: completed(snippet),
  }));
  return withLibraryInstalled((compilationDirectory) => {
    const faults: string[] = [];
    const found = [
      ...new BatchSnippetTranslator(complete, { compilationDirectory, includeCompilerDiagnostics: true }),
    ].map(([, translator], index): Translations => {
      const translations = LANGUAGES.map(
        ([language, visitor]) => [language, translator.renderUsing(visitor())] as const,
      );
      const messages = translator.diagnostics
        .filter(({ code }) => code !== DECLARES_IN_BLOCK)
        .map((each) => rosettaDiagFromTypescript(each).formattedMessage);
      const wrong = messages.filter((message) => !message.includes(UNTRANSLATABLE));
      faults.push(...wrong.map((message) => `${snippets[index].place} ${message}`));
      return new Map(messages.length === 0 && !isOfTypescriptAlone(snippets[index].source) ? translations : []);
    });
    if (faults.length > 0) {
      throw new Error(faults.join('\n'));
    }
    return found;
  });
}

/** A snippet in its fixture, as rosetta has it: what is between the marks is translated. */
function completed({ source, words }: Snippet): string {
  if (words.includes('nofixture')) {
    return `${source}/// !hide\nexport {};\n`;
  }
  const imports = (source.match(IMPORT) ?? []).join('\n');
  const body = source.replace(IMPORT, '').replace(/^\n+/, '');
  const fixture = fixtureOf(words).replace(HERE, () => `/// !show\n${body}/// !hide`);
  return `${imports}${imports === '' ? '' : '\n'}/// !hide\n${fixture}`;
}
