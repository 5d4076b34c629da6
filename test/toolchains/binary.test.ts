import fs from 'node:fs';
import { join } from 'node:path';
import { builtBinary, type GoModule } from '../../scripts/go/binary';
import { FakeGo } from './fake-go';

const environment = process.env;
let go: FakeGo;
let said: string;

/** Free mebibytes on every disk. */
let room: number;

beforeEach(() => {
  go = new FakeGo();
  process.env = { ...environment, ...go.environment };
  delete process.env.GOPROXY;
  said = '';
  room = 2 ** 20;
  jest.spyOn(fs, 'statfsSync').mockImplementation((() => ({ bavail: room, bsize: 2 ** 20 })) as never);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  process.env = environment;
  go.remove();
});

const CONTROL_PLANE = 'control-plane';
const OTHER = 'other-program';
const moduleOf = (name: string): GoModule => ({ name, folder: go.module, packagePath: '.', minutes: 13 });
const built = (name = CONTROL_PLANE) => builtBinary(moduleOf(name));
const filesBeside = (binary: string) => fs.readdirSync(join(binary, '..')).sort();
const cache = () => join(go.caches, 'cdk8s-load-balancers');

async function messageOf(building: Promise<unknown>): Promise<string> {
  return building.then(
    () => 'nothing was said',
    (error: Error) => error.message,
  );
}

describe.each([CONTROL_PLANE, OTHER])('%s', (name) => {
  test('is built once, outside of the work tree', async () => {
    const binary = await built(name);
    expect(binary).toMatch(new RegExp(`^${cache()}/${name}-[0-9a-f]{16}/${name}$`));
    expect(said).toMatch(/takes about 13 minutes.*\n.* 2 packages compiled, 0 modules downloaded\n$/);
    expect(filesBeside(binary)).toEqual([name, `${name}.size`]);
    said = '';
    expect(await built(name)).toBe(binary);
    expect({ said, builds: go.builds }).toEqual({ said: '', builds: 1 });
  });

  const DAMAGES: Array<[string, (binary: string) => void, RegExp]> = [
    ['is empty', (binary) => fs.truncateSync(binary, 0), /it is empty/],
    ['is cut short', (binary) => fs.truncateSync(binary, 8), /it has 8 bytes and not \d+/],
    ['has no marker', (binary) => fs.rmSync(`${binary}.size`), /its build did not come to an end/],
    ['is not executable', (binary) => fs.chmodSync(binary, 0o644), /it is not executable/],
  ];

  test.each(DAMAGES)('that %s is built again, and why is said', async (_, damage, why) => {
    const binary = await built(name);
    const whole = fs.readFileSync(binary, 'utf8');
    damage(binary);
    said = '';
    expect(await built(name)).toBe(binary);
    expect(said.split('\n')[0]).toMatch(
      new RegExp(`^${name} is built again, since ${binary} is of no use: ${why.source}$`),
    );
    expect(go.builds).toBe(2);
    expect(fs.readFileSync(binary, 'utf8')).toBe(whole);
    expect(await built(name)).toBe(binary);
    expect(go.builds).toBe(2);
  });
});

test('a control plane that says another version is built again', async () => {
  const binary = await built();
  const text = fs.readFileSync(binary, 'utf8');
  fs.writeFileSync(binary, text.replace(/echo \w/, 'echo x'));
  await built();
  expect(said).toMatch(/is of no use: it says that it is version "x[0-9a-f]{15}"\n/);
  expect(fs.readFileSync(binary, 'utf8')).toBe(text);
});

test('another program that begins like none is built again', async () => {
  const binary = await built(OTHER);
  fs.writeFileSync(binary, fs.readFileSync(binary, 'utf8').replace('ELF', 'FLE'));
  await built(OTHER);
  expect(said).toMatch(/is of no use: it does not begin like a program\n/);
  expect(go.builds).toBe(2);
});

describe('another version is another program', () => {
  const CHANGES: Array<[string, () => void]> = [
    ['a source', () => fs.appendFileSync(join(go.module, 'main.go'), '// changed\n')],
    [
      'a source in a folder',
      () => {
        fs.mkdirSync(join(go.module, 'below'));
        fs.writeFileSync(join(go.module, 'below', 'more.go'), 'package below\n');
      },
    ],
    ['go.mod', () => fs.appendFileSync(join(go.module, 'go.mod'), '// changed\n')],
    ['go.sum', () => fs.writeFileSync(join(go.module, 'go.sum'), 'sum\n')],
    ['go', () => go.install('go1.26.9', 'succeed')],
  ];

  test.each(CHANGES)('after a change of %s', async (_, change) => {
    const before = await built();
    change();
    expect(await built()).not.toBe(before);
    expect(go.builds).toBe(2);
  });

  test('by the package', async () => {
    expect(await builtBinary({ ...moduleOf(OTHER), packagePath: './cmd' })).not.toBe(await built(OTHER));
  });

  test('and not after a change of a text', async () => {
    const before = await built();
    fs.writeFileSync(join(go.module, 'notes.md'), 'notes\n');
    expect(await built()).toBe(before);
  });
});

describe('what is old goes', () => {
  const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

  function leave(folder: string, days: number): string {
    const path = join(cache(), folder);
    fs.mkdirSync(path, { recursive: true });
    fs.writeFileSync(join(path, 'file.size'), '1');
    fs.utimesSync(join(path, 'file.size'), ago(days), ago(days));
    fs.utimesSync(path, ago(days), ago(days));
    return folder;
  }

  test('a version that has not been used for 14 days, and nothing else', async () => {
    leave('control-plane-0123456789abcdef', 15);
    const kept = [
      leave('control-plane-fedcba9876543210', 13),
      leave('control-plane-of-another', 15),
      leave('other-program-0123456789abcdef', 15),
    ];
    const binary = await built();
    expect(fs.readdirSync(cache()).sort()).toEqual([...kept, join(binary, '..').slice(cache().length + 1)].sort());
  });

  test('but for what is in use, which is noted', async () => {
    const binary = await built();
    const folder = join(binary, '..');
    for (const file of [binary, `${binary}.size`, folder]) fs.utimesSync(file, ago(20), ago(20));
    await built();
    fs.appendFileSync(join(go.module, 'main.go'), '// changed\n');
    await built();
    expect(fs.existsSync(binary)).toBe(true);
    for (const file of [binary, `${binary}.size`, folder]) fs.utimesSync(file, ago(20), ago(20));
    await built();
    expect(fs.existsSync(folder)).toBe(false);
  });

  test('what a build left whose process is dead, and not what a living one builds', async () => {
    const binary = await built();
    const dead = `${binary}.${2 ** 22 + 1}-0a1b2c3d.part`;
    const living = `${binary}.${process.ppid}-0a1b2c3d.part`;
    for (const file of [dead, `${dead}.size`, living]) fs.writeFileSync(file, 'half');
    await built();
    expect(filesBeside(binary).filter((file) => file.includes('.part'))).toEqual([
      living.slice(join(binary, '..').length + 1),
    ]);
  });
});

test('two builds at the same time do each other no harm', async () => {
  const [one, other] = await Promise.all([built(), built()]);
  expect(one).toBe(other);
  expect(go.builds).toBe(2);
  expect(filesBeside(one)).toEqual([CONTROL_PLANE, `${CONTROL_PLANE}.size`]);
  await built();
  expect(go.builds).toBe(2);
});

describe('a build that fails', () => {
  afterEach(() => {
    const [folder] = fs.readdirSync(cache());
    expect(fs.readdirSync(join(cache(), folder))).toEqual([]);
  });

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

  test('and gives half a program is not believed', async () => {
    go.install('go1.26.8', 'write-half');
    expect(await messageOf(built(OTHER))).toMatch(
      /^other-program, just built in .*, is of no use: it is not executable; /,
    );
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

test('a cache where nothing can be kept is told in one sentence', async () => {
  fs.writeFileSync(cache(), 'a file where a folder should be');
  expect(await messageOf(built())).toMatch(
    /^control-plane cannot be kept in .* \(ENOTDIR\): set XDG_CACHE_HOME to a folder where this user may write$/,
  );
});
