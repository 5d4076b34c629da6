import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const PREFIX = 'cdk8s-load-balancers-cluster-';
const NAME = new RegExp(`^${PREFIX}(\\d+)-\\w{6}$`);

/** What the data of one control plane needs at most, in MiB. */
const NEEDED_MIB = 512;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The folders of this process. */
const folders = new Set<string>();
let isWatching = false;

/** Whether there is a process of this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(resolve(folder)));
}

/** @throws when the disk of a folder, which need not exist yet, has less room than needed. */
export function mustHaveRoom(
  folder: string,
  mebibytes: number,
  whatFor: string,
  remedy = 'set TMPDIR to a folder on another disk',
): void {
  const { bavail, bsize } = statfsSync(existing(folder));
  const room = Math.floor((bavail * bsize) / 2 ** 20);
  if (room < mebibytes) {
    throw new Error(
      `no room on the disk of ${folder}: ${whatFor} needs ${mebibytes} MiB and there are ${room}; make room, or ${remedy}`,
    );
  }
}

/** Removes the folder of a run. */
export function removeRunFolder(folder: string): void {
  folders.delete(folder);
  // again where a program that is about to end wrote another file meanwhile
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes what runs left behind whose process is no more; returns how many there were. */
export function sweep(base = tmpdir()): number {
  const left = readdirSync(base).filter((name) => {
    const pid = NAME.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  return left.filter((name) => {
    try {
      removeRunFolder(join(base, name));
      return true;
    } catch {
      return false; // another user's
    }
  }).length;
}

/** Sees to it, once, that the folders go when this process goes, unless it is killed. */
function watchTheEnd(): void {
  process.once('exit', () => [...folders].forEach(removeRunFolder));
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}

function newFolder(base: string): string {
  if (!isWatching) {
    isWatching = true;
    watchTheEnd();
  }
  const folder = mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
  folders.add(folder);
  return folder;
}

/** A folder for the data, certificates and logs of one run, which goes when this process goes. */
export function newRunFolder(base = tmpdir()): string {
  sweep(base);
  mustHaveRoom(base, NEEDED_MIB, 'a control plane');
  return newFolder(base);
}

/** A folder for what tests leave in the one for temporary files, which goes when this process goes. */
export function newScratchFolder(base = tmpdir()): string {
  sweep(base);
  return newFolder(base);
}
