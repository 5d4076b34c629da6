import { Chart, JsonPatch, Testing } from 'cdk8s';
import {
  AzureFederatedCredential,
  type AzureFederatedCredentialProps,
  AzureNetworkPurpose,
  AzureRole,
  AzureRoleAssignment,
  type AzureRoleAssignmentProps,
  AzureRoleDefinition,
  type AzureRoleDefinitionProps,
  AzureScope,
  AzureWorkloadIdentity,
} from '../../src/identity';
import { faultsAt } from '../support/faults-at';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const PRINCIPAL = '99999999-8888-7777-6666-555555555555';
const SUBNET = AzureScope.subnet(SUBSCRIPTION, 'network', 'hub', 'edge');
const ISSUER = 'https://westeurope.oic.prod-aks.azure.com/tenant/cluster/';

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

function credential(props: Partial<AzureFederatedCredentialProps> = {}) {
  const chart = chartOf();
  const made = new AzureFederatedCredential(chart, 'Credential', {
    serviceAccountNamespace: 'edge',
    serviceAccount: 'dns',
    identityName: 'dns',
    issuer: ISSUER,
    ...props,
  });
  return { chart, made };
}

describe('the ID of', () => {
  const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/network`;
  test.each([
    ['a subnet', SUBNET, `${group}/providers/Microsoft.Network/virtualNetworks/hub/subnets/edge`],
    [
      'an address',
      AzureScope.publicIp(SUBSCRIPTION, 'network', 'kafka'),
      `${group}/providers/Microsoft.Network/publicIPAddresses/kafka`,
    ],
    [
      'a prefix',
      AzureScope.publicIpPrefix(SUBSCRIPTION, 'network', 'egress'),
      `${group}/providers/Microsoft.Network/publicIPPrefixes/egress`,
    ],
    ['a group', AzureScope.resourceGroup(SUBSCRIPTION, 'network'), group],
    ['anything', AzureScope.ofId(`/subscriptions/${SUBSCRIPTION}`), `/subscriptions/${SUBSCRIPTION}`],
  ])('%s', (_, scope, armId) => {
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
    expect(faultsAt(assignment().made.assignment)).toEqual([]);
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
    expect(faultsAt(given.assignment)).toEqual([]);
  });

  test.each<[string, Partial<AzureRoleAssignmentProps>, JsonPatch[], string]>([
    ['no principal', { principalId: undefined }, [], 'spec has 0 of principalId, principalIdFromConfig'],
    ['two principals', { principalIdFrom: { name: 'a', key: 'b' } }, [], 'spec has 2 of principalId'],
    ['a principal by name', { principalId: 'aks' }, [], "the principal 'aks' is not a GUID"],
    ['a name that is not a GUID', { azureName: 'edge' }, [], "azureName 'edge' is not a GUID"],
    ['no owner', {}, [JsonPatch.remove('/spec/owner')], 'spec.owner has not exactly one of armId and name'],
    [
      'an owner that is no ID',
      {},
      [JsonPatch.replace('/spec/owner/armId', 'network')],
      "the owner 'network' is not the ID",
    ],
    ['no role', {}, [JsonPatch.remove('/spec/roleDefinitionReference')], 'spec.roleDefinitionReference has 0 of'],
  ])('is refused with %s', (_, props, patches, what) => {
    const { assignment: object } = assignment(props).made;
    object.addJsonPatch(...patches);
    expect(faultsAt(object)).toEqual([expect.stringContaining(`azure-service-operator: ${what}`)]);
  });

  test.each<[string, () => unknown]>([
    ['a built-in role by name', () => AzureRole.builtIn('Network Contributor')],
    ['a role by something else', () => AzureRole.ofId('Network Contributor')],
  ])('not of %s', (_, make) => {
    expect(make).toThrow(/\(azure-role\)/);
  });
});

describe('a definition of a role', () => {
  const MANAGEMENT = '/providers/Microsoft.Management/managementGroups/corp';

  function definition(props: Partial<AzureRoleDefinitionProps> = {}, ...patches: JsonPatch[]) {
    const { definition: object } = new AzureRoleDefinition(chartOf(), 'Definition', {
      assignableScope: SUBNET,
      roleName: 'Load balancers of prod',
      purposes: [AzureNetworkPurpose.INTERNAL_SUBNET],
      ...props,
    });
    object.addJsonPatch(...patches);
    return faultsAt(object);
  }

  const actions = (...said: string[]) => definition({ purposes: [], actions: said });
  const scopes = (...armIds: string[]) =>
    definition(
      {},
      JsonPatch.replace(
        '/spec/assignableScopesReferences',
        armIds.map((armId) => ({ armId })),
      ),
    );

  test.each([
    ['everything', '*'],
    ['all reads', '*/read'],
    ['all of a provider', 'Microsoft.Compute/*'],
    ['all reads of a provider', 'Microsoft.Network/*/read'],
    ['an action in other case', 'microsoft.web/sites/restart/Action'],
    ['a provider of three parts', 'Contoso.Edge.Net/a/b/write'],
  ])('may do %s', (_, action) => {
    expect(actions(action)).toEqual([]);
  });

  test.each(Object.values(AzureNetworkPurpose))('may do what %s needs', (purpose) => {
    expect(definition({ purposes: [purpose] })).toEqual([]);
  });

  test.each<[string, () => string[], RegExp]>([
    ['that may do nothing', () => actions(), /the role may do nothing.*\(azure-definition-actions\)/],
    ['with an action of AWS', () => actions('ec2:DescribeSubnets'), /'ec2:DescribeSubnets' is not an action/],
    ['with a type alone', () => actions('Microsoft.Network/routeTables'), /'Microsoft.Network\/routeTables' is no/],
    ['with a provider alone', () => actions('Microsoft.Network'), /is not an action/],
    ['with a blank', () => actions('Microsoft.Network/route tables/read'), /is not an action/],
    [
      'that is kept from what is not an action',
      () => definition({}, JsonPatch.add('/spec/permissions/0/notActions', ['x'])),
      /'x' is not an action/,
    ],
    ['without a name', () => definition({ roleName: ' ' }), /roleName has 0 characters.*\(azure-definition-name\)/],
    ['with a long name', () => definition({ roleName: 'x'.repeat(513) }), /roleName has 513 characters/],
    [
      'whose name in Azure is none',
      () => definition({}, JsonPatch.add('/spec/azureName', 'edge')),
      /azureName 'edge' is not a GUID.*\(azure-definition-name\)/,
    ],
    ['for nothing', () => scopes(), /can be given on nothing.*\(azure-definition-scopes\)/],
    ['for everything', () => scopes('/'), /the assignable scope '\/' is not the ID/],
    ['for a subscription by name', () => scopes('/subscriptions/prod'), /is not the ID of a subscription/],
    ['for two management groups', () => scopes(MANAGEMENT, `${MANAGEMENT}2`), /given on 2 management groups/],
    [
      'for half a reference',
      () => definition({}, JsonPatch.add('/spec/assignableScopesReferences/-', {})),
      /an assignable scope has not exactly one of armId and name/,
    ],
    [
      'without an owner',
      () => definition({}, JsonPatch.remove('/spec/owner')),
      /the owner has not.*\(azure-def.*-owner\)/,
    ],
  ])('is refused: one %s', (_, said, message) => {
    expect(said()).toEqual([expect.stringMatching(message)]);
  });

  test('can be given on a management group and subscriptions', () => {
    expect(scopes(MANAGEMENT, `/subscriptions/${SUBSCRIPTION}`, SUBNET.armId)).toEqual([]);
  });
});

test.each([
  '/subscriptions/prod/resourceGroups/network',
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/`,
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/network.`,
  `/subscriptions/${SUBSCRIPTION}/network`,
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/network/providers/Network/virtualNetworks/hub`,
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks`,
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/a b`,
])('%s is no ID', (armId) => {
  expect(() => AzureScope.ofId(armId)).toThrow(/\(azure-scope\)/);
});

test.each([
  `/subscriptions/${SUBSCRIPTION}/resourcegroups/MC_prod_(eu)/providers/microsoft.network/loadBalancers/kubernetes`,
  `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${PRINCIPAL}`,
  `${SUBNET.armId}/providers/Microsoft.Authorization/locks/keep`,
])('%s is an ID', (armId) => {
  expect(AzureScope.ofId(armId).armId).toBe(armId);
});

describe('a federated credential', () => {
  test('lets a ServiceAccount act as an identity', () => {
    expect(Testing.synth(credential({ name: 'dns-edge' }).chart)).toEqual([
      {
        apiVersion: 'managedidentity.azure.com/v1api20230131',
        kind: 'FederatedIdentityCredential',
        metadata: { name: 'dns-edge', namespace: 'aso' },
        spec: {
          owner: { name: 'dns' },
          audiences: ['api://AzureADTokenExchange'],
          issuer: ISSUER,
          subject: 'system:serviceaccount:edge:dns',
        },
      },
    ]);
    expect(faultsAt(credential().made.credential)).toEqual([]);
  });

  test('takes the issuer from a ConfigMap, and an identity by its ID', () => {
    const identityArmId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/a/providers/Microsoft.ManagedIdentity/userAssignedIdentities/dns`;
    const { made } = credential({
      identityName: undefined,
      identityArmId,
      issuer: undefined,
      issuerFrom: { name: 'cluster', key: 'issuer' },
      audience: 'api://AzureADTokenExchangeUSGov',
    });
    expect(made.credential.toJson().spec).toEqual({
      owner: { armId: identityArmId },
      audiences: ['api://AzureADTokenExchangeUSGov'],
      issuerFromConfig: { name: 'cluster', key: 'issuer' },
      subject: 'system:serviceaccount:edge:dns',
    });
    expect(faultsAt(made.credential)).toEqual([]);
  });

  test.each<[string, Partial<AzureFederatedCredentialProps>, JsonPatch[], string]>([
    ['no identity', { identityName: undefined }, [], 'spec.owner has not exactly one of armId and name'],
    ['no issuer', { issuer: undefined }, [], 'spec has 0 of issuer, issuerFromConfig'],
    [
      'an issuer without its scheme',
      { issuer: 'oic.example.com' },
      [],
      "the issuer 'oic.example.com' is not an https URL",
    ],
    ['a name of two letters', { name: 'ab' }, [], "'ab' is not a valid name of a federated credential"],
    ['a name with a dot', { name: 'dns.edge' }, [], "'dns.edge' is not a valid name of a federated credential"],
    ['two audiences', {}, [JsonPatch.add('/spec/audiences/-', 'x')], 'spec.audiences has not exactly one entry'],
    ['no subject', {}, [JsonPatch.remove('/spec/subject')], 'spec has 0 of subject, subjectFromConfig'],
  ])('is refused with %s', (_, props, patches, what) => {
    const { credential: object } = credential(props).made;
    object.addJsonPatch(...patches);
    expect(faultsAt(object)).toEqual([expect.stringContaining(`azure-service-operator: ${what}`)]);
  });

  test('is for a ServiceAccount that can be', () => {
    expect(() => credential({ serviceAccountNamespace: '*' })).toThrow(
      /^chart\/Credential: '\*' is not a valid DNS label/,
    );
  });
});

test('pods of an identity carry a label, and their ServiceAccount an annotation', () => {
  const identity = new AzureWorkloadIdentity(PRINCIPAL, SUBSCRIPTION);
  expect(identity.podLabels).toEqual({ 'azure.workload.identity/use': 'true' });
  expect(identity.serviceAccountAnnotations).toEqual({
    'azure.workload.identity/client-id': PRINCIPAL,
    'azure.workload.identity/tenant-id': SUBSCRIPTION,
  });
  expect(Object.keys(new AzureWorkloadIdentity(PRINCIPAL).serviceAccountAnnotations)).toHaveLength(1);
  expect(() => new AzureWorkloadIdentity('dns')).toThrow(/'dns' is not a GUID/);
  expect(() => new AzureWorkloadIdentity(PRINCIPAL, 'contoso')).toThrow(/'contoso' is not a GUID/);
});
