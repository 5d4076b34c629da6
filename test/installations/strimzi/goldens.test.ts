import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Yaml } from 'cdk8s';
import { StrimziVersion } from '../../../src';
import { StrimziWatch } from '../../../src/installations/strimzi/strimzi-watch';
import { stderrOf, synth } from '../../support/apps';
import { operatorIn, type Props } from './operators';

// Readable YAML, checked by hand. After a wanted change: UPDATE_GOLDENS=1 npx jest test/installations/strimzi/goldens.test.ts,
// and read the diff.
const UPDATE = process.env.UPDATE_GOLDENS === '1';

const GOLDENS: Record<string, Props> = {
  'strimzi-1.2': { version: StrimziVersion.V1_2, watchNamespaces: ['kafka'] },
  'strimzi-0.49': {
    version: StrimziVersion.V0_49,
    watch: StrimziWatch.allNamespaces(),
    featureGates: { serverSideApplyPhase1: true },
    replicas: 2,
    podDisruptionBudget: true,
  },
};

test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
  const file = join(__dirname, '..', 'goldens', `${name}.yaml`);
  let yaml = '';
  stderrOf(() => {
    yaml = Yaml.stringify(...synth(operatorIn(new App(), 'strimzi', props).chart));
  });
  if (UPDATE) {
    writeFileSync(file, yaml);
  }
  expect(existsSync(file)).toBe(true);
  expect(yaml).toBe(readFileSync(file, 'utf8'));
});
