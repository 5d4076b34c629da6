// Workflow files against actionlint, which knows their schema and the expressions in them: builds it from its Go module, and runs
// test/workflows with jest.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { builtBinary } from './go/binary';
import { runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { ACTIONLINT, mustHaveGo } from './suites/programs';

async function run(): Promise<Tally> {
  mustHaveGo('test:workflows', [ACTIONLINT.folder]);
  const env = { ACTIONLINT: await builtBinary(ACTIONLINT) };
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/workflows/jest.config.js', folder, env);
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
