import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { newScratchFolder } from '../real/program';

/** Gives a run of jest a folder of its own for temporary files, which goes with the run; the cache of tsx stays. */
export default function ownTemporaryFiles(): void {
  const base = tmpdir();
  const folder = newScratchFolder(base);
  const cache = `tsx-${process.geteuid?.() ?? userInfo().username}`;
  mkdirSync(join(base, cache), { recursive: true });
  symlinkSync(join(base, cache), join(folder, cache), 'junction');
  process.env.TMPDIR = folder;
}
