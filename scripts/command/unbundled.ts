import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Relative modules that a compiled file loads, and those that a declaration names. */
const MODULES = /(?:require\(|from |import\()["'](\.[^"']+)["']/g;

/**
 * Removes the compiled modules and declarations of the command that nothing else of the library loads: the command is one file.
 *
 * @param lib the folder of the compiled library
 * @param command the folder of the command in it
 * @param kept files of that folder that stay
 */
export function removeUnbundled(lib: string, command: string, kept: readonly string[]): void {
  const folder = join(lib, command);
  const files = readdirSync(lib, { recursive: true }).map((file) => join(lib, String(file)));
  const isOfCommand = (file: string) => file.startsWith(`${folder}/`);
  const reached = new Set(files.filter((file) => !isOfCommand(file) && /\.(js|d\.ts)$/.test(file)));
  for (const file of reached) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(MODULES)) {
      const target = resolve(dirname(file), path);
      const ending = file.endsWith('.d.ts') ? '.d.ts' : '.js';
      const found = [target, `${target}${ending}`, join(target, `index${ending}`)].find(
        (one) => existsSync(one) && statSync(one).isFile(),
      );
      if (found) {
        reached.add(found);
      }
    }
  }
  for (const file of files) {
    const isUnused = isOfCommand(file) && !reached.has(file) && !kept.includes(relative(folder, file));
    if (isUnused && statSync(file).isFile()) {
      rmSync(file);
    }
  }
}
