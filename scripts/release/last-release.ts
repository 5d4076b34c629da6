// What the last release wrote: the goldens that it was tested with, compressed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { goldenText } from '../../test/support/goldens';
import { filesIn, ROOT } from '../docs/files';
import type { Manifests } from './release-class';

const LAST_RELEASE = 'releases/manifests.json.gz';

/** Where the YAML is that tests hold synthesized apps against. */
const GOLDENS = /\/(goldens|consumers\/expected)\//;

/** The goldens as they are now. */
export function goldens(): Manifests {
  const files = ['.yaml', '.patch'].flatMap((end) => filesIn('test', end)).filter((file) => GOLDENS.test(file));
  return Object.fromEntries(
    files.sort().map((file) => {
      const { dir, name } = parse(file);
      return [`${dir}/${name}.yaml`, goldenText(join(ROOT, dir), name)];
    }),
  );
}

export function goldensOfLastRelease(): Manifests {
  const path = join(ROOT, LAST_RELEASE);
  return existsSync(path) ? JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) : {};
}

export function saveGoldens(manifests: Manifests): void {
  writeFileSync(join(ROOT, LAST_RELEASE), gzipSync(JSON.stringify(manifests), { level: 9 }));
}
