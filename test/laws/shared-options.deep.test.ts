import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { allCommands } from '../../src/cli/main';
import { CONTEXT, type Folder, Repository, service } from '../cli/diff/repository';
import { type Outcome, run } from '../support/command';
import { casesIn } from '../support/yaml-cases';

// All commands that read a repository have the same options: each changes what the command says, or is refused with a reason.

/** Words of each command that reads a repository; paths are left to the default. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  check: [],
  list: [],
  report: [],
  diff: ['--git', 'main'],
  explain: ['edge/echo'],
};

/** Commands that read no repository, and which of the options they have. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  ports: [],
  policies: ['--output'],
  completion: [],
};

interface Row {
  /** The files of the working tree; those of `main` have no annotation. */
  readonly files?: Readonly<Record<string, string>>;
  readonly value?: string;
  /** Other words, as for an option of what is explained. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

const ECHO = service('echo').replace('  loadBalancerClass: service.k8s.aws/nlb\n', '');
const FILES = { 'echo.yaml': ECHO, 'web.yaml': service('web', { scheme: 'internet-facing' }) };
const CLUSTERS = `clusters:
  - { name: one, controllers: [aws-load-balancer-controller, cloud-provider-aws], sources: [{ files: [echo.yaml, web.yaml] }] }
  - { name: two, controllers: [metallb], sources: [{ files: [web.yaml, echo.yaml] }] }
`;
/** A Service with a warning, and an annotation that has no effect. */
const WARNED = service('echo')
  .replace('spec:\n', 'spec:\n  externalIPs: [192.0.2.1]\n')
  .replace('-scheme: internal', '-type: external');

const OPTIONS: Readonly<Record<string, Row>> = {
  '--config': { value: 'other.txt', files: { ...FILES, 'other.txt': CONTEXT } },
  '--cluster': { value: 'two', files: { ...FILES, 'load-balancers.yaml': CLUSTERS } },
  '--controllers': { value: 'aws-load-balancer-controller,cloud-provider-aws' },
  '--exclude': { value: '/echo.yaml' },
  '--format': { value: 'json' },
  '--output': { value: 'out.txt' },
  '--strict': { files: { 'echo.yaml': ECHO } },
  '--fail-on': { value: 'warning', files: { 'load-balancers.yaml': CONTEXT, 'echo.yaml': WARNED } },
  '--verbose': { words: { explain: ['service.k8s.aws/resources'] } },
  '--color': { value: 'always', words: { explain: ['service.k8s.aws/resources'] } },
};

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  report: ['--fail-on'],
  explain: ['--strict', '--fail-on'],
};

const program = allCommands();
const optionsOf = (name: string) => program.commands.find((one) => one.name() === name)?.options ?? [];

test('every command has them all, or reads no repository', () => {
  expect(program.commands.map((one) => one.name()).sort()).toEqual(
    [...Object.keys(COMMANDS), ...Object.keys(OTHERS)].sort(),
  );
  for (const name of Object.keys(COMMANDS)) {
    expect(optionsOf(name).map(({ long }) => long)).toEqual(expect.arrayContaining(Object.keys(OPTIONS)));
  }
  for (const [name, options] of Object.entries(OTHERS)) {
    expect(optionsOf(name).flatMap(({ long }) => (long && long in OPTIONS ? [long] : []))).toEqual(options);
  }
});

test('they say the same in every command, but for the formats', () => {
  for (const long of Object.keys(OPTIONS)) {
    const all = Object.keys(COMMANDS).map((name) => optionsOf(name).find((one) => one.long === long));
    expect(new Set(all.map((one) => `${one?.flags} ${one?.description} ${one?.defaultValue}`)).size).toBe(1);
  }
});

function inside(folder: Folder, args: readonly string[]): Outcome {
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    return run(...args);
  } finally {
    process.chdir(before);
  }
}

/** A repository without annotations, and with them in the working tree. */
function repository(files: Readonly<Record<string, string>> = FILES): Folder {
  const before = Object.entries(files).map(([file, text]) => [file, text.replace(/ {2}annotations:\n.*\n/, '')]);
  return new Repository(Object.fromEntries(before)).write(files);
}

const PAIRS = Object.keys(COMMANDS).flatMap((name) => Object.keys(OPTIONS).map((option) => [name, option] as const));

test.each(PAIRS)('%s %s', (name, option) => {
  const { files, value, words } = OPTIONS[option];
  const folder = repository(files);
  const args = [name, ...(words?.[name] ?? COMMANDS[name])];
  const [without, having] = [args, [...args, option, ...(value === undefined ? [] : [value])]].map((one) =>
    inside(folder, one),
  );
  if (REFUSED[name]?.includes(option)) {
    expect(having).toMatchObject({ code: 2, out: '' });
    expect(having.error).toMatch(new RegExp(`^${name} takes no ${option}: \\S+ \\S+`));
  } else {
    expect(having).not.toEqual(without);
  }
});

describe('--output', () => {
  test.each(Object.entries(COMMANDS))('%s writes what it prints, and exits as it does', (name, words) => {
    const folder = repository();
    const printed = inside(folder, [name, ...words]);
    const written = inside(folder, [name, ...words, '--output', 'out.txt']);
    expect(written).toEqual({ ...printed, out: '' });
    expect(folder.read('out.txt')).toBe(printed.out);
  });

  test('a failure leaves the file as it was, and nothing beside it', () => {
    const folder = repository().write({ 'out.txt': 'before' });
    for (const args of [
      ['check', '--config', 'none.yaml'],
      ['diff'],
      ['report', '--zones', '0'],
      ['explain', 'nothing'],
    ]) {
      expect(inside(folder, [...args, '--output', 'out.txt']).code).toBe(2);
    }
    expect(folder.read('out.txt')).toBe('before');
    expect(readdirSync(folder.path).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });

  test('a folder that is not there is named', () => {
    const { error, code } = inside(repository(), ['list', '--output', 'none/out.txt']);
    expect(error).toContain('--output none/out.txt cannot be written (ENOENT)');
    expect(code).toBe(2);
  });

  test('a device stays one', () => {
    expect(inside(repository(), ['list', '--output', '/dev/null']).out).toBe('');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('the mode of a file stays', () => {
    const folder = repository();
    writeFileSync(join(folder.path, 'out.txt'), '', { mode: 0o600 });
    inside(folder, ['policies', 'lock', '--output', 'out.txt']);
    expect(statSync(join(folder.path, 'out.txt')).mode & 0o777).toBe(0o600);
    expect(folder.read('out.txt')).toContain('ValidatingAdmissionPolicy');
  });
});

describe('--color', () => {
  const variables = ['NO_COLOR', 'FORCE_COLOR', 'TERM'];

  /** Whether `list` has colors, as a terminal or not, with variables of the environment. */
  function hasColors(isTTY: boolean, env: Readonly<Record<string, string>>, ...args: readonly string[]): boolean {
    const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
    const stream = process.stdout as { isTTY: boolean };
    const { isTTY: was } = stream;
    for (const name of variables) delete process.env[name];
    try {
      Object.assign(process.env, env);
      stream.isTTY = isTTY;
      return inside(folder, ['check', ...args]).out.includes('\u001b[');
    } finally {
      stream.isTTY = was;
      for (const name of variables) {
        delete process.env[name];
        if (before[name] !== undefined) process.env[name] = before[name];
      }
    }
  }

  const folder = repository({ 'load-balancers.yaml': CONTEXT, 'echo.yaml': WARNED });

  test.each<[boolean, boolean, Readonly<Record<string, string>>, readonly string[]]>(
    casesIn(__dirname, 'shared-options.yaml')['on a terminal'],
  )('%s on a terminal %s, %j %j', (colors, isTTY, env, args) => expect(hasColors(isTTY, env, ...args)).toBe(colors));

  test('severities alone have colors, and nothing else changes', () => {
    const { out } = inside(folder, ['check']);
    const colored = inside(folder, ['check', '--color', 'always']).out;
    expect(stripVTControlCharacters(colored)).toBe(out);
    const painted = colored
      .split('\u001b[33m')
      .slice(1)
      .map((text) => text.split('\u001b[39m')[0]);
    expect(new Set(painted)).toEqual(new Set(['warning', '2 warnings']));
  });

  test('outcomes have that of what they come to', () => {
    const changed = repository({
      'load-balancers.yaml': CONTEXT,
      'echo.yaml': service('echo', { scheme: 'internet-facing' }),
    });
    expect(inside(changed, ['diff', '--git', 'main', '--color', 'always']).out).toContain(
      '\u001b[31mREPLACED\u001b[39m ',
    );
  });
});

describe('exit codes', () => {
  const codes = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    Object.fromEntries(
      Object.entries(COMMANDS)
        .filter(([name]) => !args.some((arg) => REFUSED[name]?.includes(arg)))
        .map(([name, words]) => [name, inside(repository(files), [name, ...words, ...args]).code]),
    );

  test('what cannot be read is 2 everywhere', () => {
    expect(codes({ ...FILES, 'broken.yaml': 'a: b: c\n  annotations:\n    d: e\n' })).toEqual({
      check: 2,
      list: 2,
      report: 2,
      diff: 2,
      explain: 2,
    });
    expect(codes(FILES, '--config', 'none.yaml')).toEqual({ check: 2, list: 2, report: 2, diff: 2, explain: 2 });
  });

  test('what is not known is 0 with the reason in the last line, and 1 with --strict', () => {
    const files = { 'echo.yaml': ECHO };
    expect(codes(files)).toEqual({ check: 0, list: 0, report: 0, diff: 0, explain: 0 });
    expect(codes(files, '--strict')).toEqual({ check: 1, list: 1, report: 1, diff: 1 });
    for (const name of ['check', 'list', 'report', 'diff']) {
      const { out } = inside(repository(files), [name, ...COMMANDS[name]]);
      expect([name, out.trim().split('\n').at(-1)]).toEqual([name, expect.stringMatching(/needs|not known/)]);
    }
  });

  test('--init takes none of the options of a check', () => {
    const folder = repository();
    for (const [option, { value }] of Object.entries(OPTIONS).filter(([one]) => one !== '--config')) {
      const { error, code } = inside(folder, ['check', '--init', option, ...(value ? [value] : [])]);
      expect([option, code, error]).toEqual([option, 2, expect.stringContaining('--init')]);
    }
    expect(existsSync(join(folder.path, 'load-balancers.yaml'))).toBe(false);
  });
});
