// Writes lib/every-class.js: the modules that an ES module loads when it imports the package, in one file. Node evaluates every name
// that such an import could ask for, and to find and read a file for each takes longer than to run them.
//
// The modules are the same as in their own files, and get the same places in the cache of Node: who requires one gets the same
// class, and what is not in this file is loaded from its own.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('esbuild');
const { MINIFIED } = require('./minified');

const lib = fs.realpathSync(path.join(__dirname, '..', 'lib'));
const index = path.join(lib, 'index.js');
const exported = require(index);
// each name loads the modules that it needs
Object.keys(exported).forEach((name) => exported[name]);
const files = Object.keys(require.cache).filter((file) => file.startsWith(lib + path.sep) && file !== index);

const LAZY = /\$\(\(\) => require\(("[^"]*")\)\)/g;

/** A module as a function, with the names that messages and stack traces have; the parentheses have it compiled at once. */
function wrapped(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/^const \$ = .*?\}\); \}\);/m, '').replace(LAZY, 'new Lazy(require, $1)');
  const { code } = transformSync(text, MINIFIED);
  return `${JSON.stringify(relative(file))}: (function (exports, require, module) {\n${code}})`;
}

function relative(file) {
  return `./${path.relative(lib, file).split(path.sep).join('/')}`;
}

fs.writeFileSync(
  path.join(lib, 'every-class.js'),
  `"use strict";
const Module = require("node:module");
const path = require("node:path");
class Lazy {
  constructor(require, id) {
    this.require = require;
    this.id = id;
  }
  get m() {
    const m = this.require(this.id);
    Object.defineProperty(this, "m", { value: m });
    return m;
  }
}
const MODULES = {
${files.map(wrapped).join(',\n')}
};
module.exports = function load(file) {
  const filename = path.join(__dirname, file);
  const known = require.cache[filename];
  if (known) {
    return known.exports;
  }
  const made = new Module(filename);
  made.filename = filename;
  made.paths = module.paths;
  require.cache[filename] = made;
  MODULES[file](made.exports, (id) => {
    const inner = id.startsWith(".") ? "./" + path.posix.join(path.posix.dirname(file), id) + ".js" : undefined;
    return inner in MODULES ? load(inner) : made.require(id);
  }, made);
  made.loaded = true;
  return made.exports;
};
`,
);
