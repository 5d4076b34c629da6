import { join, relative } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '..', '..');

/** Where the bundle is. */
export const BUNDLE = join(ROOT, 'assets', 'shared-services-hook.js');

/** The hook for Services that are created at run time in one readable file, which needs nothing but Node. */
export function bundledHook(): string {
  return bundled(join(__dirname, 'main.ts'));
}

/** A program of this package in one readable file. */
export function bundled(entry: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'utf8',
    legalComments: 'none',
    // neither paths nor settings of this machine
    tsconfigRaw: '{}',
    banner: {
      js: `// Made by ${relative(ROOT, join(__dirname, 'write.ts'))} of its sources in src/tenancy; not to be edited.`,
    },
  });
  return outputFiles[0].text;
}
