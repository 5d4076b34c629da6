// Envoy behind what the library writes, against Envoy with the same routes written by hand, in one run: ratios with limits. And how
// long 200 tenants with 10 ports each take until all are served, and whether anything is written after that.
// Needs what `npm run test:envoy` needs; `--only contest` or `--only scale` for one of the two.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { envoyEnvironment } from '../scripts/suites/envoy-environment';
import { inOwnNetwork } from '../test/envoy/harness/network';
import { newRunFolder, removeRunFolder } from '../test/real/program';

async function run(): Promise<number> {
  const env = await envoyEnvironment('bench:envoy');
  const folder = newRunFolder();
  const [command, ...args] = inOwnNetwork();
  const program = [require.resolve('tsx/cli'), '--tsconfig', 'tsconfig.scripts.json', 'bench/envoy-in-own-network.ts'];
  try {
    const { status } = spawnSync(command, [...args, process.execPath, ...program, ...process.argv.slice(2)], {
      cwd: join(__dirname, '..'),
      env: { ...process.env, ...env, TMPDIR: folder },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return status ?? 1;
  } finally {
    removeRunFolder(folder);
  }
}

run().then(
  (status) => {
    process.exitCode = status;
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
