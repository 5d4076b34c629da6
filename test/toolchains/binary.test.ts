import fs from 'node:fs';
import { join } from 'node:path';
import { builtBinary } from '../../scripts/go/binary';
import { FakeGo } from './fake-go';

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
