import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustHaveRoom } from '../../test/cluster/harness/run-folder';
import { tidy, unfinished, versionFolder } from './binary-cache';
import { BuildProgress } from './build-progress';
import { CachedBinary, faultOfProgram } from './cached-binary';
import { BuildInterrupted, goBuild } from './go-build';
import { goEnv } from './go-command';
import { sourceHash } from './source-hash';

/** A Go module with a program in it. */
export interface GoModule {
  readonly name: string;
  /** Where its go.mod lies; absolute. */
  readonly folder: string;
  /** The package of the program: `.` or an import path. */
  readonly packagePath: string;
  /** What a build with empty caches takes. */
  readonly minutes: number;
}

/** What the caches of go need for a build, in MiB. */
const NEEDED_MIB = 4096;

/** What one program needs, and its unfinished copy beside it, in MiB. */
const PROGRAM_MIB = 400;

async function build(module: GoModule, version: string, cached: CachedBinary): Promise<void> {
  const { name, minutes } = module;
  mustHaveRoom(
    goEnv(module.folder, 'GOCACHE').GOCACHE,
    NEEDED_MIB,
    `the build of ${name}`,
    'set GOCACHE to a folder on another disk',
  );
  mustHaveRoom(cached.folder, PROGRAM_MIB, name, 'set XDG_CACHE_HOME to a folder on another disk');
  const output = join(cached.folder, unfinished(name));
  const progress = new BuildProgress(name, minutes);
  let isBuilt = false;
  try {
    await goBuild({ ...module, version, output, progress });
    const fault = faultOfProgram(output, name, version);
    if (fault) {
      throw new Error(
        `${name}, just built in ${cached.folder}, is of no use: ${fault}; set XDG_CACHE_HOME elsewhere if programs may not run there`,
      );
    }
    cached.keep(output);
    isBuilt = true;
  } finally {
    progress.end(isBuilt);
    rmSync(output, { force: true });
  }
}

/** The path of the program, which is built where there is none of these sources yet, or none that starts. */
export async function builtBinary(module: GoModule): Promise<string> {
  const version = sourceHash(module.folder, module.packagePath);
  const cached = new CachedBinary(versionFolder(module.name, version), module.name, version);
  tidy(module.name, version);
  const { fault } = cached;
  if (fault) {
    if (cached.exists) {
      process.stderr.write(`${module.name} is built again, since ${cached.file} is of no use: ${fault}\n`);
    }
    try {
      await build(module, version, cached);
    } catch (error) {
      if (error instanceof BuildInterrupted && process.listenerCount(error.signal) === 0) {
        process.kill(process.pid, error.signal); // nobody else wants to know: end as if it had never been caught
      }
      throw error;
    }
  }
  cached.touch();
  return cached.file;
}
