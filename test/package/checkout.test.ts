import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { singleFile } from '../../scripts/command/bundle';
import { ROOT } from '../../scripts/docs/files';

// The ways in, each from nothing: with empty caches, and a clone in which nothing was installed, as pre-commit and the action have it.
// The container is not among them, since it needs Docker.

const scratch = mkdtempSync(join(tmpdir(), 'clone-'));
const clone = join(scratch, 'clone');
const repository = join(scratch, 'repository');
const { TARBALL, PRE_COMMIT_PYTHON } = process.env;
const EMPTY = { npm_config_cache: join(scratch, 'npm'), PRE_COMMIT_HOME: join(scratch, 'hooks') };

const sh = (command: string, cwd: string, env = {}) =>
  execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...env } });

beforeAll(() => {
  mkdirSync(repository);
  const files = {
    'echo.yaml':
      'apiVersion: v1\nkind: Service\nmetadata: { name: echo }\nspec: { type: LoadBalancers, ports: [{ port: 80 }] }\n',
    '.pre-commit-config.yaml': `repos: [{ repo: '${ROOT}', rev: ${sh('git rev-parse HEAD', ROOT).trim()}, hooks: [{ id: load-balancers }] }]\n`,
    'lb.mjs': singleFile('0.0.0'),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(repository, name), text);
  }
  sh('git init --quiet && git add --all', repository);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each([
  ['npx', `npx --yes --package '${TARBALL}' cdk8s-load-balancers check`],
  ['pre-commit', `'${PRE_COMMIT_PYTHON}' -m pre_commit run --all-files`],
  ['the single file', 'node lb.mjs check'],
])('%s finds the first mistake within a minute', (way, command) => {
  const start = performance.now();
  expect(sh(`${command} 2>&1 || true`, repository, EMPTY)).toMatch(/echo\.yaml:4:\d+ .*service-type-unknown/s);
  const seconds = (performance.now() - start) / 1000;
  process.stderr.write(`${way}: the first finding after ${seconds.toFixed(1)} s\n`);
  expect(seconds).toBeLessThan(60);
});

test('the action builds the command of few packages, leaves nothing behind, and kubectl can call it', () => {
  const output = join(scratch, 'output');
  sh(`git clone --quiet '${ROOT}' '${clone}'`, scratch);
  sh('.github/action/run.sh program', clone, { RUNNER_TEMP: scratch, GITHUB_OUTPUT: output, VERSION: '' });
  const [, program] = /^program=(.*)\n$/.exec(readFileSync(output, 'utf8')) ?? [];
  expect(sh(`node '${program}' check || true`, repository)).toContain('service-type-unknown');
  expect(sh('bin/kubectl-lb --help', clone)).toContain('Usage: kubectl lb ');
  const installed = readdirSync(join(clone, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed.length).toBeLessThan(12);
  expect(sh('git status --porcelain', clone)).toBe('');
});
