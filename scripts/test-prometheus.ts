// Alerts in Prometheus itself: looks for promtool, and runs test/prometheus with jest.
import { spawnSync } from 'node:child_process';
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { Lack, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';

async function run(): Promise<Tally> {
  const { PROMTOOL = 'promtool' } = process.env;
  if (spawnSync(PROMTOOL, ['--version']).status !== 0) {
    throw new Lack('test:prometheus needs promtool; install it, on Debian with apt-get install prometheus');
  }
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/prometheus/jest.config.js', folder, { PROMTOOL });
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
