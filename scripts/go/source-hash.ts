import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FLAGS, linkerFlags } from './go-build';
import { goEnv } from './go-command';

/** Whatever else decides what a build gives. */
const SETTINGS = ['GOVERSION', 'GOOS', 'GOARCH', 'GOFLAGS', 'CGO_ENABLED'] as const;

function sourcesOf(folder: string): string[] {
  const programs = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.go'));
  return [...programs, 'go.mod', 'go.sum'].filter((file) => existsSync(join(folder, file))).sort();
}

/** The same for the same program: of its sources, the versions of its modules, the compiler and the flags. */
export function sourceHash(folder: string, packagePath: string): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([packagePath, BUILD_FLAGS, linkerFlags(''), goEnv(folder, ...SETTINGS)]));
  for (const file of sourcesOf(folder)) {
    const text = readFileSync(join(folder, file));
    hash.update(JSON.stringify([file, text.length])).update(text);
  }
  return hash.digest('hex').slice(0, 16);
}
