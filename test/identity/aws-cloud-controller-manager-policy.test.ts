import { type AwsCloudControllerFeature, AwsCloudControllerManagerPolicy, type IamPolicy } from '../../src/identity';
import { CLOUD_CONTROLLER_CALLS } from '../../src/identity/aws/aws-cloud-controller-manager.facts';
import { casesIn } from '../support/yaml-cases';
import { digestOf } from './support/canonical-policy';

const CASES = casesIn(__dirname, 'aws-cloud-controller-manager-policy.yaml');

const actionsOf = ({ statements }: IamPolicy) => statements.flatMap(({ actions }) => actions);

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
  const { statements } = AwsCloudControllerManagerPolicy.full();
  expect(statements.find(({ actions }) => actions.includes('iam:CreateServiceLinkedRole'))?.conditions).toEqual({
    StringEquals: { 'iam:AWSServiceName': 'elasticloadbalancing.amazonaws.com' },
  });
});

test('it fits a managed policy', () => {
  expect(AwsCloudControllerManagerPolicy.full().split()).toHaveLength(1);
});

describe('a pod that takes another role', () => {
  const role = 'arn:aws-cn:iam::123456789012:role/ccm';

  test.each([role, '$' + '{Token[Role.1]}'])('may take %s, and nothing else', (arn) => {
    expect(AwsCloudControllerManagerPolicy.assuming(arn).toPolicyDocument().Statement).toEqual([
      { Sid: 'CloudControllerRole', Effect: 'Allow', Action: ['sts:AssumeRole', 'sts:TagSession'], Resource: [arn] },
    ]);
  });

  test('keeps what it has beside', () => {
    const both = AwsCloudControllerManagerPolicy.only([]).plus(AwsCloudControllerManagerPolicy.assuming(role));
    expect(both.statements.map(({ sid }) => sid)).toEqual(['CloudController', 'CloudControllerRole']);
  });

  test.each(['arn:aws:iam::123456789012:user/x', 'arn:aws:iam:::role/x', 'arn:aws:iam::123456789012:role/*'])(
    'not %s',
    (arn) => {
      expect(() => AwsCloudControllerManagerPolicy.assuming(arn)).toThrow(
        /^AwsCloudControllerManagerPolicy: 'arn:.*' is not an ARN like .*; write the ARN that cloudConfig.roleArn has \(aws-arn\)$/,
      );
    },
  );
});
