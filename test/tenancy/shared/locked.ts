import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PortLock } from '../../../src/tenancy/ports/port-lock';
import type { LockedPort } from '../../../src/tenancy/ports/rules';

const FOLDER = mkdtempSync(join(tmpdir(), 'ports-'));

/** A lock file in a folder of its own, for one shared balancer. */
export function lockFile(ports: { readonly [key: string]: LockedPort }, shared = 'shared'): string {
  const file = join(mkdtempSync(join(FOLDER, 'lock-')), 'ports.lock.json');
  writeFileSync(
    file,
    PortLock.read(file)
      .with(shared, new Map(Object.entries(ports)))
      .toText(),
  );
  return file;
}

/** The same with every port as its Service has it, at the first balancer. */
export function lockedAsWished(...keys: string[]): string {
  return lockFile(Object.fromEntries(keys.map((key) => [key, { balancer: 0, port: Number(key.split(':')[1]) }])));
}
