import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isAlive } from '../../test/real/program';

/** How long an unused version is kept, in ms. */
const KEPT = 14 * 24 * 60 * 60 * 1000;

/** Names of programs that are being built end so, with the process that builds them. */
const UNFINISHED = /\.(\d+)-[0-9a-f]+\.part$/;

/** Where programs are kept: outside of the work tree, so that a clean one does not build anew. */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME = '' } = process.env;
  return join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'cdk8s-load-balancers');
}

/** The folder of one version of a program. */
export function versionFolder(name: string, version: string): string {
  const folder = join(cacheFolder(), `${name}-${version}`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${name} cannot be kept in ${folder} (${code}): set XDG_CACHE_HOME to a folder where this user may write`,
    );
  }
  return folder;
}

/** The name of a program while it is being built. */
export function unfinished(name: string): string {
  return `${name}.${process.pid}-${Math.random().toString(16).slice(2, 10).padEnd(8, '0')}.part`;
}

function newest(folder: string): number {
  const files = readdirSync(folder).map((file) => join(folder, file));
  return Math.max(...[folder, ...files].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

/** Removes what builds left behind whose process is no more, and versions that have not been used for long. */
export function tidy(name: string, version: string): void {
  const own = readdirSync(cacheFolder()).filter(
    (folder) => folder.startsWith(`${name}-`) && /^[0-9a-f]{16}$/.test(folder.slice(name.length + 1)),
  );
  for (const folder of own.map((each) => join(cacheFolder(), each))) {
    for (const file of readdirSync(folder)) {
      const builder = UNFINISHED.exec(file)?.[1];
      if (builder && !isAlive(Number(builder))) {
        rmSync(join(folder, file), { force: true });
      }
    }
    if (!folder.endsWith(`-${version}`) && newest(folder) < Date.now() - KEPT) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
