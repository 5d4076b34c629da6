// Rewrites compiled indexes of `export *` lines so that each module is loaded when one of its names is first asked for.
// A program that uses one controller then loads one: the names, and what they are, stay the same.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const [, , ...files] = process.argv;
for (const file of files) {
  const compiled = fs.readFileSync(file, 'utf8');
  const lines = compiled.split('\n').map((line) => {
    const module = /^__exportStar\(require\("(.+)"\), exports\);/.exec(line)?.[1];
    return module === undefined
      ? line
      : exportsOf(file, module)
          .map((name) => lazily(module, name))
          .join('\n');
  });
  fs.writeFileSync(file, lines.join('\n'));
}

function exportsOf(file, module) {
  return Object.keys(require(path.resolve(path.dirname(file), module)));
}

function lazily(module, name) {
  const get = `function () { return require(${JSON.stringify(module)}).${name}; }`;
  return `Object.defineProperty(exports, ${JSON.stringify(name)}, { enumerable: true, configurable: true, get: ${get} });`;
}
