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
import { casesIn, revived } from '../support/yaml-cases';
import { digestOf, linesOf } from './support/canonical-policy';

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

  test.each<[AwsLoadBalancerControllerFeature, string[]]>(CASES.addsOwnActions)(
    '%s adds its own actions alone',
    (feature, added) => {
      expect(actionsIn({ features: [feature] }).filter((action) => !actionsIn().includes(action))).toEqual(added);
    },
  );

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
  test.each<[string, Partial<AwsLoadBalancerControllerPolicyOptions>, RegExp]>(CASES.refuses)(
    '%s',
    (_, options, message) => {
      expect(() => AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod', ...options })).toThrow(message);
    },
  );

  test('target groups that are none', () => {
    expect(() => AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({ targetGroupArns: ['edge'] })).toThrow(
      /'edge' is not an ARN like arn:aws:elasticloadbalancing/,
    );
  });
});
