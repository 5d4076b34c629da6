import { Chart, Testing } from 'cdk8s';
import {
  AzureNetworkPurpose,
  AzureRole,
  AzureRoleAssignment,
  type AzureRoleAssignmentProps,
  AzureRoleDefinition,
  AzureScope,
} from '../../src/identity';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'azure-identity.yaml');

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const PRINCIPAL = '99999999-8888-7777-6666-555555555555';
const SUBNET = AzureScope.subnet(SUBSCRIPTION, 'network', 'hub', 'edge');

const chartOf = () => new Chart(Testing.app(), 'chart', { namespace: 'aso' });

function assignment(props: Partial<AzureRoleAssignmentProps> = {}) {
  const chart = chartOf();
  const made = new AzureRoleAssignment(chart, 'Role', {
    on: SUBNET,
    role: AzureRole.networkContributor(),
    principalId: PRINCIPAL,
    ...props,
  });
  return { chart, made };
}

describe('the ID of', () => {
  test.each<[string, AzureScope, string]>(revived(CASES.id))('%s', (_, scope, armId) => {
    expect(scope).toMatchObject({ armId, subscriptionId: SUBSCRIPTION });
  });

  test.each<[string, () => unknown, RegExp]>([
    ['a subscription by name', () => AzureScope.resourceGroup('prod', 'network'), /'prod' is not a subscription ID/],
    [
      'a subnet with a slash',
      () => AzureScope.subnet(SUBSCRIPTION, 'network', 'hub', 'a/b'),
      /'a\/b' is not a valid resource name/,
    ],
    [
      'a group that ends with a dot',
      () => AzureScope.resourceGroup(SUBSCRIPTION, 'network.'),
      /is not a valid resource name/,
    ],
    ['an ID without a subscription', () => AzureScope.ofId('/resourceGroups/network'), /is not the ID of a resource/],
  ])('is not made of %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('a role assignment', () => {
  test('gives a built-in role on a subnet', () => {
    expect(Testing.synth(assignment({ name: 'edge' }).chart)).toEqual([
      {
        apiVersion: 'authorization.azure.com/v1api20220401',
        kind: 'RoleAssignment',
        metadata: { name: 'edge', namespace: 'aso' },
        spec: {
          owner: { armId: SUBNET.armId },
          principalId: PRINCIPAL,
          principalType: 'ServicePrincipal',
          roleDefinitionReference: {
            armId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/4d97b98b-1d4f-4787-a291-c67834d212e7`,
          },
        },
      },
    ]);
  });

  test('takes the principal from a ConfigMap, and a role by its name', () => {
    const [{ apiVersion, spec }] = Testing.synth(
      assignment({
        principalId: undefined,
        principalIdFrom: { name: 'identity', key: 'principalId' },
        role: AzureRole.wellKnown('Network Contributor'),
        apiVersion: 'v20220401',
      }).chart,
    );
    expect(apiVersion).toBe('authorization.azure.com/v20220401');
    expect(spec.principalIdFromConfig).toEqual({ name: 'identity', key: 'principalId' });
    expect(spec.roleDefinitionReference).toEqual({ wellKnownName: 'Network Contributor' });
  });

  test('gives a role that may do less', () => {
    const { chart } = assignment();
    const definition = new AzureRoleDefinition(chart, 'Definition', {
      assignableScope: SUBNET,
      roleName: 'Load balancers of prod',
      purposes: [AzureNetworkPurpose.INTERNAL_SUBNET, AzureNetworkPurpose.PUBLIC_IP_PREFIX],
      actions: ['Microsoft.Network/routeTables/read'],
      name: 'balancers',
    });
    const given = new AzureRoleAssignment(chart, 'Given', {
      on: SUBNET,
      role: definition.role,
      principalId: PRINCIPAL,
    });
    expect(definition.definition.toJson()).toMatchObject({
      kind: 'RoleDefinition',
      spec: {
        type: 'customRole',
        assignableScopesReferences: [{ armId: SUBNET.armId }],
        permissions: [
          {
            actions: [
              'Microsoft.Network/virtualNetworks/read',
              'Microsoft.Network/virtualNetworks/subnets/read',
              'Microsoft.Network/virtualNetworks/subnets/join/action',
              'Microsoft.Network/publicIPPrefixes/join/action',
              'Microsoft.Network/routeTables/read',
            ],
          },
        ],
      },
    });
    expect(given.assignment.toJson().spec.roleDefinitionReference).toEqual({
      group: 'authorization.azure.com',
      kind: 'RoleDefinition',
      name: 'balancers',
    });
  });

  test.each<[string, Partial<AzureRoleAssignmentProps>, string]>([
    ['a principal by name', { principalId: 'aks' }, "principalId 'aks' is not a GUID"],
  ])('is refused with %s', (_, props, what) => {
    expect(() => assignment(props)).toThrow(`chart/Role: ${what}`);
  });

  test.each<[string, () => unknown]>([
    ['a built-in role by name', () => AzureRole.builtIn('Network Contributor')],
    ['a role by something else', () => AzureRole.ofId('Network Contributor')],
  ])('not of %s', (_, make) => {
    expect(make).toThrow(/\(azure-role\)/);
  });
});

test.each<string>(CASES.noId)('%s is no ID', (armId) => {
  expect(() => AzureScope.ofId(armId)).toThrow(/\(azure-scope\)/);
});

test.each([
  `/subscriptions/${SUBSCRIPTION}/resourcegroups/MC_prod_(eu)/providers/microsoft.network/loadBalancers/kubernetes`,
  `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${PRINCIPAL}`,
  `${SUBNET.armId}/providers/Microsoft.Authorization/locks/keep`,
])('%s is an ID', (armId) => {
  expect(AzureScope.ofId(armId).armId).toBe(armId);
});
