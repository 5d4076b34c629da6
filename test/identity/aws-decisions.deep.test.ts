import {
  AwsCloudControllerFeature,
  AwsCloudControllerManagerPolicy,
  AwsClusterIsolation,
  AwsLoadBalancerControllerFeature,
  AwsLoadBalancerControllerPolicy,
  type IamPolicy,
} from '../../src/identity';
import { CLOUD_CONTROLLER_CALLS } from '../../src/identity/aws/aws-cloud-controller-manager.facts';
import { CALLS, IN_DEFAULT_POLICY } from '../../src/identity/aws/aws-load-balancer-controller.facts';
import { actionsOf, type Purpose } from '../../src/identity/aws/permissions';
import { casesIn } from '../support/yaml-cases';
import {
  ARNS,
  about,
  DECISIONS,
  DECISIONS_OF_FEATURES,
  type Decision,
  elb,
  FOREIGN,
  OTHER_VPC,
  OWN,
  openDecisions,
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
  const document = AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly([ARNS.group]).toPolicyDocument();
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

const FEATURES = Object.values(AwsLoadBalancerControllerFeature);
const PURPOSES: readonly Purpose[] = [...new Set<Purpose>([...IN_DEFAULT_POLICY, ...FEATURES])];
const ALL = [...DECISIONS, ...DECISIONS_OF_FEATURES, ...openDecisions(PURPOSES)];

type Document = ReturnType<IamPolicy['toPolicyDocument']>;

const refuses = (isolation: AwsClusterIsolation, refusing: Refusing) =>
  refusing !== 'never' && ORDER.indexOf(isolation) >= ORDER.indexOf(refusing);

/** Policies without one of their statements. */
function mutants(document: Document): [sid: string, Document][] {
  const statements = document.Statement as { Sid: string }[];
  return statements.map(({ Sid }, i) => [Sid, { ...document, Statement: statements.filter((_, j) => j !== i) }]);
}

/** What a policy decides of a table, one character for each request. */
function decisionsOf(document: Document, requests: readonly Decision[]): string {
  return requests
    .flatMap((request) => [OWN, FOREIGN].map((cluster) => (allows(document, request(cluster)) ? '+' : '-')))
    .join('');
}

describe.each(ORDER)('a controller of everything that is kept to %s', (isolation) => {
  const document = AwsLoadBalancerControllerPolicy.full({
    clusterName: OWN,
    isolation,
    features: FEATURES,
  }).toPolicyDocument();

  test.each(ALL)('%s', (_, request, refusing) => {
    expect(decisionsOf(document, [request])).toBe(refuses(isolation, refusing) ? '+-' : '++');
  });
});

test('the table decides on every action, and on no other', () => {
  const decided = new Set(ALL.map(([, request]) => request(OWN).action));
  const called = new Set(CALLS.filter(({ purpose }) => PURPOSES.includes(purpose)).flatMap(actionsOf));
  expect([...decided].sort()).toEqual([...called].sort());
});

test('what has a tag is refused for another cluster by the strictest policy, but for rules of security groups', () => {
  const open = new Set(openDecisions(PURPOSES).map(([name]) => name));
  const never = ALL.filter(([name, , refusing]) => refusing === 'never' && !open.has(name)).map(([name]) => name);
  expect(never.filter((name) => !/ of the first version$|^the role of /.test(name))).toEqual([
    'ec2:AuthorizeSecurityGroupIngress',
    'ec2:RevokeSecurityGroupIngress',
    'ec2:AuthorizeSecurityGroupIngress of nodes, whose group has no tag of a cluster',
    'ec2:RevokeSecurityGroupIngress of nodes, whose group has no tag of a cluster',
  ]);
});

describe('the cloud controller manager', () => {
  const everything = AwsCloudControllerManagerPolicy.full().toPolicyDocument();
  const actions = CLOUD_CONTROLLER_CALLS.flatMap(({ service, names }) => names.map((name) => `${service}:${name}`));

  test.each(actions)('%s: may, whosever it is: its policy knows no cluster', (action) => {
    expect(allows(everything, { action, resources: [{ arn: '*' }] })).toBe(true);
  });

  test.each(CLOUD_CONTROLLER_CALLS.map(({ parts, service, names }) => [`${service}:${names[0]}`, parts] as const))(
    '%s: may where a controller runs that calls it',
    (action, parts) => {
      for (const feature of Object.values(AwsCloudControllerFeature)) {
        const document = AwsCloudControllerManagerPolicy.only([feature]).toPolicyDocument();
        const elsewhere = CLOUD_CONTROLLER_CALLS.filter(({ service, names }) =>
          names.some((name) => `${service}:${name}` === action),
        ).flatMap((calls) => calls.parts);
        const wanted = [...parts, ...elsewhere].some((part) => part === 'nodes' || part === feature);
        expect(allows(document, { action, resources: [{ arn: '*' }] })).toBe(wanted);
      }
    },
  );

  test('may make one service-linked role', () => {
    const services = ['elasticloadbalancing.amazonaws.com', 'eks.amazonaws.com'];
    expect(services.map((service) => allows(everything, serviceLinkedRole(service)))).toEqual([true, false]);
  });
});

const lbc = (policy: 'full' | 'nlbOnly', isolation: AwsClusterIsolation, more = {}) =>
  AwsLoadBalancerControllerPolicy[policy]({ clusterName: OWN, isolation, ...more });

const cloudController: Decision[] = [
  () => ({ action: 'ec2:DescribeInstances', resources: [{ arn: '*' }] }),
  () => serviceLinkedRole('elasticloadbalancing.amazonaws.com'),
];
const bindings: Decision[] = ['DescribeTargetGroups', 'RegisterTargets']
  .map((name) => `elasticloadbalancing:${name}`)
  .map((action) => () => ({ action, resources: [{ arn: ARNS.group }] }));

const POLICIES: [string, IamPolicy, Decision[]][] = [
  ...ORDER.flatMap((isolation): [string, IamPolicy, Decision[]][] => [
    [`full, ${isolation}`, lbc('full', isolation), ALL.map(([, request]) => request)],
    [`all features, ${isolation}`, lbc('full', isolation, { features: FEATURES }), ALL.map(([, request]) => request)],
    [`of a VPC, ${isolation}`, lbc('full', isolation, { vpcArn: VPC }), ALL.map(([, request]) => request)],
    [`NLBs, ${isolation}`, lbc('nlbOnly', isolation), ALL.map(([, request]) => request)],
  ]),
  [
    'bindings',
    AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly(undefined, VPC),
    [...bindings, ...ALL.map(([, request]) => request)],
  ],
  ['the cloud controller manager', AwsCloudControllerManagerPolicy.full(), cloudController],
];

test.each(POLICIES)('%s: every statement decides something', (_, policy, requests) => {
  const document = policy.toPolicyDocument();
  const whole = decisionsOf(document, requests);
  const unmissed = mutants(document).filter(([, mutant]) => decisionsOf(mutant, requests) === whole);
  expect(unmissed.map(([sid]) => sid)).toEqual([]);
});
