// Makes the compiled command one file, with all that it uses: to find and read six hundred takes longer than a check of one
// Service. It is compressed, since most of it repeats the library, with Brotli, which saves 160 kB of gzip's and is read as fast;
// `brotli -dc lib/cli/main.js.br` shows it. What it has of other packages is named beside it, with their licences.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundledCommand, licencesOf } from './command/bundle';
import { ROOT } from './docs/files';

const FOLDER = join(ROOT, 'lib', 'cli');

/** Compiles the text of the file beside it, and by the name of that file: Node's compile cache has one entry for each name. */
const LOADER = `"use strict";
const { readFileSync } = require("node:fs");
const { brotliDecompressSync } = require("node:zlib");
const file = \`\${__filename}.br\`;
module._compile(brotliDecompressSync(readFileSync(file)).toString(), file);
`;

const { text, packages } = bundledCommand();
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'main.js'), LOADER);
writeFileSync(
  join(FOLDER, 'main.js.br'),
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text) } }),
);
writeFileSync(join(FOLDER, 'main.licences.txt'), licencesOf(packages));
