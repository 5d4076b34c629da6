// Holds what `diff` says of seeded pairs of manifests against the model of lifecycles, of pairs of folders against tables of what is
// true, and, as many as the argument says, against the API server with the real service controller; with --mutate, shows which
// wrong rows of the model are noticed, and asks no API server.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Pairs of either kind: thousands take a minute. */
const OF_THE_MODEL = '10000';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, mutate: { type: 'boolean', default: false } },
});
const [number = '1000'] = positionals;
for (const [what, value] of [
  ['number of pairs', number],
  ['seed', values.seed ?? '1'],
]) {
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    process.stderr.write(`${value} is not a ${what}: write one like 1000\n`);
    process.exit(2);
  }
}

const jest = require.resolve('jest/bin/jest');
const withTsx = [require.resolve('tsx/cli'), '--tsconfig', 'tsconfig.scripts.json'];
const seed = values.seed ? { PAIRS_SEED: values.seed } : {};

function run(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status } = spawnSync(process.execPath, args, { env: { ...process.env, ...seed, ...env }, stdio: 'inherit' });
  process.exitCode ||= status ?? 1;
}

if (values.mutate) {
  run([jest, '--testMatch', '**/test/lifecycle/mutation.ts', '--testTimeout=3600000'], {});
} else {
  const ofTheModel = ['test/diff/pairs.test.ts'];
  run([jest, ...ofTheModel, '--testTimeout=1800000'], { PAIRS: OF_THE_MODEL });
  run([...withTsx, join(__dirname, 'test-cluster.ts'), 'cluster/pairs.test.ts', '--testTimeout=7200000'], {
    PAIRS: number,
  });
}
