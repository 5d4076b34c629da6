// Makes the compiled library smaller, last of all: scripts that the index does not load are removed, and declarations that no declaration of
// the index names; the other scripts are minified. The indexes stay as they are: Node and bundlers read the names in them as text.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('esbuild');
const { MINIFIED } = require('./minified');

const lib = path.resolve(process.argv[2] ?? path.join(__dirname, '..', 'lib'));

/** The library, and what cdk8s loads by its path. */
const ENTRIES = ['index', 'cli/synth-plugin'];

/** Files of many modules, which are minified already. */
const BUNDLES = ['every-class.js', 'yaml.js', 'cli/main.js'].map((file) => path.join(lib, file));

const files = fs.readdirSync(lib, { recursive: true }).map((file) => path.join(lib, file));

/** Files that the entries lead to. */
function reachedBy(ending, pattern) {
  const reached = new Set(ENTRIES.map((file) => path.join(lib, `${file}${ending}`)));
  for (const file of reached) {
    for (const [, to] of fs.readFileSync(file, 'utf8').matchAll(pattern)) {
      const target = path.resolve(path.dirname(file), to);
      const candidates = [target, `${target}${ending}`, path.join(target, `index${ending}`)];
      const found = candidates.find((one) => one.endsWith(ending) && fs.existsSync(one));
      if (found === undefined) {
        throw new Error(`${path.relative(lib, file)} names ${to}, which is not there`);
      }
      reached.add(found);
    }
  }
  return reached;
}

const declarations = reachedBy('.d.ts', /(?:from |import\()["'](\.[^"']+)["']/g);
const scripts = reachedBy('.js', /require\(["'](\.[^"']+)["']\)/g);
const kept = new Set([...declarations, ...scripts, ...BUNDLES]);
for (const file of files.filter((one) => /\.(js|d\.ts)$/.test(one) && !kept.has(one))) {
  fs.rmSync(file);
}
for (const file of [...scripts].filter((one) => path.basename(one) !== 'index.js' && !BUNDLES.includes(one))) {
  fs.writeFileSync(file, transformSync(fs.readFileSync(file, 'utf8'), MINIFIED).code);
}
