import { normalize } from 'node:path';
import picomatch from 'picomatch';
import { DISK, type Files } from './files';

/** Paths, with the files in place of each pattern that no shell has replaced by them. */
export function withoutPatterns(paths: readonly string[], files: Files = DISK): string[] {
  return paths.flatMap((path) => {
    const { base, isGlob } = picomatch.scan(path);
    return isGlob && !files.kindOf(path) ? matching(path, base || '.', files) : [path];
  });
}

/** A pattern that no file fits is left as it is, and so is a file that cannot be read. */
function matching(pattern: string, base: string, files: Files): string[] {
  const isNamed = picomatch(normalize(pattern));
  const found = files.kindOf(base) === 'folder' ? files.below(base).filter((file) => isNamed(file)) : [];
  return found.length > 0 ? found : [pattern];
}
