import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './files';

/** Does something in a folder in which the compiled library is installed, as its users have it. */
export function withLibraryInstalled<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-snippets-'));
  try {
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    symlinkSync(ROOT, join(modules, 'cdk8s-load-balancers'));
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
