// The site of the docs as its readers have it: made once, then looked at in a real Chromium.
import { join } from 'node:path';
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { findChromium } from './page/find-chromium';
import { makeSite } from './site/make-site';
import { Lack, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';

const NAME = 'test:site';

async function run(): Promise<Tally> {
  const chromium = findChromium();
  if (chromium === undefined) {
    throw new Lack(`${NAME} needs chromium; install it, on Debian with apt-get install chromium`);
  }
  const folder = newRunFolder();
  try {
    const site = join(folder, 'site');
    makeSite(NAME, site);
    const env = { CHROMIUM: chromium, CHROMIUM_TMPDIR: folder, SITE_FOLDER: site };
    return await runJestSuite('test/site/jest.config.js', folder, env);
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
