import { spawnSync } from 'node:child_process';
import { allCommands } from '../../src/cli/main';
import { run } from '../support/command';

// Completion in bash, and by the program that kubectl asks; of the other shells, the scripts are read.

const script = (shell: string) => run('completion', shell).out;

const CALL = `
compopt() { isClosed=1; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_cdk8s_load_balancers
[[ $isClosed ]] || COMPREPLY+=(FILES)
printf '%s\\n' "\${COMPREPLY[@]}"`;

function ran(program: string, words: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync('bash', ['-c', program, ...words], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.trimEnd().split('\n');
}

const bash = (...words: string[]) => ran(script('bash') + CALL, ['bash', 'kubectl-lb', ...words]);

const FILES = ['FILES'];
const NOTHING = [''];

test.each<[string, string[], string[]]>([
  ['commands', ['c'], ['check', 'completion']],
  ['options of the program', ['--v'], ['--version']],
  ['all choices right after it', ['check', '--fail-on', '='], ['error', 'warning']],
  ['shells', ['completion', 'z'], ['zsh']],
  ['commands to help with', ['help', 'di'], ['diff']],
  ['files of an option', ['check', '--output', ''], FILES],
  ['paths', ['check', ''], FILES],
  ['nothing for a value that only the user knows', ['check', '--cluster', ''], NOTHING],
  ['nothing where no word can be', ['ports', ''], NOTHING],
])('completes %s', (_, words, completed) => expect(bash(...words)).toEqual(completed));

test('a command has every option that its help has, and none that it refuses', () => {
  for (const { name } of allCommands().commands.map((one) => ({ name: one.name() }))) {
    const long = bash(name, '--').map((flag) => flag.replace(/^--/, ''));
    const help = [...run(name, '--help').out.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag);
    expect(long).toEqual(help);
  }
  expect(bash('report', '--fail')).toEqual(NOTHING);
});

test('kubectl gets a line for each, and is told where files are wanted', () => {
  const kubectl = (...words: string[]) => ran(script('kubectl'), ['kubectl_complete-lb', ...words]);
  expect(kubectl('check', '--fa')).toEqual(['--fail-on', ':4']);
  expect(kubectl('check', '')).toEqual([':0']);
  expect(kubectl('ports', '')).toEqual([':4']);
});

test('a shell that is not known is refused with those that are', () => {
  const { code, error } = run('completion', 'tcsh');
  expect(code).toBe(2);
  expect(error).toContain('bash, zsh, fish, kubectl');
});

test('no description or name can break out of a script', () => {
  for (const shell of ['zsh', 'fish']) {
    // what is quoted ends on its line
    const open = script(shell)
      .replaceAll("'\\''", '')
      .split('\n')
      .filter((line) => !line.startsWith('#') && (line.match(/'/g)?.length ?? 0) % 2 === 1);
    expect(open).toEqual([]);
  }
});
