// Every command on a repository that kustomize and helm render: builds both and kubeconform from Go modules, and runs test/renderers with jest.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { builtBinary } from './go/binary';
import { runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { HELM, KUBECONFORM, KUSTOMIZE, mustHaveGo } from './suites/programs';

async function run(): Promise<Tally> {
  mustHaveGo('test:renderers', [KUSTOMIZE.folder, HELM.folder, KUBECONFORM.folder]);
  const env = {
    KUSTOMIZE: await builtBinary(KUSTOMIZE),
    HELM: await builtBinary(HELM),
    KUBECONFORM: await builtBinary(KUBECONFORM),
  };
  const folder = newRunFolder();
  try {
    return await runJestSuite('test/renderers/jest.config.js', folder, env);
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
