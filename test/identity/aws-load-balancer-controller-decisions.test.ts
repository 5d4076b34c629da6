import { AwsClusterIsolation, AwsLoadBalancerControllerPolicy } from '../../src/identity';
import { CALLS } from '../../src/identity/aws/aws-load-balancer-controller.permissions.facts';
import { allows, type IamRequest } from './support/iam-evaluator';

// Who may do what, decided by a small evaluator of policies and not by AWS. moto 5.2.5 cannot: it hands no tags of requests or
// resources to identity policies, asks about every action on '*', and takes a condition that is not met for a denial, so that it
// refuses own and foreign resources alike.

const OWN = 'prod';
const FOREIGN = 'stage';
const TAG = 'elbv2.k8s.aws/cluster';
const REGION = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012';
const EC2 = 'arn:aws:ec2:eu-west-1:123456789012';
const VPC = `${EC2}:vpc/vpc-0123456789abcdef0`;
const OTHER_VPC = `${EC2}:vpc/vpc-0fedcba9876543210`;

const ARNS = {
  balancer: `${REGION}:loadbalancer/net/k8s-echo/0123456789abcdef`,
  group: `${REGION}:targetgroup/k8s-echo/0123456789abcdef`,
  listener: `${REGION}:listener/net/k8s-echo/0123456789abcdef/0123456789abcdef`,
  security: `${EC2}:security-group/sg-0123456789abcdef0`,
  vpc: VPC,
} as const;
type Kind = keyof typeof ARNS;

/** A request about something that is there, which the controller of a cluster made. */
function about(kind: Kind, action: string, cluster: string, context: Record<string, string> = {}): IamRequest {
  const tags = { [`aws:ResourceTag/${TAG}`]: cluster, 'ec2:Vpc': VPC };
  return { action, context, resources: [{ arn: ARNS[kind], context: tags }] };
}

/** A request that makes something, with the tags that the controller of a cluster gives it. */
function making(action: string, cluster: string, ...kinds: Kind[]): IamRequest {
  const context = { [`aws:RequestTag/${TAG}`]: cluster };
  const made = (kind: Kind) => (kind === 'vpc' ? {} : context);
  return { action, resources: kinds.map((kind) => ({ arn: ARNS[kind], context: made(kind) })) };
}

/** Tags that are written while something is made. */
function tagging(action: string, creation: string, cluster: string, kind: Kind): IamRequest {
  const [service] = action.split(':');
  return {
    action,
    context: { [`${service}:CreateAction`]: creation, [`aws:RequestTag/${TAG}`]: cluster },
    resources: [{ arn: ARNS[kind] }],
  };
}

type Decision = (cluster: string) => IamRequest;

const { ANY_CLUSTER, OWN_CLUSTER, OWN_RESOURCES } = AwsClusterIsolation;

/** Which policies refuse it for another cluster: from the first that does on, or none. */
type Refusing = AwsClusterIsolation.OWN_CLUSTER | AwsClusterIsolation.OWN_RESOURCES | 'never';

const elb = (name: string) => `elasticloadbalancing:${name}`;

const modify = (kind: Kind, ...names: string[]): [string, Decision, Refusing][] =>
  names.map((name) => [elb(name), (cluster) => about(kind, elb(name), cluster), OWN_CLUSTER]);

const strictly = (kind: Kind, ...names: string[]): [string, Decision, Refusing][] =>
  names.map((name) => [elb(name), (cluster) => about(kind, elb(name), cluster), OWN_RESOURCES]);

const DECISIONS: [string, Decision, Refusing][] = [
  ...modify('balancer', 'ModifyLoadBalancerAttributes', 'SetIpAddressType', 'SetSecurityGroups', 'SetSubnets'),
  ...modify('balancer', 'DeleteLoadBalancer'),
  ...modify('group', 'ModifyTargetGroup', 'ModifyTargetGroupAttributes', 'DeleteTargetGroup'),
  ...modify('listener', 'ModifyListenerAttributes'),
  ...modify('balancer', 'AddTags', 'RemoveTags'),
  ...modify('group', 'AddTags', 'RemoveTags'),
  ['elasticloadbalancing:CreateLoadBalancer', (c) => making(elb('CreateLoadBalancer'), c, 'balancer'), OWN_CLUSTER],
  ['elasticloadbalancing:CreateTargetGroup', (c) => making(elb('CreateTargetGroup'), c, 'group'), OWN_CLUSTER],
  ['tags of a new balancer', (c) => tagging(elb('AddTags'), 'CreateLoadBalancer', c, 'balancer'), OWN_CLUSTER],
  ['tags of a new group', (c) => tagging(elb('AddTags'), 'CreateTargetGroup', c, 'group'), OWN_CLUSTER],
  ['tags of a new listener', (c) => tagging(elb('AddTags'), 'CreateListener', c, 'listener'), OWN_RESOURCES],
  ...strictly('listener', 'AddTags', 'RemoveTags', 'DeleteListener', 'ModifyListener'),
  ...strictly('listener', 'AddListenerCertificates', 'RemoveListenerCertificates'),
  ...strictly('balancer', 'CreateListener'),
  ...strictly('group', 'RegisterTargets', 'DeregisterTargets'),
  ['ec2:DeleteSecurityGroup', (c) => about('security', 'ec2:DeleteSecurityGroup', c), OWN_CLUSTER],
  ['ec2:CreateTags', (c) => about('security', 'ec2:CreateTags', c), OWN_CLUSTER],
  ['ec2:DeleteTags', (c) => about('security', 'ec2:DeleteTags', c), OWN_CLUSTER],
  ['tags of a new security group', (c) => tagging('ec2:CreateTags', 'CreateSecurityGroup', c, 'security'), OWN_CLUSTER],
  ['ec2:CreateSecurityGroup', (c) => making('ec2:CreateSecurityGroup', c, 'security', 'vpc'), OWN_RESOURCES],
  ['ec2:AuthorizeSecurityGroupIngress', (c) => about('security', 'ec2:AuthorizeSecurityGroupIngress', c), 'never'],
  ['ec2:RevokeSecurityGroupIngress', (c) => about('security', 'ec2:RevokeSecurityGroupIngress', c), 'never'],
];

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
    expect(reads.filter(({ action }) => !allows(document, { action, resources: [{ arn: '*' }] }))).toEqual([]);
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
    const make = (service: string) => ({
      action: 'iam:CreateServiceLinkedRole',
      resources: [{ arn: 'arn:aws:iam::123456789012:role/aws-service-role/x' }],
      context: { 'iam:AWSServiceName': service },
    });
    expect(allows(document, make('elasticloadbalancing.amazonaws.com'))).toBe(true);
    expect(allows(document, make('eks.amazonaws.com'))).toBe(false);
  });
});

test('the table decides on every action of the controller that changes something', () => {
  const changing = CALLS.filter(({ purpose, statement }) => purpose === 'nlb' && statement !== 'describe');
  const decided = new Set(DECISIONS.map(([, request]) => request(OWN).action));
  expect([...new Set(changing.map(({ action }) => action))].filter((action) => !decided.has(action))).toEqual([]);
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
  expect(allows(document, register(`${REGION}:targetgroup/other/0123456789abcdef`))).toBe(false);
  for (const action of [elb('DeleteTargetGroup'), elb('CreateLoadBalancer'), 'ec2:AuthorizeSecurityGroupIngress']) {
    expect(allows(document, { action, resources: [{ arn: ARNS.group }] })).toBe(false);
  }
});

describe('the evaluator itself', () => {
  const statement = (more: object) => ({ Statement: [{ Effect: 'Allow', Action: 'ec2:*', Resource: '*', ...more }] });
  const request: IamRequest = { action: 'ec2:CreateTags', resources: [{ arn: ARNS.security }] };

  test.each<[string, object, boolean]>([
    ['a wildcard', {}, true],
    ['another service', { Action: 's3:*' }, false],
    ['another resource', { Resource: `${EC2}:vpc/*` }, false],
    ['a denial', { Effect: 'Deny' }, false],
    ['a key that is absent and must be', { Condition: { Null: { 'aws:RequestTag/x': 'true' } } }, true],
    ['a key that is absent and must be there', { Condition: { Null: { 'aws:RequestTag/x': 'false' } } }, false],
    ['a value of an absent key', { Condition: { StringEquals: { 'aws:RequestTag/x': 'y' } } }, false],
  ])('%s', (_, more, expected) => {
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
