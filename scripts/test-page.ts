// The page of a report in a real Chromium: light and dark, wide and narrow, by keyboard and as a screen reader has it. With
// UPDATE_DOCS=1 it writes the picture that the docs have of it.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { findChromium } from './page/find-chromium';
import { Lack, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';

async function run(): Promise<Tally> {
  const chromium = findChromium();
  if (chromium === undefined) {
    throw new Lack('test:page needs chromium; install it, on Debian with apt-get install chromium');
  }
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/page/jest.config.js', folder, { CHROMIUM: chromium, CHROMIUM_TMPDIR: folder });
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
