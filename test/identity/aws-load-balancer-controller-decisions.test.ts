import { AwsClusterIsolation, AwsLoadBalancerControllerPolicy } from '../../src/identity';
import { CALLS } from '../../src/identity/aws/aws-load-balancer-controller.facts';
import { actionsOf } from '../../src/identity/aws/permissions';
import { casesIn } from '../support/yaml-cases';
import {
  ARNS,
  about,
  DECISIONS,
  elb,
  FOREIGN,
  OTHER_VPC,
  OWN,
  type Refusing,
  serviceLinkedRole,
  TAG,
  VPC,
} from './support/decisions';
import { allows, type IamRequest } from './support/iam-evaluator';

const CASES = casesIn(__dirname, 'aws-load-balancer-controller-decisions.yaml');

// Who may do what, decided by a small evaluator of policies and not by AWS. moto 5.2.5 cannot: it hands no tags of requests or
// resources to identity policies, asks about every action on '*', and takes a condition that is not met for a denial, so that it
// refuses own and foreign resources alike.

const { ANY_CLUSTER, OWN_CLUSTER, OWN_RESOURCES } = AwsClusterIsolation;

const ORDER = [ANY_CLUSTER, OWN_CLUSTER, OWN_RESOURCES];

function policy(isolation: AwsClusterIsolation) {
  return AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: OWN, isolation }).toPolicyDocument();
}

describe.each(ORDER)('a controller that is kept to %s', (isolation) => {
  const document = policy(isolation);
  const refuses = (refusing: Refusing) => refusing !== 'never' && ORDER.indexOf(isolation) >= ORDER.indexOf(refusing);

  test.each(DECISIONS)('%s: may for its own cluster', (_, request) => {
    expect(allows(document, request(OWN))).toBe(true);
  });

  test.each(
    DECISIONS.map(([name, request, refusing]) => [name, refuses(refusing) ? 'may not' : 'may', request] as const),
  )('%s: %s for another cluster', (_, verb, request) => {
    expect(allows(document, request(FOREIGN))).toBe(verb === 'may');
  });

  test('may read everything', () => {
    const reads = CALLS.filter(({ statement, purpose }) => statement === 'describe' && purpose === 'nlb');
    expect(
      reads.flatMap(actionsOf).filter((action) => !allows(document, { action, resources: [{ arn: '*' }] })),
    ).toEqual([]);
  });

  test('may not take a resource over that carries no tag of a cluster', () => {
    for (const name of ['DeleteLoadBalancer', 'AddTags']) {
      expect(allows(document, { action: elb(name), resources: [{ arn: ARNS.balancer }] })).toBe(false);
    }
  });

  test('may not give its tag to what is there already', () => {
    const context = { [`aws:RequestTag/${TAG}`]: OWN };
    expect(allows(document, about('balancer', elb('AddTags'), OWN, context))).toBe(false);
    expect(allows(document, about('security', 'ec2:CreateTags', OWN, context))).toBe(false);
  });

  test('may not do what others do', () => {
    for (const action of ['ec2:TerminateInstances', 'iam:PassRole', 's3:GetObject', elb('CreateRule')]) {
      expect(allows(document, { action, resources: [{ arn: ARNS.balancer }] })).toBe(false);
    }
  });

  test('may make no other service-linked role', () => {
    expect(allows(document, serviceLinkedRole('elasticloadbalancing.amazonaws.com'))).toBe(true);
    expect(allows(document, serviceLinkedRole('eks.amazonaws.com'))).toBe(false);
  });
});

test('the table decides on every action of the controller that changes something', () => {
  const changing = CALLS.filter(({ purpose, statement }) => purpose === 'nlb' && statement !== 'describe');
  const decided = new Set(DECISIONS.map(([, request]) => request(OWN).action));
  expect([...new Set(changing.flatMap(actionsOf))].filter((action) => !decided.has(action))).toEqual([]);
});

test('rules of security groups are kept to a VPC where one is given', () => {
  const document = AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: OWN, vpcArn: VPC }).toPolicyDocument();
  const write = (vpc: string) => ({
    action: 'ec2:AuthorizeSecurityGroupIngress',
    resources: [{ arn: ARNS.security, context: { 'ec2:Vpc': vpc } }],
  });
  expect([VPC, OTHER_VPC].map((vpc) => allows(document, write(vpc)))).toEqual([true, false]);
  expect(allows(policy(OWN_CLUSTER), write(OTHER_VPC))).toBe(true);
});

test('a controller of bindings touches the target groups that it is told, and makes nothing', () => {
  const document = AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({
    targetGroupArns: [ARNS.group],
  }).toPolicyDocument();
  const register = (arn: string) => ({ action: elb('RegisterTargets'), resources: [{ arn }] });
  expect(allows(document, register(ARNS.group))).toBe(true);
  expect(allows(document, register(`${ARNS.group.replace('k8s-echo', 'other')}`))).toBe(false);
  for (const action of [elb('DeleteTargetGroup'), elb('CreateLoadBalancer'), 'ec2:AuthorizeSecurityGroupIngress']) {
    expect(allows(document, { action, resources: [{ arn: ARNS.group }] })).toBe(false);
  }
});

describe('the evaluator itself', () => {
  const statement = (more: object) => ({ Statement: [{ Effect: 'Allow', Action: 'ec2:*', Resource: '*', ...more }] });
  const request: IamRequest = { action: 'ec2:CreateTags', resources: [{ arn: ARNS.security }] };

  test.each<[string, object, boolean]>(CASES.evaluatorItself)('%s', (_, more, expected) => {
    expect(allows(statement(more), request)).toBe(expected);
  });

  test('a denial beats what allows', () => {
    const both = { Statement: [...statement({}).Statement, ...statement({ Effect: 'Deny' }).Statement] };
    expect(allows(both, request)).toBe(false);
  });

  test('an operator that it does not know', () => {
    expect(() => allows(statement({ Condition: { Bool: {} } }), request)).toThrow('Bool');
  });
});
