// Holds the rules that speak for the API server against it, with as many mutants as the argument says.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [number = '10000'] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(number)) {
  process.stderr.write(`${number} is no number of mutants: write one like 10000\n`);
  process.exit(2);
}
const args = [join(__dirname, 'test-cluster.ts'), 'mutants.test.ts', '--testTimeout=1800000'];
const env = { ...process.env, MUTANTS: number };
const tsx = require.resolve('tsx/cli');
process.exitCode =
  spawnSync(process.execPath, [tsx, '--tsconfig', 'tsconfig.scripts.json', ...args], { env, stdio: 'inherit' })
    .status ?? 1;
