import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtBinary } from '../../scripts/go/binary';
import { BuildProgress } from '../../scripts/go/build-progress';
import { lackOfGo } from '../../scripts/go/find-go';
import { downloadedModules } from '../../scripts/go/go-modules';
import { type GoVersion, isOlder, parseGoVersion } from '../../scripts/go/go-version';
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
    test('for want of a network names the proxy', async () => {
      go.install('go1.26.8', 'no-download');
      expect((await messageOf(built())).split('\n')).toEqual([
        `the build of control-plane in ${go.module} failed, since go could not download: ` +
          'set GOPROXY to a module proxy that this machine reaches (it is not set now)',
        'go: example.com/a@v1.0.0: Get "https://proxy.example/a": dial tcp: lookup proxy.example: no such host',
      ]);
    });

    test('for want of room names the folders', async () => {
      go.install('go1.26.8', 'full-disk');
      expect((await messageOf(built())).split('\n')).toEqual([
        `the build of control-plane in ${go.module} failed, since the disk is full: ` +
          'make room, or set GOCACHE, GOTMPDIR and XDG_CACHE_HOME to folders on another disk',
        'write /cache/x.a: no space left on device',
      ]);
    });

    test('for a fault in the code quotes go', async () => {
      go.install('go1.26.8', 'broken-code');
      expect((await messageOf(built())).split('\n')).toEqual([
        `the build of control-plane in ${go.module} failed`,
        '# example.com/main',
        './main.go:3:1: syntax error',
      ]);
    });

    test('to have room is not begun', async () => {
      room = 4095;
      expect(await messageOf(built())).toBe(
        `no room on the disk of ${join(go.caches, 'go-build')}: the build of control-plane needs 4096 MiB and there are 4095; ` +
          'make room, or set GOCACHE to a folder on another disk',
      );
      expect(go.builds).toBe(0);
    });
  });

  test('no room is needed for what is built already', async () => {
    const binary = await built();
    room = 0;
    expect(await built()).toBe(binary);
  });

  test('a cache where nothing can be kept is reported in one sentence', async () => {
    fs.writeFileSync(cache(), 'a file where a folder should be');
    expect(await messageOf(built())).toMatch(
      /^control-plane cannot be kept in .* \(ENOTDIR\): set XDG_CACHE_HOME to a folder where this user may write$/,
    );
  });
});

describe('build progress', () => {
  class Heard {
    public text = '';

    public constructor(public readonly isTTY: boolean) {}

    public write(text: string): void {
      this.text += text;
    }
  }

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const FIRST = 'building thing: with empty caches this takes about 13 minutes, and later seconds\n';

  function reported(isTTY: boolean): string {
    const stream = new Heard(isTTY);
    const progress = new BuildProgress('thing', 13, stream);
    progress.hear('k8s.io/api/core/v1');
    progress.hear('go: downloading k8s.io/api v0.36.3');
    jest.advanceTimersByTime(20_000);
    progress.hear('internal/abi');
    jest.advanceTimersByTime(60_000);
    progress.end();
    jest.advanceTimersByTime(60_000);
    return stream.text;
  }

  const LINES = [
    'building thing: 20 s, 1 packages compiled, 1 modules downloaded',
    ...['40 s', '1 min 0 s', '1 min 20 s', '1 min 20 s'].map(
      (time) => `building thing: ${time}, 2 packages compiled, 1 modules downloaded`,
    ),
  ];

  test('a log gets a line every 20 s and at the end, and none after it', () => {
    expect(reported(false)).toBe(`${FIRST}${LINES.map((line) => `${line}\n`).join('')}`);
  });

  test('a terminal gets one line that is written anew', () => {
    expect(reported(true)).toBe(`${FIRST}${LINES.map((line) => `\r\x1b[K${line}`).join('')}\n`);
  });

  test('where there is nothing to build nothing is reported', () => {
    const stream = new Heard(false);
    const progress = new BuildProgress('thing', 13, stream);
    jest.advanceTimersByTime(60_000);
    progress.end();
    expect(stream.text).toBe('');
  });

  test.each(['# k8s.io/api', './main.go:3:1: syntax error', 'go: updates to go.mod needed', ''])(
    '"%s" is no progress',
    (line) => {
      const progress = new BuildProgress('thing', 1, new Heard(false));
      expect(progress.hear(line)).toBe(false);
      progress.end();
    },
  );
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

  test('nothing is missing with a go that is new enough', () => {
    expect(lackOfGo(go.module)).toBeUndefined();
  });

  test('there is no go', () => {
    rmSync(join(go.bin, 'go'));
    expect(lackOfGo(go.module)).toBe('there is no go on the PATH');
  });

  test('go is old, and may not fetch a newer one', () => {
    go.install('go1.22.1', 'succeed');
    expect(lackOfGo(go.module)).toBe(tooOld('1.22.1', 'GOTOOLCHAIN=local keeps it from fetching a newer one'));
  });

  test.each(['auto', 'go1.22.1+auto', 'path'])('go is old, and GOTOOLCHAIN=%s lets it find a newer one', (setting) => {
    go.install('go1.22.1', 'succeed');
    process.env.GOTOOLCHAIN = setting;
    expect(lackOfGo(go.module)).toBeUndefined();
  });

  test('go is too old to fetch another', () => {
    go.install('go1.20.14', 'succeed');
    process.env.GOTOOLCHAIN = 'auto';
    expect(lackOfGo(go.module)).toBe(tooOld('1.20.14', 'before 1.21 it cannot fetch a newer one'));
  });

  test('GOTOOLCHAIN names the version to use', () => {
    process.env.GOTOOLCHAIN = 'go1.25.3';
    expect(lackOfGo(go.module)).toBe(tooOld('1.25.3', 'GOTOOLCHAIN=go1.25.3 keeps it from fetching a newer one'));
    go.install('go1.22.1', 'succeed');
    process.env.GOTOOLCHAIN = 'go1.26.1';
    expect(lackOfGo(go.module)).toBeUndefined();
  });

  test('a go that does not work is quoted', () => {
    writeFileSync(join(go.bin, 'go'), '#!/bin/sh\necho "go: cannot find GOROOT directory: /gone" >&2\nexit 2\n');
    expect(lackOfGo(go.module)).toBe(
      'the go on the PATH does not say its version (go: cannot find GOROOT directory: /gone)',
    );
  });

  test('a folder without a module is told', () => {
    rmSync(join(go.module, 'go.mod'));
    expect(lackOfGo(go.module)).toBe(`there is no go.mod in ${go.module}`);
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

describe('go version', () => {
  const ASCENDING = [
    'go1.20',
    '1.20.14',
    'go1.26',
    'go1.26beta1',
    '1.26rc1',
    'go1.26rc2',
    'go1.26.0',
    '1.26.8',
    'go1.100.0',
  ];

  test('versions of Go have an order', () => {
    const versions = ASCENDING.map((text) => parseGoVersion(text) as GoVersion);
    const older = versions.map((one) => versions.filter((other) => isOlder(other, one)).length);
    expect(older).toEqual(ASCENDING.map((_, index) => index));
  });

  test('a version is found among other words', () => {
    expect(parseGoVersion('devel go1.27-0a1b2c3 Mon Jan 5')).toEqual([1, 27, 0, 0]);
    expect(parseGoVersion('local')).toBeUndefined();
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

  test('a module that go says nothing of is told', () => {
    expect(() => downloadedModules(go.module, ['example.com/b'])).toThrow(
      /^the download of example\.com\/b, .* failed$/,
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
    if (go.pid !== undefined && isAlive(go.pid)) {
      process.kill(go.pid, 'SIGKILL');
    }
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
