import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The library itself, and its version. */
export const LIBRARY = ROOT;
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

/** What the library is built on: code of other languages needs both to be compiled. */
export const BUILT_ON = ['cdk8s', 'constructs'].map((name) => join(ROOT, 'node_modules', name));

/**
 * Has jsii-pacmak write the code of packages for a language, and nothing compiled.
 *
 * @param to gets a folder with the name of the language
 * @returns that folder
 */
export function generateCode(language: 'dotnet' | 'go', to: string, packages: readonly string[]): string {
  const pacmak = join(ROOT, 'node_modules', 'jsii-pacmak', 'bin', 'jsii-pacmak');
  const args = ['--code-only', '--target', language, '--outdir', to, ...packages];
  const { status, stdout, stderr } = spawnSync(process.execPath, [pacmak, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`jsii-pacmak ${args.join(' ')} failed\n${stdout}${stderr}`);
  }
  return join(to, language);
}
