import {
  type AwsCloudControllerFeature,
  AwsCloudControllerManagerPolicy,
  AwsClusterIsolation,
  AwsIdentity,
  AwsLoadBalancerControllerFeature,
  AwsLoadBalancerControllerPolicy,
  type AwsLoadBalancerControllerPolicyOptions,
  AwsPartition,
  AwsRoleTrust,
  IamPolicy,
} from '../../src/identity';
import { CLOUD_CONTROLLER_CALLS } from '../../src/identity/aws/aws-cloud-controller-manager.facts';
import { CALLS, IN_DEFAULT_POLICY, STATEMENTS } from '../../src/identity/aws/aws-load-balancer-controller.facts';
import { statementsFor } from '../../src/identity/aws/aws-load-balancer-controller-statements';
import { actionsOf, type IamStatement, type Purpose } from '../../src/identity/aws/permissions';
import { casesIn, revived } from '../support/yaml-cases';
import { digestOf, linesOf } from './support/canonical-policy';

describe('aws cloud controller manager policy', () => {
  const CASES = casesIn(__dirname, 'aws-cloud-controller-manager-policy.yaml');

  const actionsOf = ({ _statements }: IamPolicy) => _statements.flatMap(({ actions }) => actions);

  /** A print of the actions in docs/prerequisites.md of kubernetes/cloud-provider-aws v1.36.1, sorted. */
  const DOCUMENTED = { count: 56, digest: 'aad58a010f960d994d4cfc5981ef4333' };

  /** In the code and the documentation after that tag. */
  const NEXT = 'elasticloadbalancing:SetSecurityGroups';

  const MISSED = [
    'ec2:DeleteTags',
    'ec2:DescribeNetworkInterfaces',
    'elasticloadbalancing:DescribeTargetGroupAttributes',
    'elasticloadbalancing:ModifyTargetGroupAttributes',
  ];

  test('everything is what the documentation says, and four actions that it misses', () => {
    const all = actionsOf(AwsCloudControllerManagerPolicy.full());
    const documented = all.filter((action) => ![...MISSED, NEXT].includes(action)).sort();
    expect(all).toContain(NEXT);
    expect(all.filter((action) => MISSED.includes(action)).sort()).toEqual(MISSED);
    expect({ count: documented.length, digest: digestOf(documented) }).toEqual(DOCUMENTED);
  });

  test('the table marks what the documentation misses', () => {
    const missed = CLOUD_CONTROLLER_CALLS.filter(({ documented }) => !documented);
    expect(missed.flatMap(({ service, names }) => names.map((name) => `${service}:${name}`)).sort()).toEqual(
      [...MISSED, NEXT].sort(),
    );
  });

  test('no action is listed twice', () => {
    const all = actionsOf(AwsCloudControllerManagerPolicy.full());
    expect(new Set(all).size).toBe(all.length);
  });

  describe.each<[AwsCloudControllerFeature[], string[], string[]]>(CASES.awsCloudController)(
    'for %j',
    (features, has, lacks) => {
      const actions = actionsOf(AwsCloudControllerManagerPolicy.only(features));

      test('it has what is called, and nothing else', () => {
        expect(actions).toEqual(expect.arrayContaining(has));
        expect(actions.filter((action) => lacks.includes(action))).toEqual([]);
      });
    },
  );

  test('the service-linked role is made for Elastic Load Balancing alone', () => {
    const { _statements: statements } = AwsCloudControllerManagerPolicy.full();
    expect(statements.find(({ actions }) => actions.includes('iam:CreateServiceLinkedRole'))?.conditions).toEqual({
      StringEquals: { 'iam:AWSServiceName': 'elasticloadbalancing.amazonaws.com' },
    });
  });

  test('it fits a managed policy', () => expect(AwsCloudControllerManagerPolicy.full().split()).toHaveLength(1));

  describe('a pod that takes another role', () => {
    const role = 'arn:aws-cn:iam::123456789012:role/ccm';

    test.each([role, '$' + '{Token[Role.1]}'])('may take %s, and nothing else', (arn) => {
      expect(AwsCloudControllerManagerPolicy.assuming(arn).toPolicyDocument().Statement).toEqual([
        { Sid: 'CloudControllerRole', Effect: 'Allow', Action: ['sts:AssumeRole', 'sts:TagSession'], Resource: [arn] },
      ]);
    });

    test('keeps what it has beside', () => {
      const both = AwsCloudControllerManagerPolicy.only([]).plus(AwsCloudControllerManagerPolicy.assuming(role));
      expect(both._statements.map(({ sid }) => sid)).toEqual(['CloudController', 'CloudControllerRole']);
    });

    test.each(['arn:aws:iam::123456789012:user/x', 'arn:aws:iam:::role/x', 'arn:aws:iam::123456789012:role/*'])(
      'not %s',
      (arn) => {
        expect(() => AwsCloudControllerManagerPolicy.assuming(arn)).toThrow(
          /^AwsCloudControllerManagerPolicy: 'arn:.*' is not an ARN like .*; write the ARN that cloudConfig.roleArn has \(aws-arn-invalid\)$/,
        );
      },
    );
  });
});

const CASES = revived(casesIn(__dirname, 'aws-load-balancer-controller-policy.yaml'));

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
  test.each<[string, AwsPartition, number, string]>(CASES.tablesSayWhat)('%s', (_, partition, count, digest) => {
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
  const { _statements: statements } = AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', ...options });
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

  test.each<[AwsLoadBalancerControllerFeature, string[]]>(CASES.addsOwnActions)(
    '%s adds its own actions alone',
    (feature, added) => {
      expect(actionsIn({ features: [feature] }).filter((action) => !actionsIn().includes(action))).toEqual(added);
    },
  );

  test('every feature adds something', () => {
    for (const feature of Object.values(AwsLoadBalancerControllerFeature)) {
      const { _statements: statements } = AwsLoadBalancerControllerPolicy.nlbOnly({
        clusterName: 'prod',
        features: [feature],
      });
      expect(JSON.stringify(statements)).not.toBe(
        JSON.stringify(AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod' })._statements),
      );
    }
  });

  test('roles of other accounts are named, and the service-linked role can be left out', () => {
    const assumableRoleArns = ['arn:aws:iam::210987654321:role/edge'];
    const { _statements: statements } = AwsLoadBalancerControllerPolicy.nlbOnly({
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
  test.each<[string, Partial<AwsLoadBalancerControllerPolicyOptions>, RegExp]>(CASES.refuses)(
    '%s',
    (_, options, message) => {
      expect(() => AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod', ...options })).toThrow(message);
    },
  );

  test('target groups that are none', () => {
    expect(() => AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly(['edge'])).toThrow(
      /'edge' is not an ARN like arn:aws:elasticloadbalancing/,
    );
  });
});

describe('iam policy', () => {
  const READ: IamStatement = { sid: 'Read', actions: ['ec2:DescribeSubnets'], resources: ['*'] };
  const large = (sid: string, arns: number): IamStatement => ({
    sid,
    actions: ['elasticloadbalancing:RegisterTargets'],
    resources: Array.from(
      { length: arns },
      (_, n) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/${sid}/${n}`,
    ),
  });

  test('a policy becomes the document that IAM takes', () => {
    const conditions = { StringEquals: { 'aws:RequestTag/team': 'edge' } };
    const policy = IamPolicy._of([READ, { ...READ, sid: undefined, conditions }]);
    expect(policy.toPolicyDocument()).toEqual({
      Version: '2012-10-17',
      Statement: [
        { Sid: 'Read', Effect: 'Allow', Action: ['ec2:DescribeSubnets'], Resource: ['*'] },
        { Effect: 'Allow', Action: ['ec2:DescribeSubnets'], Resource: ['*'], Condition: conditions },
      ],
    });
  });

  test('the document is the same however often it is written', () => {
    const write = () => JSON.stringify(IamPolicy._of([READ, large('Many', 3)]).toPolicyDocument());
    expect(write()).toBe(write());
  });

  test('both together have what is listed twice once, and names that differ', () => {
    const other: IamStatement = { ...READ, actions: ['ec2:DescribeVpcs'] };
    const { _statements: statements } = IamPolicy._of([READ])
      .plus(IamPolicy._of([{ ...READ, sid: 'Again' }, other]))
      .plus(IamPolicy._of([{ ...other, resources: ['arn:aws:ec2:*:*:vpc/*'] }]));
    expect(statements.map(({ sid }) => sid)).toEqual(['Read', 'Read2', 'Read3']);
  });

  test('what counts for the limit has no white space, and a token stands for 100 characters', () => {
    const document = (text: string) =>
      IamPolicy._of([{ ...READ, conditions: { StringEquals: { 'aws:RequestTag/a b': text } } }]);
    expect(IamPolicy._of([READ]).size).toBe(
      '{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Action":["ec2:DescribeSubnets"],"Resource":["*"]}]}'
        .length,
    );
    expect(document('x y').size - document('').size).toBe(2);
    expect(document('$' + '{Token[TOKEN.12]}').size - document('').size).toBe(100);
  });

  test('a policy is cut into parts that fit, in order and without loss', () => {
    const policy = IamPolicy._of([READ, large('A', 40), large('B', 40), large('C', 40), large('D', 5)]);
    const parts = policy.split();
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter(({ size }) => size > 6144)).toEqual([]);
    expect(parts.flatMap(({ _statements }) => _statements)).toEqual(policy._statements);
    expect(IamPolicy._of([READ]).split()).toHaveLength(1);
    expect(policy.split(100_000)).toHaveLength(1);
  });
});

describe('aws arn', () => {
  const CASES = casesIn(__dirname, 'aws-arn.yaml');

  const ACCOUNT = '123456789012';
  const VPC = 'vpc-0123456789abcdef0';
  const token = (name: string) => `\${Token[${name}.12]}`;

  const role = (arn: string) => () => AwsIdentity.irsa(arn);
  const vpc = (vpcArn: string) => () => AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', vpcArn });
  const cluster = (clusterArn: string) => () => AwsRoleTrust.podIdentity({ clusterArn });
  const group = (arn: string) => () => AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly([arn]);
  const assumed = (arn: string) => () =>
    AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', assumableRoleArns: [arn] });
  const provider = (oidcProviderArn: string) => () =>
    AwsRoleTrust.irsa({ namespace: 'a', serviceAccount: 'b', oidcProviderArn });

  describe('an ARN is refused', () => {
    test.each<[string, () => unknown, RegExp]>(
      revived(CASES.arnRefused, { assumed, cluster, group, provider, role, vpc }),
    )('%s', (_, make, message) => expect(make).toThrow(message));
  });

  describe('an ARN is taken', () => {
    test.each<[string, () => unknown]>([
      ...revived(CASES.arnTaken, { assumed, cluster, group, role, token, vpc }),
      ['a role of an account that is a token', role(`arn:aws:iam::${token('Account')}:role/x`)],
      ['a role of a partition that is known later', role('arn:$' + '{AWS::Partition}:iam:::role/x')],
      ['a VPC whose id is a token', vpc(`arn:aws:ec2:eu-west-1:${ACCOUNT}:vpc/${token('Vpc')}`)],
    ])('%s', (_, make) => expect(make).not.toThrow());
  });

  describe('target groups and their VPC are of one partition', () => {
    const ours = `arn:aws:elasticloadbalancing:eu-west-1:${ACCOUNT}:targetgroup/edge/0123456789abcdef`;
    const china = `arn:aws-cn:elasticloadbalancing:cn-north-1:${ACCOUNT}:targetgroup/edge/0123456789abcdef`;
    const vpcArn = `arn:aws-cn:ec2:cn-north-1:${ACCOUNT}:vpc/${VPC}`;

    test.each<[string, string[], string | undefined]>([
      ['a VPC of China', [ours], vpcArn],
      ['two target groups', [ours, china], undefined],
      ['the last of three target groups', [ours, ours, china], undefined],
      ['a target group whose account is a token', [ours.replace(ACCOUNT, token('Account'))], vpcArn],
    ])('not %s', (_, targetGroupArns, vpc) => {
      expect(() => AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly(targetGroupArns, vpc)).toThrow(
        /'arn:aws-cn:.*' is of partition aws-cn, and targetGroupArns 'arn:aws:.*' of aws; .* policy for each \(aws-partition-mismatch\)$/,
      );
    });

    test('of China', () => {
      const policy = AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly([china, token('Group')], vpcArn);
      expect(policy._statements).toHaveLength(3);
    });
  });
});
