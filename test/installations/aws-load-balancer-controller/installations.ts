import { App, Chart } from 'cdk8s';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { WebhookCertificate } from '../../../src/installations/certificates/webhook-certificate';

/** The props of an installation that nothing is wrong with. */
export const RIGHT: AwsLoadBalancerControllerInstallationProps = {
  clusterName: 'prod',
  region: 'eu-west-1',
  vpcId: 'vpc-0123456789abcdef0',
  identity: AwsIdentity.podIdentity(),
  certificate: WebhookCertificate.certManager(),
};

/** An installation in a chart of its own. */
export function installed(
  props: Partial<AwsLoadBalancerControllerInstallationProps> = {},
  app = new App(),
  id = 'system',
): { readonly chart: Chart; readonly installation: AwsLoadBalancerControllerInstallation } {
  const chart = new Chart(app, id, { namespace: 'kube-system' });
  return {
    chart,
    installation: new AwsLoadBalancerControllerInstallation(chart, 'Controller', { ...RIGHT, ...props }),
  };
}
