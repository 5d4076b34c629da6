import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORKFLOWS = join(__dirname, '..', '..', '.github', 'workflows');

/** What actionlint reports of a workflow. */
function reportedOf(workflow: string): string[] {
  // without the programs that it calls where they are installed
  const args = ['-shellcheck=', '-pyflakes=', '-format', '{{json .}}', '-'];
  const { stdout, stderr, error } = spawnSync(process.env.ACTIONLINT as string, args, {
    input: workflow,
    encoding: 'utf8',
  });
  if (error || stdout === '') {
    throw new Error(`actionlint said nothing\n${error?.message ?? stderr}`);
  }
  return (JSON.parse(stdout) as { message: string; line: number }[]).map(({ message, line }) => `${line}: ${message}`);
}

const files = readdirSync(WORKFLOWS);

test('there are workflows for pull requests and for releases', () => {
  expect(files).toEqual(expect.arrayContaining(['build.yml', 'release.yml']));
});

test.each(files)('%s is a workflow', (file) => {
  expect(reportedOf(readFileSync(join(WORKFLOWS, file), 'utf8'))).toEqual([]);
});

const RELEASE = readFileSync(join(WORKFLOWS, 'release.yml'), 'utf8');

test.each<[string, string, string, RegExp]>([
  ['a job that is needed and not there', 'needs: release\n', 'needs: relese\n', /needs job "relese"/],
  [
    'a key that no job has',
    'runs-on: ubuntu-latest',
    'run-on: ubuntu-latest',
    /unexpected key "run-on" for "job" section/,
  ],
  ['an output that no job has', 'outputs.tag_exists', 'outputs.tag_exist', /property "tag_exist" is not defined/],
])('%s is noticed', (_, good, bad, message) => {
  expect(RELEASE).toContain(good);
  expect(reportedOf(RELEASE.replace(good, bad))).toContainEqual(expect.stringMatching(message));
});
