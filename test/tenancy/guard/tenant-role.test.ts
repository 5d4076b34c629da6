import { App, Chart, JsonPatch } from 'cdk8s';
import { LoadBalancers } from '../../../src';
import type { TenantRight, TenantRoleProps } from '../../../src/tenancy/guard/options';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { TenantRole } from '../../../src/tenancy/guard/tenant-role';
import { errorsOf, synth } from '../../support/apps';
import { casesIn, titled } from '../../support/yaml-cases';

interface Case {
  readonly title: string;
  readonly right: TenantRight;
  readonly props?: TenantRoleProps;
  readonly says?: string;
}

const CASES: Readonly<Record<'never' | 'may', readonly Case[]>> = casesIn(__dirname, 'tenant-role.yaml');

function chartOf(props: TenantRoleProps): { chart: Chart; role: TenantRole } {
  const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
  return { chart, role: new TenantRole(chart, 'Role', { name: 'tenants', ...props }) };
}

test.each(titled(CASES.never))('%s is never a right of tenants', (_, { right: wanted, says: said }) => {
  const guardedKinds = [{ group: 'example.com', resource: 'doors' }];
  const { chart } = chartOf({ rights: [wanted], guardedKinds });
  const isStar = JSON.stringify(wanted).includes('*');
  const remedy = isStar ? 'leave it out, and name groups, resources and verbs instead of stars' : 'leave it out';
  expect(errorsOf(chart).join('\n')).toContain(`${said}; ${remedy} (tenant-right)`);
});

test.each(titled(CASES.may))('%s may be one', (_, { right: wanted, props }) => {
  const { chart } = chartOf({ ...props, rights: [wanted] });
  expect(synth(chart)[0].rules).toContainEqual(wanted);
});

test('listeners that nobody judges are told of', () => {
  const { chart } = chartOf({ attachments: true });
  const app = App.of(chart);
  const told = () => LoadBalancers.of(app).warnings.map(({ path, finding }) => `${path} ${finding.ruleId}`);
  expect(told()).toEqual(['platform/Role tenant-attachments']);
  const other = new Chart(app, 'fences');
  new SharedListenerPolicy(other, 'Fences', {
    namespaceLabels: { tenant: 'true' },
    gateways: [{ namespace: 'infra', name: 'shared' }],
    ports: TenantPorts.perNamespace(),
    exempt: [],
  });
  expect(told()).toEqual([]);
  app.node.tryRemoveChild('fences');
  expect(told()).toHaveLength(1);
});

test('a role without listeners needs no policy for them', () => {
  expect(LoadBalancers.of(chartOf({}).chart).warnings).toEqual([]);
});

test('a patch is judged as well', () => {
  const { chart, role } = chartOf({});
  role.role.addJsonPatch(JsonPatch.add('/rules/1/verbs/-', 'update'));
  expect(errorsOf(chart).join('\n')).toContain('can write services/status');
});

test('all that belongs to a tenant is bound in its namespace', () => {
  const { chart, role } = chartOf({});
  role.bind('team-a', [
    TenancyIdentity.group('team-a'),
    TenancyIdentity.user('anna'),
    TenancyIdentity.serviceAccount('ci', 'deployer'),
  ]);
  const apiGroup = 'rbac.authorization.k8s.io';
  expect(synth(chart)[1]).toEqual({
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'tenants', namespace: 'team-a' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'tenants' },
    subjects: [
      { apiGroup, kind: 'Group', name: 'team-a' },
      { apiGroup, kind: 'User', name: 'anna' },
      { kind: 'ServiceAccount', name: 'deployer', namespace: 'ci' },
    ],
  });
});
