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
import {
  ARNS,
  DECISIONS,
  DECISIONS_OF_FEATURES,
  type Decision,
  FOREIGN,
  OWN,
  openDecisions,
  type Refusing,
  serviceLinkedRole,
  VPC,
} from './support/decisions';
import { allows } from './support/iam-evaluator';

// Every action of both controllers on what is its own, and on what is of another cluster, by the evaluator that the decisions of
// the smaller policy explain. No policy has a statement that nobody would miss.

const { ANY_CLUSTER, OWN_CLUSTER, OWN_RESOURCES } = AwsClusterIsolation;
const ORDER = [ANY_CLUSTER, OWN_CLUSTER, OWN_RESOURCES];
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
    AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({ vpcArn: VPC }),
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
