import { spawnSync } from 'node:child_process';

/** Chromium as it is installed, or the program that the variable CHROMIUM names. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM ?? '', 'chromium'].find(
    (program) => program !== '' && spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0,
  );
}
