import { Chart, Testing } from 'cdk8s';
import { AwsIdentity, AzureRoleAssignment, GcpIamPolicyMember, IamPolicy } from '../../src/identity';
import {
  AwsCloudControllerManagerInstallation,
  AzureMultipleStandardLoadBalancers,
  MetalLbAddressPool,
  MetalLbLayer2Advertisement,
  WebhookCertificate,
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
    /^chart\/Made: the props are undefined, and not an obj/,
  ],
  ['no name', made(AwsCloudControllerManagerInstallation, {}), /clusterName is missing; pass a string/],
  [
    'a number',
    made(AwsCloudControllerManagerInstallation, { clusterName: 5 }),
    /clusterName is 5, which is not a string/,
  ],
  [
    'an identity of somebody else',
    made(AwsCloudControllerManagerInstallation, { clusterName: 'a', identity: {} }),
    /identity is \{\}, which is not an AwsIdentity/,
  ],
  [
    'a text for a list',
    made(MetalLbAddressPool, { addresses: '192.0.2.0/28' }),
    /addresses is .*, which is not a list/,
  ],
  [
    'nothing in a list',
    made(MetalLbLayer2Advertisement, { pools: [null] }),
    /pools\[0\] is null, which is not a MetalLbAddressPool/,
  ],
  ['no scope', made(AzureRoleAssignment, { role: 'Owner' }), /on is missing; pass an AzureScope/],
  ['a resource by name', made(GcpIamPolicyMember, { resource: 'a' }), /resource is 'a', which is not a GcpResourceRef/],
  [
    'balancers of nothing',
    () => new AzureMultipleStandardLoadBalancers({ balancers: [{}] } as never),
    /name is missing/,
  ],
  [
    'an issuer without a name',
    () => WebhookCertificate.certManager({ issuer: {} } as never),
    /issuer\.name is missing/,
  ],
  ['a secret without a name', () => WebhookCertificate.fromSecret({ caBundle: 'x' } as never), /name is missing/],
  ['a secret without a CA bundle', () => WebhookCertificate.fromSecret({ name: 'x' } as never), /caBundle is missing/],
  ['no role', () => AwsIdentity.irsa(undefined as never), /^AwsIdentity\.irsa: roleArn is undefined/],
  ['no statements', () => new IamPolicy(null as never), /^IamPolicy: statements is null, which is not a list/],
])('%s', (_, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(/; pass .* \(wrong-prop\)$/);
});
