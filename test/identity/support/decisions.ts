import { AwsClusterIsolation } from '../../../src/identity';
import { CALLS } from '../../../src/identity/aws/aws-load-balancer-controller.facts';
import type { Purpose } from '../../../src/identity/aws/permissions';
import { actionsOf } from '../../../src/identity/aws/permissions';
import type { IamRequest } from './iam-evaluator';

/** The cluster that a policy is for, and another one. */
export const OWN = 'prod';
export const FOREIGN = 'stage';

export const TAG = 'elbv2.k8s.aws/cluster';
const TAG_OF_V1 = 'ingress.k8s.aws/cluster';
const ACCELERATOR = { key: 'aga.k8s.aws/resource', value: 'GlobalAccelerator' };

const REGION = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012';
const EC2 = 'arn:aws:ec2:eu-west-1:123456789012';
const ID = '0123456789abcdef';
const BALANCER = `${REGION}:loadbalancer`;

export const VPC = `${EC2}:vpc/vpc-0123456789abcdef0`;
export const OTHER_VPC = `${EC2}:vpc/vpc-0fedcba9876543210`;

export const ARNS = {
  balancer: `${BALANCER}/net/k8s-echo/${ID}`,
  'balancer for HTTP': `${BALANCER}/app/k8s-echo/${ID}`,
  group: `${REGION}:targetgroup/k8s-echo/${ID}`,
  listener: `${REGION}:listener/net/k8s-echo/${ID}/${ID}`,
  'listener for HTTP': `${REGION}:listener/app/k8s-echo/${ID}/${ID}`,
  rule: `${REGION}:listener-rule/app/k8s-echo/${ID}/${ID}/${ID}`,
  security: `${EC2}:security-group/sg-0123456789abcdef0`,
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0123',
  accelerator: 'arn:aws:globalaccelerator::123456789012:accelerator/0123',
  vpc: VPC,
} as const;
export type Kind = keyof typeof ARNS;

/** A request about something that is there, which the controller of a cluster made. */
export function about(kind: Kind, action: string, cluster: string, context: Record<string, string> = {}): IamRequest {
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

export type Decision = (cluster: string) => IamRequest;

const { OWN_CLUSTER, OWN_RESOURCES } = AwsClusterIsolation;

/** Which policies refuse it for another cluster: from the first that does on, or none. */
export type Refusing = AwsClusterIsolation.OWN_CLUSTER | AwsClusterIsolation.OWN_RESOURCES | 'never';

/** An action of Elastic Load Balancing. */
export const elb = (name: string) => `elasticloadbalancing:${name}`;

const modify = (kind: Kind, ...names: string[]): [string, Decision, Refusing][] =>
  names.map((name) => [elb(name), (cluster) => about(kind, elb(name), cluster), OWN_CLUSTER]);

const strictly = (kind: Kind, ...names: string[]): [string, Decision, Refusing][] =>
  names.map((name) => [elb(name), (cluster) => about(kind, elb(name), cluster), OWN_RESOURCES]);

/** What a controller of Network Load Balancers does, and who refuses it for another cluster. */
export const DECISIONS: [string, Decision, Refusing][] = [
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
  ...['Authorize', 'Revoke'].map((verb): [string, Decision, Refusing] => [
    `ec2:${verb}SecurityGroupIngress of nodes, whose group has no tag of a cluster`,
    () => ({
      action: `ec2:${verb}SecurityGroupIngress`,
      resources: [{ arn: ARNS.security, context: { 'ec2:Vpc': VPC } }],
    }),
    'never',
  ]),
];

/** Something that an accelerator is, or is asked to be. */
function accelerating(name: string, cluster: string, where: 'ResourceTag' | 'RequestTag'): IamRequest {
  const context = { [`aws:${where}/${TAG}`]: cluster, [`aws:${where}/${ACCELERATOR.key}`]: ACCELERATOR.value };
  return { action: `globalaccelerator:${name}`, resources: [{ arn: ARNS.accelerator, context }] };
}

/** A role that AWS makes for a service of its own. */
export function serviceLinkedRole(service: string): IamRequest {
  return {
    action: 'iam:CreateServiceLinkedRole',
    resources: [{ arn: 'arn:aws:iam::123456789012:role/aws-service-role/x' }],
    context: { 'iam:AWSServiceName': service },
  };
}

/** Something that the first version of the controller made. */
function ofV1(action: string, kind: Kind): [string, Decision, Refusing] {
  const resources = [{ arn: ARNS[kind], context: { [`aws:ResourceTag/${TAG_OF_V1}`]: FOREIGN } }];
  return [`${action} of the first version`, () => ({ action, resources }), 'never'];
}

const accelerators = (where: 'ResourceTag' | 'RequestTag', ...names: string[]): [string, Decision, Refusing][] =>
  names.map((name) => [`globalaccelerator:${name} by ${where}`, (c) => accelerating(name, c, where), OWN_CLUSTER]);

/** What cannot be kept to a cluster: it is about everything, and changes nothing of a cluster's or has no tags. */
const OPEN = ['describe', 'integrations', 'certificates', 'acceleratorLists'];

/** What the other features add. */
export const DECISIONS_OF_FEATURES: [string, Decision, Refusing][] = [
  ...modify('balancer for HTTP', 'DeleteLoadBalancer', 'ModifyIpPools', 'AddTags', 'RemoveTags'),
  ...modify('balancer', 'ModifyCapacityReservation'),
  ...strictly('listener for HTTP', 'CreateRule', 'AddTags', 'RemoveTags'),
  ...strictly('rule', 'DeleteRule', 'ModifyRule', 'SetRulePriorities', 'AddTags', 'RemoveTags'),
  ...strictly('balancer for HTTP', 'SetWebAcl'),
  ['tags of a new rule', (c) => tagging(elb('AddTags'), 'CreateRule', c, 'rule'), OWN_RESOURCES],
  ['acm:RequestCertificate', (c) => making('acm:RequestCertificate', c, 'certificate'), OWN_CLUSTER],
  ['acm:DeleteCertificate', (c) => about('certificate', 'acm:DeleteCertificate', c), OWN_CLUSTER],
  ...accelerators('ResourceTag', 'DescribeAccelerator', 'DescribeEndpointGroup', 'DescribeListener'),
  ...accelerators('ResourceTag', 'UpdateAccelerator', 'DeleteAccelerator', 'CreateListener', 'UpdateListener'),
  ...accelerators('ResourceTag', 'DeleteListener', 'CreateEndpointGroup', 'UpdateEndpointGroup'),
  ...accelerators('ResourceTag', 'DeleteEndpointGroup', 'AddEndpoints', 'RemoveEndpoints'),
  ...accelerators('ResourceTag', 'TagResource', 'UntagResource'),
  ...accelerators('RequestTag', 'CreateAccelerator', 'TagResource'),
  ofV1('ec2:CreateTags', 'security'),
  ofV1('ec2:DeleteTags', 'security'),
  ofV1(elb('AddTags'), 'group'),
  ofV1(elb('RemoveTags'), 'balancer'),
  ofV1(elb('DeleteTargetGroup'), 'group'),
  ['the role of Global Accelerator', () => serviceLinkedRole('globalaccelerator.amazonaws.com'), 'never'],
];

/** What is allowed on everything. */
export function openDecisions(purposes: readonly Purpose[]): [string, Decision, Refusing][] {
  const open = CALLS.filter(({ statement, purpose }) => OPEN.includes(statement) && purposes.includes(purpose));
  return [
    ...[...new Set(open.flatMap(actionsOf))].map((action): [string, Decision, Refusing] => [
      action,
      () => ({ action, resources: [{ arn: '*' }] }),
      'never',
    ]),
    ['the role of Elastic Load Balancing', () => serviceLinkedRole('elasticloadbalancing.amazonaws.com'), 'never'],
  ];
}
