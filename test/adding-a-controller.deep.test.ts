import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';

const root = join(__dirname, '..');
const page = readFileSync(join(root, 'docs', 'adding-a-controller.md'), 'utf8');

/** The files of the page: a path in backticks on a line of its own, then a fence. */
function filesOf(markdown: string): [string, string][] {
  return [...markdown.matchAll(/^`([\w./-]+)`\n\n```(?:typescript|yaml)\n(.*?)^```/gms)].map(([, path, text]) => [
    path,
    text,
  ]);
}

/** What jest reports, as far as it matters here. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: {
    readonly assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

function failuresIn({ testResults }: Report): string[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join().slice(0, 600)}`);
}

/** What the compiler says of some files, and not of all that they import. */
function typeErrorsIn(files: string[]): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, files, include: [] },
    ts.sys,
    dirname(dirname(files[0])),
  );
  const program = ts.createProgram(files, { ...options, noEmit: true, rootDir: undefined });
  return files
    .flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    })
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const exportLine = /In `(src\/[\w./-]+)`:\n\n```typescript\n(export .*?)\n```/s.exec(page);

test('the page makes a descriptor, a behaviour file, a table of cases and one export line', () => {
  expect(filesOf(page).map(([path]) => path)).toEqual([
    'src/controllers/custom-cloud/descriptor.yaml',
    'src/controllers/custom-cloud/controller.ts',
    'src/controllers/custom-cloud/index.ts',
    'test/cases/custom-cloud.yaml',
  ]);
  expect(exportLine?.[1]).toBe('src/controllers/index.ts');
  expect(exportLine?.[2].split('\n')).toHaveLength(1);
});

test('the controller of the page, as it stands there, keeps every law', () => {
  const copy = mkdtempSync(join(tmpdir(), 'custom-cloud-'));
  try {
    for (const folder of ['src', 'programs', 'test', 'scripts', 'examples', 'rosetta', 'docs', 'facts', 'assets']) {
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    }
    const needed = [
      'package.json',
      'tsconfig.json',
      'tsconfig.scripts.json',
      'README.md',
      'bench/result.json',
      'bench/result.ts',
    ];
    for (const file of needed) {
      cpSync(join(root, file), join(copy, file));
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const [path, text] of filesOf(page)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text);
    }
    const index = join(copy, 'src', 'controllers', 'index.ts');
    writeFileSync(index, `${readFileSync(index, 'utf8')}${exportLine?.[2]}\n`);

    const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
    const generate = [tsx, '--tsconfig', 'tsconfig.scripts.json', 'scripts/generate-docs.ts'];
    expect(spawnSync(process.execPath, generate, { cwd: copy, encoding: 'utf8' }).stderr).toBe('');
    expect(readFileSync(join(copy, 'README.md'), 'utf8')).toContain('custom-cloud-controller-manager');

    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const out = join(copy, 'report.json');
    const [titles, files] = /npx jest -t '(.+)' '(.+)'/.exec(page)?.slice(1) ?? [];
    const args = [jest, '--rootDir', copy, '--silent', '--json', '--outputFile', out, '-t', titles, files];
    spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore' });
    const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
    expect(failuresIn(report)).toEqual([]);
    expect(report.numPassedTests).toBeGreaterThan(10);
    const code = filesOf(page).filter(([path]) => path.endsWith('.ts'));
    expect(typeErrorsIn(code.map(([path]) => join(copy, path)))).toEqual([]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}, 240_000);
