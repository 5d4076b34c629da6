import { App, Chart, Yaml } from 'cdk8s';
import { AwsLoadBalancerControllerPolicy, KubernetesVersion, TenantLoadBalancerGuard } from '../../src';
import { readContext } from '../../src/cli/context/context-file';
import { FORMATS } from '../../src/cli/formats/formats';
import { exitCode, resultOfCheck } from '../../src/cli/formats/words';
import { casesIn, table } from '../support/yaml-cases';
import { checked, checkedFiles, linesOf } from './checked';

const CONTROLLER = casesIn(__dirname, 'policies.yaml').controller;

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
    ['of wildcards', { Statement: { Effect: 'Allow', Action: ['elasticloadbalancing:*', 'EC2:*'], Resource: '*' } }],
    ['for target groups alone', AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly().toPolicyDocument()],
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
  ])('%s is in order', (_, policy) => expect(ofPolicy(policy)).toEqual([]));

  test('may have its actions in another policy', () => {
    const other = { Statement: [{ Effect: 'Allow', Action: needed, Resource: '*' }] };
    expect(ofPolicy(without(needed), { 'lbc.yaml': CONTROLLER, 'more.json': JSON.stringify(other) })).toEqual([]);
  });

  test('without the controller is for something else', () => expect(ofPolicy(without(needed), {})).toEqual([]));

  test('of a controller whose version is not known is not checked', () => {
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
    expect(found(open)).toEqual([`${lineOf(open, 'validations:')} guard-without-validation`]);
  });

  test('deny', () => {
    const open = GUARD.replace(/- Deny/, '- Warn');
    expect(found(open)).toEqual([`${lineOf(open, '- Warn') - 1} guard-without-deny`]);
  });

  test('are bound', () => {
    const unbound = GUARD.split(/^---\n/m).filter((one) => !one.includes('kind: ValidatingAdmissionPolicyBinding'));
    const policies = unbound.filter((one) => one.includes('kind: ValidatingAdmissionPolicy'));
    expect(found(unbound.join('---\n')).map((line) => line.replace(/^\d+ /, ''))).toEqual(
      policies.map(() => 'guard-without-binding'),
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

const FILE = 'load-balancers.yaml';

function service(name: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: edge
  annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: internal }
  finalizers: [service.k8s.aws/resources]
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: { app: ${name} }
  ports: [{ port: 443, targetPort: 8080 }]
`;
}

const TWO = [service('a'), service('b')].join('---\n');

function found(budget: string, manifests = TWO): string[] {
  const { context, mistakes } = readContext(FILE, `controllers: [aws-load-balancer-controller]\n${budget}`);
  expect(mistakes).toEqual([]);
  return checked(manifests, context)
    .findings.filter(({ object }) => object.kind === 'budget')
    .map(({ level, place, ruleId, what }) => `${level} ${place.file}:${place.line}:${place.column} ${ruleId}: ${what}`);
}

test('a set beyond its budget fails at the line of the context file, with the terms', () => {
  expect(found('region: eu-central-1\nbudget:\n  zones: 3\n  maxMonthlyCost: { USD: 30 }')).toEqual([
    expect.stringMatching(
      /^error load-balancers\.yaml:5:3 monthly-cost-exceeded: load balancers cost USD 39\.42 .* more than maxMonthlyCost USD 30\.00: 2 × 0\.027 × 730 h$/,
    ),
  ]);
});

test('a set within its budget has nothing to read', () => {
  expect(found('region: eu-central-1\nbudget: { zones: 3, maxMonthlyCost: { USD: 40 } }')).toEqual([]);
});

test('what is not known is a warning at its limit', () => {
  expect(found('budget:\n  maxMonthlyCost: { USD: 40 }\n  maxQuotaPercent: 50')).toEqual([
    expect.stringContaining(
      'warning load-balancers.yaml:3:3 monthly-cost-unknown: maxMonthlyCost is compared with the',
    ),
    expect.stringContaining('warning load-balancers.yaml:4:3 quota-percent-unknown: use of'),
    expect.stringContaining('targets of a balancer are not known'),
  ]);
});

test('a quota of which too much is used names the one that uses most of it', () => {
  expect(found('budget: { maxQuotaPercent: 50, quotas: { aws-nlbs: 2 } }')).toContainEqual(
    expect.stringContaining('(2 of 2) is used, more than maxQuotaPercent 50, most of it by edge/a'),
  );
});

test('a Service that nobody is known to own is in no figure, and that is reported', () => {
  const unknown = service('c')
    .replace(/ {2}loadBalancerClass.*\n/, '')
    .replace(/ {2}(annotations|finalizers).*\n/g, '');
  const { context } = readContext(FILE, 'budget: { maxMonthlyCost: { USD: 40 } }');
  const { findings } = checked(unknown, context);
  expect(findings.map(({ what }) => what)).toContain(
    '1 load balancer cannot be compared with maxMonthlyCost, as it is not known what is made: edge/c',
  );
});

test('all formats print it, and it fails the command', () => {
  const { context } = readContext(
    FILE,
    'controllers: [aws-load-balancer-controller]\nregion: eu-central-1\nbudget: { maxMonthlyCost: { USD: 30 } }',
  );
  const report = checked(TWO, context);
  expect(exitCode(resultOfCheck(report), { failOn: 'error', strict: false })).toBe(1);
  for (const format of Object.values(FORMATS)) {
    expect(format(report, { version: '1.0.0', rules: [] })).toContain('more than maxMonthlyCost USD 30.00');
  }
});

test('figures without a limit are for reports and differences, and limit nothing', () => {
  const { context, mistakes } = readContext(FILE, 'budget: { zones: 3, gbPerMonth: 5 }');
  expect(mistakes).toEqual([]);
  expect(context?.budget).toMatchObject({ zones: 3, gbPerMonth: 5 });
  expect(checked(TWO, context).findings.filter(({ ruleId }) => /^(monthly|quota)-/.test(ruleId))).toEqual([]);
});

test('a finding can be accepted', () => {
  const { context } = readContext(
    FILE,
    `controllers: [aws-load-balancer-controller]
region: eu-central-1
budget: { maxMonthlyCost: { USD: 30 } }
accepted: [{ rule: monthly-cost-exceeded, reason: until the move is done }]`,
  );
  expect(checked(TWO, context).findings.filter(({ ruleId }) => ruleId === 'monthly-cost-exceeded')).toEqual([
    expect.objectContaining({ accepted: { reason: 'until the move is done' } }),
  ]);
});

test.each<[string, string]>(table('cli/policies.yaml', 'mistakes'))('%s is a mistake', (text, mistake) => {
  expect(
    readContext(FILE, text).mistakes.map(
      ({ place, what, remedy }) => `${place.line}:${place.column} ${what}; ${remedy}`,
    ),
  ).toContain(mistake);
});
