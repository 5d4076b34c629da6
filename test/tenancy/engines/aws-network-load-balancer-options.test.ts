import { type ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import type { AwsNetworkLoadBalancerEngineOptions } from '../../../src/tenancy/engines/aws-network-load-balancer/options';
import { lockFile } from '../shared/locked';

function told(options: AwsNetworkLoadBalancerEngineOptions, oneTeam = false, ...patches: JsonPatch[]): string {
  const app = Testing.app();
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer(options),
    platform: [TenancyIdentity.user('delivery')],
    portLock: lockFile({}),
    oneTeam,
  });
  const configuration = shared.node.findAll().find(({ node }) => node.id === 'Configuration') as ApiObject;
  configuration.addJsonPatch(...patches);
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  [[''], 'has ""'],
  [[' '], 'has " "'],
  [['sg-0123456789abcdef0', ''], 'has ""'],
  [['sg-nonsense'], 'has "sg-nonsense"'],
  [[' sg-0123456789abcdef0'], 'has " sg-0123456789abcdef0"'],
  [['a\nb'], 'has "a\\nb"'],
  [['x'.repeat(256)], `has "${'x'.repeat(256)}"`],
  [['sg-0123456789abcdef0', 'sg-0123456789abcdef0'], 'has "sg-0123456789abcdef0" twice'],
])('security groups %j are none', (securityGroups, says) => {
  expect(told({ securityGroups })).toContain(`securityGroups ${says}`);
  expect(told({ securityGroups }, true)).toContain('(nlb-security-groups)');
});

test.each([[['sg-0123456789abcdef0', 'edge']], [['sg-01234567']], [['of the platform']]])(
  'security groups %j are some',
  (securityGroups) => expect(told({ securityGroups })).toBe(''),
);

test('no security group is no fence', () => {
  expect(told({ securityGroups: [] })).toContain('(isolation-security-groups)');
  expect(told({ securityGroups: [] }, true)).toBe('');
});

test.each([['10.0.0.0/99'], ['10.0.0.0'], [''], ['anywhere'], ['2001:db8::/129']])('%j is no source range', (range) => {
  expect(told({ sourceRanges: ['10.0.0.0/8', range] }, true)).toContain(
    `sourceRanges: '${range}' is not a valid address range like 10.0.0.0/8`,
  );
  expect(told({ sourceRanges: [range] }, true)).toContain('(nlb-source-ranges)');
});

test('source ranges of both families are some', () => {
  expect(told({ sourceRanges: ['10.0.0.0/8', '2001:db8::/32'] }, true)).toBe('');
});

test.each<[string, unknown, string]>([
  ['scheme', 'public', "spec.scheme is 'public', which is not a valid value; use one of internal, internet-facing"],
  ['loadBalancerName', 'x'.repeat(33), 'write a string, at most 32 characters'],
  ['tags', { team: 1 }, "spec.tags['team'] is 1; write a string, in quotes"],
  ['wafV2', {}, 'spec.wafV2.webACL is missing'],
])('%s cannot be patched to %j', (field, value, says) => {
  const securityGroups = ['sg-01234567'];
  expect(told({ securityGroups }, false, JsonPatch.add(`/spec/${field}`, value))).toContain(says);
});
