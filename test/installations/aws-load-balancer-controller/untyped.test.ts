import { Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { synth } from '../../support/apps';
import { casesIn } from '../../support/yaml-cases';
import { installed, RIGHT } from './installations';

const CASES = casesIn(__dirname, 'untyped.yaml');

// What JavaScript can pass and TypeScript cannot.

const PROPS: [prop: string, value: unknown, part: string][] = [
  ...CASES.props,
  ['identity', undefined, 'identity is missing'],
  ['certificate', undefined, 'certificate is missing'],
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
