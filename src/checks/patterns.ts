import { statSync } from 'node:fs';
import { normalize } from 'node:path';
import picomatch from 'picomatch';
import { below } from './manifests';

/** Paths, with the files in place of each pattern that no shell has replaced by them. */
export function withoutPatterns(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const { base, isGlob } = picomatch.scan(path);
    return isGlob && !statSync(path, { throwIfNoEntry: false }) ? matching(path, base || '.') : [path];
  });
}

/** A pattern that no file fits is left as it is, and so is a file that cannot be read. */
function matching(pattern: string, base: string): string[] {
  const isNamed = picomatch(normalize(pattern));
  const isFolder = statSync(base, { throwIfNoEntry: false })?.isDirectory() === true;
  const found = isFolder ? below(base).filter((file) => isNamed(file)) : [];
  return found.length > 0 ? found : [pattern];
}
