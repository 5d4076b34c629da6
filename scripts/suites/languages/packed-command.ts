import { join } from 'node:path';
import type { Packed } from './packed';

/** How npx takes the command from what is packed, where it would take it from the registry. */
export function commandOf(packed: Packed): string {
  return `npx --yes --package=${packed.tarball} cdk8s-load-balancers `;
}

/** Keeps what npx installs out of the folder of the user, since it installs each tarball anew. */
export function npmFolder(packed: Packed): NodeJS.ProcessEnv {
  return { npm_config_cache: join(packed.folder, 'npm') };
}
