import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart, Yaml } from 'cdk8s';
import { AwsCloudController } from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller';
import { AwsCloudControllerManagerInstallation } from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller-manager-installation';
import type { AwsCloudControllerManagerInstallationProps } from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller-manager-installation.options';
import { synth } from '../../support/apps';

// Readable YAML, checked by hand. After a wanted change:
// UPDATE_GOLDENS=1 npx jest test/installations/aws-cloud-controller-manager/goldens.test.ts, and read the diff.
const UPDATE = process.env.UPDATE_GOLDENS === '1';

const { NODE, NODE_LIFECYCLE } = AwsCloudController;

const GOLDENS: Record<string, Partial<AwsCloudControllerManagerInstallationProps>> = {
  'aws-cloud-controller-manager': { cloudConfig: { disableSecurityGroupIngress: true, nlbSecurityGroups: true } },
  'aws-cloud-controller-manager-without-services': { controllers: [NODE, NODE_LIFECYCLE], replicas: 2 },
};

test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
  const file = join(__dirname, '..', 'goldens', `${name}.yaml`);
  const chart = new Chart(new App(), 'system');
  new AwsCloudControllerManagerInstallation(chart, 'CloudController', { clusterName: 'prod', ...props });
  const yaml = Yaml.stringify(...synth(chart));
  if (UPDATE) {
    writeFileSync(file, yaml);
  }
  expect(existsSync(file)).toBe(true);
  expect(yaml).toBe(readFileSync(file, 'utf8'));
});
