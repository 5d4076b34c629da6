import { join } from 'node:path';
import { NodePool, NodeTaint } from '../../../src';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { WebhookCertificate } from '../../../src/installations/certificates/webhook-certificate';
import { expectGolden, writtenBy } from '../../support/golden-files';
import { AUTHORITY } from '../certificates';
import { installed } from './installations';

const GOLDENS: Record<string, Partial<AwsLoadBalancerControllerInstallationProps>> = {
  'aws-load-balancer-controller': {},
  'aws-load-balancer-controller-for-nlbs': {
    crds: false,
    nlbOnly: true,
    region: 'us-gov-west-1',
    identity: AwsIdentity.irsa('arn:aws-us-gov:iam::123456789012:role/balancers'),
    certificate: WebhookCertificate.fromSecret({ name: 'webhook-tls', caBundle: AUTHORITY }),
    serviceMutatorWebhook: true,
    loadBalancerClass: 'example.com/nlb',
    nodePool: NodePool.labeled({ pool: 'system' }, { taints: [NodeTaint.noSchedule('dedicated', 'system')] }),
    flags: { 'default-tags': 'cost=42,team=platform' },
    gatewayApiCrds: '1.6.0',
    featureGates: { NLBGatewayAPI: true },
  },
};

test.each(Object.entries(GOLDENS))('golden: %s', (name, props) => {
  const { yaml, said } = writtenBy(() => installed(props).chart);
  expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
  expect(said).toBe('');
});
