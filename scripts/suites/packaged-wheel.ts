import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compileWhereOutdated } from './compiled';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'dist', 'python');

/** What is packed into a wheel besides what is compiled. */
const PACKED = [
  '.jsii',
  '.jsii.gz',
  '.jsii.tabl.json',
  'lib/index.js',
  'lib/cli/main.js.br',
  'package.json',
  'bin',
  'schema',
  'assets',
];

const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function wheels(): string[] {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return files.filter((file) => file.endsWith('.whl')).map((file) => join(FOLDER, file));
}

function isOutdated(): boolean {
  const newest = Math.max(...PACKED.map((file) => changed(join(ROOT, file))));
  return wheels().length !== 1 || changed(wheels()[0]) < newest;
}

/** The wheel as it is published; packaged where the library was compiled since. */
export function packagedWheel(): string {
  compileWhereOutdated();
  if (isOutdated()) {
    rmSync(FOLDER, { recursive: true, force: true });
    const { status, stdout, stderr } = spawnSync('npx', ['projen', 'package:python'], { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`npx projen package:python failed\n${stdout}${stderr}`);
    }
  }
  return wheels()[0];
}
