// Makes the compiled command one file, with all that it uses: to find and read six hundred takes longer than a check of one
// Service. It is compressed, since most of it repeats the library; `gunzip -c lib/cli/main.js.gz` shows it. What it has of other
// packages is named beside it, with their licences.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { bundledCommand, licencesOf } from './command/bundle';
import { ROOT } from './docs/files';

const FOLDER = join(ROOT, 'lib', 'cli');

/** Compiles the text as if it were the text of this file. */
const LOADER = `"use strict";
const { readFileSync } = require("node:fs");
const { gunzipSync } = require("node:zlib");
module._compile(gunzipSync(readFileSync(\`\${__filename}.gz\`)).toString(), __filename);
`;

const { text, packages } = bundledCommand();
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'main.js'), LOADER);
writeFileSync(join(FOLDER, 'main.js.gz'), gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
writeFileSync(join(FOLDER, 'main.licences.txt'), licencesOf(packages));
