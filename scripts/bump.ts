// Sets the version of package.json to that of the changelog, and writes what the workflow of a release reads: dist/version.txt,
// dist/releasetag.txt and dist/changelog.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './docs/files';
import { readChangelog, released } from './release/changelog';

const { version, notes } = released(readChangelog());
const manifest = join(ROOT, 'package.json');
const before = readFileSync(manifest, 'utf8');
const end = before.endsWith('\n') ? '\n' : '';
writeFileSync(manifest, `${JSON.stringify({ ...JSON.parse(before), version }, undefined, 2)}${end}`);
const files = { 'version.txt': version, 'releasetag.txt': `v${version}`, 'changelog.md': `${notes}\n` };
mkdirSync(join(ROOT, 'dist'), { recursive: true });
for (const [name, text] of Object.entries(files)) {
  writeFileSync(join(ROOT, 'dist', name), text);
}
