import { join } from 'node:path';
import { App } from 'cdk8s';
import { StrimziVersion } from '../../../src';
import { StrimziWatch } from '../../../src/installations/strimzi/watch';
import { expectGolden, writtenBy } from '../../support/golden-files';
import { operatorIn, type Props } from './operators';

const GOLDENS: Record<string, Props> = {
  'strimzi-1.2': { version: StrimziVersion.V1_2, watchNamespaces: ['kafka'] },
  'strimzi-0.49': {
    version: StrimziVersion.V0_49,
    watch: StrimziWatch.allNamespaces(),
    featureGates: { ServerSideApplyPhase1: true },
    replicas: 2,
  },
};

test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
  const { yaml } = writtenBy(() => operatorIn(new App(), 'strimzi', props).chart);
  expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
});
