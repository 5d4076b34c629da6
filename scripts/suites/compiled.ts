import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

function changed(...path: string[]): number {
  return statSync(join(ROOT, ...path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(folder: string): number {
  const files = readdirSync(join(ROOT, folder), { recursive: true }).map(String);
  return Math.max(...files.map((file) => changed(folder, file)));
}

/** Compiles the library, unless that was done since its sources, or the README in its assembly, were changed last. */
export function compileWhereOutdated(): void {
  const sources = Math.max(newest('src'), changed('README.md'));
  if (Math.min(changed('.jsii'), changed('lib', 'index.js')) >= sources) {
    return;
  }
  const { status, stdout, stderr } = spawnSync('npx', ['projen', 'compile'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`npx projen compile failed\n${stdout}${stderr}`);
  }
}
