import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './commands';

const ROOT = join(__dirname, '..', '..', '..');

/** The versions of other packages that the library is for, as package.json states them. */
export const SUPPORTED: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).supports;

/** Whether packages are the oldest that are supported, or the newest that there are within the range. */
export type End = 'oldest' | 'newest';

/** A package as npm installs it, at one end of its range. */
export function atEnd(name: string, end: End): string {
  const range = SUPPORTED[name];
  return end === 'newest' ? range : range.replace(/^\^/, '');
}

/** The version of a package that lies in a folder; nothing where there is none. */
export function installedVersion(folder: string, name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

/** Installs what an app repository asks for: the packed library, and what it is written with at one end of the range. */
export function installApp(folder: string, type: 'commonjs' | 'module', end: End, tarball: string): void {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const dependencies = {
    ...Object.fromEntries(['cdk8s', 'constructs'].map((name) => [name, atEnd(name, end)])),
    'cdk8s-load-balancers': `file:${tarball}`,
  };
  writeFileSync(file, JSON.stringify({ ...manifest, type, dependencies }, undefined, 2));
  must({ cwd: folder }, 'npm', 'install', '--no-package-lock');
}

/** Installs other packages beside, at one end of their ranges. */
export function installBeside(folder: string, end: End, names: readonly string[]): void {
  const asked = names.map((name) => `${name}@${atEnd(name, end)}`);
  must({ cwd: folder }, 'npm', 'install', '--no-package-lock', '--no-save', '--omit=optional', ...asked);
}
