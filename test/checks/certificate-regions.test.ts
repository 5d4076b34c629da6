import { AwsCloudProvider, AwsLoadBalancerController } from '../../src';
import { saidBy } from '../support/checked';

const ELSEWHERE = 'certificate-of-another-region';
const APART = 'certificates-of-one-region';

const arn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/a`;
const IAM = 'arn:aws:iam::123456789012:server-certificate/old';

const service = (certificates: string, more = '') => `apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-scheme: internal
    service.beta.kubernetes.io/aws-load-balancer-ssl-cert: ${certificates}
spec:
  type: LoadBalancer
  ${more}
  selector: {app: web}
  ports: [{port: 443}]`;

const OF_LBC = 'loadBalancerClass: service.k8s.aws/nlb';

const node = (region: string) => `
---
apiVersion: v1
kind: Node
metadata: {name: a, labels: {topology.kubernetes.io/region: ${region}}}
spec: {providerID: "aws:///${region}a/i-1"}`;

const IN_DUBLIN = { region: 'eu-west-1' };
const LBC = [AwsLoadBalancerController.nlb()];
const CLOUD = [AwsCloudProvider.nlb()];

test('a certificate is of another region than the cluster', () => {
  expect(saidBy(ELSEWHERE, service(arn('us-east-1'), OF_LBC), IN_DUBLIN)).toEqual([
    `error 7: certificate ${arn('us-east-1')} is of region us-east-1, and the cluster is in eu-west-1: AWS does not find it there, and makes no listener with it; name a certificate of eu-west-1`,
  ]);
});

test.each<[string, string, Parameters<typeof saidBy>[2], string[]]>([
  ['of the region of the cluster', service(arn('eu-west-1'), OF_LBC), IN_DUBLIN, []],
  ['of IAM, which has no region', service(IAM, OF_LBC), IN_DUBLIN, []],
  ['of another region, one of two', service(`${arn('eu-west-1')},${arn('us-east-1')}`, OF_LBC), IN_DUBLIN, ['error 7']],
  ['of a region where that of the cluster is not known', service(arn('us-east-1'), OF_LBC), {}, []],
  ['of another region than a Node', service(arn('us-east-1'), OF_LBC) + node('eu-west-1'), {}, ['warning 7']],
  ['of the region of a Node', service(arn('eu-west-1'), OF_LBC) + node('eu-west-1'), {}, []],
  [
    'of another region, for the cloud provider',
    service(arn('us-east-1')),
    { ...IN_DUBLIN, controllers: CLOUD },
    ['error 7'],
  ],
  [
    'of another region, for EKS Auto Mode',
    service(arn('us-east-1'), 'loadBalancerClass: eks.amazonaws.com/nlb'),
    IN_DUBLIN,
    ['error 7'],
  ],
  ['that is filled in later', service('$(CERTIFICATE)', OF_LBC), IN_DUBLIN, []],
  ['that is no ARN', service('web', OF_LBC), IN_DUBLIN, []],
])('a certificate %s', (_, content, context, expected) => {
  expect(saidBy(ELSEWHERE, content, context).map((text) => text.split(':')[0])).toEqual(expected);
});

test.each<[string, string, string[]]>([
  ['are of one region', `${arn('eu-west-1')}, ${arn('eu-west-1')}`, []],
  ['are of one region and of IAM', `${arn('eu-west-1')}, ${IAM}`, []],
  [
    'are of two regions',
    `${arn('eu-west-1')}, ${arn('us-east-1')}`,
    [
      'error 7: the certificates are of regions eu-west-1, us-east-1, and a balancer is in one: AWS does not find the others, and makes no listener with them; name certificates of the region of the cluster alone',
    ],
  ],
])('certificates %s', (_, certificates, expected) => {
  expect(saidBy(APART, service(certificates, OF_LBC), { controllers: LBC })).toEqual(expected);
});
