// What a real HAProxy makes of the objects of a shared load balancer: builds the renderer, looks for HAProxy, and runs
// test/haproxy with jest. Bandwidth is limited from HAProxy 2.7 on: where the one that is installed is older, a newer one is
// built from Debian's sources if this is a Debian.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { builtBinary } from './go/binary';
import { findHaproxy, newerHaproxy } from './haproxy/find-haproxy';
import { Lack, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { HAPROXY_RENDERER, mustHaveGo } from './suites/programs';

async function run(): Promise<Tally> {
  mustHaveGo('test:haproxy', [HAPROXY_RENDERER.folder]);
  const haproxy = findHaproxy();
  if (!haproxy) {
    throw new Lack('test:haproxy needs haproxy 2.6 or newer; install it, on Debian with apt-get install haproxy');
  }
  const newer = newerHaproxy(haproxy);
  if ('lack' in newer) {
    process.stdout.write(`test:haproxy left out the measurement of bandwidth: ${newer.lack}\n`);
  }
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/haproxy/jest.config.js', folder, {
      HAPROXY: haproxy,
      HAPROXY_RENDERER: await builtBinary(HAPROXY_RENDERER),
      HAPROXY_WITH_BANDWIDTH: 'file' in newer ? newer.file : undefined,
    });
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
