// Makes the compiled library smaller, last of all: declarations that no declaration of the index names are removed, and scripts lose their
// comments and white space. Names stay, which messages and stack traces have. The indexes stay as they are: Node and bundlers read the
// names in them as text.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('esbuild');

const lib = path.resolve(process.argv[2] ?? path.join(__dirname, '..', 'lib'));

/** Declarations that users' compilers read: those of the library, and of what cdk8s loads by its path. */
const ENTRIES = ['index.d.ts', 'checks/synth-plugin.d.ts'];

const MODULES = /(?:from |import\()["'](\.[^"']+)["']/g;

const files = fs.readdirSync(lib, { recursive: true }).map((file) => path.join(lib, file));

const reached = new Set(ENTRIES.map((file) => path.join(lib, file)));
for (const file of reached) {
  for (const [, to] of fs.readFileSync(file, 'utf8').matchAll(MODULES)) {
    const target = path.resolve(path.dirname(file), to);
    const found = [`${target}.d.ts`, path.join(target, 'index.d.ts')].find((one) => fs.existsSync(one));
    if (found === undefined) {
      throw new Error(`${path.relative(lib, file)} names ${to}, which has no declaration`);
    }
    reached.add(found);
  }
}
for (const file of files.filter((one) => one.endsWith('.d.ts') && !reached.has(one))) {
  fs.rmSync(file);
}

const isScript = (file) => file.endsWith('.js') && path.basename(file) !== 'index.js';
// the command is minified already
for (const file of files.filter((one) => isScript(one) && !one.endsWith('checks/main.js'))) {
  const options = { minifyWhitespace: true, minifySyntax: true, target: 'node20', charset: 'utf8', legalComments: 'none' };
  fs.writeFileSync(file, transformSync(fs.readFileSync(file, 'utf8'), options).code);
}
