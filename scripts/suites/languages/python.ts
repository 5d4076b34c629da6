import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPython } from '../find-python';
import type { Checks } from './checks';
import { must, mustContain, mustFail, mustMatch } from './commands';
import {
  copyOfApp,
  expectedManifests,
  FINALIZER,
  MISTAKE,
  mustWriteTheSameBytes,
  mustWriteTheSamePermissions,
  withChange,
} from './consumers';
import type { Language } from './language';
import type { Packed } from './packed';
import { checkPage } from './page';

/** What cdk8s and constructs are in a virtual environment. */
const VERSIONS = `from importlib.metadata import version as v; print(f"cdk8s {v('cdk8s')}, constructs {v('constructs')}", end="")`;

/** Lets pip take the wheel for the name of the package. */
function pipEnvironment(packed: Packed, folder: string): NodeJS.ProcessEnv {
  const constraints = join(folder, 'packed.txt');
  writeFileSync(constraints, `cdk8s-load-balancers @ ${pathToFileURL(packed.wheel)}\n`);
  return { PIP_CONSTRAINT: constraints, PYTHONDONTWRITEBYTECODE: '1' };
}

function checkSnapshots(checks: Checks, folder: string, pytest: string): void {
  const args = ['-q', '-p', 'no:cacheprovider'];
  must({ cwd: folder }, pytest, ...args, '--snapshot-update');
  const count = expectedManifests().length;
  checks.that('its snapshot tests pass', () => {
    mustContain(must({ cwd: folder }, pytest, ...args), `${count} snapshots passed`);
  });
  checks.that('its CI fails when a finalizer changes in the app', () => {
    withChange(join(folder, 'acme_controller.py'), FINALIZER, 'lb.acme.example/other', () => {
      const output = mustFail({ cwd: folder }, pytest, ...args);
      mustMatch(output, new RegExp(`^E +- +'${FINALIZER}',\\nE +\\+ +'lb.acme.example/other',$`, 'm'));
      mustContain(output, `1 snapshot failed. ${count - 1} snapshots passed`);
    });
  });
}

function run(checks: Checks, packed: Packed): void {
  const found = findPython();
  if ('lack' in found) {
    throw new Error(found.lack);
  }
  const folder = copyOfApp(packed, 'python');
  const where = { cwd: folder };
  must(where, found.python, '-m', 'venv', '.venv');
  const bin = (name: string) => join(folder, '.venv', 'bin', name);
  const env = pipEnvironment(packed, folder);
  must({ cwd: folder, env }, bin('pip'), 'install', '--quiet', '--requirement', 'requirements-dev.txt');
  const versions = must(where, bin('python'), '-c', VERSIONS);
  checks.that(`with ${versions}: mypy accepts it under strict settings, without AWS CDK`, () => {
    must(where, bin('mypy'), '.', '--exclude', '.venv');
    mustFail(where, bin('python'), '-c', 'import aws_cdk');
  });
  checks.that(`with ${versions}: it writes the bytes that every language writes`, () => {
    must(where, bin('python'), 'main.py');
    mustWriteTheSameBytes(folder);
    mustWriteTheSamePermissions(folder);
  });
  checks.that('the command of the wheel checks what it has written', () => {
    mustContain(must(where, bin('cdk8s-load-balancers'), 'check', 'dist'), '0 errors, 0 warnings');
  });
  checks.that('its mistake is reported in one sentence', () => {
    mustContain(mustFail(where, bin('python'), 'mistake.py'), MISTAKE);
  });
  checkSnapshots(checks, folder, bin('pytest'));
  checkPage(checks, packed, 'python', (empty) => ({ env: pipEnvironment(packed, empty) }));
}

/** The app in a virtual environment with the wheel and the newest of what it needs; `test:python` has the oldest. */
export const python: Language = {
  name: 'python',
  lack: () => {
    const found = findPython();
    return 'lack' in found ? found.lack : undefined;
  },
  run,
};
