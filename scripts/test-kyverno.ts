// What Kyverno makes of the policies that are written for it, beside what the API server makes of its own: builds both from Go modules,
// and runs test/kyverno with jest.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { builtBinary } from './go/binary';
import { runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { CONTROL_PLANE, KYVERNO, mustHaveGo } from './suites/programs';

async function run(): Promise<Tally> {
  mustHaveGo('test:kyverno', [CONTROL_PLANE.folder, KYVERNO.folder]);
  const env = { CONTROL_PLANE: await builtBinary(CONTROL_PLANE), KYVERNO: await builtBinary(KYVERNO) };
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/kyverno/jest.config.js', folder, env);
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
