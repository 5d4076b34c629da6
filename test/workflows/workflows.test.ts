import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const WORKFLOWS = join(ROOT, '.github', 'workflows');

/** What actionlint reports of a workflow, or of a file with one, whose repository may have actions of its own. */
function reportedOf(workflow: string, file = '-', cwd = ROOT): string[] {
  // without the programs that it calls where they are installed
  const args = ['-shellcheck=', '-pyflakes=', '-format', '{{json .}}', file];
  const { stdout, stderr, error } = spawnSync(process.env.ACTIONLINT as string, args, {
    input: workflow,
    encoding: 'utf8',
    cwd,
  });
  if (error || stdout === '') throw new Error(`actionlint said nothing\n${error?.message ?? stderr}`);
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
  ['a permission that there is not', 'pages: write', 'page: write', /unknown permission scope "page"/],
  ['an output of no step', 'steps.deploy.outputs', 'steps.deployed.outputs', /property "deployed" is not defined/],
])('%s is noticed', (_, good, bad, message) => {
  expect(RELEASE).toContain(good);
  expect(reportedOf(RELEASE.replace(good, bad))).toContainEqual(expect.stringMatching(message));
});

const PUBLISHING = Object.entries(parse(RELEASE).jobs as Record<string, Job>).filter(([name]) => name !== 'release');

interface Job {
  readonly needs: string | readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly object[];
}

test.each(PUBLISHING)('%s publishes nothing in a dry run, and only what the job release has made', (_, job) => {
  expect([job.needs].flat()).toContain('release');
  expect(JSON.stringify(job.steps.at(-1))).toContain('inputs.dry_run');
});

test('files are packaged by Java and .NET with support, and attested', () => {
  const steps = Object.fromEntries(PUBLISHING.map(([name, job]) => [name, JSON.stringify(job.steps)]));
  expect(steps.release_maven).toContain('"java-version":"17"');
  expect(steps.release_nuget).toContain('"dotnet-version":"8.x"');
  const attested = PUBLISHING.filter(([name]) => /actions\/attest-build-provenance@[0-9a-f]{40}/.test(steps[name]));
  expect(attested.map(([name]) => name)).toEqual(['release_maven', 'release_pypi', 'release_nuget', 'release_bundle']);
  expect(attested.map(([, { permissions }]) => permissions['id-token'])).toEqual(Array(4).fill('write'));
});

test('the site is published by the one job that may write to GitHub Pages', () => {
  const may = PUBLISHING.filter(([, { permissions }]) => permissions.pages === 'write');
  expect(may.map(([name]) => name)).toEqual(['release_site']);
  expect(JSON.stringify(may[0][1].steps.at(-1))).toContain('actions/deploy-pages@');
});

describe('action.yml', () => {
  const ACTION = readFileSync(join(ROOT, 'action.yml'), 'utf8');
  const { inputs, runs } = parse(ACTION);

  /** Its steps as those of a workflow with the same inputs, which actionlint reads in full. */
  const workflowOf = (steps: string) =>
    stringify({
      on: {
        workflow_call: {
          inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: 'string' }])),
        },
        pull_request: {},
      },
      jobs: { action: { 'runs-on': 'ubuntu-latest', steps: JSON.parse(steps) } },
    });
  const STEPS = JSON.stringify(runs.steps);

  test('its steps and their expressions are right', () => expect(reportedOf(workflowOf(STEPS))).toEqual([]));

  test.each([
    ['an input that it has not', 'inputs.paths', 'inputs.path', /property "path" is not defined/],
    ['an output of no step', 'steps.run.outputs', 'steps.ran.outputs', /property "ran" is not defined/],
    [
      'a title in a script',
      'exit \\"$CODE\\"',
      `echo \${{ github.event.pull_request.title }}`,
      /potentially untrusted/,
    ],
  ])('%s is noticed', (_, good, bad, message) => {
    expect(STEPS).toContain(good);
    expect(reportedOf(workflowOf(STEPS.replace(good, bad)))).toContainEqual(expect.stringMatching(message));
  });

  /** What actionlint reports of a workflow that uses an action with an input. */
  function used(action: string, input: string): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'uses-action-'));
    spawnSync('git', ['init', '--quiet', folder]);
    mkdirSync(join(folder, '.github', 'workflows'), { recursive: true });
    cpSync(join(ROOT, '.github', 'action'), join(folder, '.github', 'action'), { recursive: true });
    writeFileSync(join(folder, 'action.yml'), action);
    const steps = [{ uses: 'actions/checkout@v5' }, { uses: './', with: { [input]: 'check' } }];
    const file = join('.github', 'workflows', 'use.yml');
    writeFileSync(join(folder, file), stringify({ on: 'push', jobs: { use: { 'runs-on': 'ubuntu-latest', steps } } }));
    return reportedOf('', file, folder);
  }

  test('a workflow can use it, and an input that it has not is noticed', () => {
    expect(used(ACTION, 'command')).toEqual([]);
    expect(used(ACTION, 'comand')).toContainEqual(expect.stringMatching(/input "comand" is not defined in action/));
  });

  test('a mistake in its metadata is noticed', () => {
    const broken = ACTION.replace('using: composite', 'using: composit');
    expect(used(broken, 'command')).toContainEqual(expect.stringMatching(/composit/));
  });
});
