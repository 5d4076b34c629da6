// npm runs it where the library is installed from a repository of git, as pre-commit does: makes the command, which is all that a hook
// needs, unless it was compiled. `npm install --global` of a repository installs no development dependencies, so they are installed here.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const cwd = join(__dirname, '..');
const has = (...path) => existsSync(join(cwd, ...path));

function run(command) {
  const env = { ...process.env, npm_config_global: 'false', npm_config_location: 'project', npm_config_omit: '' };
  const { status } = spawnSync(command, { cwd, env, shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

if (!has('lib', 'checks', 'main.js')) {
  if (!has('node_modules', 'tsx')) {
    run('npm ci --ignore-scripts --include=dev');
  }
  run('node node_modules/tsx/dist/cli.mjs --tsconfig tsconfig.scripts.json scripts/bundle-command.ts');
}
