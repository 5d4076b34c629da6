import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/docs/files';

// A clone in which nothing was installed, as pre-commit and the action have it.

const scratch = mkdtempSync(join(tmpdir(), 'clone-'));
const clone = join(scratch, 'clone');
const output = join(scratch, 'output');

const sh = (command: string, cwd: string, env = {}) =>
  execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...env } });

beforeAll(() => {
  sh(`git clone --quiet '${ROOT}' '${clone}'`, scratch);
  sh('.github/action/run.sh program', clone, { RUNNER_TEMP: scratch, GITHUB_OUTPUT: output, VERSION: '' });
  writeFileSync(
    join(scratch, 'echo.yaml'),
    'apiVersion: v1\nkind: Service\nmetadata: { name: echo }\nspec: { type: LoadBalancers, ports: [{ port: 80 }] }\n',
  );
});

test('the action builds the command, and pre-commit runs what is built', () => {
  const [, program] = /^program=(.*)\n$/.exec(readFileSync(output, 'utf8')) ?? [];
  const check = (command: string) => sh(`${command} check echo.yaml --format json || true`, scratch);
  const findings = check(`node '${program}'`);
  expect(JSON.parse(findings).findings.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain(
    'service-type-unknown',
  );
  expect(check(`'${join(clone, 'scripts', 'prepare.js')}'`)).toBe(findings);
  expect(sh('bin/kubectl-lb --help', clone)).toContain('Usage: kubectl lb ');
});

test('no package is installed but those that the command is bundled from, and nothing is left behind', () => {
  const installed = readdirSync(join(clone, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed.length).toBeLessThan(12);
  expect(sh('git status --porcelain', clone)).toBe('');
});
