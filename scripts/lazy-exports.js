// Rewrites every compiled index so that a module is loaded when one of its names is first asked for: a program that uses one
// controller loads one. The names, and what they are, stay the same.
//
// Node finds the names of a CommonJS module for `import { … }` by reading its text: `exports.X = void 0` declares a name, and
// a getter that is defined with a literal name would take it back, so that getters get theirs from a list.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const EXPORT_ALL = /^__exportStar\(require\("(.+)"\), exports\);$/gm;

const LAZILY = `function __lazily(names, load) {
    for (const name of names)
        Object.defineProperty(exports, name, { enumerable: true, configurable: true, get: () => load()[name] });
}`;

/**
 * Node has loaded the index for an ES module, and reads all of its names: they are in one file, see every-class.js. Other loaders and
 * bundlers keep modules of their own: a bundler must not see that file.
 */
const EVERY_CLASS =
  'const __every = require.cache?.[__filename] === module && module.parent === undefined && require(__dirname + "/every-class.js");';

const lib = path.join(__dirname, '..', 'lib');
const indexes = fs
  .readdirSync(lib, { recursive: true })
  .filter((file) => path.basename(file) === 'index.js')
  .map((file) => path.join(lib, file))
  .filter((file) => modulesOf(file).length > 0);
// all are read before one is written: each names the modules that define its names, and not the indexes in between
const lazyIndexes = indexes.map((file) => [file, lazyIndex(file)]);
for (const [file, text] of lazyIndexes) {
  fs.writeFileSync(file, text);
}

function lazyIndex(file) {
  const isMain = path.dirname(file) === lib;
  const modules = exportedBy(file).filter(({ names }) => names.length > 0);
  const declared = modules.flatMap(({ names }) => names).map((name) => `exports.${name} = void 0;`);
  const lines = modules.map(({ module, names }) => {
    const from = JSON.stringify(relativePath(file, module));
    const load = isMain ? `__every ? __every(${from}) : require(${from})` : `require(${from})`;
    return `__lazily(${JSON.stringify(names)}, () => ${load});`;
  });
  const esModule = 'Object.defineProperty(exports, "__esModule", { value: true });';
  return ['"use strict";', esModule, ...declared, ...(isMain ? [EVERY_CLASS] : []), LAZILY, ...lines, ''].join('\n');
}

/** The modules that define what a module exports, with their names. */
function exportedBy(file) {
  const modules = modulesOf(file);
  return modules.length > 0 ? modules.flatMap(exportedBy) : [{ module: file, names: Object.keys(require(file)) }];
}

/** The modules of which a compiled index exports all; none of a module that is no index. */
function modulesOf(file) {
  const modules = [...fs.readFileSync(file, 'utf8').matchAll(EXPORT_ALL)].map(([, module]) => module);
  return modules.map((module) => require.resolve(path.resolve(path.dirname(file), module)));
}

/** With its extension: Node need not try others. */
function relativePath(from, to) {
  return `./${path.relative(path.dirname(from), to).split(path.sep).join('/')}`;
}
