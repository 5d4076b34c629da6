import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ControlPlane } from '../real/control-plane';
import {
  isAlive,
  mustBeFree,
  mustHaveRoom,
  newRunFolder,
  Program,
  removeRunFolder,
  sweep,
  until,
} from '../real/program';

// A run leaves nothing behind, however it ends, and what cannot be started is told in one sentence.

const root = join(__dirname, '..', '..');

/** The state letter of a process, where the system tells it. */
function stateOf(pid: number): string | undefined {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(') ').pop()?.[0] : undefined;
}

/** A process that has ended and that nobody has asked for its exit code runs no more. */
const runs = (pid: number) => isAlive(pid) && stateOf(pid) !== 'Z';

const foldersOf = (pid: number, base = tmpdir()) =>
  readdirSync(base).filter((name) => name.startsWith(`cdk8s-load-balancers-cluster-${pid}-`));

async function messageOf(doing: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof doing === 'function' ? doing() : doing);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was said';
}

async function withEnvironment<T>(variables: Record<string, string | undefined>, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
  try {
    return await run();
  } finally {
    process.env = before;
  }
}

describe('a control plane', () => {
  test('that is stopped leaves no process and no folder', async () => {
    const plane = await ControlPlane.start();
    const { pids, folder } = plane;
    expect(pids.map(runs)).toEqual([true, true]);
    expect(existsSync(folder)).toBe(true);
    await plane.stop();
    expect(pids.map(runs)).toEqual([false, false]);
    expect(existsSync(folder)).toBe(false);
  });

  describe('whose process ends', () => {
    interface Held {
      readonly pids: number[];
      readonly folder: string;
    }
    let holder: ChildProcess;
    let held: Held;

    beforeEach(async () => {
      const script = join(__dirname, 'fixtures', 'holds-a-control-plane.ts');
      holder = spawn(process.execPath, ['--import', 'tsx', script], {
        cwd: root,
        env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'test', 'tsconfig.json') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: holder.stdout as NodeJS.ReadableStream });
      const end = once(holder, 'exit').then(() => ['{"pids":[],"folder":""}']);
      const [line] = (await Promise.race([once(lines, 'line'), end])) as [string];
      held = JSON.parse(line);
    });

    afterEach(() => {
      holder.kill('SIGKILL');
    });

    test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('by %s leaves nothing behind', async (signal) => {
      const { pids, folder } = held;
      expect(pids.map(runs)).toEqual([true, true, true, true, true]);
      const end = once(holder, 'exit');
      holder.kill(signal);
      await end;
      await until('all of its programs to end', () => !pids.some(runs), { seen: () => pids.filter(runs) });
      if (signal === 'SIGKILL') {
        expect(existsSync(folder)).toBe(true);
        expect(sweep()).toBeGreaterThanOrEqual(1);
      }
      expect(existsSync(folder)).toBe(false);
    });
  });
});

describe('what cannot be started is told in one sentence, and leaves nothing', () => {
  let before: string[];

  beforeEach(() => {
    before = foldersOf(process.pid);
  });

  afterEach(() => {
    expect(foldersOf(process.pid)).toEqual(before);
  });

  test('on a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await messageOf(ControlPlane.start({ port }))).toBe(
      `port ${port} on 127.0.0.1 is in use by another program: choose another, or none to get a free one`,
    );
    server.close();
    await once(server, 'close');
    await expect(mustBeFree(port)).resolves.toBeUndefined();
  });

  test('on a port that does not exist', async () => {
    expect(await messageOf(ControlPlane.start({ port: 70_000 }))).toBe(
      'port 70000 on 127.0.0.1 does not exist: choose another, or none to get a free one',
    );
  });

  test('without CONTROL_PLANE', async () => {
    const message = await withEnvironment({ CONTROL_PLANE: undefined }, () => messageOf(ControlPlane.start()));
    expect(message).toBe(
      'there is no control plane to start: run `npm run test:cluster` or `npm run test:aws`, which builds it',
    );
  });

  test('with a CONTROL_PLANE that points to nothing', async () => {
    const nothing = join(tmpdir(), 'no-such-control-plane');
    const message = await withEnvironment({ CONTROL_PLANE: nothing }, () => messageOf(ControlPlane.start()));
    expect(message).toBe(`etcd cannot be started from ${nothing}: there is no such file`);
  });
});

describe('a program', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-harness-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const started = (command: string, ...args: string[]) =>
    Program.start({ name: 'dummy', command, args, folder, isReady: () => false });

  test('that dies at its start is quoted', async () => {
    const script = 'for (let i = 1; i <= 20; i++) console.log("line " + i); process.exit(7)';
    const message = await messageOf(started(process.execPath, '-e', script));
    const last = Array.from({ length: 12 }, (_, index) => `line ${index + 9}`);
    expect(message.split('\n')).toEqual(['dummy has ended with exit code 7', ...last]);
  });

  test('that is killed at its start is told by the signal', async () => {
    expect(await messageOf(started(process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")'))).toBe(
      'dummy has ended by SIGKILL',
    );
  });

  test('that may not be executed is told by its file', async () => {
    const file = join(folder, 'text');
    writeFileSync(file, 'text');
    chmodSync(file, 0o644);
    expect(await messageOf(started(file))).toBe(`dummy cannot be started from ${file}: it is not executable`);
  });
});

describe('a folder of a run', () => {
  let base: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-harness-'));
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  test('needs room on its disk', async () => {
    expect(await messageOf(() => mustHaveRoom(base, 2 ** 40, 'a control plane'))).toMatch(
      new RegExp(
        `^no room on the disk of ${base}: a control plane needs ${2 ** 40} MiB and there are \\d+; ` +
          'make room, or set TMPDIR to a folder on another disk$',
      ),
    );
  });

  test('need not exist for its room to be known', () => {
    expect(() => mustHaveRoom(join(base, 'not', 'yet'), 0, 'a test')).not.toThrow();
  });

  test('is swept once its process is no more, and nothing else is', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const prefix = 'cdk8s-load-balancers-cluster-';
    const kept = [`${prefix}notes`, `${prefix}${process.ppid}-abcdef`, 'another'];
    for (const name of [`${prefix}${child.pid}-abcdef`, ...kept]) {
      mkdirSync(join(base, name, 'etcd'), { recursive: true });
    }
    const own = newRunFolder(base);
    expect(sweep(base)).toBe(0);
    expect(readdirSync(base).sort()).toEqual([...kept, own.slice(base.length + 1)].sort());
    removeRunFolder(own);
    expect(existsSync(own)).toBe(false);
  });
});
