#!/usr/bin/env node
// Makes the command in a checkout that was never compiled, of the packages that it is bundled from alone: in the versions of the lock
// file, and not with the hundreds that the library is developed with. npm runs it where the library is installed from a repository of
// git. With arguments, as for hooks of pre-commit and for the action, it then runs the command.
const { spawnSync } = require('node:child_process');
const { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const cwd = join(__dirname, '..');
const has = (...path) => existsSync(join(cwd, ...path));

/** What src/cli/main.ts imports, and what bundles it. */
const PACKAGES = ['cdk8s', 'commander', 'constructs', 'esbuild', 'picomatch', 'tsx', 'yaml'];

function run(command, where) {
  const env = { ...process.env, npm_config_global: 'false', npm_config_location: 'project', npm_config_omit: '' };
  const { status } = spawnSync(command, { cwd: where, env, shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

function install() {
  const lock = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8'));
  const versionOf = (name) => lock.packages[`node_modules/${name}`].version;
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)]));
  const folder = mkdtempSync(join(cwd, '.command-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  lock.packages[''] = { dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  run('npm ci --ignore-scripts --no-audit --no-fund', folder);
  cpSync(join(folder, 'node_modules'), join(cwd, 'node_modules'), { recursive: true });
}

if (!has('lib', 'cli', 'main.js')) {
  if (!has('node_modules', 'tsx')) {
    install();
  }
  run('node node_modules/tsx/dist/cli.mjs --tsconfig tsconfig.scripts.json scripts/bundle-command.ts', cwd);
}
if (process.argv.length > 2) {
  require('../bin/cdk8s-load-balancers');
}
