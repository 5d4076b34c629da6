import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the programs of some platform begin: ELF, Mach-O of one and of several processors, PE. */
const MAGIC = /^(7f454c46|c[ef]faedfe|feedfac[ef]|cafebabe|4d5a)/;

/** The program that says on request what it was built from. */
const SAYS_VERSION = 'control-plane';

function firstBytes(file: string): string {
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString('hex');
}

/** What is wrong with a program of a known version; nothing where it starts as it should. */
export function faultOfProgram(file: string, name: string, version: string): string | undefined {
  if ((statSync(file).mode & 0o111) === 0) {
    return 'it is not executable';
  }
  if (name !== SAYS_VERSION) {
    return MAGIC.test(firstBytes(file)) ? undefined : 'it does not begin like a program';
  }
  const { error, status, signal, stdout } = spawnSync(file, ['version'], {
    encoding: 'utf8',
    env: process.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
  });
  if (error || status !== 0) {
    return `it does not start (${(error as NodeJS.ErrnoException | undefined)?.code ?? signal ?? `exit code ${status}`})`;
  }
  return stdout.trim() === version ? undefined : `it says that it is version "${stdout.trim()}"`;
}

/** A program in the cache, with a marker beside it that is written last and holds its size. */
export class CachedBinary {
  public readonly file: string;
  private readonly marker: string;

  public constructor(
    public readonly folder: string,
    private readonly name: string,
    private readonly version: string,
  ) {
    this.file = join(folder, name);
    this.marker = join(folder, `${name}.size`);
  }

  public get exists(): boolean {
    return this.sizeOf(this.file) !== undefined;
  }

  /** Why it is of no use; nothing where it is. */
  public get fault(): string | undefined {
    const size = this.sizeOf(this.file);
    if (size === undefined) {
      return 'it is not there';
    }
    if (size === 0) {
      return 'it is empty';
    }
    if (this.sizeOf(this.marker) === undefined) {
      return 'its build did not come to an end';
    }
    const recorded = readFileSync(this.marker, 'utf8').trim();
    return String(size) === recorded
      ? faultOfProgram(this.file, this.name, this.version)
      : `it has ${size} bytes and not ${recorded}`;
  }

  /** Puts a finished program in its place. */
  public keep(built: string): void {
    const marker = `${built}.size`;
    writeFileSync(marker, String(statSync(built).size));
    renameSync(built, this.file);
    renameSync(marker, this.marker);
  }

  /** Notes that it is in use. */
  public touch(): void {
    const now = new Date();
    utimesSync(this.marker, now, now);
  }

  private sizeOf(file: string): number | undefined {
    return statSync(file, { throwIfNoEntry: false })?.size;
  }
}
