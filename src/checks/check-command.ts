import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { count, printable } from '../contract/printable';
import { RuleSet } from '../rules/rule-set';
import { check, objectsIn } from './check';
import type { CheckReport } from './check-report';
import { type CheckContext, NO_CONTEXT } from './context/check-context';
import { CONTEXT_FILE, contextFileAbove, readContextFile } from './context/context-file';
import { evidenceIn } from './context/inference';
import { initialContextFile } from './context/init';
import { exitCode, type FailOn } from './formats/exit-code';
import { FORMATS, type FormatName } from './formats/formats';
import { readManifests } from './manifests';
import { withoutPatterns } from './patterns';

interface CheckOptions {
  readonly format: FormatName;
  readonly failOn: FailOn;
  readonly strict?: true;
  readonly config?: string;
  readonly date?: string;
  readonly init?: true;
}

/** The command that checks manifests of any origin. */
export function addCheck(program: Command, version: string): void {
  program
    .command('check')
    .description(
      'asks every rule about the objects of files, whoever wrote them: what is wrong with their load balancers, where, and what to do; exits with 1 on errors and on files that cannot be read',
    )
    .argument(
      '[path...]',
      'files, folders of YAML or JSON files, quoted patterns such as "k8s/**/*.yaml", or - for standard input',
      ['.'],
    )
    .addOption(new Option('--format <format>', 'how it is printed').choices(Object.keys(FORMATS)).default('text'))
    .addOption(
      new Option('--fail-on <level>', 'the weakest finding that fails').choices(['error', 'warning']).default('error'),
    )
    .option('--strict', 'fail where a rule has no answer, too')
    .option(
      '--config <file>',
      `what is known of the cluster; without it ${CONTEXT_FILE} in the folder that is checked, or in the nearest one above it`,
    )
    .option('--date <day>', 'the day for findings that are accepted until one, as 2027-06-30; today by default', day)
    .option('--init', `writes ${CONTEXT_FILE} from what the files show, and checks nothing`)
    .action((paths: string[], options: CheckOptions) => run(program, version, paths, options));
}

/** The last day of a month that has no such day is not asked for: texts are compared. */
export function day(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('write a day as 2027-06-30');
  }
  return text;
}

function run(program: Command, version: string, paths: string[], options: CheckOptions): void {
  const { format, failOn, strict = false } = options;
  if (options.init) {
    init(program, paths, options.config ?? CONTEXT_FILE);
    return;
  }
  const context = writtenContext(program, paths, options.config);
  const today = options.date ?? new Date().toISOString().slice(0, 10);
  const report = check(readManifests(withoutPatterns(paths)), context, today);
  const { isTTY = false, columns } = process.stdout;
  process.stdout.write(
    FORMATS[format](report, {
      version,
      rules: rulesOf(report),
      failOn,
      strict,
      color: isTTY && !process.env.NO_COLOR,
      ...(isTTY && { width: columns }),
    }),
  );
  process.exitCode = exitCode(report, { failOn, strict });
}

/** What the context file says; a mistake in it is one of usage. */
export function writtenContext(program: Command, [path = '.']: readonly string[], config?: string): CheckContext {
  const file = config ?? contextFileAbove(folderOf(path));
  if (file === undefined) {
    return NO_CONTEXT;
  }
  const { context, mistakes } = readContextFile(file);
  const lines = mistakes.map(({ place: { line, column }, what, remedy }) =>
    printable(`${file}:${line}:${column}: ${what}; ${remedy}`),
  );
  return context ?? program.error(lines.join('\n'));
}

function folderOf(path: string): string {
  return path === '-' ? '.' : statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
}

function init(program: Command, paths: readonly string[], file: string): void {
  if (existsSync(file)) {
    program.error(`${printable(file)} is there already; take it away first, or name another one by --config`);
  }
  const read = readManifests(withoutPatterns(paths));
  const { manifests, index, ofLater } = objectsIn(read);
  writeFileSync(file, initialContextFile(evidenceIn(index, ofLater)));
  process.stdout.write(`${printable(file)} is written from ${count(manifests.length, 'object')}\n`);
}

function rulesOf({ findings }: CheckReport) {
  return [...new Set(findings.map(({ ruleId }) => ruleId))].flatMap((id) => RuleSet.withId(id).slice(0, 1));
}
