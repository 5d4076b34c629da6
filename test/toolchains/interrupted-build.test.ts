import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isAlive } from '../cluster/harness/run-folder';
import { until } from '../cluster/harness/wait';
import { FakeGo } from './fake-go';

const root = join(__dirname, '..', '..');

/** A process that builds, on a disk with room. */
const SCRIPT = `
require('node:fs').statfsSync = () => ({ bavail: 2 ** 20, bsize: 2 ** 20 });
const [name, folder] = process.argv.slice(1);
require('./scripts/go/binary').builtBinary({ name, folder, packagePath: '.', minutes: 1 });
`;

let go: FakeGo;
let builder: ChildProcess;

beforeEach(async () => {
  go = new FakeGo();
  go.install('go1.26.8', 'hang');
  builder = spawn(process.execPath, ['--import', 'tsx', '-e', SCRIPT, 'control-plane', go.module], {
    cwd: root,
    env: { ...process.env, ...go.environment },
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  await until('the build to begin', () => go.pid !== undefined);
});

afterEach(() => {
  builder.kill('SIGKILL');
  if (go.pid !== undefined && isAlive(go.pid)) {
    process.kill(go.pid, 'SIGKILL');
  }
  go.remove();
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends go too', async (signal) => {
  builder.kill(signal);
  expect(await once(builder, 'exit')).toEqual([null, signal]);
  expect(isAlive(go.pid as number)).toBe(false);
});
