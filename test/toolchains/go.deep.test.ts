import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtBinary } from '../../scripts/go/binary';
import { lackOfGo } from '../../scripts/go/find-go';
import { downloadedModules } from '../../scripts/go/go-modules';
import { runJestLanes } from '../../scripts/suites/jest-lanes';
import { isAlive, until } from '../real/program';
import { FakeGo } from './fakes';

describe('binary', () => {
  const environment = process.env;
  let go: FakeGo;
  let reported: string;

  /** Free mebibytes on every disk. */
  let room: number;

  beforeEach(() => {
    go = new FakeGo();
    process.env = { ...environment, ...go.environment };
    delete process.env.GOPROXY;
    reported = '';
    room = 2 ** 20;
    jest.spyOn(fs, 'statfsSync').mockImplementation((() => ({ bavail: room, bsize: 2 ** 20 })) as never);
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      reported += text;
      return true;
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    process.env = environment;
    go.remove();
  });

  const built = () => builtBinary({ name: 'control-plane', folder: go.module, packagePath: '.', minutes: 13 });
  const cache = () => join(go.caches, 'cdk8s-load-balancers');

  async function messageOf(building: Promise<unknown>): Promise<string> {
    return building.then(
      () => 'there was no error',
      (error: Error) => error.message,
    );
  }

  test('a program is built outside of the work tree, and how far it has come is reported', async () => {
    const binary = await built();
    expect(binary).toBe(join(cache(), 'control-plane-built', 'control-plane'));
    expect(fs.existsSync(binary)).toBe(true);
    expect(reported).toMatch(/takes about 13 minutes.*\n.* 2 packages compiled, 0 modules downloaded\n$/);
  });

  test('what changed since is left to go: without a change nothing is compiled, and nothing is reported', async () => {
    const binary = await built();
    go.install('go1.26.8', 'nothing-to-do');
    reported = '';
    expect(await built()).toBe(binary);
    expect({ reported, builds: go.builds }).toEqual({ reported: '', builds: 2 });
  });

  describe('a build that fails', () => {
    test('to have room is not begun', async () => {
      room = 4095;
      expect(await messageOf(built())).toBe(
        `no room on the disk of ${join(go.caches, 'go-build')}: the build of control-plane needs 4096 MiB and there are 4095; ` +
          'make room, or set GOCACHE to a folder on another disk',
      );
      expect(go.builds).toBe(0);
    });
  });
});

describe('find go', () => {
  const environment = process.env;
  let go: FakeGo;

  beforeEach(() => {
    go = new FakeGo();
    process.env = { ...environment, ...go.environment };
  });

  afterEach(() => {
    process.env = environment;
    go.remove();
  });

  const tooOld = (version: string, why: string) =>
    `go is ${version}, and ${join(go.module, 'go.mod')} wants 1.26.0 (${why})`;

  test('there is no go', () => {
    rmSync(join(go.bin, 'go'));
    expect(lackOfGo(go.module)).toBe('there is no go on the PATH');
  });

  test('go is old, and may not fetch a newer one', () => {
    go.install('go1.22.1', 'succeed');
    expect(lackOfGo(go.module)).toBe(tooOld('1.22.1', 'GOTOOLCHAIN=local keeps it from fetching a newer one'));
  });

  test('test:cluster without go is one sentence and an exit code of its own', () => {
    rmSync(join(go.bin, 'go'));
    const root = join(__dirname, '..', '..');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(root, 'scripts', 'test-cluster.ts')],
      { cwd: root, encoding: 'utf8', env: process.env },
    );
    expect(stderr).toMatch(
      /^test:cluster needs Go \d[\d.]* or newer: there is no go on the PATH; install it from https:\/\/go\.dev\/dl\n$/,
    );
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });
});

describe('go modules', () => {
  const environment = process.env;
  let go: FakeGo;

  beforeEach(() => {
    go = new FakeGo();
    process.env = { ...environment, ...go.environment };
  });

  afterEach(() => {
    process.env = environment;
    go.remove();
  });

  test('modules are found by name', () => {
    expect(downloadedModules(go.module, ['example.com/a'])).toEqual({ 'example.com/a': '/modules/a' });
  });

  test('a module that cannot be downloaded is told with a way out', () => {
    go.install('go1.26.8', 'no-download');
    process.env.GOPROXY = 'https://proxy.example';
    expect(() => downloadedModules(go.module, ['example.com/a'])).toThrow(
      `the download of example.com/a, which ${join(go.module, 'go.mod')} pins, failed, since go could not download: ` +
        'set GOPROXY to a module proxy that this machine reaches (it is https://proxy.example now)\n',
    );
  });
});

describe('interrupted build', () => {
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
    if (go.pid !== undefined && isAlive(go.pid)) process.kill(go.pid, 'SIGKILL');
    go.remove();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends go too', async (signal) => {
    builder.kill(signal);
    expect(await once(builder, 'exit')).toEqual([null, signal]);
    await until('go to end', () => !isAlive(go.pid as number), { seconds: 20 });
  });
});

// Files of tests that run at once: what each of them counts is in the sum, also of one that cannot be read.
describe('jest lanes', () => {
  async function tallyOfFiles(files: Record<string, string>) {
    const folder = mkdtempSync(join(tmpdir(), 'lanes-'));
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      mkdirSync(join(folder, 'tests'));
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, 'tests', `${name}.test.js`), text);
      }
      const config = join(folder, 'jest.config.js');
      writeFileSync(config, `module.exports = { rootDir: ${JSON.stringify(join(folder, 'tests'))} };`);
      const tally = await runJestLanes({ config, folder, env: {}, within: [], count: 2, first: ['b'] });
      const order = written.mock.calls.map(([text]) => /(PASS|FAIL) .*?(\w+)\.test\.js/.exec(String(text))?.[2]);
      const again = written.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('tried again'));
      return { tally, again, order: order.filter((name) => name !== undefined) };
    } finally {
      written.mockRestore();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const passes = `test('passes', () => {});`;
  const fails = `test('fails', () => { throw new Error('no'); });`;

  test('the sum has what each file counts, and every file is shown', async () => {
    const { tally, order } = await tallyOfFiles({
      a: passes,
      b: `${passes}${fails}`,
      c: 'throw new Error("unreadable");',
    });
    expect(tally).toEqual({ passed: 2, failed: 2 });
    expect([...order].sort()).toEqual(['a', 'b', 'c']);
  });

  test('a suite without files has failed', async () => {
    expect((await tallyOfFiles({})).tally).toEqual({ passed: 0, failed: 1 });
  });

  test('a test that passes only when it is tried again is told, and one that fails twice has failed', async () => {
    const twice = `jest.retryTimes(1, { retryImmediately: true });`;
    const { tally, again } = await tallyOfFiles({
      a: `${twice}let tries = 0; test('is late', () => { tries += 1; if (tries < 2) throw new Error('no'); });`,
      b: `${twice}${fails}${passes}`,
    });
    expect(tally).toEqual({ passed: 2, failed: 1 });
    expect(again).toEqual(['tried again: is late\n']);
  });
});
