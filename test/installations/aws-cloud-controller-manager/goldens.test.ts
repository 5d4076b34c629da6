import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { AwsCloudControllerManagerInstallation } from '../../../src/installations/aws-cloud-controller-manager/installation';
import {
  AwsCloudController,
  type AwsCloudControllerManagerInstallationProps,
} from '../../../src/installations/aws-cloud-controller-manager/options';
import { expectGolden, writtenBy } from '../../support/golden-files';

const { NODE, NODE_LIFECYCLE } = AwsCloudController;

const GOLDENS: Record<string, Partial<AwsCloudControllerManagerInstallationProps>> = {
  'aws-cloud-controller-manager': { cloudConfig: { disableSecurityGroupIngress: true, nlbSecurityGroups: true } },
  'aws-cloud-controller-manager-without-services': { controllers: [NODE, NODE_LIFECYCLE], replicas: 2 },
};

test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
  const chart = new Chart(new App(), 'system');
  new AwsCloudControllerManagerInstallation(chart, 'CloudController', { clusterName: 'prod', ...props });
  const { yaml, said } = writtenBy(() => chart);
  expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
  expect(said).toBe('');
});
