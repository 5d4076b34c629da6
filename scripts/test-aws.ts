// What the real AWS cloud controller manager makes of the manifests of this library: builds it and a control plane, makes a
// Python with a fake AWS, and runs test/aws with jest.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { builtBinary } from './go/binary';
import { findPython } from './suites/find-python';
import { Lack, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { AWS_CLOUD_CONTROLLER_MANAGER, CONTROL_PLANE, mustHaveGo } from './suites/programs';
import { pythonWithFakeAws } from './suites/python-with-fake-aws';

async function run(): Promise<Tally> {
  mustHaveGo('test:aws', [CONTROL_PLANE.folder]);
  const found = findPython();
  if ('lack' in found) {
    throw new Lack(`test:aws needs ${found.lack}; install python3 and python3-venv`);
  }
  const env = {
    AWS_ACCOUNT_PYTHON: pythonWithFakeAws(found.python),
    CONTROL_PLANE: await builtBinary(CONTROL_PLANE),
    AWS_CLOUD_CONTROLLER_MANAGER: await builtBinary(AWS_CLOUD_CONTROLLER_MANAGER),
  };
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/aws/jest.config.js', folder, env);
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
