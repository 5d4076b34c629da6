import { join } from 'node:path';
import { bundled } from '../hook/bundle';

const ROOT = join(__dirname, '..', '..');

/** Where the bundle is. */
export const WATCH_BUNDLE = join(ROOT, 'assets', 'tenant-watch.js');

/** What watches tenants in one readable file, which needs nothing but Node. */
export function bundledWatch(): string {
  return bundled(join(__dirname, 'main.ts'));
}
