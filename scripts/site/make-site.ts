import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { filesIn, ROOT } from '../docs/files';
import { sitePages } from '../docs/pages';
import { RULES_PAGE, withRuleLinks } from '../docs/rule-pages';
import { cachedVenv } from '../suites/cached-venv';
import { findPython } from '../suites/find-python';
import { Lack } from '../suites/jest-suite';
import { type Translations, translated } from './languages';
import { LLMS, llmsOf, SKILL } from './llms';
import { BEGIN, navigationOf, partsOf, UNLISTED } from './navigation';
import { snippetsOf, stagedName, stagedPage } from './staged-page';

/** Where Sphinx and what it needs run. */
const PYTHON = [3, 11] as const;

const REQUIREMENTS = join(__dirname, 'requirements.txt');

/** What was made. */
export interface Site {
  readonly pages: number;
  readonly snippets: number;
  /** How many of them have a tab for each language. */
  readonly translated: number;
}

interface Package {
  readonly name: string;
  readonly description: string;
  readonly author: { readonly name: string };
  readonly repository: { readonly url: string };
}

/**
 * Makes the site of the docs.
 *
 * @throws Lack where Python is missing
 * @throws Error where a snippet does not compile, or Sphinx has a warning
 */
export function makeSite(suite: string, folder: string): Site {
  const python = pythonWithSphinx(suite);
  if (!existsSync(join(ROOT, '.jsii'))) {
    throw new Error('the library is not compiled: run `npx projen compile` first');
  }
  const { name, description, author, repository } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Package;
  const written = [...rootPages(), ...filesIn('docs', '.md')];
  const texts = new Map([
    ...written.map((file): [string, string] => [file, readFileSync(join(ROOT, file), 'utf8')]),
    ...sitePages(),
  ]);
  texts.set(RULES_PAGE, withRuleLinks(texts.get(RULES_PAGE) ?? ''));
  const pages = [...texts.keys()];
  const navigable = pages.filter((file) => !UNLISTED.test(file));
  const snippets = pages.map((file) => snippetsOf(file, texts.get(file) ?? ''));
  const all = translated(snippets.flat());
  mustBePython(
    python,
    snippets.flat().map(({ place }, index) => [place, pythonOf(all[index])]),
  );
  const staging = { pages: new Set(pages), repository: `${repository.url.replace(/\.git$/, '')}/blob/main/` };
  const parts = partsOf(texts.get(BEGIN) ?? '');
  const source = mkdtempSync(join(tmpdir(), 'site-'));
  try {
    let next = 0;
    pages.forEach((file, index) => {
      const own = all.slice(next, next + snippets[index].length);
      next += own.length;
      const text = stagedPage(file, texts.get(file) ?? '', own, staging);
      const listed = `${text}${navigationOf(file, navigable, parts)}`;
      write(join(source, stagedName(file)), UNLISTED.test(file) ? `---\norphan: true\n---\n\n${text}` : listed);
    });
    for (const picture of [...filesIn('docs', '.svg'), ...filesIn('docs', '.png')]) {
      mkdirSync(dirname(join(source, picture)), { recursive: true });
      copyFileSync(join(ROOT, picture), join(source, picture));
    }
    copyFileSync(join(__dirname, 'conf.py'), join(source, 'conf.py'));
    cpSync(join(__dirname, 'static'), join(source, '_static'), { recursive: true });
    sphinx(python, source, folder, { SITE: JSON.stringify({ name, author: author.name }) });
    writeFileSync(join(folder, LLMS), llmsOf({ name, description }, texts, parts));
    copyFileSync(join(ROOT, SKILL), join(folder, basename(SKILL)));
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  return { pages: pages.length, snippets: all.length, translated: all.filter(({ size }) => size > 0).length };
}

/** Pages beside the README: they are few, and all for readers. */
function rootPages(): string[] {
  return ['README.md', ...readdirSync(ROOT).filter((file) => file.endsWith('.md') && file !== 'README.md')].sort();
}

const pythonOf = (translations: Translations) => [...translations].find(([{ name }]) => name === 'Python')?.[1] ?? '';

/** A check that accepts this checks nothing. */
const WRONG = ['a wrong snippet', 'take([first=1])'] as const;

const PARSER = `import ast, json, sys
for place, text in json.load(sys.stdin):
    try:
        ast.parse(text)
    except SyntaxError as error:
        print(f"{place} is not Python in line {error.lineno}: {error.text}")`;

/**
 * Parses translations: a language that they are wrong in is easily overlooked.
 *
 * @throws Error with each that cannot be parsed
 */
function mustBePython(python: string, texts: readonly (readonly [place: string, text: string])[]): void {
  const { stdout, stderr } = spawnSync(python, ['-c', PARSER], {
    encoding: 'utf8',
    input: JSON.stringify([...texts, WRONG]),
  });
  const [faults, none] = stdout.split(WRONG[0]);
  if (faults !== '' || none === undefined) {
    throw new Error(`${faults || stderr || 'a wrong snippet was accepted: mend this check'}`);
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function pythonWithSphinx(suite: string): string {
  const found = findPython(PYTHON);
  if ('lack' in found) {
    throw new Lack(`${suite} needs ${found.lack}; install python3 and python3-venv`);
  }
  return cachedVenv(found.python, {
    name: 'site',
    what: 'Sphinx',
    requirements: REQUIREMENTS,
    mebibytes: 300,
    check: 'import furo, myst_parser, sphinx, sphinx_design',
  });
}

/** A warning is a failure: a link that leads nowhere is one. */
function sphinx(python: string, source: string, folder: string, env: NodeJS.ProcessEnv): void {
  rmSync(folder, { recursive: true, force: true });
  const doctrees = join(source, '.doctrees');
  const args = ['-m', 'sphinx', '-b', 'html', '-q', '-W', '--keep-going', '-j', 'auto', '-d', doctrees, source, folder];
  const { status, stdout, stderr } = spawnSync(python, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env, PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) {
    throw new Error(`${stdout}${stderr}`.replaceAll(`${source}/`, ''));
  }
  rmSync(join(folder, '.buildinfo'), { force: true });
  rmSync(join(folder, 'objects.inv'), { force: true });
}
