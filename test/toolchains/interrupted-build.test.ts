import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtBinary } from '../../scripts/go/binary';
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

function leftovers(): string[] {
  const cache = join(go.caches, 'cdk8s-load-balancers');
  return readdirSync(cache).flatMap((folder) => readdirSync(join(cache, folder)));
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends go too, and leaves no half program', async (signal) => {
  expect(leftovers()).toEqual([expect.stringMatching(/^control-plane\.\d+-[0-9a-f]{8}\.part$/)]);
  builder.kill(signal);
  expect(await once(builder, 'exit')).toEqual([null, signal]);
  expect(isAlive(go.pid as number)).toBe(false);
  expect(leftovers()).toEqual([]);
});

test('what SIGKILL leaves is removed at the next start', async () => {
  builder.kill('SIGKILL');
  await once(builder, 'exit');
  expect(leftovers()).toHaveLength(1);
  const environment = process.env;
  process.env = { ...environment, ...go.environment };
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.spyOn(fs, 'statfsSync').mockImplementation((() => ({ bavail: 2 ** 20, bsize: 2 ** 20 })) as never);
  try {
    go.install('go1.26.8', 'succeed');
    await builtBinary({ name: 'control-plane', folder: go.module, packagePath: '.', minutes: 1 });
  } finally {
    jest.restoreAllMocks();
    process.env = environment;
  }
  expect(leftovers().sort()).toEqual(['control-plane', 'control-plane.size']);
});
