import { App, Chart, JsonPatch } from 'cdk8s';
import { LoadBalancers } from '../../../src';
import type { TenantRight, TenantRoleProps } from '../../../src/tenancy/guard/options';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { TenantRole } from '../../../src/tenancy/guard/tenant-role';
import { errorsOf, synth } from '../../support/apps';

const GATEWAY = 'gateway.networking.k8s.io';

function chartOf(props: TenantRoleProps): { chart: Chart; role: TenantRole } {
  const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
  return { chart, role: new TenantRole(chart, 'Role', { name: 'tenants', ...props }) };
}

function right(group: string, resource: string, ...verbs: string[]): TenantRight {
  return { apiGroups: [group], resources: [resource], verbs };
}

test.each<[string, TenantRight, string]>([
  [
    'a status',
    right('', 'services/status', 'get', 'update'),
    "a tenant who may update services/status of '' can write services/status",
  ],
  ['any status', right('', '*/status', 'patch'), 'can write services/status'],
  ['the status of its listeners', right(GATEWAY, 'listenersets/status', 'patch'), 'can write listenersets/status'],
  ['everything of a group', right('', '*', 'create'), 'can write services/status'],
  ['everything', right('*', '*', '*'), "a tenant who may * * of '*' can write services/status"],
  ['a quota', right('', 'resourcequotas', 'patch'), 'can write resourcequotas'],
  ['its namespace', right('', 'namespaces', 'patch'), 'can write namespaces'],
  ['a Gateway', right(GATEWAY, 'gateways', 'create'), 'can write gateways'],
  ['listeners', right(GATEWAY, 'listenersets', 'create'), 'can write listenersets'],
  ['routes', right(GATEWAY, 'tcproutes', 'delete'), 'can write tcproutes'],
  [
    'a policy',
    right('admissionregistration.k8s.io', 'validatingadmissionpolicybindings', 'delete'),
    'can write validatingadmissionpolicybindings',
  ],
  ['a guarded kind', right('example.com', 'doors', 'create'), 'can write doors'],
  ['the end of its namespace', right('', 'namespaces/finalize', 'update'), 'can write namespaces/finalize'],
  ['the status of its namespace', right('', 'namespaces/status', 'patch'), 'can write namespaces/status'],
  ['tokens', right('', 'serviceaccounts/token', 'create'), 'can write serviceaccounts/token'],
  ['addresses behind a Service', right('', 'endpoints', 'create'), 'can write endpoints'],
  [
    'addresses behind a Service, as slices',
    right('discovery.k8s.io', 'endpointslices', 'patch'),
    'can write endpointslices',
  ],
  ['routes for datagrams', right(GATEWAY, 'udproutes', 'create'), 'can write udproutes'],
  ['target groups', right('elbv2.k8s.aws', 'targetgroupbindings', 'create'), 'can write targetgroupbindings'],
  [
    'what says how target groups are',
    right('gateway.k8s.aws', 'targetgroupconfigurations', 'create'),
    'can write targetgroupconfigurations',
  ],
  [
    'whatever that group has',
    right('gateway.k8s.aws', 'somethingnews', 'create'),
    'can write everything of gateway.k8s.aws',
  ],
  [
    'limits of its own',
    right('gateway.envoyproxy.io', 'clienttrafficpolicies', 'delete'),
    'can write everything of gateway.envoyproxy.io',
  ],
  ['ports of others', right('ingress.v3.haproxy.org', 'tcps', 'create'), 'can write tcps'],
  [
    'all that can be done to roles',
    right('rbac.authorization.k8s.io', 'roles', '*'),
    'to bind is to act with the rights of others',
  ],
  [
    'all that can be done to service accounts',
    right('', 'serviceaccounts', '*'),
    'to impersonate is to act with the rights of others',
  ],
  [
    'the rights of others',
    right('', 'serviceaccounts', 'impersonate'),
    'to impersonate is to act with the rights of others',
  ],
  [
    'a role that it lacks',
    right('rbac.authorization.k8s.io', 'roles', 'escalate'),
    'to escalate is to act with the rights of others',
  ],
])('%s is never a right of tenants', (_, wanted, said) => {
  const guardedKinds = [{ group: 'example.com', resource: 'doors' }];
  const { chart } = chartOf({ rights: [wanted], guardedKinds });
  const isStar = JSON.stringify(wanted).includes('*');
  const remedy = isStar ? 'leave it out, and name groups, resources and verbs instead of stars' : 'leave it out';
  expect(errorsOf(chart).join('\n')).toContain(`${said}; ${remedy} (tenant-right)`);
});

test.each<[string, TenantRight, TenantRoleProps]>([
  ['to read everything', right('*', '*', 'get', 'list', 'watch'), {}],
  ['pods', right('', 'pods', 'create', 'delete'), {}],
  ['all that can be done to pods', right('', 'pods', '*'), {}],
  ['service accounts', right('', 'serviceaccounts', 'create', 'delete'), {}],
  ['to read kinds of balancers', right('gateway.k8s.aws', '*', 'get', 'list', 'watch'), {}],
  ['routes for datagrams behind fences', right(GATEWAY, 'udproutes', 'create'), { attachments: true }],
  ['roles of its own', right('rbac.authorization.k8s.io', 'roles', 'create'), {}],
  ['a status of others than Services', right('', 'pods/status', 'patch'), {}],
  ['kinds of the name in another group', right('example.com', 'gateways', 'create'), {}],
  ['listeners behind fences', right(GATEWAY, 'listenersets', 'create'), { attachments: true }],
])('%s may be one', (_, wanted, props) => {
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
