import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cachedVenv } from '../suites/cached-venv';
import { findPython } from '../suites/find-python';

/** The programs that read and write C#. */
export const FOLDER = join(__dirname, 'csharp');

/** What a grammar of C# finds in generated packages and in an app that uses them: lists of places, each empty where all is well. */
interface CsharpFindings {
  readonly syntaxErrors: readonly string[];
  readonly namedAsTheirClass: readonly string[];
  readonly declaredTwice: readonly string[];
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/** What was read, and what was found in it. */
export interface CsharpCode extends CsharpFindings {
  readonly files: number;
  readonly types: number;
}

/** What is missing to read C#, in one clause; nothing where it can be read. */
export function lackOfCsharpGrammar(): string | undefined {
  const found = findPython();
  return 'lack' in found ? found.lack : undefined;
}

/** A Python that has a grammar of C#. */
export function pythonWithGrammar(): string {
  const found = findPython();
  if ('lack' in found) {
    throw new Error(found.lack);
  }
  return cachedVenv(found.python, {
    name: 'csharp-grammar',
    what: 'a grammar of C#',
    requirements: join(FOLDER, 'requirements.txt'),
    mebibytes: 100,
    check: 'import tree_sitter, tree_sitter_c_sharp',
  });
}

/**
 * Reads C# by its grammar, in a Python of its own.
 *
 * @param libraries folders of generated packages: the library, cdk8s and constructs
 * @param app a program that uses them
 */
export function readCsharp(libraries: readonly string[], app: string): CsharpCode {
  const { status, stdout, stderr } = spawnSync(
    pythonWithGrammar(),
    [join(FOLDER, 'read_csharp.py'), ...libraries, app],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  );
  if (status !== 0) {
    throw new Error(`C# could not be read\n${stderr}`);
  }
  return JSON.parse(stdout);
}

/** Every finding as one line, with what is wrong there. */
export function linesOf(code: CsharpFindings): string[] {
  return [
    ...code.syntaxErrors.map((place) => `${place} is not C#`),
    ...code.namedAsTheirClass.map((place) => `${place} has a member that is named as it is`),
    ...code.declaredTwice.map((name) => `${name} is declared twice`),
    ...code.missing,
    ...code.unknown,
  ];
}
