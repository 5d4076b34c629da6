import {
  AwsClusterIsolation,
  AwsLoadBalancerControllerFeature,
  AwsLoadBalancerControllerPolicy,
  type AwsLoadBalancerControllerPolicyOptions,
  AwsPartition,
} from '../../src/identity';
import { CALLS, IN_DEFAULT_POLICY, STATEMENTS } from '../../src/identity/aws/aws-load-balancer-controller.facts';
import { statementsFor } from '../../src/identity/aws/aws-load-balancer-controller-statements';
import { actionsOf, type Purpose } from '../../src/identity/aws/permissions';
import { digestOf, linesOf } from './support/canonical-policy';

const VENDOR: AwsLoadBalancerControllerPolicyOptions = {
  clusterName: 'prod',
  isolation: AwsClusterIsolation.ANY_CLUSTER,
};

function lines(purposes: readonly Purpose[], options = VENDOR): string[] {
  return linesOf({
    Statement: statementsFor(purposes, options).map(({ actions, resources, conditions }) => ({
      Action: actions,
      Resource: resources,
      Condition: conditions,
    })),
  });
}

// Prints of the vendor's files, docs/install/*.json of v3.5.0, made by the function that makes those of ours: a row more or less
// on either side, another condition or another ARN gives another print.
describe('the tables say what the files of v3.5.0 say', () => {
  test.each<[string, AwsPartition, number, string]>([
    ['iam_policy.json', AwsPartition.AWS, 98, '201a82a5e408cf639737c63ca914ef82'],
    ['iam_policy_cn.json', AwsPartition.CHINA, 98, 'f72625a4d523199eb239474b84a35a47'],
    ['iam_policy_us-gov.json', AwsPartition.US_GOV, 98, '18958f087f41b56044260afec187a578'],
    ['iam_policy_iso.json', AwsPartition.ISO, 93, '3fb7c9be46aff239022ca54680a7d847'],
    ['iam_policy_isob.json', AwsPartition.ISO_B, 93, 'd0d2061ea41f76c62de00b04a5dc0a90'],
    ['iam_policy_isoe.json', AwsPartition.ISO_E, 93, '8b0478292a6fa35c8c07b36133f1eb19'],
    ['iam_policy_isof.json', AwsPartition.ISO_F, 93, '8a8ed2256503c3538709df0502a6b5be'],
    ['iam_policy_eusc.json', AwsPartition.EU_SOVEREIGN, 98, '5ba1bb6c5d1bfdb5809d4a5f63d093b3'],
  ])('%s', (_, partition, count, digest) => {
    const found = linesOf(AwsLoadBalancerControllerPolicy.full({ ...VENDOR, partition }).toPolicyDocument());
    expect(found).toHaveLength(count);
    expect(digestOf(found)).toBe(digest);
  });

  test.each<[string, Purpose[], number, string]>([
    ['iam_policy_acm_certs.json', ['certificate-management'], 10, '40e2adaa4ce511d959c5914a2ddcb784'],
    ['aga_controller_iam_policy.json', ['global-accelerator'], 50, '709b2d8c8142569edc5dce933f9871eb'],
    ['iam_policy_v1_to_v2_additional.json', ['migration-from-v1', 'alb'], 11, 'e53ad3c85a61aa23a0034750e354ff49'],
  ])('%s', (_, purposes, count, digest) => {
    const found = lines(purposes).filter((line) => !lines(['alb']).includes(line));
    expect(found).toHaveLength(count);
    expect(digestOf(found)).toBe(digest);
  });

  test('every statement is used, and every call names a file', () => {
    expect([...new Set(CALLS.map(({ statement }) => statement))].sort()).toEqual(Object.keys(STATEMENTS).sort());
    expect(CALLS.filter(({ source }) => !/^(docs|pkg)\/.+\.(go|json)$/.test(source))).toEqual([]);
  });

  test('what is in the policy and called by nobody is told apart', () => {
    expect(CALLS.filter(({ purpose }) => purpose === 'uncalled').flatMap(actionsOf)).toEqual([
      'elasticloadbalancing:DescribeSSLPolicies',
      'iam:ListServerCertificates',
      'iam:GetServerCertificate',
      'waf-regional:GetWebACL',
      'wafv2:GetWebACL',
      'elasticloadbalancing:SetWebAcl',
    ]);
  });
});

function actionsIn(options: Partial<AwsLoadBalancerControllerPolicyOptions> = {}): string[] {
  const { statements } = AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', ...options });
  return [...new Set(statements.flatMap(({ actions }) => actions))];
}

describe('the policy for NLBs alone', () => {
  test('has nothing of ALBs, web firewalls, certificates or sign-ins', () => {
    expect(
      actionsIn().filter((action) => /^(acm|waf|wafv2|waf-regional|shield|cognito-idp|tag|sts):/.test(action)),
    ).toEqual([]);
    const text = JSON.stringify(AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod' }).toPolicyDocument());
    expect(text).not.toMatch(/\/app\/|Rule"|ModifyIpPools|CapacityReservation|SetWebAcl/);
  });

  test('is part of the whole one, statement by statement', () => {
    const whole = lines(IN_DEFAULT_POLICY);
    expect(lines(['nlb', 'service-linked-role']).filter((line) => !whole.includes(line))).toEqual([]);
  });

  test.each<[AwsLoadBalancerControllerFeature, string[]]>([
    [
      AwsLoadBalancerControllerFeature.LOAD_BALANCER_CAPACITY,
      ['elasticloadbalancing:DescribeCapacityReservation', 'elasticloadbalancing:ModifyCapacityReservation'],
    ],
    [
      AwsLoadBalancerControllerFeature.SHIELD,
      [
        'shield:GetSubscriptionState',
        'shield:DescribeProtection',
        'shield:CreateProtection',
        'shield:DeleteProtection',
      ],
    ],
    [AwsLoadBalancerControllerFeature.CERTIFICATE_DISCOVERY, ['acm:ListCertificates', 'acm:DescribeCertificate']],
    [AwsLoadBalancerControllerFeature.COGNITO, ['cognito-idp:DescribeUserPoolClient']],
    [AwsLoadBalancerControllerFeature.TAGGING_API, ['tag:GetResources']],
    [
      AwsLoadBalancerControllerFeature.WAF_CLASSIC,
      ['waf-regional:GetWebACLForResource', 'waf-regional:AssociateWebACL', 'waf-regional:DisassociateWebACL'],
    ],
    [
      AwsLoadBalancerControllerFeature.WAFV2,
      ['wafv2:GetWebACLForResource', 'wafv2:AssociateWebACL', 'wafv2:DisassociateWebACL'],
    ],
    [AwsLoadBalancerControllerFeature.WAFV2_BY_NAME, ['wafv2:ListWebACLs']],
    [
      AwsLoadBalancerControllerFeature.APPLICATION_LOAD_BALANCERS,
      [
        'elasticloadbalancing:DescribeTrustStores',
        'elasticloadbalancing:CreateRule',
        'elasticloadbalancing:DeleteRule',
        'elasticloadbalancing:ModifyIpPools',
        'elasticloadbalancing:ModifyRule',
        'elasticloadbalancing:SetRulePriorities',
      ],
    ],
  ])('%s adds its own actions alone', (feature, added) => {
    expect(actionsIn({ features: [feature] }).filter((action) => !actionsIn().includes(action))).toEqual(added);
  });

  test('every feature adds something', () => {
    for (const feature of Object.values(AwsLoadBalancerControllerFeature)) {
      const { statements } = AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', features: [feature] });
      expect(JSON.stringify(statements)).not.toBe(
        JSON.stringify(AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod' }).statements),
      );
    }
  });

  test('roles of other accounts are named, and the service-linked role can be left out', () => {
    const assumableRoleArns = ['arn:aws:iam::210987654321:role/edge'];
    const { statements } = AwsLoadBalancerControllerPolicy.nlbOnly({
      clusterName: 'prod',
      assumableRoleArns,
      serviceLinkedRole: false,
    });
    expect(statements.find(({ actions }) => actions.includes('sts:AssumeRole'))?.resources).toEqual(assumableRoleArns);
    expect(statements.flatMap(({ actions }) => actions)).not.toContain('iam:CreateServiceLinkedRole');
  });
});

test('every ARN is of the partition, and service principals are the same in all', () => {
  for (const partition of [AwsPartition.AWS, AwsPartition.CHINA, AwsPartition.US_GOV, AwsPartition.ISO_F]) {
    const features = Object.values(AwsLoadBalancerControllerFeature);
    const text = JSON.stringify(
      AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod', partition, features }).toPolicyDocument(),
    );
    const partitions = new Set([...text.matchAll(/arn:([a-z-]+):/g)].map(([, id]) => id));
    expect([...partitions]).toEqual([partition.id]);
    expect(text).toContain('"elasticloadbalancing.amazonaws.com"');
  }
});

test('the whole policy of one cluster fits a managed policy, and with everything in addition two', () => {
  const clusterName = 'c'.repeat(100);
  const features = Object.values(AwsLoadBalancerControllerFeature);
  expect(AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName }).split()).toHaveLength(1);
  expect(AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod' }).split()).toHaveLength(1);
  expect(AwsLoadBalancerControllerPolicy.full({ clusterName, features }).split().length).toBeGreaterThan(1);
});

describe('refuses', () => {
  test.each<[string, Partial<AwsLoadBalancerControllerPolicyOptions>, RegExp]>([
    ['no name', { clusterName: '' }, /'' is not a valid cluster name; .* \(aws-cluster-name\)/],
    ['a wildcard as a name', { clusterName: 'prod-*' }, /'prod-\*' is not a valid cluster name/],
    ['a policy variable as a name', { clusterName: '$' + '{aws:username}' }, /is not a valid cluster name/],
    [
      'a VPC without its ARN',
      { vpcArn: 'vpc-0123456789abcdef0' },
      /'vpc-0123456789abcdef0' is not an ARN like arn:aws:ec2/,
    ],
    [
      'a VPC in China for the commercial partition',
      { vpcArn: 'arn:aws-cn:ec2:cn-north-1:123456789012:vpc/vpc-0123456789abcdef0' },
      /is of partition aws-cn, and the policy of aws; .* \(aws-partition\)/,
    ],
    [
      'a role of GovCloud for China',
      { partition: AwsPartition.CHINA, assumableRoleArns: ['arn:aws-us-gov:iam::123456789012:role/x'] },
      /is of partition aws-us-gov, and the policy of aws-cn/,
    ],
  ])('%s', (_, options, message) => {
    expect(() => AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod', ...options })).toThrow(message);
  });

  test('target groups that are none', () => {
    expect(() => AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({ targetGroupArns: ['edge'] })).toThrow(
      /'edge' is not an ARN like arn:aws:elasticloadbalancing/,
    );
  });
});
