import { Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { synth } from '../../support/apps';
import { installed, RIGHT } from './installations';

// What JavaScript can pass and TypeScript cannot.

const PROPS: [prop: string, value: unknown, part: string][] = [
  ['clusterName', 12, 'clusterName is 12, which is not a string'],
  ['region', null, 'region is null'],
  ['vpcId', ['vpc-1'], 'vpcId is ["vpc-1"]'],
  ['identity', undefined, 'identity is missing'],
  ['identity', 'arn:aws:iam::123456789012:role/x', 'which is not an AwsIdentity'],
  ['certificate', undefined, 'certificate is missing'],
  ['certificate', { name: 'tls' }, 'which is not a WebhookCertificate'],
  ['version', '3.5.0', "version is '3.5.0'"],
  ['namespace', 7, 'namespace is 7'],
  ['replicas', '2', "replicas is '2', which is not a number"],
  ['nlbOnly', 'false', "nlbOnly is 'false', which is not true or false"],
  ['podMutatorFailurePolicy', 'Never', 'one of Ignore, Fail'],
  ['policyFeatures', 'capacity', 'a list of'],
  ['isolation', 'none', "isolation is 'none'"],
  ['featureGates', null, 'featureGates is null'],
  ['featureGates', { EnableRGTAPI: 'yes' }, "featureGates.EnableRGTAPI is 'yes', which is not true or false"],
  ['flags', ['sync-period=1h'], 'which is not a map'],
  ['flags', { 'aws-max-retries': 10 }, 'flags.aws-max-retries is 10'],
  ['nodePool', { pool: 'edge' }, 'which is not a NodePool'],
  ['tolerations', [null], 'tolerations[0] is null, which is not a NodeTaint'],
  ['spread', 'zones', 'pass a PodSpread'],
  ['loadBalancerClass', null, 'loadBalancerClass is null'],
];

test.each(PROPS)('%s as %j is refused by name', (prop, value, part) => {
  const make = () => installed({ [prop]: value } as Partial<AwsLoadBalancerControllerInstallationProps>);
  expect(make).toThrow(part);
  expect(make).toThrow(/^system\/Controller: .*; .* \(wrong-prop\)$/m);
});

test.each([undefined, null, 'prod'])('%j instead of props is refused', (props) => {
  const make = () =>
    new AwsLoadBalancerControllerInstallation(
      new Chart(Testing.app(), 'system'),
      'Controller',
      props as unknown as AwsLoadBalancerControllerInstallationProps,
    );
  expect(make).toThrow('pass an object with clusterName, region, vpcId, identity, certificate');
});

test('props that are undefined are left out', () => {
  const nothing = Object.fromEntries(PROPS.map(([prop]) => [prop, undefined]));
  const props = { ...nothing, ...RIGHT, resources: { requests: { memory: '200Mi' } } };
  expect(synth(installed(props).chart)).toEqual(synth(installed().chart));
});
