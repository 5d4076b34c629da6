import { join } from 'node:path';
import { PORT_REQUESTS_FILE } from '../../../src/tenancy/tenancy.facts';
import { type Outcome, run } from '../command';
import { randomOf } from '../random';

export interface Misdeed {
  readonly args: readonly string[];
  readonly kind: 'crash' | 'hang' | 'exit code' | 'words';
  readonly what: string;
}

export interface MutantFiles {
  readonly folder: string;
  readonly before: string;
  readonly after: string;
  /** The context file of both, if there is one. */
  readonly config?: string;
  /** An object of them, as `Kind namespace/name`. */
  readonly title: string;
  /** What an app asks for, as it tells the command that locks ports. */
  readonly requests: string;
}

const WORDS = [
  ...[
    'constructor',
    '__proto__',
    'toString',
    '',
    ' ',
    'x',
    'é\u{1f600}',
    '$(X)',
    '{{ .Values.x }}',
    'a\nb: c',
    "'",
    '"',
  ],
  ...['1.36', '1.30', '1.0', '99.99', '1.36.3-gke.1', '-1', '1e300', '9'.repeat(5_000), 'ab-/.'.repeat(5_000)],
  ...['kube-system', 'system:serviceaccount:kube-system:lbc', 'team-a/db:5432', 'team-a/constructor:80'],
];

const STRANGE =
  /native code|\[object [A-Z]|TypeError|\bundefined\b|\bNaN\b|Infinity|Maximum call stack|\n\s+at .+\.[jt]s:\d+:\d+/;

/** `Service x is that of Service x` */
const NAMED_TWICE = /\b([A-Z][A-Za-z]+ [a-z0-9./-]+) is (?:that of )?\1(?![\w/.-])/;

/** `Service null/echo` */
const NAMED_NULL = /\b[A-Z][A-Za-z]+ (?:null\/|(?:[a-z0-9.-]+\/)?null\b(?![\w/.'"-]))/;

const HANGS = 5000; // CPU time, which other work on the same core doubles

function commandsOn({ folder, before, after, config, title, requests }: MutantFiles, seed: number): string[][] {
  const random = randomOf(seed);
  const known = config === undefined ? [] : ['--config', config];
  const format = (...formats: string[]) => ['--format', random(formats)];
  const day = ['--date', '2026-07-01'];
  const checked = format('text', 'json', 'sarif', 'github', 'junit');
  const compared = format('text', 'json', 'markdown', 'github');
  return [
    ['check', ...checked, ...known, ...day, after],
    ['check', '--init', '--config', join(folder, `init-${seed}.yaml`), after],
    ['list', ...random([[], ['--verbose'], ['--wide'], ['--format', 'json']]), after],
    [
      'report',
      ...format('text', 'json', 'markdown', 'html'),
      ...random([[], ['--what-if', 'local']]),
      ...known,
      ...day,
      after,
    ],
    ['explain', title, after, ...random([[], ['--format', 'json']])],
    ['explain', '--trace', after, ...random([[], ['--format', 'json'], ['--format', 'mermaid']])],
    ['diff', ...compared, ...known, ...day, before, after],
    ['diff', ...compared, ...known, ...day, after, before],
    ['diff', ...compared, ...day, after, after],
    ['diff', '--strimzi-from', '0.45', '--strimzi-to', '0.49', after],
    [
      'ports',
      '--app',
      `cat ${requests} > "$${PORT_REQUESTS_FILE}"${random(['', '', '', '; exit 3'])}`,
      ...random([[], [], [`--lock=${random(WORDS)}`]]),
      ...random([[], ['--check'], ['--prune'], ['--accept-edits'], ['--release', random(WORDS)]]),
    ],
    [
      'policies',
      random(['keeper', 'lock', 'warnings', random(WORDS)]),
      ...random([[], [`--kubernetes=${random(WORDS)}`]]),
      ...random([[], [`--namespace=${random(WORDS)}`]]),
      ...random([[], [`--engine=${random(['kyverno', random(WORDS)])}`]]),
      ...random([[], ['--controller', random(WORDS), random(WORDS)]]),
    ],
  ];
}

/**
 * What the commands do wrong on some files, and how long the slowest of them takes.
 *
 * @param only the names of the commands that are run; all without it
 */
export function misdeedsOn(
  files: MutantFiles,
  seed: number,
  only?: readonly string[],
): { misdeeds: Misdeed[]; slowest: number } {
  const misdeeds: Misdeed[] = [];
  let slowest = 0;
  for (const args of commandsOn(files, seed).filter(([name]) => only?.includes(name) !== false)) {
    const add = (kind: Misdeed['kind'], what: string) => misdeeds.push({ args, kind, what });
    const begin = process.cpuUsage();
    let outcome: Outcome;
    try {
      outcome = run(...args);
    } catch (error) {
      add('crash', (error as Error).stack ?? String(error));
      continue;
    }
    const { user, system } = process.cpuUsage(begin);
    const time = (user + system) / 1000;
    slowest = Math.max(slowest, time);
    if (time > HANGS) add('hang', `${Math.round(time)} ms`);
    if (![0, 1, 2].includes(outcome.code)) add('exit code', String(outcome.code));
    const strange = strangeWords(`${outcome.out}\n${outcome.error}`);
    if (strange !== undefined) add('words', strange);
  }
  return { misdeeds, slowest };
}

/** The first line of a text that has words of JavaScript, names one thing twice, or calls one null. */
export function strangeWords(text: string): string | undefined {
  const at = [STRANGE, NAMED_TWICE, NAMED_NULL].map((words) => text.search(words)).find((found) => found >= 0);
  if (at === undefined) return undefined;
  const start = text.lastIndexOf('\n', at) + 1;
  return text.slice(Math.max(start, at - 200), at + 200);
}
