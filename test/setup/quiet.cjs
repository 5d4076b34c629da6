const processes = require('node:child_process');
const { statSync, readFileSync } = require('node:fs');
const { basename } = require('node:path');

const DONE = Symbol.for('cdk8s-load-balancers.test-setup');

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** cdk8s reads every local file in a process of its own; a tenth of a second each, for the same bytes. */
function readFilesInThisProcess() {
  const { execFileSync } = processes;
  processes.execFileSync = (program, args, options) =>
    Array.isArray(args) && basename(args[0] ?? '') === '_loadurl.mjs' && isFile(args[1])
      ? readFileSync(args[1], 'utf8')
      : execFileSync(program, args, options);
}

/** Warnings are expected of many tests; those that are about them spy on standard error. */
function keepWarningsOut() {
  const write = process.stderr.write;
  process.stderr.write = function (text, ...rest) {
    return /^cdk8s-load-balancers: \d+ warnings?\n/.test(String(text)) || write.call(this, text, ...rest);
  };
}

if (!processes[DONE]) {
  processes[DONE] = true;
  readFilesInThisProcess();
  keepWarningsOut();
}
