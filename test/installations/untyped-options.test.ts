import { Chart, Testing } from 'cdk8s';
import { AwsIdentity, AzureRoleAssignment, GcpIamPolicyMember, IamPolicy } from '../../src/identity';
import {
  AwsCloudControllerManagerInstallation,
  AzureMultipleStandardLoadBalancers,
  FluxStage,
  MetalLbAddressPool,
  MetalLbBgpPeer,
  MetalLbCommunity,
  MetalLbLayer2Advertisement,
} from '../../src/installations';

// What a caller without types can pass is refused by name, and not by whatever reads it first.

type Make = new (scope: Chart, id: string, props: never) => unknown;

const made = (construct: Make, props: unknown) => () => {
  const chart = new Chart(Testing.app(), 'chart');
  return new construct(chart, 'Made', props as never);
};

test.each<[string, () => unknown, RegExp]>([
  [
    'no options',
    made(AwsCloudControllerManagerInstallation, undefined),
    /chart\/Made\] .* are 'undefined', and not an obj/,
  ],
  ['no name', made(AwsCloudControllerManagerInstallation, {}), /option clusterName is missing/],
  ['a number', made(AwsCloudControllerManagerInstallation, { clusterName: 5 }), /clusterName is '5', and not a text/],
  [
    'an identity of somebody else',
    made(AwsCloudControllerManagerInstallation, { clusterName: 'a', identity: {} }),
    /identity is \{\}, and no AwsIdentity/,
  ],
  [
    'half an endpoint',
    made(AwsCloudControllerManagerInstallation, { clusterName: 'a', cloudConfig: { endpoints: [{}] } }),
    /an endpoint of cloudConfig: option awsService is missing/,
  ],
  ['a text for a list', made(MetalLbAddressPool, { addresses: '192.0.2.0/28' }), /addresses is .*, and not a list/],
  ['nothing in a list', made(MetalLbLayer2Advertisement, { pools: [null] }), /pools is \[null\], and not a list/],
  ['seconds', made(MetalLbBgpPeer, { holdTime: 90 }), /holdTime is '90', and not a Duration/],
  ['no communities', made(MetalLbCommunity, {}), /communities is missing/],
  ['no path', made(FluxStage, { sourceName: 'a' }), /\[chart\/Made\] flux: option path is missing/],
  ['no scope', made(AzureRoleAssignment, { role: 'Owner' }), /option on is missing/],
  ['a resource by name', made(GcpIamPolicyMember, { resource: 'a' }), /resource is 'a', and no GcpResourceRef/],
  [
    'balancers of nothing',
    () => new AzureMultipleStandardLoadBalancers({ balancers: [{}] } as never),
    /name is missing/,
  ],
  ['no role', () => AwsIdentity.irsa(undefined as never), /^AwsIdentity: option roleArn is missing/],
  ['no statements', () => new IamPolicy(null as never), /^IamPolicy: option statements is 'null', and not a list/],
])('%s', (_, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(/; pass what its type says \(option-type\)$/);
});
