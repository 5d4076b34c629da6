import { App, Chart, Yaml } from 'cdk8s';
import { AwsLoadBalancerControllerPolicy, KubernetesVersion, TenantLoadBalancerGuard } from '../../src';
import { checkedFiles, linesOf } from './checked';

const CONTROLLER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: aws-load-balancer-controller, namespace: kube-system}
spec:
  replicas: 2
  selector: {matchLabels: {app: lbc}}
  template:
    metadata: {labels: {app: lbc}}
    spec:
      containers:
        - name: controller
          image: public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0
          args: [--cluster-name=edge]
`;

const FULL = AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'edge' }).toPolicyDocument() as unknown as {
  Statement: object[];
};

function ofPolicy(policy: unknown, files: Readonly<Record<string, string>> = { 'lbc.yaml': CONTROLLER }) {
  const { findings } = checkedFiles({ ...files, 'policy.json': JSON.stringify(policy, undefined, 1) });
  return findings
    .filter(({ object }) => object.kind === 'Policy')
    .map(({ level, place, ruleId, what }) => `${level} ${place.line} ${ruleId}: ${what}`);
}

function without(...actions: string[]) {
  const Statement = FULL.Statement.map((statement) => ({
    ...statement,
    Action: (statement as { Action: string[] }).Action.filter((action) => !actions.includes(action)),
  }));
  return { ...FULL, Statement };
}

describe('a policy of AWS beside its controller', () => {
  test('lacks actions that the controller calls', () => {
    expect(
      ofPolicy(without('elasticloadbalancing:ModifyListenerAttributes', 'elasticloadbalancing:SetSecurityGroups')),
    ).toEqual([
      'warning 3 iam-actions-missing: no policy of these files allows elasticloadbalancing:SetSecurityGroups, elasticloadbalancing:ModifyListenerAttributes, which the controller calls for an NLB',
    ]);
  });

  test('denies what it allows', () => {
    const denial = { Effect: 'Deny', Action: 'ec2:Describe*', Resource: '*' };
    const [said, ...others] = ofPolicy({ Version: '2012-10-17', Statement: [denial, ...FULL.Statement] });
    expect(others).toEqual([]);
    expect(said).toContain('warning 4 iam-actions-denied: the statement denies ec2:DescribeAvailabilityZones');
  });

  const needed = 'elasticloadbalancing:SetSubnets';

  test.each<[string, unknown]>([
    ['whole', FULL],
    ['of wildcards', { Statement: { Effect: 'Allow', Action: ['elasticloadbalancing:*', 'EC2:*'], Resource: '*' } }],
    ['for target groups alone', AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly().toPolicyDocument()],
    ['of something else', { Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }],
    ['that says what is not allowed', { Statement: [{ Effect: 'Allow', NotAction: 'iam:*', Resource: '*' }] }],
    [
      'that denies under a condition',
      {
        Statement: [
          { Effect: 'Deny', Action: needed, Resource: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          ...FULL.Statement,
        ],
      },
    ],
  ])('%s is in order', (_, policy) => {
    expect(ofPolicy(policy)).toEqual([]);
  });

  test('may have its actions in another policy', () => {
    const other = { Statement: [{ Effect: 'Allow', Action: needed, Resource: '*' }] };
    expect(ofPolicy(without(needed), { 'lbc.yaml': CONTROLLER, 'more.json': JSON.stringify(other) })).toEqual([]);
  });

  test('without the controller is for something else', () => {
    expect(ofPolicy(without(needed), {})).toEqual([]);
  });

  test('of a controller whose version is not known is not judged', () => {
    expect(ofPolicy(without(needed), { 'lbc.yaml': CONTROLLER.replace('v3.5.0', 'v2.4.1') })).toEqual([]);
  });
});

describe('policies of a guard', () => {
  const app = new App();
  new TenantLoadBalancerGuard(new Chart(app, 'guard'), 'Guard', {
    namespaceLabels: { tenants: 'true' },
    kubernetes: KubernetesVersion.of('1.36'),
  });
  const GUARD = Yaml.stringify(...app.charts.flatMap((chart) => chart.toJson()));
  const found = (yaml: string) => linesOf(checkedFiles({ 'a.yaml': yaml })).filter((line) => / guard-/.test(line));
  const lineOf = (yaml: string, text: string) => yaml.split('\n').findIndex((line) => line.includes(text)) + 1;

  test('are in order as they are made', () => {
    expect(GUARD).toContain('kind: ValidatingAdmissionPolicyBinding');
    expect(found(GUARD)).toEqual([]);
  });

  test('fail closed', () => {
    const open = GUARD.replace('failurePolicy: Fail', 'failurePolicy: Ignore');
    expect(found(open)).toEqual([`${lineOf(open, 'Ignore')} guard-fail-open`]);
  });

  test('validate', () => {
    const open = GUARD.replace(/expression: size\(variables.faults\) == 0/, "expression: 'true'");
    expect(found(open)).toEqual([`${lineOf(open, 'validations:')} guard-validates-nothing`]);
  });

  test('deny', () => {
    const open = GUARD.replace(/- Deny/, '- Warn');
    expect(found(open)).toEqual([`${lineOf(open, '- Warn') - 1} guard-without-deny`]);
  });

  test('are bound', () => {
    const unbound = GUARD.split(/^---\n/m).filter((one) => !one.includes('kind: ValidatingAdmissionPolicyBinding'));
    const policies = unbound.filter((one) => one.includes('kind: ValidatingAdmissionPolicy'));
    expect(found(unbound.join('---\n')).map((line) => line.replace(/^\d+ /, ''))).toEqual(
      policies.map(() => 'guard-unbound'),
    );
  });

  test('of others are theirs', () => {
    const theirs = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: theirs}
spec:
  failurePolicy: Ignore
  validations: [{expression: 'true'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: theirs}
spec: {policyName: theirs, validationActions: [Warn]}
`;
    expect(linesOf(checkedFiles({ 'a.yaml': theirs }))).toEqual([]);
  });
});
