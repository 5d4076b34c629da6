// Makes the compiled command one file, with all that it uses: to find and read six hundred takes longer than a check of one
// Service. What the file has of other packages is named beside it, with their licences.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledCommand, licencesOf } from './command/bundle';
import { removeUnbundled } from './command/unbundled';
import { ROOT } from './docs/files';

const COMMAND = join(ROOT, 'lib', 'checks', 'main.js');

const { text, packages } = bundledCommand();
mkdirSync(dirname(COMMAND), { recursive: true });
writeFileSync(COMMAND, text);
writeFileSync(join(dirname(COMMAND), 'main.licences.txt'), licencesOf(packages));
removeUnbundled(join(ROOT, 'lib'), 'checks', ['main.js', 'main.licences.txt', 'synth-plugin.js', 'synth-plugin.d.ts']);
