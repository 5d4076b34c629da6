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

const lib = path.join(__dirname, '..', 'lib');
const depth = (file) => file.split(path.sep).length;
const indexes = fs.readdirSync(lib, { recursive: true }).filter((file) => path.basename(file) === 'index.js');
// the innermost first: the others read their names from them
for (const index of indexes.sort((one, other) => depth(other) - depth(one))) {
  makeLazy(path.join(lib, index));
}

function makeLazy(file) {
  const compiled = fs.readFileSync(file, 'utf8');
  const modules = [...compiled.matchAll(EXPORT_ALL)].map(([, module]) => ({ module, names: exportsOf(file, module) }));
  if (modules.length === 0) {
    return;
  }
  const declared = modules.flatMap(({ names }) => names).map((name) => `exports.${name} = void 0;`);
  const lines = modules
    .filter(({ names }) => names.length > 0)
    .map(({ module, names }) => `__lazily(${JSON.stringify(names)}, () => require(${JSON.stringify(module)}));`);
  const esModule = 'Object.defineProperty(exports, "__esModule", { value: true });';
  fs.writeFileSync(file, ['"use strict";', esModule, ...declared, LAZILY, ...lines, ''].join('\n'));
}

function exportsOf(file, module) {
  return Object.keys(require(path.resolve(path.dirname(file), module)));
}
