import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SKILL } from '../scripts/site/llms';
import { LOSSES } from '../src/contract/edit';
import { Repository, service } from './cli/diff/repository';
import { run } from './support/command';

const TEXT = readFileSync(join(__dirname, '..', SKILL), 'utf8');
const PROGRAM = 'npx cdk8s-load-balancers ';
const COMMANDS = TEXT.split('\n').filter((line) => line.startsWith(PROGRAM));

function inRepository<T>(of: (repository: Repository) => T): T {
  const repository = new Repository({ 'a.yaml': service('echo') });
  const before = process.cwd();
  process.chdir(repository.path);
  try {
    return of(repository);
  } finally {
    process.chdir(before);
  }
}

const ran = (command: string) => run(...command.slice(PROGRAM.length).split(' '));

test.each(COMMANDS.map((command) => [command]))('%s runs', (command) => {
  expect(inRepository(() => ran(command))).toMatchObject({ code: 0, error: '' });
});

test('the skill has a command of each kind that it names', () => {
  expect(COMMANDS.map((command) => command.split(' ')[2])).toEqual(
    expect.arrayContaining(['check', 'diff', 'explain', 'list']),
  );
});

test('members of JSON, exit codes and outcomes are as it says', () => {
  const [check, diff] = ['check', 'diff'].map(
    (name) => COMMANDS.find((one) => one.startsWith(`${PROGRAM}${name}`)) ?? '',
  );
  const [found, changed] = inRepository((repository) => {
    repository.write({ 'a.yaml': service('echo', { scheme: 'internet-facing' }).replace('port: 443', 'port: 70000') });
    const wrong = ran(check);
    repository.write({ 'a.yaml': service('echo', { scheme: 'internet-facing' }) });
    return [wrong, ran(diff)];
  });
  expect([found.code, changed.code]).toEqual([1, 1]);
  const { findings, unknown, version } = JSON.parse(found.out);
  expect([version, unknown]).toEqual([1, expect.any(Array)]);
  expect(Object.keys(findings[0])).toEqual(
    expect.arrayContaining(['ruleId', 'level', 'what', 'remedy', 'object', 'place', 'pointer']),
  );
  const { changes, steps } = JSON.parse(changed.out);
  expect(steps).toEqual(expect.any(Array));
  expect(changes).toMatchObject([{ outcome: 'replaced', causes: expect.any(Array) }]);
  expect([...LOSSES].filter((outcome) => !TEXT.includes(`\`${outcome}\``))).toEqual([]);
  expect(run('explain', 'no-such-rule').code).toBe(2);
});
