import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ControlPlane } from '../real/control-plane';
import { isAlive, newRunFolder, removeRunFolder, sweep, until } from '../real/program';

// A run leaves nothing behind, however it ends, and what cannot be started is told in one sentence.

const root = join(__dirname, '..', '..');

/** The state letter of a process, where the system tells it. */
function stateOf(pid: number): string | undefined {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(') ').pop()?.[0] : undefined;
}

/** A process that has ended and that nobody has asked for its exit code runs no more. */
const runs = (pid: number) => isAlive(pid) && stateOf(pid) !== 'Z';

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

describe('a folder of a run', () => {
  let base: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-harness-'));
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

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
