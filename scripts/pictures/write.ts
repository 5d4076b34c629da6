// Draws the pictures of the docs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/files';
import { PICTURES_FOLDER, pictures } from './pictures';

mkdirSync(join(ROOT, PICTURES_FOLDER), { recursive: true });
for (const [name, svg] of pictures()) {
  writeFileSync(join(ROOT, PICTURES_FOLDER, name), svg);
  process.stdout.write(`${PICTURES_FOLDER}/${name}: ${Buffer.byteLength(svg)} bytes\n`);
}
