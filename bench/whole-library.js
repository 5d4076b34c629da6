// The compiled library with every module that its index leads to: a module loads what it imports when it first uses it, and that is
// to be over before the clock starts.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const loaded = new Set();

function load(file) {
  if (loaded.has(file)) {
    return;
  }
  loaded.add(file);
  for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(/require\("(\.[^"]*)"\)/g)) {
    load(require.resolve(path.resolve(path.dirname(file), name)));
  }
  require(file);
}

const index = require.resolve('../lib');
load(index);
module.exports = { ...require(index) };
