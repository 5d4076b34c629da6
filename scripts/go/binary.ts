import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mustHaveRoom } from '../../test/real/program';
import { versionFolder } from './binary-cache';
import { BuildProgress } from './build-progress';
import { BuildInterrupted, goBuild } from './go-build';
import { goEnv } from './go-command';

/** A Go module with a program in it. */
export interface GoModule {
  readonly name: string;
  /** Where its go.mod lies; absolute. */
  readonly folder: string;
  /** The package of the program: `.` or an import path. */
  readonly packagePath: string;
  /** Packages that are compiled without being made fast, since that takes a third less time: a pattern of go's. @default - none */
  readonly unoptimised?: string;
  /** What a build with empty caches takes. */
  readonly minutes: number;
}

/** What the caches of go need for a first build, in MiB. */
const NEEDED_MIB = 4096;

/**
 * The path of the program, outside of the work tree. Whether it is up to date is what go knows: of what did not change nothing is
 * compiled, and nothing is linked.
 */
export async function builtBinary(module: GoModule): Promise<string> {
  const { name, folder, minutes } = module;
  const output = join(versionFolder(name, 'built'), name);
  if (!existsSync(output)) {
    const remedy = 'set GOCACHE to a folder on another disk';
    mustHaveRoom(goEnv(folder, 'GOCACHE').GOCACHE, NEEDED_MIB, `the build of ${name}`, remedy);
  }
  const progress = new BuildProgress(name, minutes);
  try {
    await goBuild({ ...module, output, progress });
  } catch (error) {
    if (error instanceof BuildInterrupted && process.listenerCount(error.signal) === 0) {
      process.kill(process.pid, error.signal); // without another listener the process ends as if it had not been caught
    }
    throw error;
  } finally {
    progress.end();
  }
  return output;
}
